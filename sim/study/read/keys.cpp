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
            .about = "author of the question, or the paper with this table",
            .aside = true}},
          Key{.name = "platform",
              .inside = &platform_in_scenario_keys(),
              .example = "fermi",
              .about = "a platform: a name ('orrery list platforms') or a file"},
          Key{.name = "network", .example = "infiniband", .about = "a network of the platform"},
          {&Scenario::engine,
           {.name = "engine",
            .kind = KeyKind::word,
            .choices = engine_choices(),
            .fallback = default_engine,
            .example = "flow",
            .about = "simulation engine; both: run and compare both"}},
          {&Scenario::approximate,
           {.name = "approximate",
            .least = 0.0,
            .most = approximate_max,
            .fallback = "0",
            .example = "0.01",
            .about = "engine flow: allowed deviation of loads from max-min fairness; 0: exact"}}};
}

/// The program and the machine under it.
Lines program_lines() {
  return {
      section({.name = "layout",
               .example = "{ranks: 16, per-node: 4}",
               .about = "placement of ranks; not allowed with 'jobs'"},
              layout_in_scenario_keys()),
      section(
          {.name = "kernel", .example = "{name: summa, blocks: 64}", .about = "the program; not allowed with 'jobs'"},
          kernel_fields().mapping()),
      sections({.name = "jobs",
                .absent = "one program: 'kernel' on its 'layout'",
                .example = "[{name: a, kernel: {name: summa, blocks: 64}, layout: {ranks: 8, per-node: 4}}]",
                .about = "several programs at the same time instead, each on separate nodes"},
               job_fields().mapping()),
      section({.name = "partition",
               .absent = "{algorithm: beaumont-columns}",
               .example = "{algorithm: rows}",
               .about = "grid division among ranks, for kernels on a grid"},
              partition_fields().mapping()),
      section({.name = "compute",
               .absent = "that of the platform, else peak speeds",
               .example = "{model: roofline}",
               .about = "compute model: time of compute steps"},
              compute_fields().mapping()),
      Key{.name = "what-if",
          .shape = Shape::either,
          .absent = "none: the machine is as in the platform file",
          .inside = &what_if_fields().mapping(),
          .example = "{node: 17, slower: 20%}",
          .about = "slower or dead parts of the machine"},
      section({.name = "failures",
               .absent = "no failures",
               .example = "{mtbf: 50000h, steps: 1000000, checkpoint: 2TB, storage: 100GB/s}",
               .about = "time of many such runs with node failures and checkpoints"},
              failure_fields().mapping()),
      {&Scenario::ignore_memory,
       {.name = "ignore-memory",
        .fallback = "false",
        .example = "true",
        .about = "true: run even if the program does not fit into memory of nodes or GPUs",
        .aside = true}},
      Key{.name = "gpu-staging",
          .kind = KeyKind::word,
          .choices = {"compute-model", "messages"},
          .fallback = "compute-model",
          .example = "messages",
          .about = "copies between GPU and host: compute-model: part of the compute times; messages: part of messages, "
                   "over the GPU's link"}};
}

/// What is set beside the simulation.
Lines model_lines() {
  Key models = sections({.name = "models",
                         .absent = "none",
                         .example = "[taulop, {name: taulop, overhead: per-slice}]",
                         .about = "models that predict the points"},
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
                    .about = "origin of the models' parameters"},
                   calibrate_fields().mapping())},
          {[](Scenario& into, const Value& value) { into.validate = read_validate(value.section()); },
           section({.name = "validate",
                    .absent = "nothing is measured",
                    .example = "{median: 3%, each: 10%}",
                    .about = "measurements of 'orrery validate', and bounds on the errors"},
                   validate_fields().mapping())}};
}

const std::vector<Word<bool>> alike_words{{"whole", false}, {"once", true}};

/// Which points there are, and how they are played and judged.
Lines point_lines() {
  return {section({.name = "sweep",
                   .absent = "a single point",
                   .example = "{network: [infiniband, ethernet]}",
                   .about = "axes of the sweep"},
                  sweep_keys()),
          section({.name = "only",
                   .absent = "all points",
                   .example = "{ranks: [power-of-two]}",
                   .about = "restrict the sweep to some points"},
                  only_fields().mapping()),
          {&Scenario::alike_once,
           alike_words,
           {.name = "alike",
            .fallback = "whole",
            .example = "once",
            .about = "engine flow: 'once' simulates identical GPU collectives of nodes, with the products between "
                     "them, only once; results are the same"}},
          {&Scenario::steady,
           {.name = "steady",
            .kind = KeyKind::share,
            .most = 0.5,
            .absent = "all iterations are simulated",
            .example = "0.1%",
            .about = "kernels with 'iterations': simulate until the mean of the second half differs at most this much "
                     "from the quarter before; extrapolate the rest"}},
          {[](Scenario& into, const Value& value) { into.choose = read_choose(value.section()); },
           section({.name = "choose",
                    .absent = "none",
                    .example = "{beside: [\"1,1\"]}",
                    .about = "layout that each model would choose for a size, compared with the best"},
                   choose_fields().mapping())},
          {[](Scenario& into, const Value& value) { into.search = read_search(value.section()); },
           section({.name = "search",
                    .absent = "minimize time",
                    .example = "{least: cost, at-most: {time: 2h}}",
                    .about = "goal of 'orrery search'; 'orrery run' simulates all points"},
                   search_fields().mapping())}};
}

/// What is known of the results already, and what must hold.
Lines expectation_lines() {
  return {
      Key{.name = "average-over",
          .absent = "no averages",
          .example = "network",
          .about = "axis of the sweep over which mu is averaged"},
      Key{.name = "speed-up-over",
          .shape = Shape::either,
          .absent = "no speed-ups",
          .example = "layout.ranks",
          .about = "axes of the sweep: metric 'speed-up' is the time with their first values / the time of each run"},
      {read_measured_key,
       {.name = "measured",
        .absent = "nothing",
        .inside = &measured_fields().mapping(),
        .example = "measured.csv",
        .about = "table of measured times in orrery-mpi's form; as a section, also what was measured"}},
      {[](Scenario& into, const Value& value) {
         for (const auto& item : value.list()) into.published.push_back(read_published(item, own_models(into)));
       },
       sections({.name = "published",
                 .absent = "nothing",
                 .example = "[{model: measured, network: infiniband, time: 6.5s, spread: [6.1s, 6.7s]}]",
                 .about = "published values, of papers or real runs"},
                published_fields().mapping())},
      {[](Scenario& into, const Value& value) {
         for (const auto& item : value.list()) into.tolerances.push_back(read_tolerance(item, own_models(into)));
       },
       sections({.name = "tolerance",
                 .absent = "nothing",
                 .example = "[{of: prediction, model: taulop, mu: 1.5}]",
                 .about = "bounds that must hold"},
                tolerance_fields().mapping())}};
}

}  // namespace

const Fields<Scenario>& scenario_detail::scenario_fields() {
  static const Fields<Scenario> fields =
      Fields<Scenario>{{.name = "",
                        .about = "A scenario file asks a question: a program on a platform, with settings and models "
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
