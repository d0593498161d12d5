#include "sim/cli/pages/source_templates.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <set>

#include "kernels/collectives/algorithm.hpp"
#include "sim/core/error.hpp"

using namespace orrery;
using namespace orrery::cli;

// That they compile and pass their contract tests is tests/cli/new_code.sh's.
TEST_SUITE("app/templates") {
  TEST_CASE("New files have the name asked for and no mark that is left to fill") {
    for (const std::string& text : {kernel_template("halo-swap"), model_template("halo-swap")}) {
      CHECK(text.find(".name = \"halo-swap\"") != std::string::npos);
      CHECK(text.find("namespace orrery::halo_swap_") != std::string::npos);
      CHECK(text.find("class HaloSwap final") != std::string::npos);
      CHECK(text.find('@') == std::string::npos);
    }
    for (const std::string& operation : operations_with_template()) {
      const std::string text = collective_template("two_rings", operation);
      INFO(operation);
      CHECK(text.find(".name = \"two_rings\"") != std::string::npos);
      CHECK(text.find("enter({Operation::" + operation) != std::string::npos);
      CHECK(text.find('@') == std::string::npos);
    }
  }
  TEST_CASE("Every operation with a folder of algorithms has a new file to begin with") {
    std::set<std::string> folders;
    for (const auto& entry : std::filesystem::directory_iterator(ORRERY_SOURCE_DIR "/kernels/collectives/algorithms"))
      folders.insert(entry.path().filename().string());
    const auto names = operations_with_template();
    CHECK(std::set<std::string>(names.begin(), names.end()) == folders);
    CHECK_THROWS_WITH_AS(collective_template("mine", "bcst"),
                         "--operation: unknown operation 'bcst' (known: allgather, allreduce, alltoall, alltoallv, "
                         "barrier, bcast, gather, reduce, reduce_scatter, scatter). Did you mean 'bcast'?",
                         InputError);
  }
  TEST_CASE("Names of files are made names of C++") {
    CHECK(identifier_of("a-b2-c") == "a_b2_c");
    CHECK(class_of("two_rings") == "TwoRings");
    CHECK(class_of("hpl") == "Hpl");
  }
}
