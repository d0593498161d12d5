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
       .about = "The sizes at which models are judged: points with one of the values of every path."},
      {{[](ChooseSpec& spec, const std::string& path, const Value& value) { add_condition(spec.at, path, value); },
        setting("<path>", "one value or a list, as in kernel.order: [1600, 3200]")}}};
  return fields;
}

const Fields<ChooseSpec::Average>& some_sizes_fields() {
  using Average = ChooseSpec::Average;
  static const Fields<Average> fields{
      {.name = "choose.average[].at", .about = "Some of the sizes at which models are judged."},
      {{[](Average& average, const std::string& path, const Value& value) { add_condition(average.at, path, value); },
        setting("<path>", "one value or a list, as in kernel.order: [4800, 6400]")}}};
  return fields;
}

const Fields<ChooseSpec::Scatter>& scatter_fields() {
  using Scatter = ChooseSpec::Scatter;
  static const Fields<Scatter> fields{
      {.name = "choose.scatter",
       .about =
           "Times of whole runs as a real cluster gives them: each is multiplied by exp(runs z), z standard normal."},
      {{&Scatter::runs,
        {.name = "runs",
         .kind = KeyKind::share,
         .most = 1.0,
         .example = "5%",
         .about = "by how much runs vary, all alike and each by itself"}},
       {&Scatter::glitches,
        {.name = "glitches",
         .kind = KeyKind::share,
         .most = 1.0,
         .fallback = "0%",
         .example = "2%",
         .about = "part of the runs that take longer beyond that"}},
       {&Scatter::glitch,
        {.name = "glitch",
         .kind = KeyKind::share,
         .most = 100.0,
         .fallback = "50%",
         .example = "50%",
         .about = "by how much"}},
       {&Scatter::seeds,
        {.name = "seeds",
         .least = 1,
         .most = 1000,
         .fallback = "20",
         .example = "20",
         .about = "draws; averages are over all"}}}};
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
                               .about = "Axes of the same length whose values belong together.",
                               .keys = {axis_key("as in 'sweep'")}};
  return mapping;
}

}  // namespace

const Mapping& sweep_keys() {
  static const Mapping mapping{
      .name = "sweep",
      .about =
          "Every combination of values is a point; the last axis changes fastest. What belongs together is tied by "
          "'zip', or follows from an axis: 'points-i: 128 * layout.ranks' under kernel (numbers, paths, + - * /, "
          "brackets).",
      .keys = {{.name = "zip",
                .kind = KeyKind::section,
                .shape = Shape::either,
                .absent = "every axis is independent",
                .inside = &zip_keys(),
                .example = "{layout.ranks: [2, 4], kernel.blocks: [64, 128]}",
                .about = "axes that take their values together, the first of each, then the second; a list of such "
                         "sections for several"},
               axis_key("of platform, network, layout, kernel, compute, partition, gpu-staging, what-if or failures, "
                        "whole or a key in it: "
                        "kernel.blocks: [64, 128]; layout.configuration also as {each: \"4,2,4,1\"}, all up to that")}};
  return mapping;
}

const Fields<OnlySpec>& only_fields() {
  static const Fields<OnlySpec> fields{
      {.name = "only", .about = "Which points of the sweep there are."},
      {{[](OnlySpec& spec, const Value& value) { spec.ranks = value.list(); },
        {.name = "ranks",
         .shape = Shape::list,
         .absent = "any number",
         .example = "[power-of-two, divides kernel.blocks]",
         .about = "their number is a power of two, divides the number of a path without rest"}},
       {&OnlySpec::distinct,
        {.name = "distinct",
         .fallback = "false",
         .example = "true",
         .about = "once each: kernels without a grid are the same program with every partition"}}}};
  return fields;
}

const Fields<ChooseSpec::Average>& average_fields() {
  using Average = ChooseSpec::Average;
  static const Fields<Average> fields{
      {.name = "choose.average[]",
       .about = "The average of epsilon of the first model that has this mode and these options."},
      {{[](Average& average) -> std::string& { return average.model.name; },
        {.name = "model", .example = "np-t", .about = "of 'models'"}},
       {some_sizes_fields(),
        {.name = "at",
         .absent = "all sizes at which models are judged",
         .example = "{kernel.order: [4800, 6400]}",
         .about = "which of these sizes it is the average of"}},
       {&Average::published,
        {.name = "published",
         .kind = KeyKind::share,
         .most = 1000.0,
         .absent = "not shown",
         .example = "1%",
         .about = "what a paper says"}},
       {&Average::at_least,
        {.name = "at-least",
         .kind = KeyKind::share,
         .most = 1000.0,
         .absent = "not checked",
         .example = "3%",
         .about = "what must hold: of a model that errs, that it still does"}},
       {&Average::at_most,
        {.name = "at-most",
         .kind = KeyKind::share,
         .most = 1000.0,
         .absent = "not checked",
         .example = "5%",
         .about = "what must hold"}},
       {&Average::runs_s,
        {.name = "runs",
         .kind = KeyKind::time,
         .most = 1e9,
         .absent = "not shown",
         .example = "119s",
         .about = "what a paper says of all runs together that the model is fitted to"}},
       {&Average::runs_on_one_type,
        {{"all", false}, {"one-type", true}},
        {.name = "runs-on",
         .fallback = "all",
         .example = "one-type",
         .about = "which of them: all, or those on nodes of one type alone"}},
       {&Average::runs_mu,
        {.name = "runs-mu",
         .least = 1.0,
         .most = 1e6,
         .absent = "not checked",
         .example = "1.6",
         .about = "max/min of those and ours, at most"}},
       {&Average::why, why_key()},
       {[](Average& average, const std::string& name, const Value& value) { add_setting(average.model, name, value); },
        setting("<option>", "mode and options")}}};
  return fields;
}

const Fields<ChooseSpec::Best>& best_fields() {
  using Best = ChooseSpec::Best;
  static const Fields<Best> fields{
      {.name = "choose.best[]", .about = "The best configuration of sizes with one of the values of every path."},
      {{&Best::configuration, {.name = "configuration", .example = "\"4,1,0,0\"", .about = "as in 'layout'"}},
       {[](Best& best, const std::string& path, const Value& value) { add_condition(best.at, path, value); },
        setting("<path>", "one value or a list, as in kernel.order: [3200, 6400]")}}};
  return fields;
}

const Fields<ChooseSpec>& choose_fields() {
  static const Fields<ChooseSpec> fields{
      {.name = "choose",
       .about =
           "Which layout each model would choose of those that are played for a size, and what it costs to believe "
           "it: epsilon = (t - T) / T, t the simulated time of the chosen one and T that of the best."},
      {{at_fields(),
        {.name = "at",
         .absent = "all sizes",
         .example = "{kernel.blocks: [64, 128]}",
         .about = "sizes at which models are judged"}},
       {&ChooseSpec::beside,
        {.name = "beside",
         .absent = "none",
         .example = "[\"4,1,4,1\"]",
         .about = "configurations that ask no model, for comparison"}},
       sections({.name = "average",
                 .absent = "nothing",
                 .example = "[{model: np-t, published: 1%, at-most: 5%}]",
                 .about = "what a paper says of averages, and what must hold of them"},
                average_fields().mapping()),
       {&ChooseSpec::scatter,
        scatter_fields(),
        {.name = "scatter",
         .absent = "models are fitted to the simulated times and judged by them",
         .example = "{runs: 5%, seeds: 20}",
         .about = "models are fitted to times that scatter, and judged by them: what their averages are then, over "
                  "several draws"}},
       sections({.name = "best",
                 .absent = "nothing",
                 .example = "[{configuration: \"4,1,0,0\", kernel.order: [3200, 6400]}]",
                 .about = "which configuration a paper says is the best of which sizes"},
                best_fields().mapping()),
       {&ChooseSpec::agree,
        {.name = "agree",
         .most = 1e6,
         .absent = "not checked",
         .example = "2",
         .about = "at so many sizes at least the best simulated configuration is the one of 'best'"}},
       {&ChooseSpec::agree_within,
        {.name = "agree-within",
         .kind = KeyKind::share,
         .most = 1000.0,
         .absent = "not checked",
         .example = "25%",
         .about = "the configurations of 'best' take so much longer than the best simulated ones at most, on average"}},
       {&ChooseSpec::why, why_key()}}};
  return fields;
}

}  // namespace orrery::scenario_detail
