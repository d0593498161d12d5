/// The configuration that each model would choose, and the cost of following that choice: `choose` of a scenario.
///
///   choose:
///     at: {kernel.order: [1600, 3200, 6400]}             # sizes at which models are judged; default: all
///     beside: ["1,1,0,0", "4,1,4,1"]                     # fixed configurations, chosen by no model
///     average:                                           # of epsilon over those sizes
///       - {model: np-t, mode: np-t, fit: nnls, published: 1%, at-least: 3%, at-most: 5%, why: "..."}
///       - {model: np-t, mode: p-t, published: 23%, at-most: 50%, runs: 9.88s, runs-on: one-type, runs-mu: 1.6}
///     scatter: {runs: 5%, seeds: 20}                     # judged on times that scatter, as measured ones do
///     best:                                              # as a paper says which configuration is best
///       - {configuration: "4,1,0,0", kernel.order: [3200, 6400]}
///     agree: 2                                           # minimum number of sizes with our choice
///     agree-within: 25%                                  # maximum mean slowdown of the paper's choices
///
/// Points that differ only in their layout are one size. `average` applies to the first model of the scenario with the
/// given mode and options; with `at`, over some of those sizes. `runs` is a paper's total time of all runs that the
/// model was fitted to, with 'one-type' only of those on nodes of one type; `runs-mu` bounds max/min of that and ours.
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
    NamedSpec model;  ///< model and its options
    PointConditions at = {};
    std::optional<double> published, at_least, at_most;
    std::optional<double> runs_s, runs_mu;
    bool runs_on_one_type = false;
    std::string why;
  };
  /// Randomizes every run's time: times exp(runs z), z standard normal; a share of the runs also gets longer by
  /// `glitch`.
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
  std::string why = {};  ///< cause of the sizes that do not agree
};

ChooseSpec read_choose(const config::Section& section);

}  // namespace orrery
