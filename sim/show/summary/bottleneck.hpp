/// What a run waits for, as text: the causes on its critical path by their share (sim/core/critical_path.hpp).
///
/// A share has two meanings: the fraction of the path with this cause, and, everything else unchanged, the maximum
/// reduction of the time if the cause cost nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"

namespace orrery::show {

struct PathCause {
  std::string name;        ///< "incoming NICs", "latency", "late ranks"
  std::string where;       ///< the most important one: "incoming NIC of xeon12-2", "rank 3"; may be empty
  double where_share = 0;  ///< of the path
  std::string if_free;     ///< "incoming NICs were infinitely fast"
  std::string said;        ///< noun phrase after "61 % is": "transfers that saturate incoming NICs"
  double share = 0;        ///< of the path
  bool saturated = false;  ///< a resource that limited a flow on the path
};

/// The causes in these totals, largest first; those below a thousandth are left out.
std::vector<PathCause> path_causes(const CriticalPath& path, const PathTotals& totals);

/// "the communication", "phase 'panel'", "the run".
std::string path_subject(const PathTotals& totals);

/// One sentence of an answer: for the run, a job or a phase.
struct AnswerPart {
  std::string opening;            ///< "", "job 'a': ", "of the communication ": before the share
  std::string closing;            ///< " of the run is ", " is ": after it
  std::vector<PathCause> causes;  ///< greatest first
  std::string said;               ///< the first cause, with its most important resource if any
  std::string took = {};          ///< "(79 us) " after the opening, for a phase
  std::string more = {};          ///< the balance of the computation, and the second cause
  /// "98 % of the run is computation, 12 % latency"; with another `closing`, "98 % of it is ..."
  std::string text(const std::string& closing) const;
  std::string text() const { return text(closing); }
};

/// The largest part of a point's time: of the whole run, then of the compared phase unless that is all of the run.
struct Answer {
  std::vector<AnswerPart> of_run = {};      ///< of the run, or of each of the first jobs
  std::optional<AnswerPart> of_phase = {};  ///< if the compared phase is only a part of the run
  std::size_t more_jobs = 0;                ///< without a part
  double share = 0.0;                       ///< the largest share of the run
  /// "99 % of the run is computation (rank 3 computes 20 % longer than the others)"
  std::string run_text() const;
  /// "of the communication (79 us) 61 % is transfers that saturate incoming NICs"; empty without `of_phase`.
  std::string phase_text() const;
};
/// Empty without a critical path.
Answer answer_of(const PointResult& point);

/// The first cause of the run, or of each of its jobs: groups points by this. Empty without a path.
std::string bottleneck_kind(const Answer& answer);

/// Both parts of the answer in one sentence. Empty without a critical path.
std::string bottleneck_sentence(const Answer& answer);

/// "incoming NICs 61 %, latency 20 %, late ranks 12 %": all causes with at least 1 %.
std::string path_sentence(const CriticalPath& path, const PathTotals& totals);

}  // namespace orrery::show
