/// Code shared by the micro-benchmarks: each runs all its sizes and variants in one program, so that a calibration
/// needs one simulation per experiment. Iteration number = point * repetitions + repetition.
///
///   phase "synchronisation"   an ideal barrier, and preparations (receives posted, messages arrived)
///   phase "communication"     the timed part
///   phase "drain"             the remaining operations, not timed
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/kernel.hpp"

namespace orrery {

inline constexpr const char* timed_phase = "communication";

/// "1B,64B,4KiB" as sizes. Throws InputError that begins with `where`.
std::vector<Bytes> parse_sizes(std::string_view text, const std::string& where);

/// A point for each of the parameter `sizes`, whose time contains `per` transmissions.
std::vector<BenchmarkPoint> points_of_sizes(const Parameters& parameters, const std::string& kernel, double per);

/// "1,2,3" as integers >= 1. Throws InputError that begins with `where`.
std::vector<std::uint32_t> parse_counts(std::string_view text, const std::string& where);

/// Parameters `sizes` and `repetitions`, common to all micro-benchmarks.
std::vector<Key> micro_benchmark_parameters(std::vector<Key> own);

/// Throws InputError if the program has fewer ranks than `needed`; `why` ends in need or needs.
void require_ranks(const std::string& kernel, std::uint32_t ranks, std::uint32_t needed, const std::string& why);

}  // namespace orrery
