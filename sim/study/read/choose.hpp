/// Which configuration each model would choose, and what it costs to believe it: `choose` of a scenario.
///
///   choose:
///     at: {kernel.order: [1600, 3200, 6400]}             # sizes at which models are judged; default: all
///     beside: ["1,1,0,0", "4,1,4,1"]                     # configurations that ask nobody
///     average:                                           # of epsilon over those sizes
///       - {model: np-t, mode: np-t, fit: nnls, published: 1%, at-least: 3%, at-most: 5%, why: "..."}
///       - {model: np-t, mode: p-t, published: 23%, at-most: 50%, runs: 9.88s, runs-on: one-type, runs-mu: 1.6}
///     scatter: {runs: 5%, seeds: 20}                     # judged on times that scatter, as measured ones do
///     best:                                              # as a paper says which configuration is best
///       - {configuration: "4,1,0,0", kernel.order: [3200, 6400]}
///     agree: 2                                           # at so many sizes at least it is ours
///     agree-within: 25%                                  # and so much longer they take at most, on average
///
/// Points that differ in their layout alone are one size. In `average` the first model of the scenario is meant that
/// has the mode and options named; with `at`, over some of those sizes. `runs` is how long all runs took together that the model was fitted to, as a paper
/// says it, with 'one-type' those on nodes of one type alone; `runs-mu` bounds max/min of that and ours.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/reader.hpp"
#include "sim/study/read/model_spec.hpp"

namespace orrery {

struct ChooseSpec {
  struct Average {
    NamedSpec model;  ///< and its options
    PointConditions at = {};
    std::optional<double> published, at_least, at_most;
    std::optional<double> runs_s, runs_mu;
    bool runs_on_one_type = false;
    std::string why;
  };
  /// Every run's time is drawn: times exp(runs z), z standard normal, and of a share of them longer by `glitch`.
  struct Scatter {
    double runs = 0.0, glitches = 0.0, glitch = 0.5;
    std::uint32_t seeds = 20;
  };
  struct Best {
    std::string configuration;
    PointConditions at;
  };
  PointConditions at;
  std::vector<std::string> beside;
  std::vector<Average> averages;
  std::optional<Scatter> scatter = {};
  std::vector<Best> best = {};
  std::optional<std::uint32_t> agree = {};
  std::optional<double> agree_within = {};
  std::string why = {};  ///< of what does not agree
};

ChooseSpec read_choose(const config::Section& section);

}  // namespace orrery
