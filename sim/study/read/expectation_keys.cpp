#include "sim/core/scenario_result.hpp"
#include "sim/study/read/keys_detail.hpp"

namespace orrery::scenario_detail {

using config::Fields;
using config::Key;
using config::KeyKind;
using config::Value;

namespace {

void conditions(Condition& condition, const std::string& path, const Value& value) {
  add_condition(condition.where_equal, path, value);
}

auto& median_bound(WrittenTolerance& written) { return written.bound.median; }

Key mode_key() {
  return {.name = "mode",
          .absent = "the default mode (in a tolerance: each mode that the scenario lists)",
          .example = "timeline",
          .about = "mode of the model; its options can be added as further keys"};
}

}  // namespace

Key why_key() {
  return {.name = "why",
          .absent = "not said",
          .example = "\"the paper's rate is of another program\"",
          .about = "the cause of the difference: 'orrery show papers' lists it"};
}

const Fields<Published>& published_fields() {
  static const Fields<Published> fields{
      {.name = "published[]", .about = "Published or measured values of the points that meet the conditions."},
      {{&Published::model,
        {.name = "model",
         .absent = "required without metric",
         .example = "measured",
         .about = "'measured' for times of real runs, or the model of 'mu'"}},
       {&Published::mode, mode_key()},
       {&Published::mu,
        {.name = "mu",
         .least = 1.0,
         .most = 1e6,
         .absent = "required without time",
         .example = "1.16",
         .about = "max/min of predicted and real time, averaged over 'average-over'"}},
       {&Published::time_s,
        {.name = "time",
         .kind = KeyKind::time,
         .most = 1e9,
         .absent = "required with 'model: measured'",
         .example = "6.5s",
         .about = "mean time of the real runs"}},
       {&Published::metric,
        {.name = "metric",
         .absent = "a model's",
         .example = "rounds",
         .about = "instead of 'model': name of the run's metric that 'time' or 'value' gives"}},
       {&Published::value,
        {.name = "value",
         .least = -1e18,
         .most = 1e18,
         .absent = "'time', for a metric in seconds",
         .example = "11",
         .about = "value of the metric, in its unit"}},
       {&Published::spread,
        {.name = "spread",
         .most = 1e9,
         .absent = "not shown",
         .example = "[6.1s, 6.7s]",
         .about = "minimum and maximum of the real runs"}},
       {&Published::why, why_key()},
       {conditions, setting("<path>", "condition on the points: a setting and its value, as in kernel.blocks: 128")}}};
  return fields;
}

const Fields<WrittenTolerance>& tolerance_fields() {
  using Written = WrittenTolerance;
  static const Fields<Written> fields{
      {.name = "tolerance[]",
       .about =
           "A bound for the points that meet the conditions; 'orrery run --check' exits with 5 if it is violated."},
      {{&Written::of,
        {std::begin(tolerance_of_words), std::end(tolerance_of_words)},
        {.name = "of",
         .fallback = "prediction",
         .example = "simulated",
         .about = "prediction: time of a model; average: its averaged mu; simulated: time of the compared phase; "
                  "makespan: the whole run; metric: a metric of the run"}},
       {&Written::against,
        {std::begin(tolerance_against_words), std::end(tolerance_against_words)},
        {.name = "against",
         .fallback = "simulated",
         .example = "published",
         .about = "second value: the simulated time, the published value, or 'time', 'mu' or 'value' given here"}},
       {&Written::model,
        {.name = "model",
         .absent = "required for prediction and average",
         .example = "taulop",
         .about = "a model ('orrery list models')"}},
       {&Written::mode, mode_key()},
       {&Written::mu,
        {.name = "mu",
         .least = 1.0,
         .most = 1e6,
         .absent = "required without within and between",
         .example = "1.5",
         .about = "upper bound of max/min of both values"}},
       {&Written::within,
        {.name = "within",
         .kind = KeyKind::share,
         .most = 10.0,
         .absent = "required without mu and between",
         .example = "5%",
         .about = "upper bound of the difference, relative to the second value"}},
       {&Written::between,
        {.name = "between",
         .least = -1.0,
         .most = 1000.0,
         .absent = "required without mu and within",
         .example = "[-5%, 2%]",
         .about = "lower and upper bound of (first - second) / second"}},
       {median_bound,
        {.name = "median",
         .kind = KeyKind::share,
         .most = 10.0,
         .absent = "not checked",
         .example = "2%",
         .about = "upper bound of the median of these relative differences over all points"}},
       {&Written::time_s,
        {.name = "time",
         .kind = KeyKind::time,
         .most = 1e9,
         .absent = "required for a reference",
         .example = "85.13ms",
         .about = "Orrery's own time when the file was written"}},
       {&Written::metric,
        {.name = "metric",
         .absent = "required for a metric",
         .example = "speed-up",
         .about = "name of the run's metric, as in 'published'"}},
       {&Written::value,
        {.name = "value",
         .least = -1e18,
         .most = 1e18,
         .absent = "'time', for a metric in seconds",
         .example = "9.5",
         .about = "Orrery's own value of a metric when the file was written"}},
       {&Written::why, why_key()},
       {conditions, setting("<path>",
                            "condition on the points: a setting and its value, as in network: infiniband, or a list of "
                            "allowed values")}}};
  return fields;
}

}  // namespace orrery::scenario_detail
