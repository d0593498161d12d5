/// A refusal as JSON, for programs that read it: events of ORRERY_EVENTS, `--json`, the page.
///
///   {"exit_code": 2, "message": the whole text, "place": "mine.yaml:42:14", "file": "mine.yaml", "line": 42,
///    "column": 14, "subject": "latency", "value": "1.3", "problem": "'latency' is '1.3' without a unit",
///    "rule": "ns, us, ms, s", "remedy": "Write '1.3us'?", "instead": ["1.3us"]}
///
/// A field that a refusal does not have is null; `instead` is a list, often empty.
#pragma once

#include <string>

#include "sim/core/refusal.hpp"

namespace orrery::show {

/// In one line, without its end.
std::string refusal_json(int exit_code, const std::string& message, const Refusal& refusal);

}  // namespace orrery::show
