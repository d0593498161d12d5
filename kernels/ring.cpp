/// Ring_tau: every rank of a ring sends to the next and receives from the previous one, tau transmissions at a time.
///
///   rank i < n   irecv(i - 1 mod n, m), send(i + 1 mod n, m), wait        n = tau * directions       tau >= 2
///   rank 0, 1    ping-pong, halved                                                                  tau = 1
///
///   tau         transmissions that progress at once, in one direction of the channel
///   directions  1: all ranks share a node; 2: ranks lie Round Robin on two nodes, tau transmissions each way
///
/// Source   Rico-Gallego, Lastovetsky & Diaz-Martin, IEEE TPDS 2016, section 5.2
/// Differs  the paper leaves open whether tau counts both directions of a full-duplex network: here it counts one
#include <fmt/format.h>

#include <algorithm>

#include "kernels/micro_benchmark.hpp"

namespace orrery::ring_kernel {

namespace {

class Ring final : public Program {
 public:
  explicit Ring(const KernelInput& input)
      : ranks_(input.ranks),
        repetitions_(static_cast<std::uint32_t>(input.parameters.integer("repetitions"))),
        directions_(static_cast<std::uint32_t>(input.parameters.integer("directions"))),
        sizes_(parse_sizes(input.parameters.text("sizes"), "ring")),
        concurrency_(parse_counts(input.parameters.text("concurrency"), "ring")) {
    const auto greatest = std::ranges::max(concurrency_);
    require_ranks("ring", ranks_, std::max(2u, greatest * directions_),
                  fmt::format("{} concurrent transmission{}", greatest, greatest == 1 ? " needs" : "s need"));
  }
  std::string name() const override { return "ring"; }
  std::uint32_t ranks() const override { return ranks_; }

  Generator<Step> steps(Rank me) const override {
    std::uint32_t count = 0;
    for (const auto tau : concurrency_)
      for (const auto size : sizes_)
        for (std::uint32_t repetition = 0; repetition < repetitions_; ++repetition) {
          co_yield iteration(count++);
          co_yield phase("synchronisation");
          co_yield barrier();
          co_yield phase(timed_phase);
          if (tau == 1)
            co_yield elements_of(there_and_back(me, size));
          else
            co_yield elements_of(around(me, tau * directions_, size));
        }
  }

 private:
  static Generator<Step> around(Rank me, std::uint32_t length, Bytes size) {
    const auto i = static_cast<std::uint32_t>(index(me));
    if (i >= length) co_return;
    co_yield irecv(Rank{(i + length - 1) % length}, size, Tag{0}, RequestId{0});
    co_yield send(Rank{(i + 1) % length}, size, Tag{0});
    co_yield wait(RequestId{0});
  }
  static Generator<Step> there_and_back(Rank me, Bytes size) {
    if (index(me) > 1) co_return;
    const Rank other{index(me) == 0 ? 1u : 0u};
    if (me == Rank{0}) co_yield send(other, size, Tag{0});
    co_yield recv(other, size, Tag{0});
    if (me == Rank{1}) co_yield send(other, size, Tag{0});
  }

  std::uint32_t ranks_, repetitions_, directions_;
  std::vector<Bytes> sizes_;
  std::vector<std::uint32_t> concurrency_;
};

std::vector<BenchmarkPoint> points_of(const Parameters& parameters) {
  std::vector<BenchmarkPoint> points;
  for (const auto tau : parse_counts(parameters.text("concurrency"), "ring"))
    for (const auto size : parse_sizes(parameters.text("sizes"), "ring"))
      points.push_back({fmt::format("tau={}", tau), size, tau == 1 ? 2.0 : 1.0});
  return points;
}

std::vector<Key> own_parameters() {
  return {word_key("concurrency", "1,2", "values of tau, a list: concurrent transmissions in one direction"),
          count_key("directions", 1, "1 if all ranks share a node, 2 if they alternate over two nodes", 1, 2)};
}

const bool entered = kernels().add(
    {.name = "ring",
     .summary = "Ring_tau: tau concurrent transmissions around a ring of ranks",
     .source = "Rico-Gallego, Lastovetsky & Diaz-Martin, IEEE TPDS 2016, section 5.2",
     .page = "rank i of n = tau * directions: irecv(i-1, m), send(i+1, m), wait\n"
             "tau = 1: ping-pong between ranks 0 and 1, halved\n"
             "messages: n per size, tau and repetition (2 for tau = 1)",
     .parameters = micro_benchmark_parameters(own_parameters()),
     .benchmark_points = points_of,
     .small = {{"repetitions", "3"}},
     .make = [](const KernelInput& input) -> std::unique_ptr<Program> { return std::make_unique<Ring>(input); }});

}  // namespace

}  // namespace orrery::ring_kernel
