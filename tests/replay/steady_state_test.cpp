// What the flow engine promises of long runs and of large machines: nothing is allocated per message, and memory asked
// for beforehand (from 4,096 ranks on, player_fetch.cpp) changes nothing.
#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "play.hpp"
#include "tests/support/relative.hpp"

// The sanitizers have their own allocation, and without NDEBUG the engine checks itself at each event, which allocates.
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ORRERY_COUNTS_ALLOCATIONS 1
#else
#define ORRERY_COUNTS_ALLOCATIONS 0
#endif

namespace {

std::atomic<std::uint64_t> allocations{0}, bytes_allocated{0};

}  // namespace

#if ORRERY_COUNTS_ALLOCATIONS
namespace {

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  bytes_allocated += size;
  const std::size_t whole = (size + alignment - 1) / alignment * alignment;
  void* memory = alignment > alignof(std::max_align_t) ? std::aligned_alloc(alignment, whole) : std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// All other forms end in these. (Where GCC inlines one side of a pair alone, it takes them for a mismatch.)
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
void* operator new(std::size_t size) { return counted(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
#endif

using namespace orrery;
using test::Cluster;
using test::near;

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
  std::uint64_t allocations = 0, bytes = 0;
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
  const std::uint64_t calls_before = allocations, bytes_before = bytes_allocated;
  Ring played{engine->replay(input)};
  played.allocations = allocations - calls_before;
  played.bytes = bytes_allocated - bytes_before;
  return played;
}

}  // namespace

TEST_SUITE("replay/steady state") {
  TEST_CASE("Ranks beyond the caches take what few take") {
    const RunResult few = play_ring(64, 6).result, many = play_ring(4096, 6).result;
    CHECK(many.messages == 64 * few.messages);
    CHECK(many.unexpected_messages == 64 * few.unexpected_messages);
    CHECK(many.makespan == near(few.makespan, 1e-12));
    REQUIRE(many.phases.size() == few.phases.size());
    for (std::size_t i = 0; i < few.phases.size(); ++i) CHECK(many.phases[i].time == near(few.phases[i].time, 1e-12));
  }

#if ORRERY_COUNTS_ALLOCATIONS
  TEST_CASE("Nothing is allocated for a message once as many have been on the way") {
    play_ring(128, 1);  // what is made once
    const Ring shorter = play_ring(128, 100), longer = play_ring(128, 200);
    const auto messages = static_cast<double>(longer.result.messages - shorter.result.messages);
    CHECK(messages == 128 * 4 * 100);
    const auto per_message = [&](std::uint64_t more, std::uint64_t less) {
      return (static_cast<double>(more) - static_cast<double>(less)) / messages;
    };
    REQUIRE(shorter.allocations > 0);
    // An iteration of 512 messages adds a record of its phase, and load curves are merged as the time doubles. A
    // message that was not used again would add 64 bytes, a node of a queue 24.
    CHECK(per_message(longer.allocations, shorter.allocations) < 0.02);
    CHECK(per_message(longer.bytes, shorter.bytes) < 24.0);
    MESSAGE("per message: ", per_message(longer.allocations, shorter.allocations), " allocations, ",
            per_message(longer.bytes, shorter.bytes), " bytes");
  }
#endif
}
