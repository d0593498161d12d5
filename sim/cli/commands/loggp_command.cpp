/// `orrery loggp`: LogGP, HLogGP and Hockney in numbers.
#include <fmt/format.h>

#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/cli/pages/loggp_calculator.hpp"
#include "sim/core/tell.hpp"

namespace orrery::cli::loggp_command {

namespace {

const bool entered = commands().add({
    .name = "loggp",
    .summary = "calculator for LogGP, HLogGP and Hockney: cost of the messages of one rank, term by term",
    .example = "orrery loggp 64KiB 8B --overhead 0.5us --latency 1.1us --gap 0.8us --gap-per-byte 0.25ns/B",
    .setup =
        [](CommandLine& line) {
          auto request = std::make_shared<LogGpRequest>();
          line.positional("MESSAGE", request->messages, "size of each message that the rank sends, one after another");
          line.choice("--model", request->model, {"loggp", "hloggp", "hockney"},
                      "model of the formula (default: loggp)");
          line.option("--overhead", request->overhead, "o: CPU overhead at each end, as in 0.5us (hloggp: o_s)");
          line.option("--overhead-receive", request->overhead_receive,
                      "hloggp only: receive overhead o_r (default: --overhead)");
          line.option("--latency", request->latency, "L: latency, as in 1.1us (Hockney: alpha)", true);
          line.option("--gap", request->gap, "g: minimum time between two messages of the rank");
          line.option("--gap-per-byte", request->gap_per_byte, "G: time per byte, as in 0.25ns/B (Hockney: beta)",
                      true);
          line.flag("--json", request->json, "print JSON");
          line.run([request] {
            say("{}", loggp_answer(*request));
            return 0;
          });
        },
});

}  // namespace

}  // namespace orrery::cli::loggp_command
