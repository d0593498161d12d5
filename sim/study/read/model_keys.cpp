#include "sim/study/read/keys_detail.hpp"

namespace orrery::scenario_detail {

using config::Fields;
using config::KeyKind;
using config::Value;

namespace {

const Fields<ModelSpec>& conditions_fields() {
  static const Fields<ModelSpec> fields{
      {.name = "models[].fit-on",
       .about = "Points to which a model of whole runs is fitted: for every path, they have one of its values."},
      {{[](ModelSpec& spec, const std::string& path, const Value& value) { add_condition(spec.fit_on, path, value); },
        setting("<path>", "one value or a list, as in kernel.points: [256, 512]")}}};
  return fields;
}

}  // namespace

const Fields<ModelSpec>& model_fields() {
  static const Fields<ModelSpec> fields{
      {.name = "models[]", .about = "A model. Its name alone selects its default mode and options."},
      {{&ModelSpec::name, {.name = "name", .example = "taulop", .about = "a model ('orrery list models')"}},
       {&ModelSpec::predictions,
        {.name = "predictions",
         .absent = "those of the named model",
         .example = "my.csv",
         .about = "CSV file of your own predictions (docs/own-model.md); 'name' is then free"}},
       {conditions_fields(),
        {.name = "fit-on",
         .absent = "required for models of whole runs",
         .example = "{kernel.points: [256, 512]}",
         .about = "points to which a model of whole runs is fitted"}},
       {add_setting, setting("<option>", "mode and options of the model ('orrery show model NAME')")}}};
  return fields;
}

const Fields<CalibrationSpec>& calibrate_fields() {
  static const Fields<CalibrationSpec> fields{
      {.name = "calibrate", .about = "Origin of the parameters of models: micro-benchmarks on the engine, or files."},
      {{&CalibrationSpec::sizes,
        {.name = "sizes",
         .least = 1.0,
         .absent = "30 sizes from 1 B to 4 MiB",
         .example = "[1B, 1KiB, 64KiB]",
         .about = "message sizes, ascending"}},
       {&CalibrationSpec::concurrency,
        {.name = "concurrency",
         .least = 1,
         .most = 4096,
         .absent = "the maximum of the kernels",
         .example = "8",
         .about = "maximum concurrent transmissions for tau-Lop"}},
       {&CalibrationSpec::pairs,
        {std::begin(calibration_pairs_words), std::end(calibration_pairs_words)},
        {.name = "pairs",
         .fallback = "types",
         .example = "nodes",
         .about = "granularity of parameters: per node type, node pair or core pair (pairs: models with matrices)"}},
       {&CalibrationSpec::files,
        {.name = "files",
         .absent = "measured",
         .example = "[parameters.yaml]",
         .about = "use these parameter files of 'orrery calibrate' instead"}}}};
  return fields;
}

const Fields<ValidateSpec>& validate_fields() {
  static const Fields<ValidateSpec> fields{
      {.name = "validate",
       .about = "Measurements of 'orrery validate' on the emulated platform, and bounds on the errors."},
      {{&ValidateSpec::sizes,
        {.name = "sizes",
         .least = 1.0,
         .absent = "19 sizes from 1 B to 256 KiB",
         .example = "[1B, 1KiB, 16KiB, 64KiB]",
         .about = "message sizes of the micro-benchmarks that calibrate the platform"}},
       {&ValidateSpec::repeat,
        {.name = "repeat",
         .least = 1,
         .most = 100000,
         .fallback = "11",
         .example = "21",
         .about = "measured runs per point and benchmark; the median is used"}},
       {&ValidateSpec::seeds,
        {.name = "seeds",
         .least = 1,
         .most = 100000,
         .fallback = "9",
         .example = "15",
         .about = "number of seeds with which randomized points are simulated"}},
       {&ValidateSpec::median,
        {.name = "median",
         .kind = KeyKind::share,
         .most = 10.0,
         .absent = "no bound",
         .example = "3%",
         .about = "upper bound of the median relative error of simulated times over the points"}},
       {&ValidateSpec::each,
        {.name = "each",
         .kind = KeyKind::share,
         .most = 10.0,
         .absent = "no bound",
         .example = "10%",
         .about = "upper bound of the error of each point that repeats ('repeats-to')"}},
       {&ValidateSpec::repeats_to,
        {.name = "repeats-to",
         .kind = KeyKind::share,
         .most = 10.0,
         .fallback = "5%",
         .example = "2%",
         .about = "a point repeats if its median is known this well (half of the 95 % confidence interval, and the "
                  "skew of starts)"}}}};
  return fields;
}

}  // namespace orrery::scenario_detail
