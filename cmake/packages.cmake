# What is packed: 'cpack -G DEB' in a build folder configured with -DCMAKE_INSTALL_PREFIX=/usr (packaging/deb/build.sh does both)
# makes orrery, orrery-mpi, liborrery-dev and python3-orrery. packaging/README.md says how each was tried.
set(CPACK_PACKAGE_VENDOR "The Orrery authors")
set(CPACK_PACKAGE_CONTACT "The Orrery authors <orrery@example.org>")
set(CPACK_PACKAGE_NAME orrery)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own
string(REPLACE "-" "~" CPACK_PACKAGE_VERSION "${ORRERY_VERSION}")  # in Debian's order 1.0.0~rc1 comes before 1.0.0
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL tool mpi dev python)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian_files.cmake)
set(of_same_version "(= ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")

set(CPACK_DEBIAN_TOOL_PACKAGE_NAME orrery)
set(CPACK_DEBIAN_TOOL_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TOOL_PACKAGE_RECOMMENDS "fonts-liberation")  # text of figures as PDF and PNG
set(CPACK_DEBIAN_TOOL_PACKAGE_SUGGESTS "orrery-mpi, python3-orrery, liborrery-dev")
set(CPACK_DEBIAN_TOOL_DESCRIPTION "discrete-event simulator of clusters
Plays a program (built-in kernels, recorded MPI traces) on a cluster that is
described in YAML, and shows the simulated times beside those of analytic
models (tau-Lop, HLogGP, LogGP, Hockney), of papers and of real MPI runs.")

set(CPACK_DEBIAN_MPI_PACKAGE_NAME orrery-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_SHLIBDEPS ON)
set(launcher openmpi-bin)  # mpirun, of the MPI that it is linked to
if(MPI_CXX_HEADER_DIR MATCHES mpich)
  set(launcher mpich)
endif()
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "orrery ${of_same_version}, ${launcher}")
set(CPACK_DEBIAN_MPI_DESCRIPTION "real MPI runs beside those that Orrery simulates
Plays the programs of Orrery with real MPI calls, records any MPI program as a
trace, and measures the compute rates of a machine.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME liborrery-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(of_simgrid "")
if(ORRERY_SIMGRID)
  set(of_simgrid ", libsimgrid-dev")
endif()
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libfmt-dev, libyaml-cpp-dev, libeigen3-dev, libboost-dev, libsqlite3-dev, zlib1g-dev, libcairo2-dev, libnlopt-dev, pkg-config${of_simgrid}")
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS "orrery ${of_same_version}, cmake, g++")
set(CPACK_DEBIAN_DEV_DESCRIPTION "kernels and models of one's own for Orrery
Headers, a static library and a CMake package: programs made with them have all
of Orrery's commands and what one adds to its catalogues.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-orrery)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.11), orrery (>= ${CPACK_PACKAGE_VERSION})")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-pandas, python3-matplotlib")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "Orrery, the simulator of clusters, from Python
Scenarios, sweeps and results as tables in a script or a notebook; models,
programs and partitioners as Python functions.")
install(DIRECTORY python/orrery DESTINATION lib/python3/dist-packages COMPONENT python EXCLUDE_FROM_ALL
  FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)

# Each package has its licence and what changed (Debian policy 12.5 and 12.7).
foreach(pair IN ITEMS tool:orrery mpi:orrery-mpi dev:liborrery-dev python:python3-orrery)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 component)
  list(GET pair 1 package)
  install(FILES packaging/deb/copyright CHANGELOG.md DESTINATION share/doc/${package} COMPONENT ${component})
endforeach()
include(CPack)
