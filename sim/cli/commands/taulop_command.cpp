/// `orrery taulop`: the tau-Lop calculator.
#include <fmt/format.h>

#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/cli/pages/taulop_calculator.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/read/data_path.hpp"

namespace orrery::cli::taulop_command {

namespace {

int print(TauLopRequest request) {
  request.parameters = input_path(request.parameters);
  const auto answer = evaluate(request);
  for (const auto& warning : answer.warnings) tell("warning: {}\n", warning);
  say("{}", answer.text);
  return 0;
}

const bool entered = commands().add({
    .name = "taulop",
    .summary = "tau-Lop calculator: cost of concurrent sequences of transmissions, step by step",
    .example = "orrery taulop --parameters docs/models/taulop-example --network IB --steps "
               "'T(0,65536) + T(1,262144) ; T(1,65536)'",
    .setup =
        [](CommandLine& line) {
          auto request = std::make_shared<TauLopRequest>();
          line.positional("EXPRESSION", request->words,
                          "T(channel,bytes[,tau[,n[,src rank,src node,dst rank,dst node]]]) joined by '+' (in "
                          "sequence), ';' (concurrent) and '>>' (next stage); or the values of --time and --bytes",
                          false);
          line.choice("--mode", request->mode, {"timeline", "algebra"},
                      "timeline: step through time; algebra: apply the paper's assumptions A1 to A3");
          line.choice("--overhead", request->overhead, {"once", "per-slice", "none-on-network"},
                      "when a transmission pays its overhead (default: timeline once, algebra per-slice)");
          line.choice("--rule", request->rule, {"by-channel", "dropping"},
                      "algebra only; by-channel: equation (8); dropping: equations (5) to (7)");
          line.path("--parameters", request->parameters, "folder with SHM.txt and either IB.txt or TCP.txt", true);
          line.choice("--network", request->network, {"IB", "TCP"},
                      "IB: RDMA (equation 3); TCP: buffered (equation 2)");
          line.flag("--merge", request->merge,
                    "apply A1: merge neighbours in a sequence (timeline) or like terms (algebra)");
          line.flag("--time", request->time, "look up a transfer time: --time CHANNEL BYTES TAU");
          line.flag("--bytes", request->bytes, "look up a message size: --bytes CHANNEL SECONDS TAU");
          line.flag("--steps", request->steps, "explain each slice or rewrite, with the assumption used");
          line.flag("--json", request->json, "print JSON");
          line.run([request] { return print(*request); });
        },
});

}  // namespace

}  // namespace orrery::cli::taulop_command
