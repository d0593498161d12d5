#include "sim/study/read/keys.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "sim/study/read/engines.hpp"
#include "sim/study/read/keys_detail.hpp"

namespace orrery {

using config::Key;
using config::KeyKind;
using config::Mapping;
using config::Shape;
using namespace scenario_detail;

namespace {

using Keys = std::vector<Key>;

/// What is played, and by which engine.
Keys run_keys() {
  return {{.name = "title", .absent = "the file's name", .example = "\"How many ranks?\"", .about = "the question"},
          {.name = "source", .example = "\"my own question\"", .about = "who asks, or the paper whose table this is"},
          {.name = "platform",
           .inside = &platform_in_scenario_keys(),
           .example = "fermi",
           .about = "a name of 'orrery list platforms' or a file"},
          {.name = "network", .example = "infiniband", .about = "one of the platform's"},
          {.name = "engine",
           .kind = KeyKind::word,
           .choices = engine_choices(),
           .fallback = default_engine,
           .example = "flow",
           .about = "which engine plays; both: both, compared"},
          {.name = "approximate",
           .kind = KeyKind::number,
           .least = 0.0,
           .most = approximate_max,
           .fallback = "0",
           .example = "0.01",
           .about = "engine flow: loads of resources within this share of fair; 0: exact"}};
}

/// The program and the machine under it.
Keys program_keys() {
  return {section({.name = "layout", .example = "{ranks: 16, per-node: 4}", .about = "which ranks run where"},
                  layout_in_scenario_keys()),
          section({.name = "kernel", .example = "{name: summa, blocks: 64}", .about = "the program"}, kernel_keys()),
          section({.name = "partition",
                   .absent = "{algorithm: beaumont-columns}",
                   .example = "{algorithm: rows}",
                   .about = "who owns what, for kernels on a grid"},
                  partition_fields().mapping()),
          section({.name = "compute",
                   .absent = "as the platform says, else peak speeds",
                   .example = "{model: roofline}",
                   .about = "how long compute steps take"},
                  compute_in_scenario_keys()),
          {.name = "ignore-memory",
           .kind = KeyKind::boolean,
           .fallback = "false",
           .example = "true",
           .about = "play what cannot fit into the memory of its nodes or GPUs, too"},
          {.name = "gpu-staging",
           .kind = KeyKind::word,
           .choices = {"compute-model", "messages"},
           .fallback = "compute-model",
           .example = "messages",
           .about = "what contains the copies between GPU and host: the compute times, or messages, which then "
                    "cross the GPU's link"}};
}

/// What is set beside the simulation.
Keys model_section_keys() {
  return {[] {
            Key key = sections({.name = "models",
                                .absent = "none",
                                .example = "[taulop, {name: taulop, overhead: per-slice}]",
                                .about = "what predicts the points beside the simulation"},
                               model_keys());
            key.kind = KeyKind::text;
            return key;
          }(),
          section({.name = "calibrate",
                   .absent = "measured on the engine",
                   .example = "{sizes: [1B, 1KiB, 64KiB], concurrency: 8}",
                   .about = "where the models' parameters come from"},
                  calibrate_fields().mapping()),
          section({.name = "validate",
                   .absent = "nothing is measured",
                   .example = "{median: 3%, each: 10%}",
                   .about = "how 'orrery validate' measures, and what must hold"},
                  validate_fields().mapping())};
}

/// Which points there are, and how they are played and judged.
Keys point_section_keys() {
  return {section({.name = "sweep",
                   .absent = "one point",
                   .example = "{network: [infiniband, ethernet]}",
                   .about = "the points"},
                  sweep_keys()),
          section({.name = "only",
                   .absent = "all of them",
                   .example = "{ranks: [power-of-two]}",
                   .about = "which points of the sweep there are"},
                  only_keys()),
          {.name = "steady",
           .kind = KeyKind::share,
           .most = 0.5,
           .absent = "all iterations are played",
           .example = "0.1%",
           .about = "of kernels with 'iterations': played until the mean of their second half differs by no more from "
                    "the quarter before; the rest is counted"},
          section({.name = "choose",
                   .absent = "not asked",
                   .example = "{beside: [\"1,1\"]}",
                   .about = "which layout each model would choose for a size, beside the best"},
                  choose_keys())};
}

/// What is known of the results already, and what must hold.
Keys expectation_section_keys() {
  return {{.name = "average-over",
           .absent = "no averages",
           .example = "network",
           .about = "an axis of the sweep: mu averaged over it, for each of the other points"},
          {.name = "speed-up-over",
           .shape = Shape::either,
           .absent = "no speed-ups",
           .example = "layout.ranks",
           .about = "an axis of the sweep, or several: how many times shorter each run is than that with the first "
                    "value of each (metric 'speed-up')"},
          {.name = "measured",
           .kind = KeyKind::text,
           .absent = "nothing",
           .example = "measured.csv",
           .about = "a table of measured times, as orrery-mpi writes it"},
          sections({.name = "published",
                    .absent = "nothing",
                    .example = "[{model: measured, network: infiniband, time: 6.5s, spread: [6.1s, 6.7s]}]",
                    .about = "what a paper or real runs say"},
                   published_keys()),
          sections({.name = "tolerance",
                    .absent = "nothing",
                    .example = "[{of: prediction, model: taulop, mu: 1.5}]",
                    .about = "what must hold"},
                   tolerance_keys())};
}

}  // namespace

const Mapping& scenario_keys() {
  static const Mapping mapping = [] {
    Mapping scenario{
        .name = "",
        .about = "A scenario file asks a question: a program on a platform, settings, models ('orrery new scenario')."};
    for (Keys part :
         {run_keys(), program_keys(), model_section_keys(), point_section_keys(), expectation_section_keys()})
      std::ranges::move(part, std::back_inserter(scenario.keys));
    return scenario;
  }();
  return mapping;
}

}  // namespace orrery
