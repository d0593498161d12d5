/// One stage of a barrier from the view of its sender: rank 0 starts n signals to rank 1 and waits for all of them.
///
///   signals=0   the call alone                                                    O_i = time
///   signals=n   n non-blocking sends at once to receives that are posted           O_ij = slope of the time over n
///
/// Only rank 0 is timed: "the time taken to execute the two function calls is the only directly measurable quantity".
///
/// Source   Meyer, doctoral thesis, NTNU, 2012, section 5.6.3
/// Differs  the thesis takes medians of a noisy machine; an engine repeats itself
/// Checked  tests/unit/models/barrier_matrix_test.cpp
#include <fmt/format.h>

#include "kernels/micro_benchmark.hpp"

namespace orrery::barrier_stage_kernel {

namespace {

constexpr Rank sender{0}, receiver{1};

std::vector<std::uint32_t> counts_of(const Parameters& parameters) {
  auto counts = parse_counts(parameters.text("signals"), "barrier-stage");
  counts.insert(counts.begin(), 0);  // the call alone
  return counts;
}

std::vector<BenchmarkPoint> points_of(const Parameters& parameters) {
  std::vector<BenchmarkPoint> points;
  for (const auto n : counts_of(parameters))
    for (const auto size : parse_sizes(parameters.text("sizes"), "barrier-stage"))
      points.push_back({fmt::format("signals={}", n), size, 1.0});
  return points;
}

class BarrierStage final : public Program {
 public:
  explicit BarrierStage(const KernelInput& input)
      : ranks_(input.ranks),
        repetitions_(static_cast<std::uint32_t>(input.parameters.integer("repetitions"))),
        sizes_(parse_sizes(input.parameters.text("sizes"), "barrier-stage")),
        counts_(counts_of(input.parameters)) {
    require_ranks("barrier-stage", ranks_, 2, "a rank and the one it signals need");
  }
  std::string name() const override { return "barrier-stage"; }
  std::uint32_t ranks() const override { return ranks_; }

  Generator<Step> steps(Rank me) const override {
    std::uint32_t count = 0;
    for (const auto n : counts_)
      for (const auto size : sizes_)
        for (std::uint32_t repetition = 0; repetition < repetitions_; ++repetition) {
          co_yield iteration(count++);
          co_yield phase("synchronisation");
          if (me == receiver)
            for (std::uint32_t i = 0; i < n; ++i) co_yield irecv(sender, size, Tag{0}, RequestId{i});
          co_yield barrier();
          co_yield phase(timed_phase);
          if (me == sender) {
            for (std::uint32_t i = 0; i < n; ++i) co_yield isend(receiver, size, Tag{0}, RequestId{i});
            co_yield wait_all();
          }
          co_yield phase("drain");
          co_yield wait_all();
        }
  }

 private:
  std::uint32_t ranks_, repetitions_;
  std::vector<Bytes> sizes_;
  std::vector<std::uint32_t> counts_;
};

const bool entered =
    kernels().add({.name = "barrier-stage",
                   .summary = "one stage of a barrier: n signals at once, as their sender sees it",
                   .source = "Meyer, doctoral thesis, NTNU, 2012, section 5.6.3",
                   .page = "rank 0: n times isend(1, m), then waitall; rank 1 has posted its receives\n"
                           "timed: rank 0 alone. n = 0: the call, O_i; slope of the time over n: O_ij",
                   .parameters = micro_benchmark_parameters({word_key(
                       "signals", "1,2,4,8,16", "numbers of concurrent signals, a list; zero is also measured")}),
                   .benchmark_points = points_of,
                   .small = {{"repetitions", "3"}},
                   .make = [](const KernelInput& input) -> std::unique_ptr<Program> {
                     return std::make_unique<BarrierStage>(input);
                   }});

}  // namespace

}  // namespace orrery::barrier_stage_kernel
