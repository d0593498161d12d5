/// Meyer's BSPlib as messages: the messages of its communication thread for bsp_sync.
///
///   stage s of ceil(log2 p)   to rank + 2^s (mod p): a header of 4 integers, then the rows of the message map that it
///                             lacks: 2^s rows of p integers, in the last stage p - 2^s
///   then                      what is outstanding is waited for
///   then                      a second barrier without data
///
/// The map has the number of messages from each rank to each, so that a rank knows what to wait for (section 6.2).
///
/// BSPonMPI, the comparison in the thesis, sends nothing before its bsp_sync:
///
///   an all-to-all     3 integers for each rank: how much will come
///   another           for each rank an index of 18 integers, then 16 bytes and the data of each put
///
/// by Open MPI 1.4: the first by Bruck above 12 ranks, else linear; the second in p - 1 steps, step s to rank + s.
///
/// Source   Meyer, doctoral thesis, NTNU, 2012, sections 6.2, 6.5 and 8.4.1, figure 6.2; W. J. Suijlen, BSPonMPI, 2006 (bsp.c,
///          bsp_delivtable.h, bsp_exptable.c); Open MPI 1.4, coll_tuned_decision_fixed.c
/// Checked  tests/unit/kernels/bsp-sync_test.cpp, tests/unit/kernels/stencil_test.cpp
#pragma once

#include "kernels/barrier_steps.hpp"
#include "kernels/collectives/collective.hpp"

namespace orrery {

inline constexpr Bytes library_integer{4.0};
/// Signal type, process, registration, offset, length and sequence code of a put, get or send.
inline constexpr Bytes operation_header = 6.0 * library_integer;
inline constexpr Bytes sync_header = 4.0 * library_integer;

struct SyncPlan {
  std::uint32_t ranks = 1;
  Tag tag{};
  std::uint32_t first_request = 0;
  bool map = true;  ///< false: the dissemination has no payload
  BarrierAlgorithm second = BarrierAlgorithm::tree;
};

/// Stages of the dissemination, and the payload of a rank after the header in each.
std::uint32_t map_stages(std::uint32_t ranks);
Bytes map_payload(std::uint32_t ranks, std::uint32_t stage);

/// The dissemination; then a wait for the rank's open requests; then the second barrier.
Generator<Step> bsp_sync_steps(SyncPlan plan, Rank me);

inline constexpr Bytes bsponmpi_counts = 3.0 * library_integer, bsponmpi_index = 18.0 * library_integer;
/// Header before the data of each put.
inline constexpr std::uint64_t bsponmpi_header = 16;

/// Both all-to-alls, the second by the call's algorithm; `put`: bytes that a rank puts to another, with headers.
Generator<Step> bsponmpi_sync_steps(collectives::Call call, collectives::PairSizes put);

}  // namespace orrery
