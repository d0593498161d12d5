#include "sim/study/read/keys_detail.hpp"

namespace orrery::scenario_detail {

using config::Fields;
using config::KeyKind;
using config::Value;

namespace {

const Fields<ModelSpec>& conditions_fields() {
  static const Fields<ModelSpec> fields{
      {.name = "models[].fit-on",
       .about = "Which points a model of whole runs is fitted to: those that have one of the values of every path."},
      {{[](ModelSpec& spec, const std::string& path, const Value& value) { add_condition(spec.fit_on, path, value); },
        setting("<path>", "one value or a list, as in kernel.points: [256, 512]")}}};
  return fields;
}

}  // namespace

const Fields<ModelSpec>& model_fields() {
  static const Fields<ModelSpec> fields{
      {.name = "models[]", .about = "A model; its name alone stands for its default mode and options."},
      {{&ModelSpec::name, {.name = "name", .example = "taulop", .about = "of 'orrery list models'"}},
       {&ModelSpec::predictions,
        {.name = "predictions",
         .absent = "those of the model of that name",
         .example = "my.csv",
         .about = "times of your own (docs/own-model.md), under a name of your own"}},
       {conditions_fields(),
        {.name = "fit-on",
         .absent = "required by models of whole runs",
         .example = "{kernel.points: [256, 512]}",
         .about = "the points that a model of whole runs is fitted to"}},
       {add_setting, setting("<option>", "mode and options ('orrery show model NAME')")}}};
  return fields;
}

const Fields<CalibrationSpec>& calibrate_fields() {
  static const Fields<CalibrationSpec> fields{
      {.name = "calibrate",
       .about = "Where the parameters of models come from: micro-benchmarks on the engine, or files."},
      {{&CalibrationSpec::sizes,
        {.name = "sizes",
         .least = 1.0,
         .absent = "30 sizes from 1 B to 4 MiB",
         .example = "[1B, 1KiB, 64KiB]",
         .about = "sizes of the messages, ascending"}},
       {&CalibrationSpec::concurrency,
        {.name = "concurrency",
         .least = 1,
         .most = 4096,
         .absent = "as high as the kernels reach",
         .example = "8",
         .about = "most concurrent transmissions for tau-Lop"}},
       {&CalibrationSpec::pairs,
        {std::begin(calibration_pairs_words), std::end(calibration_pairs_words)},
        {.name = "pairs",
         .fallback = "types",
         .example = "nodes",
         .about = "what is told apart; matrices by nodes or cores for models that read them"}},
       {&CalibrationSpec::files,
        {.name = "files",
         .absent = "measured",
         .example = "[parameters.yaml]",
         .about = "parameter files of 'orrery calibrate' to use instead"}}}};
  return fields;
}

const Fields<ValidateSpec>& validate_fields() {
  static const Fields<ValidateSpec> fields{
      {.name = "validate",
       .about = "How 'orrery validate' measures the points on the emulated platform, and what must hold then."},
      {{&ValidateSpec::sizes,
        {.name = "sizes",
         .least = 1.0,
         .absent = "19 sizes from 1 B to 256 KiB",
         .example = "[1B, 1KiB, 16KiB, 64KiB]",
         .about = "messages of the micro-benchmarks that the platform is calibrated from"}},
       {&ValidateSpec::repeat,
        {.name = "repeat",
         .least = 1,
         .most = 100000,
         .fallback = "11",
         .example = "21",
         .about = "measured runs of each point and benchmark; medians count"}},
       {&ValidateSpec::seeds,
        {.name = "seeds",
         .least = 1,
         .most = 100000,
         .fallback = "9",
         .example = "15",
         .about = "seeds that points are simulated with whose times vary"}},
       {&ValidateSpec::median,
        {.name = "median",
         .kind = KeyKind::share,
         .most = 10.0,
         .absent = "no bound",
         .example = "3%",
         .about = "by how much simulated and measured times differ, relatively, in the median over the points, at "
                  "most"}},
       {&ValidateSpec::each,
        {.name = "each",
         .kind = KeyKind::share,
         .most = 10.0,
         .absent = "no bound",
         .example = "10%",
         .about = "the same of each point that repeats, at most"}},
       {&ValidateSpec::repeats_to,
        {.name = "repeats-to",
         .kind = KeyKind::share,
         .most = 10.0,
         .fallback = "5%",
         .example = "2%",
         .about = "a point repeats whose median is known so well (95 % confidence each way, and the skew of "
                  "starts)"}}}};
  return fields;
}

}  // namespace orrery::scenario_detail
