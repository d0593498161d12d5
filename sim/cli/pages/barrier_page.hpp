/// What `orrery barrier` prints: the barriers as a table, clusters, what each was given and the stages of the hybrid;
/// or all of it as JSON.
#pragma once

#include <cstddef>
#include <string>

#include "sim/study/search/barrier_job.hpp"

namespace orrery::cli {

/// "0-11", "0-56 by 8", "0, 3, 5-7".
std::string ranks_text(const std::vector<std::uint32_t>& ranks);

std::string barrier_text(const study::BarrierAnswer& answer, std::size_t width, bool color);
std::string barrier_json(const study::BarrierAnswer& answer);

/// Ranks of each innermost cluster, for drawings.
std::vector<std::vector<std::uint32_t>> innermost(const Cluster& cluster);

}  // namespace orrery::cli
