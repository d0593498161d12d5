// One message, every way a channel may carry it. L = 10 us, B = 1 GB/s, L_m = 1 us, C = 1 GB/s (play.hpp).
#include <doctest/doctest.h>

#include <array>

#include "play.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::Cluster;
using test::compute_for;
using test::makespan;
using test::near;
using test::play;

namespace {

constexpr double L = 10e-6, B = 1e9, L_m = 1e-6, C = 1e9;
constexpr double m = 1e6;
// The engine's only error is rounding: a few units in the last place per event.

Generator<Step> one_message(Rank me) {
  if (me == Rank{0}) co_yield send(Rank{1}, Bytes{m}, Tag{1});
  if (me == Rank{1}) co_yield recv(Rank{0}, Bytes{m}, Tag{1});
}

Generator<Step> late_receiver(Rank me) {
  if (me == Rank{0}) co_yield send(Rank{1}, Bytes{m}, Tag{1});
  if (me == Rank{1}) {
    co_yield compute_for(1.0);
    co_yield recv(Rank{0}, Bytes{m}, Tag{1});
  }
}

Generator<Step> message_of(Rank me, double bytes, double receiver_late) {
  if (me == Rank{0}) co_yield send(Rank{1}, Bytes{bytes}, Tag{1});
  if (me == Rank{1}) {
    if (receiver_late > 0.0) co_yield compute_for(receiver_late);
    co_yield recv(Rank{0}, Bytes{bytes}, Tag{1});
  }
}

Cluster across() { return Cluster(2).place({0, 1}); }
Cluster inside() { return Cluster(1).place({0, 0}); }

/// When rank 0, which only sends, is done.
double sender_ends(const Cluster& cluster, std::function<Generator<Step>(Rank)> steps) {
  return play(cluster, std::move(steps)).timelines.at(0).back().end.si();
}

}  // namespace

TEST_SUITE("replay/message") {
  TEST_CASE("Three protocols are two sizes with steps of the latency and a handshake from the second on") {
    Cluster cluster = across();
    cluster.wire().latency_factor = PiecewiseFactor({{0.0, 1.0}, {m / 2, 3.0}, {2 * m, 1.0}});
    cluster.wire().eager = cluster.wire().detach = Bytes{2 * m};
    cluster.wire().handshake = 4;
    const auto time = [&](double bytes, double receiver_late) {
      return makespan(cluster, [=](Rank me) { return message_of(me, bytes, receiver_late); });
    };
    CHECK(time(m / 4, 0.0) == near(L + m / 4 / B));
    CHECK(time(m, 0.0) == near(3 * L + m / B));
    CHECK(time(2 * m, 0.0) == near((4 + 1) * L + 2 * m / B));
    CHECK(time(m, 1.0) == near(1.0 + m / C));  // it is there, in the library's buffer
    CHECK(time(2 * m, 1.0) == near(1.0 + (4 + 1) * L + 2 * m / B));
  }
  TEST_CASE("A train of messages costs its number of overheads and latencies and transfers") {
    Cluster cluster = across();
    cluster.wire().send_overhead = PiecewiseLinear(1e-3);
    cluster.wire().receive_overhead = PiecewiseLinear(2e-3);
    cluster.wire().latency_factor = PiecewiseFactor({{0.0, 3.0}});
    cluster.wire().bandwidth_factor = PiecewiseFactor({{0.0, 0.5}});
    const auto steps = [](Rank me) -> Generator<Step> {
      const Step train = Send{Rank{1}, Bytes{m}, Tag{0}, world, 5};
      if (me == Rank{0}) co_yield train;
      if (me == Rank{1}) co_yield recv(Rank{0}, Bytes{m}, Tag{0});
    };
    const RunResult result = play(cluster, steps);
    CHECK(result.makespan.si() == near(5 * (1e-3 + 3 * L + m / (0.5 * B) + 2e-3)));
    CHECK(result.messages == 5);
    CHECK(result.phases[0].traffic[1].bytes.si() == near(5 * m));
  }

  TEST_CASE("An eager message over a network takes latency and size over bandwidth") {
    CHECK(makespan(across(), one_message) == near(L + m / B));
  }

  TEST_CASE("A message through shared memory without copies takes its latency only") {
    CHECK(makespan(inside(), one_message) == near(L_m));
  }

  TEST_CASE("Sequential copies through shared memory add up") {
    for (const std::uint8_t n : std::array<std::uint8_t, 2>{1, 2}) {
      Cluster one_end = inside(), both_ends = inside();
      one_end.shared().copies = {n, 0};
      both_ends.shared().copies = {n, n};
      CHECK(makespan(one_end, one_message) == near(L_m + n * m / C));
      CHECK(makespan(both_ends, one_message) == near(L_m + 2 * n * m / C));
    }
  }

  TEST_CASE("Pipelined copies through shared memory take as long as the slower end") {
    Cluster cluster = inside();
    cluster.shared().copy_mode = CopyMode::pipelined;
    cluster.shared().copies = {1, 1};  // each rank copies with its own core
    CHECK(makespan(cluster, one_message) == near(L_m + m / C));
    cluster.shared().copies = {2, 1};  // two copies share the sender's core: C / 2 each
    CHECK(makespan(cluster, one_message) == near(L_m + 2 * m / C));
  }

  TEST_CASE("Sequential copies add up with the wire") {
    Cluster cluster = across();
    cluster.wire().copies = {2, 1};
    cluster.network().bandwidth = BytesPerSecond{0.5 * B};
    CHECK(makespan(cluster, one_message) == near(L + 3 * m / C + m / (0.5 * B)));
  }

  TEST_CASE("Pipelined copies hide behind a slower wire and a wire behind slower copies") {
    Cluster cluster = across();
    cluster.wire().copies = {1, 1};
    cluster.wire().copy_mode = CopyMode::pipelined;
    cluster.network().bandwidth = BytesPerSecond{0.5 * B};
    CHECK(makespan(cluster, one_message) == near(L + m / (0.5 * B)));
    cluster.wire().copies = {1, 2};  // the receiver's two copies take 2 m / C, as long as the wire
    cluster.network().bandwidth = BytesPerSecond{4 * B};
    CHECK(makespan(cluster, one_message) == near(L + 2 * m / C));
  }

  TEST_CASE("A detached send is over after its overhead and others when the message has arrived") {
    Cluster cluster = across();
    cluster.wire().send_overhead = PiecewiseLinear(2e-6);
    CHECK(sender_ends(cluster, one_message) == near(2e-6));
    cluster.wire().detach = Bytes{m};  // m is not below: the sender waits
    CHECK(sender_ends(cluster, one_message) == near(2e-6 + L + m / B));
    CHECK(sender_ends(cluster, late_receiver) == near(2e-6 + L + m / B));  // eager all the same
  }

  TEST_CASE("A rendezvous message starts when both sides are there and after its handshake latencies") {
    Cluster cluster = across();
    cluster.wire().eager = cluster.wire().detach = Bytes{m};
    cluster.wire().handshake = 2;
    CHECK(makespan(cluster, one_message) == near(2 * L + L + m / B));
    CHECK(makespan(cluster, late_receiver) == near(1.0 + 2 * L + L + m / B));
    CHECK(sender_ends(cluster, late_receiver) == near(1.0 + 2 * L + L + m / B));
    cluster.wire().handshake = 1;
    CHECK(makespan(cluster, late_receiver) == near(1.0 + L + L + m / B));
  }

  TEST_CASE("A message of exactly the eager limit is a rendezvous and one byte less is not") {
    Cluster cluster = across();
    cluster.wire().handshake = 2;
    cluster.wire().eager = cluster.wire().detach = Bytes{m};
    CHECK(makespan(cluster, one_message) == near(3 * L + m / B));
    cluster.wire().eager = cluster.wire().detach = Bytes{m + 1};
    CHECK(makespan(cluster, one_message) == near(L + m / B));
  }

  TEST_CASE("A rendezvous through shared memory uses the latency of shared memory") {
    Cluster cluster = inside();
    cluster.shared().eager = cluster.shared().detach = Bytes{1};
    cluster.shared().handshake = 2;
    cluster.shared().copies = {1, 1};
    CHECK(makespan(cluster, one_message) == near(3 * L_m + 2 * m / C));
  }

  TEST_CASE("Overheads of both ends delay a message and depend on its size") {
    Cluster cluster = across();
    cluster.wire().send_overhead = PiecewiseLinear({{0.0, 1e-6}, {2 * m, 5e-6}});  // 3 us at m
    cluster.wire().receive_overhead = PiecewiseLinear(4e-6);
    CHECK(makespan(cluster, one_message) == near(3e-6 + L + m / B + 4e-6));
  }

  TEST_CASE("A non-blocking send pays its own overhead") {
    Cluster cluster = across();
    cluster.wire().send_overhead = PiecewiseLinear(100e-6);
    cluster.wire().isend_overhead = PiecewiseLinear(2e-6);
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{1}) co_yield recv(Rank{0}, Bytes{m}, Tag{1});
      if (me == Rank{1}) co_return;
      co_yield isend(Rank{1}, Bytes{m}, Tag{1}, RequestId{0});
      co_yield wait(RequestId{0});
    };
    CHECK(makespan(cluster, steps) == near(2e-6 + L + m / B));
  }

  TEST_CASE("Latency and bandwidth factors apply by message size") {
    Cluster cluster = across();
    cluster.wire().latency_factor = PiecewiseFactor({{0.0, 1.0}, {m, 3.0}});
    cluster.wire().bandwidth_factor = PiecewiseFactor({{0.0, 1.0}, {m, 0.25}});
    CHECK(makespan(cluster, one_message) == near(3 * L + m / (0.25 * B)));
    Cluster copying = inside();
    copying.shared().copies = {1, 0};
    copying.shared().bandwidth_factor = PiecewiseFactor({{0.0, 0.5}});
    CHECK(makespan(copying, one_message) == near(L_m + m / (0.5 * C)));
  }

  TEST_CASE("A message that arrived before its receive was posted is copied once more") {
    Cluster cluster = across();
    const RunResult result = play(cluster, late_receiver);
    CHECK(result.makespan.si() == near(1.0 + m / C));
    CHECK(result.unexpected_messages == 1);
    cluster.wire().unexpected_copy = BytesPerSecond{0.25 * C};
    CHECK(makespan(cluster, late_receiver) == near(1.0 + m / (0.25 * C)));
  }

  TEST_CASE("A receive posted while the message is on its way costs no extra copy") {
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield send(Rank{1}, Bytes{m}, Tag{1});
      if (me == Rank{0}) co_return;
      co_yield compute_for(L + 0.5 * m / B);
      co_yield recv(Rank{0}, Bytes{m}, Tag{1});
    };
    const RunResult result = play(across(), steps);
    CHECK(result.makespan.si() == near(L + m / B));
    CHECK(result.unexpected_messages == 0);
  }

  TEST_CASE("A message of no bytes takes latency and overheads") {
    Cluster cluster = across();
    cluster.wire().copies = {1, 1};
    cluster.wire().send_overhead = PiecewiseLinear(1e-6);
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield send(Rank{1}, Bytes{}, Tag{1});
      if (me == Rank{1}) co_yield recv(Rank{0}, Bytes{}, Tag{1});
    };
    CHECK(makespan(cluster, steps) == near(1e-6 + L));
  }

  TEST_CASE("A program may end with a message that nobody receives") {
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield send(Rank{1}, Bytes{m}, Tag{1});
      if (me == Rank{1}) co_yield compute_for(1e-6);
    };
    const RunResult result = play(across(), steps);
    CHECK(result.makespan.si() == near(1e-6));  // the wire may still be busy
    CHECK(result.messages == 1);
  }

  TEST_CASE("A GPU rank stages over its link when the compute model does not contain it") {
    Cluster cluster = across();
    Gpu gpu;
    gpu.link_bandwidth = BytesPerSecond{2 * B};
    gpu.link_latency = Seconds{3e-6};
    cluster.type().gpus = {gpu};
    for (Placement& placement : cluster.layout.placements) placement.gpu = true;
    CHECK(makespan(cluster, one_message) == near(L + m / B));
    cluster.options.staging_in_compute_model = false;
    CHECK(makespan(cluster, one_message) == near(L + 2 * 3e-6 + 2 * m / (2 * B) + m / B));
    cluster.wire().copy_mode = CopyMode::pipelined;
    CHECK(makespan(cluster, one_message) == near(L + 2 * 3e-6 + m / B));
    cluster.wire().gpu_direct = true;
    CHECK(makespan(cluster, one_message) == near(L + m / B));
  }
}
