#include <utility>

#include "sim/study/read/keys_detail.hpp"

namespace orrery::scenario_detail {

using config::anything;
using config::KeyKind;
using config::Mapping;
using config::Shape;

namespace {

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
               {.name = "at-least",
                .kind = KeyKind::share,
                .most = 1000.0,
                .absent = "not checked",
                .example = "3%",
                .about = "what must hold: of a model that errs, that it still does"},
               {.name = "at-most",
                .kind = KeyKind::share,
                .most = 1000.0,
                .absent = "not checked",
                .example = "5%",
                .about = "what must hold"},
               {.name = "runs",
                .kind = KeyKind::time,
                .most = 1e9,
                .absent = "not shown",
                .example = "119s",
                .about = "what a paper says of all runs together that the model is fitted to"},
               {.name = "runs-on",
                .kind = KeyKind::word,
                .choices = {"all", "one-type"},
                .fallback = "all",
                .example = "one-type",
                .about = "which of them: all, or those on nodes of one type alone"},
               {.name = "runs-mu",
                .kind = KeyKind::number,
                .least = 1.0,
                .most = 1e6,
                .absent = "not checked",
                .example = "1.6",
                .about = "max/min of those and ours, at most"},
               why_key(),
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

const Mapping& scatter_keys() {
  static const Mapping mapping{
      .name = "choose.scatter",
      .about =
          "Times of whole runs as a real cluster gives them: each is multiplied by exp(runs z), z standard normal.",
      .keys = {{.name = "runs",
                .kind = KeyKind::share,
                .most = 1.0,
                .example = "5%",
                .about = "by how much runs vary, all alike and each by itself"},
               {.name = "glitches",
                .kind = KeyKind::share,
                .most = 1.0,
                .fallback = "0%",
                .example = "2%",
                .about = "part of the runs that take longer beyond that"},
               {.name = "glitch",
                .kind = KeyKind::share,
                .most = 100.0,
                .fallback = "50%",
                .example = "50%",
                .about = "by how much"},
               {.name = "seeds",
                .kind = KeyKind::integer,
                .least = 1,
                .most = 1000,
                .fallback = "20",
                .example = "20",
                .about = "draws; averages are over all"}}};
  return mapping;
}

const Mapping& best_keys() {
  static const Mapping mapping{.name = "choose.best[]",
                               .about = "The best configuration of sizes with one of the values of every path.",
                               .keys = {{.name = "configuration", .example = "\"4,1,0,0\"", .about = "as in 'layout'"},
                                        setting("<path>", "one value or a list, as in kernel.order: [3200, 6400]")}};
  return mapping;
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
      .keys = {
          {.name = "zip",
           .kind = KeyKind::section,
           .shape = Shape::either,
           .absent = "every axis is independent",
           .inside = &zip_keys(),
           .example = "{layout.ranks: [2, 4], kernel.blocks: [64, 128]}",
           .about = "axes that take their values together, the first of each, then the second; a list of such "
                    "sections for several"},
          axis_key("of platform, network, layout, kernel, compute, partition or gpu-staging, whole or a key in it: "
                   "kernel.blocks: [64, 128]; layout.configuration also as {each: \"4,2,4,1\"}, all up to that")}};
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
                .about = "their number is a power of two, divides the number of a path without rest"},
               {.name = "distinct",
                .kind = KeyKind::boolean,
                .fallback = "false",
                .example = "true",
                .about = "once each: kernels without a grid are the same program with every partition"}}};
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
                        average_keys()),
               section({.name = "scatter",
                        .absent = "models are fitted to the simulated times and judged by them",
                        .example = "{runs: 5%, seeds: 20}",
                        .about = "models are fitted to times that scatter, and judged by them: what their averages are "
                                 "then, over several draws"},
                       scatter_keys()),
               sections({.name = "best",
                         .absent = "nothing",
                         .example = "[{configuration: \"4,1,0,0\", kernel.order: [3200, 6400]}]",
                         .about = "which configuration a paper says is the best of which sizes"},
                        best_keys()),
               {.name = "agree",
                .kind = KeyKind::integer,
                .most = 1e6,
                .absent = "not checked",
                .example = "2",
                .about = "at so many sizes at least the best simulated configuration is the one of 'best'"}}};
  return mapping;
}

}  // namespace orrery::scenario_detail
