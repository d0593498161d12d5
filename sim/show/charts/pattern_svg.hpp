/// A pattern of signals drawn as a graph in layers: a column of points for each rank, a row for each stage, an arrow
/// for each signal, like figure 7.2 of Meyer's thesis. Ranks of one cluster are adjacent and share a colour.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/stage_pattern.hpp"

namespace orrery::show {

struct PatternPicture {
  std::string title;
  std::vector<std::vector<std::uint32_t>> clusters;  ///< ranks from left to right; those without a cluster come last
};

std::string pattern_svg(const StagePattern& pattern, const PatternPicture& picture);

}  // namespace orrery::show
