#include "sim/cli/pages/kernel_page.hpp"

#include <doctest/doctest.h>

using namespace orrery;
using cli::kernel_page;

TEST_SUITE("app/kernel page") {
  TEST_CASE("The page of a kernel shows summary and text and parameters with defaults and ranges and source") {
    const KernelEntry entry{
        .name = "demo",
        .summary = "a demonstration",
        .source = "Author, 2000",
        .page = "One step.",
        .parameters = {count_key("blocks", 4, "how many", 1, 9), bytes_key("element", 8, "how large", 1, 1024),
                       word_key("barrier", "ideal", "which", {"none", "ideal"}), flag_key("compute", true, "whether")},
        .grid =
            [](const Parameters& parameters) {
              return GridSize{static_cast<std::uint32_t>(parameters.integer("blocks")), 7};
            },
        .make = {}};
    CHECK(kernel_page(entry) ==
          "demo: a demonstration\n\nOne step.\n\nParameters\n"
          "  blocks       4  how many (whole number, 1..9)\n"
          "  element     8B  how large (data, 1 B..1 KiB)\n"
          "  barrier  ideal  which (none, ideal)\n"
          "  compute   true  whether (true, false)\n"
          "\nNeeds a partition of its grid (4 x 7 by default): see 'orrery partition --help'.\n"
          "\nPredictions are compared with its phase 'communication'.\nSource: Author, 2000\n");
  }

  TEST_CASE("Every kernel of the catalogue has a page") {
    for (const auto& [name, entry] : kernels().entries()) {
      const std::string page = kernel_page(entry);
      CHECK(page.find(entry.page) != std::string::npos);
      for (const auto& parameter : entry.parameters) CHECK(page.find("  " + parameter.name) != std::string::npos);
    }
  }
}
