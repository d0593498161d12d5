// Outputs of benchmarks: each by its title or the header of its table.
#include <algorithm>

#include "sim/config/formats/format_kinds.hpp"
#include "sim/config/formats/text_sample.hpp"

namespace orrery::config {

namespace log_seen {

namespace {

/// "# OSU MPI Allreduce Latency Test v7.1" above rows of its own: a CSV may quote the title in a comment.
std::uint32_t osu(const TextSample& text) {
  const auto& lines = text.lines();
  for (std::uint32_t number = 1; number <= lines.size(); ++number) {
    const std::string& line = lines[number - 1];
    const bool title = line.starts_with("# OSU ") && line.find(" Test") != std::string::npos;
    if (title && (text.row_below(number) || text.content().empty())) return number;
  }
  return 0;
}

std::uint32_t imb(const TextSample& text) {
  const std::uint32_t table = text.line_with("#repetitions t");
  if (table == 0) return 0;
  for (const std::string_view title : {"# Benchmarking ", "MPI Benchmarks"})
    if (const std::uint32_t line = text.line_with(title)) return line;
  return table;
}

std::uint32_t nccl_tests(const TextSample& text) {
  if (const std::uint32_t table = text.line_with("size count type")) return table;
  const std::uint32_t begin = text.line_with("nThread ");
  return begin != 0 && text.line(begin).find("nGpus ") != std::string::npos ? begin : 0;
}

std::uint32_t hpl_output(const TextSample& text) {
  if (const std::uint32_t table = text.line_with("T/V N NB P Q Time")) return table;
  return text.line_with("High-Performance Linpack benchmark --");
}

std::uint32_t hpcg(const TextSample& text) {
  for (const std::string_view part : {"HPCG-Benchmark", "HPCG benchmark", "HPCG Benchmark", "HPCG result is"})
    if (const std::uint32_t line = text.line_with(part)) return line;
  return 0;
}

std::uint32_t stream(const TextSample& text) {
  for (const std::string_view part : {"Function Best Rate MB/s", "STREAM version $Revision", "Function MBytes/sec"})
    if (const std::uint32_t line = text.line_with(part)) return line;
  return 0;
}

std::uint32_t likwid(const TextSample& text) {
  if (const std::uint32_t title = text.line_with("LIKWID MICRO BENCHMARK")) return title;
  const std::uint32_t rate = text.line_begun("MByte/s:");
  return text.line_begun("Cycles:") != 0 || text.line_begun("Cycles per update:") != 0 ? rate : 0;
}

std::uint32_t extrap_text(const TextSample& text) {
  return text.line_begun("POINTS ") != 0 && text.line_begun("DATA ") != 0 ? text.line_begun("PARAMETER ") : 0;
}

std::uint32_t extrap_json(const TextSample& text) {
  const bool values = text.json_has("value") || text.json_has("measurements") || text.json_has("callpath");
  return (text.json_has("params") || text.json_has("parameters")) && values && !text.json_has("schema") && !text.json_has("orrery") ? 1 : 0;
}

constexpr const char* as_measured = "Make a table for 'measured:' of it, as docs/other-formats.md shows";

constexpr FileFormat formats[] = {
    {"osu", "the output of an OSU micro-benchmark", as_measured, osu, true},
    {"imb", "the output of the Intel MPI Benchmarks", as_measured, imb, true},
    {"nccl-tests", "a log of nccl-tests or rccl-tests", as_measured, nccl_tests},
    {"hpl-dat", "the input of HPL (HPL.dat)", "Give it to the kernel: '--kernel hpl --param hpl-dat=FILE'",
     [](const TextSample& t) { return t.line_with("HPLinpack benchmark input file"); }},
    {"hpl-output", "the output of HPL", "Take N, NB, P, Q and its time from it, as docs/other-formats.md shows",
     hpl_output},
    {"hpcg", "a file of HPCG", "Simulate its iterations with kernel 'fem-cg', as docs/other-formats.md says", hpcg},
    {"stream", "the output of STREAM",
     "Write its best rate as 'memory-bandwidth' of the node type, as docs/other-formats.md shows", stream},
    {"likwid-bench", "the output of likwid-bench",
     "Write its rate as 'memory-bandwidth' of the node type, as docs/other-formats.md shows", likwid},
    {"extra-p-text", "measurements in the text form of Extra-P", as_measured, extrap_text},
    {"extra-p-json", "measurements in a JSON form of Extra-P", as_measured, extrap_json},
    {"mlperf-log", "a log of MLPerf", "Simulate such a step with kernel 'training-step', as docs/training.md shows",
     [](const TextSample& t) { return t.line_with(":::MLL"); }},
    {"mpip", "a profile of mpiP", "Record the program with 'orrery record' instead, as docs/recording.md shows",
     [](const TextSample& t) { return t.line_begun("@ mpiP"); }},
    {"sacct", "a table of Slurm's sacct", "Write the times that it shows into a CSV for 'measured:'",
     [](const TextSample& t) {
       const std::uint32_t line = t.line_begun("JobID");
       return line != 0 && !t.content().empty() && t.content().front() == line && t.line(line).find(',') == std::string::npos
                  ? line
                  : 0u;
     }},
};

}  // namespace

}  // namespace log_seen

std::span<const FileFormat> log_formats() { return log_seen::formats; }

}  // namespace orrery::config
