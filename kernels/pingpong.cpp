/// Ping-pong: rank 0 sends to rank 1 and gets the message back. The time of one message is half the round trip.
///
///   rank 0   send(1, m), recv(1, m)        rank 1   recv(0, m), send(0, m)        other ranks   nothing
///
/// Source   Hockney, Parallel Computing 20(3), 1994; Bosque & Pastor, IEEE TPDS 17(12), 2006
#include "kernels/micro_benchmark.hpp"
#include "sim/core/quantity_text.hpp"

namespace orrery::pingpong_kernel {

namespace {

std::vector<BenchmarkPoint> points_of(const Parameters& parameters) {
  return points_of_sizes(parameters, "pingpong", 2.0);
}

class PingPong final : public Program {
 public:
  explicit PingPong(const KernelInput& input)
      : ranks_(input.ranks),
        repetitions_(static_cast<std::uint32_t>(input.parameters.integer("repetitions"))),
        points_(points_of(input.parameters)) {
    require_ranks("pingpong", ranks_, 2, "ping and pong need");
  }
  std::string name() const override { return "pingpong"; }
  std::uint32_t ranks() const override { return ranks_; }

  Generator<Step> steps(Rank me) const override {
    const Tag tag{0};
    std::uint32_t count = 0;
    for (const auto& point : points_)
      for (std::uint32_t repetition = 0; repetition < repetitions_; ++repetition) {
        co_yield iteration(count++);
        co_yield phase("synchronisation");
        co_yield barrier();
        co_yield phase(timed_phase);
        if (me == Rank{0}) {
          co_yield send(Rank{1}, point.message, tag);
          co_yield recv(Rank{1}, point.message, tag);
        } else if (me == Rank{1}) {
          co_yield recv(Rank{0}, point.message, tag);
          co_yield send(Rank{0}, point.message, tag);
        }
      }
  }

 private:
  std::uint32_t ranks_, repetitions_;
  std::vector<BenchmarkPoint> points_;
};

/// T(m) of each size (named without m where there is one size), the mean of its repetitions.
std::vector<Metric> times(const Parameters& parameters, const RunResult& run) {
  const auto points = points_of(parameters);
  const auto repetitions = static_cast<std::uint32_t>(parameters.integer("repetitions"));
  std::vector<Seconds> sums(points.size());
  for (const auto& record : run.phases)
    if (record.phase == timed_phase) sums.at(record.iteration / repetitions) += record.time;
  std::vector<Metric> metrics;
  for (std::size_t i = 0; i < points.size(); ++i)
    metrics.push_back({points.size() == 1 ? "T(m)" : "T(" + to_text(points[i].message) + ")",
                       sums[i].si() / (points[i].transmissions * repetitions), "s"});
  return metrics;
}

const bool entered = kernels().add(
    {.name = "pingpong",
     .summary = "ping-pong between ranks 0 and 1: half the round trip is one message",
     .source = "Hockney, Parallel Computing 20(3), 1994, 389-398",
     .page = "rank 0: send(1, m), recv(1, m); rank 1: recv(0, m), send(0, m)\n"
             "T(m) = half the time of phase 'communication'\n"
             "messages: 2 per size and repetition",
     .parameters = micro_benchmark_parameters({}),
     .benchmark_points = points_of,
     .small = {{"repetitions", "3"}},
     .metrics = times,
     .make = [](const KernelInput& input) -> std::unique_ptr<Program> { return std::make_unique<PingPong>(input); }});

}  // namespace

}  // namespace orrery::pingpong_kernel
