#include <utility>

#include "sim/study/read/keys_detail.hpp"

namespace orrery::scenario_detail {

using config::anything;
using config::Fields;
using config::KeyKind;
using config::Mapping;
using config::Shape;
using config::Value;

namespace {

const Fields<ChooseSpec>& at_fields() {
  static const Fields<ChooseSpec> fields{
      {.name = "choose.at",
       .about = "Sizes at which models are judged: for every path, points have one of its values."},
      {{[](ChooseSpec& spec, const std::string& path, const Value& value) { add_condition(spec.at, path, value); },
        setting("<path>", "one value or a list, as in kernel.order: [1600, 3200]")}}};
  return fields;
}

const Fields<ChooseSpec::Average>& some_sizes_fields() {
  using Average = ChooseSpec::Average;
  static const Fields<Average> fields{
      {.name = "choose.average[].at", .about = "A part of the sizes at which models are judged."},
      {{[](Average& average, const std::string& path, const Value& value) { add_condition(average.at, path, value); },
        setting("<path>", "one value or a list, as in kernel.order: [4800, 6400]")}}};
  return fields;
}

const Fields<ChooseSpec::Scatter>& scatter_fields() {
  using Scatter = ChooseSpec::Scatter;
  static const Fields<Scatter> fields{
      {.name = "choose.scatter",
       .about =
           "Random scatter of run times, as on a real cluster: each is multiplied by exp(runs z), z standard normal."},
      {{&Scatter::runs,
        {.name = "runs",
         .kind = KeyKind::share,
         .most = 1.0,
         .example = "5%",
         .about = "relative standard deviation; runs are independent"}},
       {&Scatter::glitches,
        {.name = "glitches",
         .kind = KeyKind::share,
         .most = 1.0,
         .fallback = "0%",
         .example = "2%",
         .about = "fraction of the runs that take longer in addition"}},
       {&Scatter::glitch,
        {.name = "glitch",
         .kind = KeyKind::share,
         .most = 100.0,
         .fallback = "50%",
         .example = "50%",
         .about = "extra time of such runs"}},
       {&Scatter::seeds,
        {.name = "seeds",
         .least = 1,
         .most = 1000,
         .fallback = "20",
         .example = "20",
         .about = "number of draws, over which averages are taken"}}}};
  return fields;
}

/// A path and its values.
config::Key axis_key(std::string about) {
  config::Key key = setting("<path>", std::move(about));
  key.inside = &anything();
  return key;
}

const Mapping& zip_keys() {
  static const Mapping mapping{.name = "sweep.zip",
                               .about = "Axes of equal length whose values change together.",
                               .keys = {axis_key("as in 'sweep'")}};
  return mapping;
}

}  // namespace

const Mapping& sweep_keys() {
  static const Mapping mapping{
      .name = "sweep",
      .about =
          "Every combination of values is a point; the last axis changes fastest. To change values together, use "
          "'zip', or a formula of an axis: 'points-i: 128 * layout.ranks' under kernel (numbers, paths, + - * /, "
          "brackets).",
      .keys = {{.name = "zip",
                .kind = KeyKind::section,
                .shape = Shape::either,
                .absent = "every axis is independent",
                .inside = &zip_keys(),
                .example = "{layout.ranks: [2, 4], kernel.blocks: [64, 128]}",
                .about = "axes whose values change together: the first of each, then the second; a list of sections "
                         "for several groups"},
               axis_key("values of platform, network, layout, kernel, compute, partition, gpu-staging, what-if or "
                        "failures, or of a key in it: kernel.blocks: [64, 128]; layout.configuration also as {each: "
                        "\"4,2,4,1\"}: all up to this one")}};
  return mapping;
}

const Fields<OnlySpec>& only_fields() {
  static const Fields<OnlySpec> fields{
      {.name = "only", .about = "Restricts the sweep to some points."},
      {{[](OnlySpec& spec, const Value& value) { spec.ranks = value.list(); },
        {.name = "ranks",
         .shape = Shape::list,
         .absent = "any number",
         .example = "[power-of-two, divides kernel.blocks]",
         .about = "allowed ranks: power-of-two, or divides PATH (a divisor of the value at PATH)"}},
       {&OnlySpec::distinct,
        {.name = "distinct",
         .fallback = "false",
         .example = "true",
         .about = "true: identical programs only once (kernels without a grid ignore the partition)"}}}};
  return fields;
}

const Fields<ChooseSpec::Average>& average_fields() {
  using Average = ChooseSpec::Average;
  static const Fields<Average> fields{
      {.name = "choose.average[]", .about = "Average epsilon of the first model with this mode and these options."},
      {{[](Average& average) -> std::string& { return average.model.name; },
        {.name = "model", .example = "np-t", .about = "of 'models'"}},
       {some_sizes_fields(),
        {.name = "at",
         .absent = "all sizes at which models are judged",
         .example = "{kernel.order: [4800, 6400]}",
         .about = "sizes in this average"}},
       {&Average::published,
        {.name = "published",
         .kind = KeyKind::share,
         .most = 1000.0,
         .absent = "not shown",
         .example = "1%",
         .about = "published value"}},
       {&Average::at_least,
        {.name = "at-least",
         .kind = KeyKind::share,
         .most = 1000.0,
         .absent = "not checked",
         .example = "3%",
         .about = "lower bound: a model that errs must still err"}},
       {&Average::at_most,
        {.name = "at-most",
         .kind = KeyKind::share,
         .most = 1000.0,
         .absent = "not checked",
         .example = "5%",
         .about = "upper bound"}},
       {&Average::runs_s,
        {.name = "runs",
         .kind = KeyKind::time,
         .most = 1e9,
         .absent = "not shown",
         .example = "119s",
         .about = "published total time of all runs to which the model is fitted"}},
       {&Average::runs_on_one_type,
        {{"all", false}, {"one-type", true}},
        {.name = "runs-on",
         .fallback = "all",
         .example = "one-type",
         .about = "runs in that total: all, or only those on nodes of one type"}},
       {&Average::runs_mu,
        {.name = "runs-mu",
         .least = 1.0,
         .most = 1e6,
         .absent = "not checked",
         .example = "1.6",
         .about = "upper bound of max/min of both totals"}},
       {&Average::why, why_key()},
       {[](Average& average, const std::string& name, const Value& value) { add_setting(average.model, name, value); },
        setting("<option>", "mode and options of the model")}}};
  return fields;
}

const Fields<ChooseSpec::Best>& best_fields() {
  using Best = ChooseSpec::Best;
  static const Fields<Best> fields{
      {.name = "choose.best[]",
       .about = "Published best configuration of sizes that have one of the values of every path."},
      {{&Best::configuration,
        {.name = "configuration", .example = "\"4,1,0,0\"", .about = "the configuration, as in 'layout'"}},
       {[](Best& best, const std::string& path, const Value& value) { add_condition(best.at, path, value); },
        setting("<path>", "one value or a list, as in kernel.order: [3200, 6400]")}}};
  return fields;
}

const Fields<ChooseSpec>& choose_fields() {
  static const Fields<ChooseSpec> fields{
      {.name = "choose",
       .about =
           "The layout that each model would choose for a size among the simulated ones, and the cost of that choice: "
           "epsilon = (t - T) / T, with t the simulated time of the chosen layout and T that of the best."},
      {{at_fields(),
        {.name = "at",
         .absent = "all sizes",
         .example = "{kernel.blocks: [64, 128]}",
         .about = "sizes at which models are judged"}},
       {&ChooseSpec::beside,
        {.name = "beside",
         .absent = "none",
         .example = "[\"4,1,4,1\"]",
         .about = "fixed configurations, for comparison"}},
       sections({.name = "average",
                 .absent = "nothing",
                 .example = "[{model: np-t, published: 1%, at-most: 5%}]",
                 .about = "published averages, and bounds on ours"},
                average_fields().mapping()),
       {&ChooseSpec::scatter,
        scatter_fields(),
        {.name = "scatter",
         .absent = "none: models are fitted to the simulated times and judged by them",
         .example = "{runs: 5%, seeds: 20}",
         .about = "fit and judge models on randomly scattered times; averages are over several draws"}},
       sections({.name = "best",
                 .absent = "nothing",
                 .example = "[{configuration: \"4,1,0,0\", kernel.order: [3200, 6400]}]",
                 .about = "published best configurations, by size"},
                best_fields().mapping()),
       {&ChooseSpec::agree,
        {.name = "agree",
         .most = 1e6,
         .absent = "not checked",
         .example = "2",
         .about = "minimum number of sizes at which the best simulated configuration is that of 'best'"}},
       {&ChooseSpec::agree_within,
        {.name = "agree-within",
         .kind = KeyKind::share,
         .most = 1000.0,
         .absent = "not checked",
         .example = "25%",
         .about =
             "upper bound of the average extra time of the configurations of 'best' over the best simulated ones"}},
       {&ChooseSpec::why, why_key()}}};
  return fields;
}

}  // namespace orrery::scenario_detail
