/// `orrery show trace FILE`: ranks, calls by kind, volume.
#include <fmt/format.h>

#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/cli/pages/trace_page.hpp"
#include "sim/config/traces/trace_file.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/read/data_path.hpp"

namespace orrery::cli::show_trace_command {

namespace {

const bool entered = commands().add({
    .name = "show trace",
    .summary = "a trace: its ranks, calls by kind, and volume",
    .example = "orrery show trace halo-ti/index.txt",
    .setup =
        [](CommandLine& line) {
          auto file = std::make_shared<std::string>();
          line.path("FILE", *file, "a TI trace or its index, or a GOAL schedule");
          line.run([file] {
            say("{}", trace_page(config::read_trace(data_path("scenarios/traces", *file, "ti", "show trace"))));
            return 0;
          });
        },
});

}  // namespace

}  // namespace orrery::cli::show_trace_command
