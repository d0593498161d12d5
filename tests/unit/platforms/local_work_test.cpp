// What hosts do for collectives beside messages, as a platform file says it and as it takes time.
#include "platforms/local_work.hpp"

#include <doctest/doctest.h>

#include "sim/core/fresh_buffer.hpp"
#include "tests/support/platform_text.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::load;
using test::near;

namespace {

const std::string example = R"(name: cpu
source: test
node-types:
  cpu:
    count: 2
    sockets: 1
    cores-per-socket: 4
    core-speed: 10Gflop/s
    memory: 8GiB
    memory-bandwidth: 20GB/s
    copy-bandwidth: 5GB/s
    shared-memory: {latency: 1us, send-overhead: 1us, receive-overhead: 1us, eager: 4KiB, handshake: 2, copies: [1, 1]}
    local-work: {reduction: 2GB/s, copy: 4GB/s, cache: 1MiB, cached-reduction: 8GB/s, fresh-memory: 1GB/s}
networks:
  net:
    bandwidth: 8Gbps
    latency: 1us
    topology: {kind: star}
    protocol: {send-overhead: 1us, receive-overhead: 1us, eager: 12KiB, handshake: 1, copies: [0, 0]}
)";

/// `accesses` of each byte, for a collective on a vector of so many.
Compute step(Work work, double bytes, double accesses, double vector) {
  return {work, Flops{}, {bytes, vector, 0.0}, Bytes(accesses * bytes)};
}

}  // namespace

TEST_SUITE("platforms/local work") {
  TEST_CASE("Local work takes the rate of memory or for vectors that fit there of the caches") {
    const LocalRates rates = load(example).node_types.at(0).local_work;
    constexpr double m = 1e6, large = 2e6;
    CHECK(local_time(rates, step(Work::reduction, m, 3.0, large))->si() == near(m / 2e9));
    CHECK(local_time(rates, step(Work::reduction, m, 3.0, m))->si() == near(m / 8e9));
    CHECK(local_time(rates, step(Work::buffer_copy, m, 2.0, large))->si() == near(m / 4e9));
    CHECK(local_time(rates, step(Work::buffer_copy, m, 2.0, m))->si() == near(m / 4e9));  // 'cached-copy' is 'copy'
    CHECK(sweeps_memory(rates, step(Work::reduction, m, 3.0, large)));
    CHECK_FALSE(sweeps_memory(rates, step(Work::reduction, m, 3.0, m)));
    CHECK_FALSE(local_time(rates, step(Work::dgemm, m, 3.0, m)).has_value());
  }

  TEST_CASE("A datatype takes a time of its own and one for each block in it") {
    std::string text = example;
    text.insert(text.find("fresh-memory"), "datatype: 3us, datatype-block: 50ns, ");
    const LocalRates rates = load(text).node_types.at(0).local_work;
    CHECK(local_time(rates, Compute{Work::datatype, {}, {1.0, 32.0}})->si() == near(3e-6 + 32 * 50e-9));
  }

  TEST_CASE("Counts take a time each and no datatype") {
    std::string text = example;
    text.insert(text.find("fresh-memory"), "datatype: 3us, count: 25ns, ");
    const LocalRates rates = load(text).node_types.at(0).local_work;
    CHECK(local_time(rates, Compute{Work::datatype, {}, {0.0, 0.0, 64.0}})->si() == near(64 * 25e-9));
    text.erase(text.find("datatype: 3us, "), 15);
    CHECK(kinds_of(load(text).node_types.at(0).local_work).datatypes);
  }

  TEST_CASE("Each datatype takes the same time whatever the message") {
    std::string text = example;
    text.insert(text.find("fresh-memory"), "datatype: 3us, ");
    const LocalRates rates = load(text).node_types.at(0).local_work;
    CHECK(local_time(rates, Compute{Work::datatype, {}, {1.0}})->si() == near(3e-6));
    CHECK(kinds_of(rates).datatypes);
    CHECK_FALSE(kinds_of(load(example).node_types.at(0).local_work).datatypes);
  }

  TEST_CASE("Only buffers that malloc maps anew take time to be used first") {
    const LocalRates rates = load(example).node_types.at(0).local_work;
    const double mapped = 32.0 * 1024 * 1024;
    CHECK(local_time(rates, step(Work::fresh_buffer, mapped, 1.0, 1e9))->si() == near(mapped / 1e9));
    CHECK(local_time(rates, step(Work::fresh_buffer, mapped - 8, 1.0, 1e9)) == Seconds{});
  }

  TEST_CASE("Several buffers come from the heap anew each time and one does not") {
    std::string text = example;
    text.insert(text.find("fresh-memory"), "heap-memory: 500MB/s, ");
    const LocalRates rates = load(text).node_types.at(0).local_work;
    const auto buffers = [](double longest, double used, bool several) {
      return Compute{Work::fresh_buffer, Flops{}, {longest, 1e9, several ? 1.0 : 0.0}, Bytes(used)};
    };
    CHECK(local_time(rates, buffers(1e6, 1.5e6, true))->si() == near(1.5e6 / 500e6));
    CHECK(local_time(rates, buffers(1e6, 1e6, false)) == Seconds{});
    CHECK(local_time(rates, buffers(131072, 262144, true)) == Seconds{});        // malloc has learnt nothing yet
    CHECK(local_time(rates, buffers(4e7, 6e7, true))->si() == near(6e7 / 1e9));  // mapped
  }

  TEST_CASE("A block of a buffer that malloc maps anew is registered at one price whatever its length") {
    std::string text = example;
    text.insert(text.find("fresh-memory"), "registration: 2ms, ");
    const LocalRates rates = load(text).node_types.at(0).local_work;
    const auto block_of = [](double buffer) {
      return Compute{Work::fresh_buffer, Flops{}, {buffer, 1e9, FreshBuffer::block}, Bytes{}};
    };
    CHECK(local_time(rates, block_of(32.0 * 1024 * 1024))->si() == near(2e-3));
    CHECK(local_time(rates, block_of(1e9))->si() == near(2e-3));
    CHECK(local_time(rates, block_of(32.0 * 1024 * 1024 - 8)) == Seconds{});
    const LocalRates none = load(example).node_types.at(0).local_work;
    CHECK(local_time(none, block_of(1e9)) == Seconds{});
  }

  TEST_CASE("Ranks of one socket have equal parts of its last cache and never more than one of them alone") {
    std::string text = example;
    text.insert(text.find("cached-reduction"), "shared-cache: 3MiB, ");
    const Platform platform = load(text);
    Layout layout;  // three ranks on the first socket and one on the second node's
    for (const std::uint32_t node : {0u, 0u, 0u, 1u})
      layout.placements.push_back({.node = NodeId{node}, .host = HostId{node}});
    const RankRates rates(platform, layout);
    CHECK(rates.of(Rank{0}).cache == Bytes(1024.0 * 1024));  // a third of 3 MiB, as it has alone
    CHECK(rates.of(Rank{3}).cache == Bytes(1024.0 * 1024));
    layout.placements[3].host = HostId{0};
    const RankRates four(platform, layout);
    for (const std::uint32_t rank : {0u, 1u, 2u, 3u}) CHECK(four.of(Rank{rank}).cache == Bytes(0.75 * 1024 * 1024));
    CHECK(four.of(Rank{0}).cached_reduction == rates.of(Rank{0}).cached_reduction);
    const RankRates own(load(example), layout);
    CHECK(own.of(Rank{0}).cache == Bytes(1024.0 * 1024));
  }

  TEST_CASE("A platform that states no rate has no local work") {
    std::string text = example;
    const auto at = text.find("    local-work");
    text.erase(at, text.find('\n', at) + 1 - at);
    const LocalRates rates = load(text).node_types.at(0).local_work;
    CHECK_FALSE(kinds_of(rates).any());
    CHECK_FALSE(local_time(rates, step(Work::reduction, 1e6, 3.0, 1e6)).has_value());
    CHECK(kinds_of(load(example).node_types.at(0).local_work) == LocalWork{true, true, true});
  }

  TEST_CASE("A rate for caches alone charges nothing to longer vectors") {
    std::string text = example;
    const std::string all = "reduction: 2GB/s, copy: 4GB/s, cache: 1MiB, ";
    text.erase(text.find(all), all.size());
    const LocalRates rates = load(text).node_types.at(0).local_work;
    CHECK(kinds_of(rates).reduction);
    CHECK(rates.cache == Bytes(32.0 * 1024 * 1024));
    CHECK(local_time(rates, step(Work::reduction, 1e6, 3.0, 1e6))->si() == near(1e6 / 8e9));
    CHECK(local_time(rates, step(Work::reduction, 1e6, 3.0, 1e9)) == Seconds{});
  }
}
