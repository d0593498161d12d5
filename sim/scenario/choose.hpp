/// Which configuration each model would choose, and what it costs to believe it: `choose` of a scenario.
///
///   choose:
///     at: {kernel.order: [1600, 3200, 6400]}             # sizes at which models are judged; default: all
///     beside: ["1,1,0,0", "4,1,4,1"]                     # configurations that ask nobody
///     average:                                           # of epsilon over those sizes
///       - {model: np-t, mode: np-t, fit: nnls, published: 1%, at-most: 5%}
///
/// Points that differ in their layout alone are one size. In `average` the first model of the scenario is meant that
/// has the mode and options named.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/config/reader.hpp"
#include "sim/scenario/model_spec.hpp"

namespace orrery {

struct ChooseSpec {
  struct Average {
    NamedSpec model;  ///< and its options
    std::optional<double> published, at_most;
  };
  PointConditions at;
  std::vector<std::string> beside;
  std::vector<Average> averages;
};

ChooseSpec read_choose(const config::Section& section);

}  // namespace orrery
