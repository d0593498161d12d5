/// What a run waits for, in words: the causes on its critical path by their share (sim/core/critical_path.hpp).
///
/// A share says two things: how much of the path the cause takes, and, everything else unchanged, how much shorter the
/// time would be at most if the cause cost nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"

namespace orrery::show {

struct PathCause {
  std::string name;        ///< "incoming NICs", "latency", "late ranks"
  std::string where;       ///< the one that counts most: "incoming NIC of xeon12-2", "rank 3"; may be empty
  double where_share = 0;  ///< of the path
  std::string if_free;     ///< "incoming NICs were infinitely fast"
  std::string said;        ///< what so much of the time is: "transfers that saturate incoming NICs"
  double share = 0;        ///< of the path
  bool saturated = false;  ///< a resource, and a flow on the path that got its share of it
};

/// Of these totals, greatest first; those below a thousandth are left out.
std::vector<PathCause> path_causes(const CriticalPath& path, const PathTotals& totals);

/// "the communication", "phase 'panel'", "the run".
std::string path_subject(const PathTotals& totals);

/// One sentence of an answer: of the run, of a job or of a phase.
struct AnswerPart {
  std::string opening;            ///< "", "job 'a': ", "of the communication ": before the share
  std::string closing;            ///< " of the run is ", " is ": behind it
  std::vector<PathCause> causes;  ///< greatest first
  std::string said;               ///< what the first is, with the resource if one counts most
  std::string took = {};          ///< "(79 us) " behind the opening, of a phase
  std::string more = {};          ///< how even the computation is, and the second cause
  /// "98 % of the run is computation, 12 % latency"; with another `closing`, "98 % of it is ..."
  std::string text(const std::string& closing) const;
  std::string text() const { return text(closing); }
};

/// What most of a point's time is: of the whole run, then of the compared phase unless that is all of the run.
struct Answer {
  std::vector<AnswerPart> of_run = {};      ///< the run's, or that of each of the first jobs
  std::optional<AnswerPart> of_phase = {};  ///< where the compared phase is another part of the run
  std::size_t more_jobs = 0;                ///< that have no part
  double share = 0.0;                       ///< the greatest, of the run
  /// "99 % of the run is computation (rank 3 computes 20 % longer than the others)"
  std::string run_text() const;
  /// "of the communication (79 us) 61 % is transfers that saturate incoming NICs"; empty without `of_phase`.
  std::string phase_text() const;
};
/// Empty without a critical path.
Answer answer_of(const PointResult& point);

/// The first cause of the run, or of each of its jobs: points with the same one are of one kind. Empty without a path.
std::string bottleneck_kind(const Answer& answer);

/// Both parts of the answer in one sentence. Empty without a critical path.
std::string bottleneck_sentence(const Answer& answer);

/// "incoming NICs 61 %, latency 20 %, late ranks 12 %": all of 1 % and more.
std::string path_sentence(const CriticalPath& path, const PathTotals& totals);

}  // namespace orrery::show
