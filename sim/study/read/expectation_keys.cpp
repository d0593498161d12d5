#include "sim/core/scenario_result.hpp"
#include "sim/study/read/keys_detail.hpp"

namespace orrery::scenario_detail {

using config::Key;
using config::KeyKind;
using config::Mapping;
using config::Shape;

namespace {

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
               why_key(),
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
                .choices = all_of(tolerance_of_words),
                .fallback = "prediction",
                .example = "simulated",
                .about = "a model's time, its mu averaged, the simulated time of the compared phase, the whole run, a "
                         "metric of the run"},
               {.name = "against",
                .kind = KeyKind::word,
                .choices = all_of(tolerance_against_words),
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
                .absent = "required without within and between",
                .example = "1.5",
                .about = "max/min of the two, at most"},
               {.name = "within",
                .kind = KeyKind::share,
                .most = 10.0,
                .absent = "required without mu and between",
                .example = "5%",
                .about = "difference of the two over the second, at most"},
               {.name = "between",
                .kind = KeyKind::share,
                .shape = Shape::list,
                .least = -1.0,
                .most = 1000.0,
                .absent = "required without mu and within",
                .example = "[-5%, 2%]",
                .about = "first less second, over the second: at least and at most"},
               {.name = "median",
                .kind = KeyKind::share,
                .most = 10.0,
                .absent = "not checked",
                .example = "2%",
                .about = "the median of the differences over the second, besides"},
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
               why_key(),
               setting("<path>",
                       "a condition: a setting of the points meant, as in network: infiniband, or a list of "
                       "values, one of which they have")}};
  return mapping;
}

}  // namespace orrery::scenario_detail
