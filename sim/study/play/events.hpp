/// Events for a program that runs this one: a JSON object per line, on the open file whose number is in ORRERY_EVENTS:
///
///   {"event": "progress", "what": "simulating on flow", "done": 3, "total": 8, "detail": "", "elapsed_s": 1.2}
///   {"event": "progress", ..., "messages": 48213, "expected_messages": 91000, "simulated_s": 0.0123}
///   {"event": "error", "refusal": {"exit_code": 2, "message": "mine.yaml:42:14: 'latency' is '1.3' ...", ...}}
///
/// The fields of a refusal are in sim/show/result/refusal_json.hpp.
///
/// Progress comes at most ten times a second. If the reader closes its end, this program ends, because its results
/// would have no reader. Without ORRERY_EVENTS nothing is written.
#pragma once

#include <string>

#include "sim/core/refusal.hpp"
#include "sim/study/play/progress.hpp"

namespace orrery::study {

/// Call once, before any file is opened: a number that is no open file now could later be one of ours. Child programs
/// do not inherit it.
void open_events();
void progress_event(const StepCounts& counts);
void progress_event(const SimulationCounts& counts);
/// Always written, regardless of the rate limit. Also stored for `last_error`.
void error_event(int exit_code, const Refusal& refusal);
/// The last refusal as JSON; empty if there was none.
const std::string& last_error();

}  // namespace orrery::study
