/// What a run waits for, in words: the causes on its critical path by their share (sim/core/critical_path.hpp).
///
/// A share says two things: how much of the path the cause takes, and, everything else unchanged, how much shorter the
/// time would be at most if the cause cost nothing.
#pragma once

#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"

namespace orrery::report {

struct PathCause {
  std::string name;        ///< "incoming NICs", "latency", "late ranks"
  std::string where;       ///< the one that counts most: "incoming NIC of xeon12-2", "rank 3"; may be empty
  double where_share = 0;  ///< of the path
  std::string if_free;     ///< "incoming NICs were infinitely fast"
  double share = 0;        ///< of the path
  bool saturated = false;  ///< a resource, and a flow on the path that got its share of it
};

/// Of these totals, greatest first; those below a thousandth are left out.
std::vector<PathCause> path_causes(const CriticalPath& path, const PathTotals& totals);

/// "the communication", "phase 'panel'", "the run".
std::string path_subject(const PathTotals& totals);

/// "incoming NIC of xeon12-2, saturated for 61 % of the critical path of the communication; then latency 20 %". Empty
/// without a critical path.
std::string bottleneck_sentence(const PointResult& point);

/// "incoming NICs 61 %, latency 20 %, late ranks 12 %": all of 1 % and more.
std::string path_sentence(const CriticalPath& path, const PathTotals& totals);

}  // namespace orrery::report
