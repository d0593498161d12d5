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
          .absent = "the default one (of a tolerance: each that the scenario lists)",
          .example = "timeline",
          .about = "which variant of the model; its options choose one, too"};
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
      {.name = "published[]", .about = "What a paper or real runs say of the points that meet the conditions."},
      {{&Published::model,
        {.name = "model",
         .absent = "required without metric",
         .example = "measured",
         .about = "'measured' for times of real runs, or a model for 'mu'"}},
       {&Published::mode, mode_key()},
       {&Published::mu,
        {.name = "mu",
         .least = 1.0,
         .most = 1e6,
         .absent = "required without time",
         .example = "1.16",
         .about = "max/min of predicted and real time, averaged as 'average-over' says"}},
       {&Published::time_s,
        {.name = "time",
         .kind = KeyKind::time,
         .most = 1e9,
         .absent = "required of 'measured'",
         .example = "6.5s",
         .about = "mean of the real runs"}},
       {&Published::metric,
        {.name = "metric",
         .absent = "a model's",
         .example = "rounds",
         .about = "instead of a model: the metric of the run that 'time' or 'value' is of"}},
       {&Published::value,
        {.name = "value",
         .least = -1e18,
         .most = 1e18,
         .absent = "time, for a metric in seconds",
         .example = "11",
         .about = "of a metric, in its unit"}},
       {&Published::spread,
        {.name = "spread",
         .most = 1e9,
         .absent = "not shown",
         .example = "[6.1s, 6.7s]",
         .about = "least and greatest of the runs"}},
       {&Published::why, why_key()},
       {conditions, setting("<path>", "a condition: a setting of the points meant, as in kernel.blocks: 128")}}};
  return fields;
}

const Fields<WrittenTolerance>& tolerance_fields() {
  using Written = WrittenTolerance;
  static const Fields<Written> fields{
      {.name = "tolerance[]",
       .about = "What must hold of the points that meet the conditions; 'orrery run --check' ends with 5 where it does "
                "not."},
      {{&Written::of,
        {std::begin(tolerance_of_words), std::end(tolerance_of_words)},
        {.name = "of",
         .fallback = "prediction",
         .example = "simulated",
         .about = "a model's time, its mu averaged, the simulated time of the compared phase, the whole run, a "
                  "metric of the run"}},
       {&Written::against,
        {std::begin(tolerance_against_words), std::end(tolerance_against_words)},
        {.name = "against",
         .fallback = "simulated",
         .example = "published",
         .about = "the simulated time, the published value, or the 'time' ('mu' of an average) stated here"}},
       {&Written::model,
        {.name = "model",
         .absent = "required of prediction and average",
         .example = "taulop",
         .about = "of 'orrery list models'"}},
       {&Written::mode, mode_key()},
       {&Written::mu,
        {.name = "mu",
         .least = 1.0,
         .most = 1e6,
         .absent = "required without within and between",
         .example = "1.5",
         .about = "max/min of the two, at most"}},
       {&Written::within,
        {.name = "within",
         .kind = KeyKind::share,
         .most = 10.0,
         .absent = "required without mu and between",
         .example = "5%",
         .about = "difference of the two over the second, at most"}},
       {&Written::between,
        {.name = "between",
         .least = -1.0,
         .most = 1000.0,
         .absent = "required without mu and within",
         .example = "[-5%, 2%]",
         .about = "first less second, over the second: at least and at most"}},
       {median_bound,
        {.name = "median",
         .kind = KeyKind::share,
         .most = 10.0,
         .absent = "not checked",
         .example = "2%",
         .about = "the median of the differences over the second, besides"}},
       {&Written::time_s,
        {.name = "time",
         .kind = KeyKind::time,
         .most = 1e9,
         .absent = "required of a reference",
         .example = "85.13ms",
         .about = "what Orrery itself said when the file was written"}},
       {&Written::metric,
        {.name = "metric",
         .absent = "required of a metric",
         .example = "speed-up",
         .about = "which metric of the run, as in published"}},
       {&Written::value,
        {.name = "value",
         .least = -1e18,
         .most = 1e18,
         .absent = "time, for a metric in seconds",
         .example = "9.5",
         .about = "what Orrery itself said of a metric when the file was written"}},
       {&Written::why, why_key()},
       {conditions, setting("<path>",
                            "a condition: a setting of the points meant, as in network: infiniband, or a list of "
                            "values, one of which they have")}}};
  return fields;
}

}  // namespace orrery::scenario_detail
