/// Lists of ranks as users write them.
///
///   ranks_listed("0,2,5-7", 8, "--members")   0 2 5 6 7, in the order of the text
///
/// Throws InputError that begins with `what`: no number or range of ranks below `ranks`, or a rank named twice.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/ids.hpp"

namespace orrery {

std::vector<Rank> ranks_listed(std::string_view text, std::uint32_t ranks, const std::string& what);

}  // namespace orrery
