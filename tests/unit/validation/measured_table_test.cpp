#include "validation/mpi/measured_table.hpp"

#include <doctest/doctest.h>

using namespace orrery;

TEST_SUITE("validation/measured table") {
  TEST_CASE("A phase that a program calls run has no row beside the one of the whole run") {
    const mpi::Measured point{.settings = {},
                              .phase = "communication",
                              .ranks = 2,
                              .phase_s = {0.1, 0.1},
                              .run_s = {0.5, 0.5},
                              .by_phase = {{"communication", {0.1, 0.1}}, {"run", {0.2, 0.2}}, {"solve", {0.3, 0.3}}}};
    const mpi::Origin origin{.hosts = {"a", "a"}, .library = "an MPI", .repeat = 2, .phases = true};
    const std::string table = mpi::measured_table("s.yaml", {point}, origin, "");
    CAPTURE(table);
    CHECK(table.find("\nrun,0.5,") != std::string::npos);
    CHECK(table.find("\nrun,0.2,") == std::string::npos);
    CHECK(table.find("\nsolve,0.3,") != std::string::npos);
    CHECK(table.find("# note: a phase that the program calls 'run' has no row, since 'run' is the whole time\n") !=
          std::string::npos);
  }
}
