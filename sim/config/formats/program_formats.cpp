// Traces and profiles of other tools.
#include "sim/config/formats/format_kinds.hpp"
#include "sim/config/formats/text_sample.hpp"

namespace orrery::config {

namespace program_seen {

namespace {

constexpr const char* record = "Record the program with 'orrery record' instead, as docs/recording.md shows";

constexpr FileFormat formats[] = {
    {"pytorch-trace", "an execution trace of PyTorch (JSON)",
     "Simulate such a step with kernel 'training-step', as docs/training.md shows",
     [](const TextSample& t) { return t.json_has("schema") && t.json_has("nodes") && !t.json_has("orrery") ? 1u : 0u; }},
    {"chrome-trace", "a trace for Chrome or Perfetto", "Open it in ui.perfetto.dev",
     [](const TextSample& t) { return t.json_has("traceEvents") ? 1u : 0u; }},
    {"paraver", "a trace of Paraver", record, [](const TextSample& t) { return t.line_begun("#Paraver ("); }},
    {"dimemas", "a trace of Dimemas", record, [](const TextSample& t) { return t.line_begun("#DIMEMAS:"); }},
    {"paje", "a trace in the format of Paje", "Give the time-independent trace ('smpirun -trace-ti') instead",
     [](const TextSample& t) { return t.line_begun("%EventDef "); }},
};

}  // namespace

}  // namespace program_seen

std::span<const FileFormat> program_formats() { return program_seen::formats; }

}  // namespace orrery::config
