/// Barriers between all ranks, back to back: the stages of `kernels/barrier_steps.hpp` as a separate program.
///
/// Source   Meyer, doctoral thesis, NTNU, 2012, sections 5.3 and 5.5, figures 5.2 to 5.4
/// Checked  tests/unit/kernels/barrier_test.cpp, tests/contract/every_kernel_test.cpp
#include <fmt/format.h>

#include "kernels/barrier_steps.hpp"
#include "kernels/kernel.hpp"
#include "sim/core/error.hpp"
#include "sim/core/pattern_knowledge.hpp"

namespace orrery::barrier_kernel {

namespace {

constexpr const char* page =
    R"(Each stage of a barrier is a p x p incidence matrix S_k: S_k(i, j) = 1 when rank i signals rank j.
A rank posts all receives of the stage, posts all sends, and waits for all of them.

  algorithm      stages                messages               signals
  linear         2                     2 (p - 1)              all to rank 0; rank 0 to all
  dissemination  ceil(log2 p)          p ceil(log2 p)         i to (i + 2^s) mod p
  tree           2 ceil(log_d p)       2 (p - 1)              i to its leader i - i mod d^(s+1), then back
  pattern        as 'pattern' says     as it says             from a file: matrices S_k, or 'ranks', 'stage', 'i: j k'
  ideal          -                     0                      all leave when the last one enters, at no cost

Total bytes = messages x signal. The tree's degree d is 2 in figure 5.4 of the source. For p not a power of two
dissemination is exact as written; the tree's last groups are smaller.)";

class Barrier final : public Program {
 public:
  explicit Barrier(const KernelInput& input)
      : plan_{.algorithm = barrier_algorithm(input.parameters.text("algorithm")),
              .ranks = input.ranks,
              .signal = input.parameters.bytes("signal"),
              .degree = static_cast<std::uint32_t>(input.parameters.integer("degree")),
              .pattern = input.pattern},
        repetitions_(static_cast<std::uint32_t>(input.parameters.integer("repetitions"))) {
    if (plan_.algorithm != BarrierAlgorithm::pattern) return;
    if (!plan_.pattern)
      throw InputError(
          "barrier: algorithm 'pattern' and no file of one (stage matrices, or who signals whom). Set 'pattern'?");
    require_sense(input.parameters);
  }

  std::string name() const override { return "barrier"; }
  std::uint32_t ranks() const override { return plan_.ranks; }

  Generator<Step> steps(Rank me) const override {
    for (std::uint32_t k = 0; k < repetitions_; ++k) {
      co_yield iteration(k);
      co_yield phase("communication");
      co_yield elements_of(barrier_steps(plan_, me));
    }
  }

 private:
  /// Throws InputError unless the pattern is of so many ranks and does what it is meant to (equations 5.1 and 5.2).
  void require_sense(const Parameters& parameters) const {
    const std::string& file = parameters.text("pattern");
    if (plan_.pattern->ranks != plan_.ranks)
      throw InputError(
          "barrier: pattern '{}' has {} ranks, the layout places {} (they must agree). Write '--ranks {}'?", file,
          plan_.pattern->ranks, plan_.ranks, plan_.pattern->ranks);
    const std::string& goal = parameters.text("goal");
    const auto root = static_cast<std::uint32_t>(parameters.integer("root"));
    if (root >= plan_.ranks)
      throw InputError("barrier: 'root' is {} (0..{}). Choose one of the ranks?", root, plan_.ranks - 1);
    const PatternGoal asked = goal == "bcast"    ? PatternGoal::bcast
                              : goal == "reduce" ? PatternGoal::reduce
                                                 : PatternGoal::barrier;
    if (const auto pair = first_ignorance(*plan_.pattern, asked, root))
      throw InputError(
          "barrier: pattern '{}' is no {}: rank {} leaves without knowing that rank {} has arrived "
          "(equations 5.1 and 5.2). Complete it, or set 'goal'?",
          file, goal, pair->who, pair->of);
  }

  BarrierPlan plan_;
  std::uint32_t repetitions_;
};

const bool entered = kernels().add({
    .name = "barrier",
    .summary = "linear, dissemination or tree barrier, repeated",
    .source = "Meyer, doctoral thesis, NTNU, 2012, sections 5.3 and 5.5, figures 5.2 to 5.4",
    .page = page,
    .parameters = {word_key("algorithm", "dissemination", "barrier algorithm",
                            {"ideal", "linear", "dissemination", "tree", "pattern"}),
                   count_key("repetitions", 1, "number of barriers in sequence", 1, 1e9),
                   bytes_key("signal", 1, "size of one signal", 0, 1e12),
                   count_key("degree", 2, "group size of the tree", 2, 1e6),
                   word_key("pattern", "", "file of algorithm 'pattern' (orrery barrier -o)"),
                   word_key("goal", "barrier", "required result of the pattern; others are refused",
                            {"barrier", "bcast", "reduce"}),
                   count_key("root", 0, "root rank of bcast or reduce", 0, 1e9)},
    .plays_pattern = true,
    .small = {{"repetitions", "3"}},
    .make = [](const KernelInput& input) { return std::make_unique<Barrier>(input); },
});

}  // namespace

}  // namespace orrery::barrier_kernel
