#include "sim/scenario/keys.hpp"

#include "platforms/keys.hpp"
#include "sim/core/scenario_result.hpp"
#include "sim/scenario/engines.hpp"

namespace orrery {

using config::anything;
using config::Key;
using config::KeyKind;
using config::Mapping;
using config::Shape;

namespace {

Key setting(std::string name, std::string about) {
  return {
      .name = std::move(name), .kind = KeyKind::any, .shape = Shape::either, .example = "", .about = std::move(about)};
}

Key section(Key key, const Mapping& inside) {
  key.kind = KeyKind::section;
  key.inside = &inside;
  return key;
}

Key sections(Key key, const Mapping& inside) {
  key = section(std::move(key), inside);
  key.shape = Shape::list;
  return key;
}

const Mapping& platform_in_scenario_keys() {
  static const Mapping mapping{
      .name = "platform",
      .about = "A platform with some figures changed, by their paths in its file.",
      .keys = {{.name = "name", .example = "fermi", .about = "a name of 'orrery list platforms' or a file"},
               setting("<section>", "networks: {fabric: {bandwidth: 100Gbps, topology: {up: [1, 2]}}}")}};
  return mapping;
}

const Mapping& layout_in_scenario_keys() {
  static const Mapping mapping{
      .name = "layout",
      .about = "Which ranks run where: a row of a layout file, or the keys of a row ('orrery show reference layout').",
      .keys = {{.name = "table",
                .absent = "the row is written here",
                .example = "rico-gallego16-table1",
                .about = "a layout file, or a name of 'orrery list layouts'"},
               {.name = "row", .absent = "required with table", .example = "M10", .about = "a row of the table"}},
      .shared = &layout_row_keys()};
  return mapping;
}

const Mapping& kernel_keys() {
  static const Mapping mapping{.name = "kernel",
                               .about = "The program.",
                               .keys = {{.name = "name", .example = "summa", .about = "of 'orrery list kernels'"},
                                        setting("<parameter>", "its parameters ('orrery show kernel NAME')")}};
  return mapping;
}

Key weight(std::string name, std::string about) {
  return {.name = std::move(name),
          .kind = KeyKind::number,
          .least = -100,
          .most = 100,
          .fallback = "0",
          .example = "1",
          .about = std::move(about)};
}

const Mapping& weights_keys() {
  static const Mapping mapping{.name = "partition.weights",
                               .about = "Exponents of what a data sheet says: cpu^a cache^b / memory^c.",
                               .keys = {weight("cpu", "a, of the clock"), weight("cache", "b, of the cache"),
                                        weight("memory", "c, of the memory")}};
  return mapping;
}

const Mapping& partition_keys() {
  static const Mapping mapping{.name = "partition",
                               .about = "Who owns what, for kernels on a grid.",
                               .keys = {{.name = "algorithm",
                                         .absent = "required without file",
                                         .example = "beaumont-columns",
                                         .about = "of 'orrery list partitioners'; in proportion to the speeds"},
                                        {.name = "speeds",
                                         .kind = KeyKind::number,
                                         .shape = Shape::list,
                                         .least = 1e-9,
                                         .most = 1e18,
                                         .absent = "those of the compute model",
                                         .example = "[1, 1, 4, 4]",
                                         .about = "one number for each rank"},
                                        {.name = "time-by",
                                         .absent = "the flow engine",
                                         .example = "taulop",
                                         .about = "model or engine for an algorithm that times candidates"},
                                        {.name = "processors",
                                         .absent = "what the platform says",
                                         .example = "hcl",
                                         .about = "for cost models: clocks, caches, memories, latencies (CSV, or a "
                                                  "shipped one)"},
                                        {.name = "latency-max",
                                         .kind = KeyKind::time,
                                         .most = 1e9,
                                         .absent = "no rank is too far",
                                         .example = "1ms",
                                         .about = "for cm3a: ranks as far as that get nothing"},
                                        section({.name = "weights",
                                                 .absent = "those of cm2; of cm-weighted fitted to runs",
                                                 .example = "{cpu: 1, cache: 0.5, memory: 0.5}",
                                                 .about = "for cm3b and cm-weighted: exponents of the figures"},
                                                weights_keys()),
                                        {.name = "accuracy",
                                         .kind = KeyKind::share,
                                         .most = 1.0,
                                         .fallback = "2.5%",
                                         .example = "10%",
                                         .about = "for an algorithm that measures while it divides: it stops where "
                                                  "times differ by no more"},
                                        {.name = "measuring",
                                         .kind = KeyKind::word,
                                         .choices = {"free", "played"},
                                         .fallback = "free",
                                         .example = "played",
                                         .about = "played: the program begins with the benchmarks that the algorithm "
                                                  "asked for (phase 'dividing')"},
                                        {.name = "file",
                                         .absent = "required without algorithm",
                                         .example = "rico-gallego16-fig8.2dist",
                                         .about = "a partition (.2dist) instead"}}};
  return mapping;
}

const Mapping& compute_in_scenario_keys() {
  static const Mapping mapping{
      .name = "compute",
      .about = "How long a compute step takes. Without 'model', settings change the model of the platform.",
      .keys = {{.name = "model",
                .absent = "that of the platform, else constant",
                .example = "roofline",
                .about = "of 'orrery list compute-models'"},
               {.name = "figures",
                .absent = "those of the platform, or rows",
                .example = "dahu",
                .about = "its figures: a CSV file, or a shipped one"},
               sections({.name = "rows",
                         .absent = "those of the platform, or figures",
                         .example = "[{speed_flop_per_s: 9e9}]",
                         .about = "the same, written here"},
                        anything()),
               setting("<setting>", "its settings ('orrery show compute-model NAME')")}};
  return mapping;
}

const Mapping& conditions_keys() {
  static const Mapping mapping{
      .name = "models[].fit-on",
      .about = "Which points a model of whole runs is fitted to: those that have one of the values of every path.",
      .keys = {setting("<path>", "one value or a list, as in kernel.points: [256, 512]")}};
  return mapping;
}

const Mapping& model_keys() {
  static const Mapping mapping{.name = "models[]",
                               .about = "A model; its name alone stands for its default mode and options.",
                               .keys = {{.name = "name", .example = "taulop", .about = "of 'orrery list models'"},
                                        {.name = "predictions",
                                         .absent = "those of the model of that name",
                                         .example = "my.csv",
                                         .about = "times of your own (docs/own-model.md), under a name of your own"},
                                        section({.name = "fit-on",
                                                 .absent = "required by models of whole runs",
                                                 .example = "{kernel.points: [256, 512]}",
                                                 .about = "the points that a model of whole runs is fitted to"},
                                                conditions_keys()),
                                        setting("<option>", "mode and options ('orrery show model NAME')")}};
  return mapping;
}

const Mapping& calibrate_keys() {
  static const Mapping mapping{
      .name = "calibrate",
      .about = "Where the parameters of models come from: micro-benchmarks on the engine, or files.",
      .keys = {{.name = "sizes",
                .kind = KeyKind::data,
                .shape = Shape::list,
                .least = 1.0,
                .absent = "30 sizes from 1 B to 4 MiB",
                .example = "[1B, 1KiB, 64KiB]",
                .about = "sizes of the messages, ascending"},
               {.name = "concurrency",
                .kind = KeyKind::integer,
                .least = 1,
                .most = 4096,
                .absent = "as high as the kernels reach",
                .example = "8",
                .about = "most concurrent transmissions for tau-Lop"},
               {.name = "pairs",
                .kind = KeyKind::word,
                .choices = {"types", "nodes", "cores"},
                .fallback = "types",
                .example = "nodes",
                .about = "what is told apart; matrices by nodes or cores for models that read them"},
               {.name = "files",
                .shape = Shape::list,
                .absent = "measured",
                .example = "[parameters.yaml]",
                .about = "parameter files of 'orrery calibrate' to use instead"}}};
  return mapping;
}

const Mapping& validate_keys() {
  static const Mapping mapping{
      .name = "validate",
      .about = "How 'orrery validate' measures the points on the emulated platform, and what must hold then.",
      .keys = {
          {.name = "sizes",
           .kind = KeyKind::data,
           .shape = Shape::list,
           .least = 1.0,
           .absent = "19 sizes from 1 B to 256 KiB",
           .example = "[1B, 1KiB, 16KiB, 64KiB]",
           .about = "messages of the micro-benchmarks that the platform is calibrated from"},
          {.name = "repeat",
           .kind = KeyKind::integer,
           .least = 1,
           .most = 100000,
           .fallback = "11",
           .example = "21",
           .about = "measured runs of each point and benchmark; medians count"},
          {.name = "seeds",
           .kind = KeyKind::integer,
           .least = 1,
           .most = 100000,
           .fallback = "9",
           .example = "15",
           .about = "seeds that points are simulated with whose times vary"},
          {.name = "median",
           .kind = KeyKind::share,
           .most = 10.0,
           .absent = "no bound",
           .example = "3%",
           .about =
               "by how much simulated and measured times differ, relatively, in the median over the points, at most"},
          {.name = "each",
           .kind = KeyKind::share,
           .most = 10.0,
           .absent = "no bound",
           .example = "10%",
           .about = "the same of each point that repeats, at most"},
          {.name = "repeats-to",
           .kind = KeyKind::share,
           .most = 10.0,
           .fallback = "5%",
           .example = "2%",
           .about =
               "a point repeats whose median is known so well (95 % confidence each way, and the skew of starts)"}}};
  return mapping;
}

const Mapping& only_keys() {
  static const Mapping mapping{
      .name = "only",
      .about = "Which points of the sweep there are.",
      .keys = {{.name = "ranks",
                .shape = Shape::list,
                .absent = "any number",
                .example = "[power-of-two, divides kernel.blocks]",
                .about = "their number is a power of two, divides the number of a path without rest"}}};
  return mapping;
}

const Mapping& average_keys() {
  static const Mapping mapping{
      .name = "choose.average[]",
      .about = "The average of epsilon of the first model that has this mode and these options.",
      .keys = {{.name = "model", .example = "np-t", .about = "of 'models'"},
               {.name = "published",
                .kind = KeyKind::share,
                .most = 1000.0,
                .absent = "not shown",
                .example = "1%",
                .about = "what a paper says"},
               {.name = "at-most",
                .kind = KeyKind::share,
                .most = 1000.0,
                .absent = "not checked",
                .example = "5%",
                .about = "what must hold"},
               setting("<option>", "mode and options")}};
  return mapping;
}

const Mapping& at_keys() {
  static const Mapping mapping{.name = "choose.at",
                               .about =
                                   "The sizes at which models are judged: points with one of the values of every "
                                   "path.",
                               .keys = {setting("<path>", "one value or a list, as in kernel.order: [1600, 3200]")}};
  return mapping;
}

const Mapping& choose_keys() {
  static const Mapping mapping{
      .name = "choose",
      .about =
          "Which layout each model would choose of those that are played for a size, and what it costs to believe "
          "it: epsilon = (t - T) / T, t the simulated time of the chosen one and T that of the best.",
      .keys = {section({.name = "at",
                        .absent = "all sizes",
                        .example = "{kernel.blocks: [64, 128]}",
                        .about = "sizes at which models are judged"},
                       at_keys()),
               {.name = "beside",
                .shape = Shape::list,
                .absent = "none",
                .example = "[\"4,1,4,1\"]",
                .about = "configurations that ask no model, for comparison"},
               sections({.name = "average",
                         .absent = "nothing",
                         .example = "[{model: np-t, published: 1%, at-most: 5%}]",
                         .about = "what a paper says of averages, and what must hold of them"},
                        average_keys())}};
  return mapping;
}

const Mapping& sweep_keys() {
  static const Mapping mapping{
      .name = "sweep",
      .about = "Every combination of values is a point; the last axis changes fastest.",
      .keys = {{.name = "<path>",
                .kind = KeyKind::any,
                .shape = Shape::either,
                .inside = &anything(),
                .example = "",
                .about =
                    "of platform, network, layout, kernel, compute, partition or gpu-staging, whole or a key in it: "
                    "kernel.blocks: [64, 128]; layout.configuration also as {each: \"4,2,4,1\"}, all up to that"}}};
  return mapping;
}

Key mode_key() {
  return {.name = "mode",
          .absent = "the default one (of a tolerance: each that the scenario lists)",
          .example = "timeline",
          .about = "which variant of the model; its options choose one, too"};
}

const Mapping& published_keys() {
  static const Mapping mapping{
      .name = "published[]",
      .about = "What a paper or real runs say of the points that meet the conditions.",
      .keys = {{.name = "model",
                .absent = "required without metric",
                .example = "measured",
                .about = "'measured' for times of real runs, or a model for 'mu'"},
               mode_key(),
               {.name = "mu",
                .kind = KeyKind::number,
                .least = 1.0,
                .most = 1e6,
                .absent = "required without time",
                .example = "1.16",
                .about = "max/min of predicted and real time, averaged as 'average-over' says"},
               {.name = "time",
                .kind = KeyKind::time,
                .most = 1e9,
                .absent = "required of 'measured'",
                .example = "6.5s",
                .about = "mean of the real runs"},
               {.name = "metric",
                .absent = "a model's",
                .example = "rounds",
                .about = "instead of a model: the metric of the run that 'time' or 'value' is of"},
               {.name = "value",
                .kind = KeyKind::number,
                .least = -1e18,
                .most = 1e18,
                .absent = "time, for a metric in seconds",
                .example = "11",
                .about = "of a metric, in its unit"},
               {.name = "spread",
                .kind = KeyKind::time,
                .shape = Shape::list,
                .most = 1e9,
                .absent = "not shown",
                .example = "[6.1s, 6.7s]",
                .about = "least and greatest of the runs"},
               setting("<path>", "a condition: a setting of the points meant, as in kernel.blocks: 128")}};
  return mapping;
}

const Mapping& tolerance_keys() {
  static const Mapping mapping{
      .name = "tolerance[]",
      .about =
          "What must hold of the points that meet the conditions; 'orrery run --check' ends with 5 where it does not.",
      .keys = {{.name = "of",
                .kind = KeyKind::word,
                .choices = tolerance_words<ToleranceOf>(),
                .fallback = "prediction",
                .example = "simulated",
                .about = "a model's time, its mu averaged, the simulated time of the compared phase, the whole run, a "
                         "metric of the run"},
               {.name = "against",
                .kind = KeyKind::word,
                .choices = tolerance_words<ToleranceAgainst>(),
                .fallback = "simulated",
                .example = "published",
                .about = "the simulated time, the published value, or the 'time' ('mu' of an average) stated here"},
               {.name = "model",
                .absent = "required of prediction and average",
                .example = "taulop",
                .about = "of 'orrery list models'"},
               mode_key(),
               {.name = "mu",
                .kind = KeyKind::number,
                .least = 1.0,
                .most = 1e6,
                .absent = "required without within",
                .example = "1.5",
                .about = "max/min of the two, at most"},
               {.name = "within",
                .kind = KeyKind::share,
                .most = 10.0,
                .absent = "required without mu",
                .example = "5%",
                .about = "difference of the two over the second, at most"},
               {.name = "time",
                .kind = KeyKind::time,
                .most = 1e9,
                .absent = "required of a reference",
                .example = "85.13ms",
                .about = "what Orrery itself said when the file was written"},
               {.name = "metric",
                .absent = "required of a metric",
                .example = "speed-up",
                .about = "which metric of the run, as in published"},
               {.name = "value",
                .kind = KeyKind::number,
                .least = -1e18,
                .most = 1e18,
                .absent = "time, for a metric in seconds",
                .example = "9.5",
                .about = "what Orrery itself said of a metric when the file was written"},
               setting("<path>", "a condition: a setting of the points meant, as in network: infiniband")}};
  return mapping;
}

}  // namespace

const Mapping& scenario_keys() {
  static const Mapping mapping{
      .name = "",
      .about = "A scenario file asks a question: a program on a platform, settings, models ('orrery new scenario').",
      .keys = {
          {.name = "title", .absent = "the file's name", .example = "\"How many ranks?\"", .about = "the question"},
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
           .about = "engine flow: loads of resources within this share of fair; 0: exact"},
          section({.name = "layout", .example = "{ranks: 16, per-node: 4}", .about = "which ranks run where"},
                  layout_in_scenario_keys()),
          section({.name = "kernel", .example = "{name: summa, blocks: 64}", .about = "the program"}, kernel_keys()),
          section({.name = "partition",
                   .absent = "{algorithm: beaumont-columns}",
                   .example = "{algorithm: rows}",
                   .about = "who owns what, for kernels on a grid"},
                  partition_keys()),
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
                    "cross the GPU's link"},
          [] {
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
                  calibrate_keys()),
          section({.name = "validate",
                   .absent = "nothing is measured",
                   .example = "{median: 3%, each: 10%}",
                   .about = "how 'orrery validate' measures, and what must hold"},
                  validate_keys()),
          section({.name = "sweep",
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
                  choose_keys()),
          {.name = "average-over",
           .absent = "no averages",
           .example = "network",
           .about = "an axis of the sweep: mu averaged over it, for each of the other points"},
          {.name = "speed-up-over",
           .absent = "no speed-ups",
           .example = "layout.ranks",
           .about = "an axis of the sweep: how many times shorter each run is than that with the axis' first value "
                    "(metric 'speed-up')"},
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
                   tolerance_keys())}};
  return mapping;
}

}  // namespace orrery
