# SPDX-License-Identifier: Apache-2.0
"""Orrery for Spack 1.0 and later (package repository API v2.0).

    spack repo add packaging/spack_repo/orrery
    spack install orrery

Not run: no Spack was at hand. 2026-11-26: parsed by Python 3.11; directives, names and variants read against spack-packages (its build system
for CMake, cairo, cli11, simgrid), which found three mistakes, all mended.
"""

import os

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *


class Orrery(CMakePackage):
    """Discrete-event simulator of clusters: predicted, simulated and measured times side by side."""

    license("Apache-2.0", checked_by="orrery")

    # The clone that this recipe lies in, as it is committed. A release is entered with its URL and checksum.
    git = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 5))
    version("main", branch="main")

    variant("simgrid", default=True, description="Engine 'simgrid'; without it the engine is 'flow'")
    variant("mpi", default=True, description="orrery-mpi and the recorder: real runs beside the simulated ones")
    variant("python", default=False, description="The Python package")

    depends_on("cxx", type="build")
    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("fmt@8:11")
    depends_on("yaml-cpp@0.7:")
    depends_on("nlohmann-json@3.10:")
    depends_on("cli11@2.1:")
    depends_on("eigen@3.4:3")
    depends_on("boost@1.74: +graph +math")
    depends_on("sqlite")
    depends_on("nlopt")
    depends_on("zlib-api")
    depends_on("cairo@1.18: +png +pdf +zlib +ft +fc")  # which that recipe wants together
    depends_on("doctest@2.4:", type=("build", "test"))
    depends_on("simgrid@3.32:4.1", when="+simgrid")
    depends_on("mpi", when="+mpi")
    depends_on("fftw", when="+mpi")
    depends_on("blas", when="+mpi")
    depends_on("python@3.11:", when="+python", type=("build", "run"))
    extends("python", when="+python")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define_from_variant("ORRERY_SIMGRID", "simgrid"),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_MPI", not self.spec.satisfies("+mpi")),
            self.define("ORRERY_BUILD_TESTS", self.run_tests),
        ]

    @run_after("install", when="+python")
    def install_python(self):
        install_tree(join_path(self.stage.source_path, "python", "orrery"), join_path(python_purelib, "orrery"))

    def test_selftest(self):
        """two scenarios, a prediction, an export read back"""
        which(self.prefix.bin.orrery, required=True)("selftest")
