/// Ranks that are near each other, found from costs only: sparse spatial selection, level by level.
///
///   pivot     a rank whose distance to every pivot before it is at least `sparseness` times the diameter; the first
///             rank is one
///   cluster   the ranks whose nearest pivot it is, each cluster then divided in the same way by its own diameter
///   diameter  the greatest distance of two of the ranks
///
///   distance(i, j)   mean of the costs of a signal there and back
///
/// A division is kept if pivots are at least `separation` times as far apart as any rank is from its pivot, and if not
/// every rank is alone: measurements scatter, and a cluster of equal ranks would otherwise be divided by its scatter.
///
/// Source   Brisaboa et al., SOFSEM 2008 (sparse spatial selection); Meyer, doctoral thesis, NTNU, 2012, section 7.2:
///          sparseness 0.35
/// Valid    costs that are a metric: 0 from a rank to itself alone, no way dearer than a way round. Of more than 2048
///          ranks two of each place stand for the others, if places are known; of more than 2048 that are left the
///          diameter is at least half of the true one (the farthest from the farthest of the first), and nobody looks
///          whether costs are a metric. A cluster is divided into 16384 parts at most, or not at all
/// Differs  the thesis takes the overheads O_ij for distances; here it is the cost of a whole signal, as networks with
///          RDMA have the same overhead everywhere. It says nothing of when to stop dividing: `separation` is ours. The
///          thesis' table 7.1 (60 ranks, round robin) and table 7.2 (115 ranks) carry each other's number in its text
/// Checked  tests/unit/models/barrier/clusters_test.cpp
#pragma once

#include <cstdint>
#include <vector>

#include "models/barrier/pattern_cost.hpp"

namespace orrery {

struct ClusterRule {
  double sparseness = 0.35;  ///< above 0, below 1
  double separation = 2.0;   ///< 1 or more
};

/// Ranks near each other; its pivot, the first one, represents them at the level above.
struct Cluster {
  std::vector<std::uint32_t> members;  ///< the pivot, then ascending
  std::vector<Cluster> parts;          ///< its subdivision; the pivots are neighbours at this level

  std::uint32_t pivot() const { return members.front(); }
};

/// All ranks as one cluster. Throws InputError for costs that are no metric: 0 between two ranks, or more than twice
/// the cost of a detour (checked over as many ranks as a million triangles allow); it begins with the file and row of
/// such a cost.
Cluster clusters_of(const SignalCosts& costs, const ClusterRule& rule = {});

}  // namespace orrery
