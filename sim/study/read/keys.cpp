#include "sim/study/read/keys.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "sim/study/read/engines.hpp"
#include "sim/study/read/keys_detail.hpp"

namespace orrery {

using config::Field;
using config::Fields;
using config::Key;
using config::KeyKind;
using config::Section;
using config::Shape;
using config::Value;
using namespace scenario_detail;

namespace {

ValidateSpec read_validate(const Section& section) {
  ValidateSpec validate;
  validate.where = section.where();
  config::read_fields(section, validate_fields(), validate);
  std::ranges::sort(validate.sizes);
  section.finish();
  return validate;
}

CalibrationSpec read_calibration(const Section& section) {
  CalibrationSpec spec{.where = section.where()};
  config::read_fields(section, calibrate_fields(), spec);
  if (std::ranges::adjacent_find(spec.sizes, std::greater_equal<>()) != spec.sizes.end())
    section.refuse("sizes", "'sizes' do not increase (each once, smallest first). Sort the list?");
  if (!spec.files.empty() && (!spec.sizes.empty() || spec.concurrency > 0 || section.has("pairs")))
    section.refuse("files", "'files' and settings for measuring are both given (only one is allowed). Remove 'files'?");
  section.finish();
  return spec;
}

/// Names of models whose predictions are the scenario's own.
std::vector<std::string> own_models(const Scenario& scenario) {
  std::vector<std::string> own;
  for (const auto& model : scenario.models)
    if (model.is_own()) own.push_back(model.name);
  return own;
}

using Lines = std::vector<Field<Scenario>>;

/// What is played, and by which engine.
Lines run_lines() {
  return {{&Scenario::title,
           {.name = "title",
            .absent = "the file's name",
            .example = "\"How many ranks?\"",
            .about = "the question",
            .aside = true}},
          {&Scenario::source,
           {.name = "source",
            .example = "\"my own question\"",
            .about = "who asks, or the paper whose table this is",
            .aside = true}},
          Key{.name = "platform",
              .inside = &platform_in_scenario_keys(),
              .example = "fermi",
              .about = "a name of 'orrery list platforms' or a file"},
          Key{.name = "network", .example = "infiniband", .about = "one of the platform's"},
          {&Scenario::engine,
           {.name = "engine",
            .kind = KeyKind::word,
            .choices = engine_choices(),
            .fallback = default_engine,
            .example = "flow",
            .about = "which engine plays; both: both, compared"}},
          {&Scenario::approximate,
           {.name = "approximate",
            .least = 0.0,
            .most = approximate_max,
            .fallback = "0",
            .example = "0.01",
            .about = "engine flow: loads of resources within this share of fair; 0: exact"}}};
}

/// The program and the machine under it.
Lines program_lines() {
  return {section({.name = "layout",
                   .example = "{ranks: 16, per-node: 4}",
                   .about = "which ranks run where; not beside 'jobs'"},
                  layout_in_scenario_keys()),
          section({.name = "kernel", .example = "{name: summa, blocks: 64}", .about = "the program; not beside 'jobs'"},
                  kernel_fields().mapping()),
          sections({.name = "jobs",
                    .absent = "one program: 'kernel' on its 'layout'",
                    .example = "[{name: a, kernel: {name: summa, blocks: 64}, layout: {ranks: 8, per-node: 4}}]",
                    .about = "several programs at once instead, each on nodes of its own"},
                   job_fields().mapping()),
          section({.name = "partition",
                   .absent = "{algorithm: beaumont-columns}",
                   .example = "{algorithm: rows}",
                   .about = "who owns what, for kernels on a grid"},
                  partition_fields().mapping()),
          section({.name = "compute",
                   .absent = "as the platform says, else peak speeds",
                   .example = "{model: roofline}",
                   .about = "how long compute steps take"},
                  compute_fields().mapping()),
          Key{.name = "what-if",
              .shape = Shape::either,
              .absent = "all parts are as the platform says",
              .inside = &what_if_fields().mapping(),
              .example = "{node: 17, slower: 20%}",
              .about = "parts of the machine that are slower than that, or dead"},
          section({.name = "failures",
                   .absent = "nothing fails",
                   .example = "{mtbf: 50000h, steps: 1000000, checkpoint: 2TB, storage: 100GB/s}",
                   .about = "how long many such runs take on nodes that fail, with checkpoints"},
                  failure_fields().mapping()),
          {&Scenario::ignore_memory,
           {.name = "ignore-memory",
            .fallback = "false",
            .example = "true",
            .about = "play what cannot fit into the memory of its nodes or GPUs, too",
            .aside = true}},
          Key{.name = "gpu-staging",
              .kind = KeyKind::word,
              .choices = {"compute-model", "messages"},
              .fallback = "compute-model",
              .example = "messages",
              .about = "what contains the copies between GPU and host: the compute times, or messages, which then "
                       "cross the GPU's link"}};
}

/// What is set beside the simulation.
Lines model_lines() {
  Key models = sections({.name = "models",
                         .absent = "none",
                         .example = "[taulop, {name: taulop, overhead: per-slice}]",
                         .about = "what predicts the points beside the simulation"},
                        model_fields().mapping());
  models.kind = KeyKind::text;
  return {{[](Scenario& into, const Value& value) {
             for (const auto& model : value.list()) into.models.push_back(read_model(model));
           },
           models},
          {[](Scenario& into, const Value& value) { into.calibration = read_calibration(value.section()); },
           section({.name = "calibrate",
                    .absent = "measured on the engine",
                    .example = "{sizes: [1B, 1KiB, 64KiB], concurrency: 8}",
                    .about = "where the models' parameters come from"},
                   calibrate_fields().mapping())},
          {[](Scenario& into, const Value& value) { into.validate = read_validate(value.section()); },
           section({.name = "validate",
                    .absent = "nothing is measured",
                    .example = "{median: 3%, each: 10%}",
                    .about = "how 'orrery validate' measures, and what must hold"},
                   validate_fields().mapping())}};
}

const std::vector<Word<bool>> alike_words{{"whole", false}, {"once", true}};

/// Which points there are, and how they are played and judged.
Lines point_lines() {
  return {section({.name = "sweep",
                   .absent = "one point",
                   .example = "{network: [infiniband, ethernet]}",
                   .about = "the points"},
                  sweep_keys()),
          section({.name = "only",
                   .absent = "all of them",
                   .example = "{ranks: [power-of-two]}",
                   .about = "which points of the sweep there are"},
                  only_fields().mapping()),
          {&Scenario::alike_once,
           alike_words,
           {.name = "alike",
            .fallback = "whole",
            .example = "once",
            .about = "engine flow: 'once' plays collectives of the GPUs of a node, and the products between, once for "
                     "all that are alike, with the same result"}},
          {&Scenario::steady,
           {.name = "steady",
            .kind = KeyKind::share,
            .most = 0.5,
            .absent = "all iterations are played",
            .example = "0.1%",
            .about = "of kernels with 'iterations': played until the mean of their second half differs by no more "
                     "from the quarter before; the rest is counted"}},
          {[](Scenario& into, const Value& value) { into.choose = read_choose(value.section()); },
           section({.name = "choose",
                    .absent = "not asked",
                    .example = "{beside: [\"1,1\"]}",
                    .about = "which layout each model would choose for a size, beside the best"},
                   choose_fields().mapping())},
          {[](Scenario& into, const Value& value) { into.search = read_search(value.section()); },
           section({.name = "search",
                    .absent = "the least time",
                    .example = "{least: cost, at-most: {time: 2h}}",
                    .about = "which point 'orrery search' is to find; 'orrery run' plays them all"},
                   search_fields().mapping())}};
}

/// What is known of the results already, and what must hold.
Lines expectation_lines() {
  return {Key{.name = "average-over",
              .absent = "no averages",
              .example = "network",
              .about = "an axis of the sweep: mu averaged over it, for each of the other points"},
          Key{.name = "speed-up-over",
              .shape = Shape::either,
              .absent = "no speed-ups",
              .example = "layout.ranks",
              .about = "an axis of the sweep, or several: how many times shorter each run is than that with the first "
                       "value of each (metric 'speed-up')"},
          {read_measured_key,
           {.name = "measured",
            .absent = "nothing",
            .inside = &measured_fields().mapping(),
            .example = "measured.csv",
            .about = "a table of measured times, as orrery-mpi writes it; or what of a run they are, too"}},
          {[](Scenario& into, const Value& value) {
             for (const auto& item : value.list()) into.published.push_back(read_published(item, own_models(into)));
           },
           sections({.name = "published",
                     .absent = "nothing",
                     .example = "[{model: measured, network: infiniband, time: 6.5s, spread: [6.1s, 6.7s]}]",
                     .about = "what a paper or real runs say"},
                    published_fields().mapping())},
          {[](Scenario& into, const Value& value) {
             for (const auto& item : value.list()) into.tolerances.push_back(read_tolerance(item, own_models(into)));
           },
           sections({.name = "tolerance",
                     .absent = "nothing",
                     .example = "[{of: prediction, model: taulop, mu: 1.5}]",
                     .about = "what must hold"},
                    tolerance_fields().mapping())}};
}

}  // namespace

const Fields<Scenario>& scenario_detail::scenario_fields() {
  static const Fields<Scenario> fields =
      Fields<Scenario>{{.name = "",
                        .about = "A scenario file asks a question: a program on a platform, settings, models "
                                 "('orrery new scenario')."},
                       run_lines()}
          .with(program_lines())
          .with(model_lines())
          .with(point_lines())
          .with(expectation_lines());
  return fields;
}

const config::Mapping& scenario_keys() { return scenario_fields().mapping(); }

}  // namespace orrery
