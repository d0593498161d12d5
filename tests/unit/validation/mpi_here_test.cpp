#include "validation/commands/mpi_here.hpp"

#include <doctest/doctest.h>

#include "sim/core/error.hpp"

using namespace orrery;
using namespace orrery::cli;

TEST_SUITE("app/measure") {
  TEST_CASE("Before ranks start here a machine without MPI and root without leave are told what to do") {
    CHECK_THROWS_WITH_AS(said_before_mpi({}, 2),
                         "measure: there is no 'mpirun' here (of any MPI). Install one, such as openmpi-bin?", Skipped);
    const MpiHere root{"mpirun (Open MPI) 4.1.4\n", true, false, 4};
    CHECK_THROWS_WITH_AS(said_before_mpi(root, 2),
                         "measure: Open MPI starts no programs of root unless root says twice that it may (what runs "
                         "can then change every file). Run it as another user, or 'export OMPI_ALLOW_RUN_AS_ROOT=1 "
                         "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1'?",
                         InputError);
    CHECK(said_before_mpi({"mpirun (Open MPI) 4.1.4\n", true, true, 4}, 4) == "");
    CHECK(said_before_mpi({"HYDRA build details:\n", true, false, 4}, 4) == "");
  }
  TEST_CASE("More ranks than cores are started and a line says that they take turns") {
    CHECK(said_before_mpi({"mpirun (Open MPI) 4.1.4\n", false, false, 2}, 8) ==
          "8 ranks on 2 cores: they take turns, so that times are longer than on a machine with a core each");
    CHECK(said_before_mpi({"HYDRA", false, false, 1}, 2).starts_with("2 ranks on 1 core: "));
  }
}
