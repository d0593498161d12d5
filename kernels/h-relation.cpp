/// h-relation as timed by bspbench: every rank puts h words, one after another to the ranks that follow it, around and
/// around, and all synchronise.
///
///   word i of rank s goes to rank (s + 1 + i mod (p - 1)) mod p      i = 0 .. h - 1
///   the words for one rank travel in one message (BSPonMPI buffers puts until the synchronisation)
///
/// Source   bspbench of BSPedupack: Bisseling, Parallel Scientific Computation, Oxford, 2004, section 1.7; used in
///          Meyer, doctoral thesis, NTNU, 2012, section 3.1
/// Differs  a library may exchange how many messages are on their way before it synchronises; here receivers know
/// Checked  tests/unit/kernels/h-relation_test.cpp
#include <algorithm>
#include <cmath>

#include "kernels/barrier_steps.hpp"
#include "kernels/micro_benchmark.hpp"

namespace orrery::h_relation_kernel {

namespace {

constexpr Tag word_tag{0}, barrier_tag{1};

std::vector<BenchmarkPoint> points_of(const Parameters& parameters) {
  return points_of_sizes(parameters, "h-relation", 1.0);
}

class HRelation final : public Program {
 public:
  explicit HRelation(const KernelInput& input)
      : ranks_(input.ranks),
        repetitions_(static_cast<std::uint32_t>(input.parameters.integer("repetitions"))),
        word_(input.parameters.bytes("word")),
        points_(points_of(input.parameters)),
        barrier_{.algorithm = barrier_algorithm(input.parameters.text("barrier")),
                 .ranks = input.ranks,
                 .tag = barrier_tag,
                 .first_request = 2 * input.ranks} {}
  std::string name() const override { return "h-relation"; }
  std::uint32_t ranks() const override { return ranks_; }

  Generator<Step> steps(Rank me) const override {
    std::uint32_t count = 0;
    for (const auto& point : points_)
      for (std::uint32_t repetition = 0; repetition < repetitions_; ++repetition) {
        co_yield iteration(count++);
        co_yield phase("synchronisation");
        co_yield barrier();
        co_yield phase(timed_phase);
        co_yield elements_of(puts(me, static_cast<std::uint64_t>(std::ceil(point.message / word_))));
        co_yield elements_of(barrier_steps(barrier_, me));
      }
  }

 private:
  Generator<Step> puts(Rank me, std::uint64_t words) const {
    if (ranks_ < 2) co_return;
    const auto mine = static_cast<std::uint32_t>(me);
    const std::uint64_t others = ranks_ - 1;
    const auto message = [&](std::uint64_t distance) {
      const std::uint64_t whole = words / others;
      return static_cast<double>(whole + (distance <= words % others ? 1 : 0)) * word_;
    };
    std::uint32_t request = 0;
    for (std::uint32_t d = 1; d <= std::min(words, others); ++d)
      co_yield irecv(Rank{(mine + ranks_ - d) % ranks_}, message(d), word_tag, RequestId{request++});
    for (std::uint32_t d = 1; d <= std::min(words, others); ++d)
      co_yield isend(Rank{(mine + d) % ranks_}, message(d), word_tag, RequestId{request++});
    if (request > 0) co_yield wait_all();
  }

  std::uint32_t ranks_, repetitions_;
  Bytes word_;
  std::vector<BenchmarkPoint> points_;
  BarrierPlan barrier_;
};

const bool entered = kernels().add(
    {.name = "h-relation",
     .summary = "each rank puts h words, spread over all others, then all synchronise (bspbench)",
     .source = "bspbench of BSPedupack: Bisseling, Parallel Scientific Computation, Oxford, 2004, section 1.7",
     .page =
         "h = sizes / word, rounded up: word i of rank s goes to rank (s + 1 + i mod (p - 1)) mod p\n"
         "per destination one message: irecv from each, isend to each, wait for all; then the barrier\n"
         "phase 'communication' is one h-relation with its barrier; 'orrery show model bsp' says how g and l follow",
     .parameters =
         micro_benchmark_parameters({bytes_key("word", 8, "size of one word", 1, 1024),
                                     word_key("barrier", "dissemination", "barrier at the end", barrier_names())}),
     .benchmark_points = points_of,
     .small = {{"sizes", "0B,8B,80B"}},
     .make = [](const KernelInput& input) -> std::unique_ptr<Program> { return std::make_unique<HRelation>(input); }});

}  // namespace

}  // namespace orrery::h_relation_kernel
