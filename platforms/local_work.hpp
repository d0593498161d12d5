/// Local work of hosts for a collective, besides its messages: reducing, copying between buffers, using fresh memory.
///
///   T = n / r       n  Bytes           B    of the result, of what is copied, of the buffer
///                   r  BytesPerSecond  B/s  of the host: from memory, or from its caches where the collective's whole
///                                           vector fits there
///   fresh memory    buffers of `fresh_from` or more are mapped when a collective allocates them, page by page, and
///                   given back
///   heap memory     malloc keeps smaller ones for the next call, unless they are several that together have at least
///                   twice the bytes of the longest: it then cuts the heap's end off, which comes back page by page.
///                   Not at or below 128 KiB, where it begins to learn from what is mapped
///   registration    a fixed time for each block of a newly mapped buffer that is sent next to the one sent before it,
///                   as in a ring's reduce-scatter: neighbouring blocks share a page, and the adapter's registration of
///                   the last block is dissolved for it (assumed; the price was measured: MareNostrum 5, 2 MiB blocks)
///   shared cache    of the ranks of one socket: each has its part, at most `cache`
///   datatype        a fixed time, and one for each block in it, for each that an algorithm makes, commits and frees: one in each round of Bruck's
///                   all-to-all, in Open MPI (coll_base_alltoall.c) and MPICH (alltoall_intra_brucks.c)
///   count           a time for each of the p counts that allgatherv and alltoallv are given
///
/// Source   Rabenseifner, ICCS 2004: T = alpha + n beta + n gamma, gamma the time to reduce a byte; fresh memory:
///          mallopt(3), M_MMAP_THRESHOLD, at most 32 MiB on 64-bit systems; M_TRIM_THRESHOLD becomes twice that
/// Valid    one core of a rank works, as in MPI libraries. Ranks share the memory of their node or socket as they do
///          for messages; caches are nobody else's unless `shared_cache` says so
/// Checked  tests/unit/platforms/local_work_test.cpp, tests/replay/local_work_test.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "platforms/description.hpp"
#include "sim/core/step.hpp"

namespace orrery {

/// The rates of each rank on its platform: ranks of one socket share its last cache. Without ranks: empty.
class RankRates {
 public:
  RankRates() = default;
  RankRates(const Platform& platform, const Layout& layout);
  const LocalRates& of(Rank rank) const { return rates_[of_[index(rank)]]; }

 private:
  std::vector<LocalRates> rates_;  ///< that differ
  std::vector<std::uint32_t> of_;  ///< [ranks]
};

/// The kinds of local work that cost time at these rates.
LocalWork kinds_of(const LocalRates& rates);

/// The time of a step of local work; empty if the step is no such work, or a reduction on a host without rates for it.
std::optional<Seconds> local_time(const LocalRates& rates, const Compute& compute);

/// Whether a step of local work uses memory and not only caches.
bool sweeps_memory(const LocalRates& rates, const Compute& compute);

}  // namespace orrery
