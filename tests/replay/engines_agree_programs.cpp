#include "tests/replay/engines_agree_programs.hpp"

#include "models/partition/partitioner.hpp"
#include "sim/core/error.hpp"
#include "sim/core/stage_pattern.hpp"
#include "tests/support/example_trace.hpp"
#include "tests/support/partition_problem.hpp"

namespace orrery::test {

namespace {

/// The first iterations of a program; what it does before its first mark belongs to them.
class FirstIterations final : public Program {
 public:
  FirstIterations(std::unique_ptr<Program> program, std::uint32_t count)
      : program_(std::move(program)), count_(count) {}
  std::string name() const override { return program_->name(); }
  std::uint32_t ranks() const override { return program_->ranks(); }
  Generator<Step> steps(Rank me) const override { return cut(program_->steps(me), count_); }

 private:
  static Generator<Step> cut(Generator<Step> all, std::uint32_t count) {
    std::uint32_t marks = 0;
    while (const Step* step = all.next()) {
      if (std::holds_alternative<IterationMark>(*step) && ++marks > count) co_return;
      co_yield *step;
    }
  }
  std::unique_ptr<Program> program_;
  std::uint32_t count_;
};

void set(Parameters& parameters, const Words& words) {
  for (const auto& [name, word] : words) parameters.set(name, word, "test");
}

/// What kernels that play traces are given; many ranks without its all-to-all of unequal blocks, whose 63 rounds are no
/// first iterations: they make 1e-8 of a nudge of 1e-15 on either engine.
std::shared_ptr<const Trace> trace_for(std::uint32_t ranks) {
  auto trace = std::make_shared<Trace>(*test::example_trace(ranks));
  for (RankTrace& rank : trace->ranks) {
    if (ranks <= 24) break;
    const RankTrace whole = std::exchange(rank, {});
    TraceWriter writer(rank);
    TraceCursor cursor(whole);
    TraceCall call;
    for (std::size_t begin = 0, end = 0; cursor.next(call); begin = end) {
      end = whole.bytes.size() - cursor.bytes_left();
      if (call.kind != TraceCall::Kind::collective || call.what != Operation::alltoallv)
        writer.copy(whole.bytes, begin, end);
    }
  }
  return trace;
}

/// Null when the kernel refuses.
std::unique_ptr<Program> program_of(const KernelEntry& entry, const Parameters& parameters, std::uint32_t ranks,
                                    const char* partitioner) {
  KernelInput input{parameters, ranks, nullptr};
  if (entry.plays_trace) input.trace = trace_for(ranks);
  if (entry.plays_pattern) input.pattern = std::make_shared<StagePattern>(tree_pattern(ranks, 3));
  try {
    if (entry.grid) {
      std::vector<double> speeds;
      for (std::uint32_t r = 0; r < ranks; ++r) speeds.push_back(1.0 + (r * 7) % 5);
      const GridSize grid = entry.grid(parameters);
      input.partition =
          std::make_shared<Partition>(partitioners().at(partitioner, "test").make(test::problem_of(grid, speeds)));
    }
    return entry.make(input);
  } catch (const Error&) {
    return nullptr;
  }
}

/// Settings that want others beside them on more than `above` ranks.
struct Companion {
  const char *kernel, *parameter, *word;
  std::uint32_t above;
  Words words;
};
const std::vector<Companion> companions{
    {"fft", "data", "real", 0, {{"form", "pencil"}}},  // refused by the default form
    {"fft", "packed", "true", 0, {{"form", "pencil"}}},
    {"fft", "back", "true", 0, {{"form", "pencil"}, {"transposed", "true"}}},
    {"training-step", "tensor-overlap", "true", 0, {{"sequence-parallel", "true"}}},
    {"training-step", "gather-in-passes", "true", 0, {{"gradient-stream", "true"}, {"sharded-optimizer", "true"}}},
    // Small blocks go round by round; SimGrid takes half a minute for larger ones, which all go at once.
    {"fft", "form", "six-step", 24, {{"nx", "64"}, {"ny", "8"}, {"nz", "64"}}},
    {"fft", "form", "slab", 24, {{"nx", "64"}, {"ny", "64"}, {"nz", "8"}}},
    {"collective", "operation", "alltoall", 24, {{"message", "128B"}}},
    // All-to-alls at the end of each superstep: a bandwidth larger by 1e-14 of itself moves an iteration by 0.2 % on the
    // flow engine alone. One superstep of short messages in pairs stays where it is.
    {"stencil", "barrier", "bsponmpi", 24, {{"exchange", "pair"}, {"iterations", "1"}, {"points", "24"}}},
    // Many rounds of rendezvous and nothing between them: either engine parts from itself within them
    // (docs/engines.md).
    {"nbody-ring", "compute", "false", 8, {{"bodies", "256"}, {"iterations", "1"}}},
    {"collective", "operation", "alltoallv", 24, {{"message", "64B"}, {"repetitions", "1"}}},
};

}  // namespace

// The iterations of HPL are its panels: three of 8 columns.
// SimGrid takes half a minute for 64 ranks that all send to all at once: those of a transform go along lines of ranks.
Parameters small_parameters(const KernelEntry& entry, std::uint32_t ranks) {
  Parameters parameters(entry.parameters);
  for (const auto& parameter : entry.parameters) {
    if (parameter.name == "iterations" || parameter.name == "repetitions")
      set(parameters, {{parameter.name.c_str(), "3"}});
    if (parameter.name == "blocks" || parameter.name == "points") set(parameters, {{parameter.name.c_str(), "48"}});
  }
  if (entry.name == "training-step") {
    for (const auto& [name, word] : entry.small) parameters.set(name, word, "test");
    parameters.set("batch", std::to_string(4 * ranks), "test");  // eight micro-batches, however many pipelines
  }
  if (entry.name == "hpl") set(parameters, {{"order", "48"}, {"block", "8"}, {"marks", "panels"}});
  if (entry.name == "fft" && ranks > 24) set(parameters, {{"form", "pencil"}, {"iterations", "1"}});
  return parameters;
}

Parameters with_setting(const KernelEntry& entry, const std::string& parameter, const std::string& word,
                        std::uint32_t ranks) {
  Parameters parameters = small_parameters(entry, ranks);
  for (const Companion& one : companions)
    if (entry.name == one.kernel && parameter == one.parameter && word == one.word && ranks > one.above)
      set(parameters, one.words);
  parameters.set(parameter, word, "test");
  return parameters;
}

std::unique_ptr<Program> program_on(const KernelEntry& entry, const Parameters& parameters, std::uint32_t ranks) {
  for (const char* partitioner : {"beaumont-columns", "even-grid"})
    for (std::uint32_t count = ranks; 2 * count >= ranks; --count)
      if (auto program = program_of(entry, parameters, count, partitioner))
        return std::make_unique<FirstIterations>(std::move(program), 3);
  return nullptr;
}

std::unique_ptr<Program> whole_hpl(std::uint32_t ranks, const Words& settings) {
  const KernelEntry& hpl = kernels().at("hpl", "test");
  Parameters parameters(hpl.parameters);
  set(parameters, {{"order", "1000"}, {"marks", "panels"}});
  set(parameters, settings);
  return hpl.make({parameters, ranks, nullptr});
}

}  // namespace orrery::test
