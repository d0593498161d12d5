// What the flow engine promises of long runs and of large machines: nothing is allocated per message, and memory asked
// for beforehand (from 4,096 ranks on, player_fetch.cpp) changes nothing.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "play.hpp"

namespace {

std::atomic<std::uint64_t> allocations{0};

}  // namespace

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Counts; all other forms of the two end here, but those of over-aligned types, which only vectors that grow ask for.
void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

using namespace orrery;
using test::Cluster;

namespace {

/// Around a ring and across it, unequal compute and sizes with a period of 64 ranks, so that ranks drift apart and
/// rings of any multiple of 64 are alike.
FunctionProgram ring(std::uint32_t ranks, std::uint32_t iterations) {
  return FunctionProgram("ring", ranks, [=](Rank me) -> Generator<Step> {
    const auto i = static_cast<std::uint32_t>(me);
    for (std::uint32_t k = 0; k < iterations; ++k) {
      co_yield iteration(k);
      co_yield test::compute_for(1e-4 * (1.0 + 0.01 * ((7 * i + 13 * k) % 64)));
      for (std::uint32_t d = 0; d < 4; ++d) {
        const std::uint32_t stride = 1 + 5 * d;
        co_yield irecv(Rank{(i + ranks - stride) % ranks}, 40000_B, Tag{d}, RequestId{d});
      }
      for (std::uint32_t d = 0; d < 4; ++d) {
        const std::uint32_t stride = 1 + 5 * d, size = 10000 + 100 * ((3 * i + d) % 64);
        co_yield isend(Rank{(i + stride) % ranks}, Bytes{static_cast<double>(size)}, Tag{d}, RequestId{4 + d});
      }
      co_yield wait_all();
    }
  });
}

struct Ring {
  RunResult result;
  std::uint64_t allocations = 0;
};

Ring play_ring(std::uint32_t ranks, std::uint32_t iterations) {
  Cluster cluster(ranks);
  std::vector<std::uint32_t> nodes(ranks);
  for (std::uint32_t i = 0; i < ranks; ++i) nodes[i] = i;
  cluster.place(nodes);
  cluster.wire().isend_overhead = cluster.wire().receive_overhead = PiecewiseLinear(5e-7);
  cluster.wire().eager = cluster.wire().detach = 12000_B;
  cluster.wire().handshake = 1;
  const test::SecondsAsFlops compute;
  const FunctionProgram program = ring(ranks, iterations);
  const ReplayInput input{&program, &cluster.platform, &cluster.network(), &cluster.layout, &compute, cluster.options};
  const auto engine = make_flow_engine();
  const std::uint64_t before = allocations;
  Ring played{engine->replay(input), 0};
  played.allocations = allocations - before;
  return played;
}

}  // namespace

TEST_SUITE("replay/steady state") {
  TEST_CASE("Ranks beyond the caches take what few take") {
    const RunResult few = play_ring(64, 6).result, many = play_ring(4096, 6).result;
    CHECK(many.messages == 64 * few.messages);
    CHECK(many.unexpected_messages == 64 * few.unexpected_messages);
    CHECK(std::abs(many.makespan / few.makespan - 1.0) < 1e-12);
    REQUIRE(many.phases.size() == few.phases.size());
    for (std::size_t i = 0; i < few.phases.size(); ++i)
      CHECK(std::abs(many.phases[i].time / few.phases[i].time - 1.0) < 1e-12);
  }

  TEST_CASE("Nothing is allocated for a message once as many have been on the way") {
    play_ring(64, 1);  // what is made once
    const Ring shorter = play_ring(128, 100), longer = play_ring(128, 200);
    const auto more = static_cast<double>(longer.result.messages - shorter.result.messages);
    CHECK(more == 128 * 4 * 100);
    const double per_message =
        (static_cast<double>(longer.allocations) - static_cast<double>(shorter.allocations)) / more;
    CHECK(per_message < 0.02);  // an iteration adds a record of its phase: some allocations for 512 messages
    MESSAGE("allocations per message: ", per_message);
  }
}
