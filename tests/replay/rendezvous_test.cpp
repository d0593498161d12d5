// Rendezvous messages whose request travels before the receive is posted. L = 10 us, B = 1 GB/s, L_m = 1 us, C = 1 GB/s
// (play.hpp); a handshake of two latencies, the request's and the answer's.
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

ChannelProperties rendezvous(ChannelProperties channel, std::uint32_t handshake = 2, std::uint32_t request = 1) {
  channel.eager = channel.detach = Bytes{1};
  channel.handshake = handshake;
  channel.handshake_request = request;
  return channel;
}

/// A rank on each node.
Cluster nodes(std::uint32_t count, std::uint32_t handshake = 2, std::uint32_t request = 1) {
  Cluster cluster = test::a_rank_per_node(count);
  cluster.wire() = rendezvous(cluster.wire(), handshake, request);
  return cluster;
}

/// Rank 1 receives that much later than rank 0 sends.
double received_after(const Cluster& cluster, double seconds) {
  return makespan(cluster, [seconds](Rank me) -> Generator<Step> {
    if (me == Rank{0}) co_yield send(Rank{1}, Bytes{m}, Tag{1});
    if (me == Rank{0}) co_return;
    co_yield compute_for(seconds);
    co_yield recv(Rank{0}, Bytes{m}, Tag{1});
  });
}

/// Rank 0 takes a message of each other rank, one after another.
Generator<Step> serial_root(Rank me) {
  constexpr std::uint32_t ranks = 8;
  if (me != Rank{0}) co_yield send(Rank{0}, Bytes{m}, Tag{1});
  for (std::uint32_t from = 1; me == Rank{0} && from < ranks; ++from) co_yield recv(Rank{from}, Bytes{m}, Tag{1});
}

}  // namespace

TEST_SUITE("replay/rendezvous") {
  TEST_CASE("A late receiver whose request has come waits for its answer alone") {
    CHECK(received_after(nodes(2), 1.0) == near(1.0 + L + L + m / B));
    CHECK(received_after(nodes(2, 2, 0), 1.0) == near(1.0 + 2 * L + L + m / B));
    CHECK(received_after(nodes(2, 1, 1), 1.0) == near(1.0 + L + m / B));
    CHECK(received_after(nodes(2, 2, 2), 1.0) == near(1.0 + L + m / B));
  }

  TEST_CASE("A receiver that is early waits for all of a handshake whether its request travels or not") {
    for (const std::uint32_t request : {0u, 1u, 2u}) {
      CHECK(received_after(nodes(2, 2, request), 0.0) == near(2 * L + L + m / B));
      const auto early = [](Rank me) -> Generator<Step> {
        if (me == Rank{0}) co_yield compute_for(1.0);
        if (me == Rank{0}) co_yield send(Rank{1}, Bytes{m}, Tag{1});
        if (me == Rank{1}) co_yield recv(Rank{0}, Bytes{m}, Tag{1});
      };
      CHECK(makespan(nodes(2, 2, request), early) == near(1.0 + 2 * L + L + m / B));
    }
  }

  TEST_CASE("A receive that is posted while its request is on its way changes nothing") {
    for (const double share : {0.25, 0.5, 0.999, 1.0})
      CHECK(received_after(nodes(2), share * L) == near(2 * L + L + m / B));
    CHECK(received_after(nodes(2), 1.25 * L) == near(1.25 * L + L + L + m / B));
  }

  TEST_CASE("A request through shared memory travels for a latency of shared memory") {
    Cluster cluster = Cluster(1).place({0, 0});
    cluster.shared().copies = {0, 1};
    cluster.shared() = rendezvous(cluster.shared(), 1, 1);  // the receiver copies as soon as it knows
    CHECK(received_after(cluster, 0.0) == near(L_m + L_m + m / C));
    CHECK(received_after(cluster, 1.0) == near(1.0 + L_m + m / C));
  }

  TEST_CASE("A serial root takes one request and then an answer for each message and not whole handshakes") {
    CHECK(makespan(nodes(8), serial_root) == near(L + 7 * (L + L + m / B)));
    CHECK(makespan(nodes(8, 2, 0), serial_root) == near(7 * (2 * L + L + m / B)));
    CHECK(makespan(nodes(8, 1, 1), serial_root) == near(L + 7 * (L + m / B)));
  }

  TEST_CASE("Of blocking sends that follow each other only the first has a request ahead of a late receiver") {
    const auto repeated = [](Rank me) -> Generator<Step> {
      if (me == Rank{1}) co_yield compute_for(1.0);
      for (int i = 0; i < 5; ++i) {
        if (me == Rank{0}) co_yield send(Rank{1}, Bytes{m}, Tag{1});
        if (me == Rank{1}) co_yield recv(Rank{0}, Bytes{m}, Tag{1});
      }
    };
    const double one = 2 * L + L + m / B;
    CHECK(makespan(nodes(2), repeated) == near(1.0 + 5 * one - L));
    const auto train = [](Rank me) -> Generator<Step> {
      const Step five = Send{Rank{1}, Bytes{m}, Tag{1}, world, 5};
      if (me == Rank{0}) co_yield five;
      if (me == Rank{1}) co_yield compute_for(1.0);
      if (me == Rank{1}) co_yield recv(Rank{0}, Bytes{m}, Tag{1});
    };
    CHECK(makespan(nodes(2), train) == near(1.0 + 5 * one - L));
  }

  TEST_CASE("The requests of non-blocking sends all travel ahead of their receives") {
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{1}) co_yield compute_for(1.0);
      for (std::uint32_t i = 0; i < 5; ++i) {
        if (me == Rank{0}) co_yield isend(Rank{1}, Bytes{m}, Tag{i}, RequestId{i});
        if (me == Rank{1}) co_yield recv(Rank{0}, Bytes{m}, Tag{i});
      }
      if (me == Rank{0}) co_yield wait_all();
    };
    CHECK(makespan(nodes(2), steps) == near(1.0 + 5 * (2 * L + m / B)));
  }

  TEST_CASE("A rendezvous message of no bytes whose request has come takes the answer and its latency") {
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield send(Rank{1}, Bytes{}, Tag{1});
      if (me == Rank{1}) co_yield compute_for(1.0);
      if (me == Rank{1}) co_yield recv(Rank{0}, Bytes{}, Tag{1});
    };
    Cluster cluster = nodes(2);
    cluster.wire().eager = cluster.wire().detach = Bytes{};
    CHECK(makespan(cluster, steps) == near(1.0 + L + L));
  }

  TEST_CASE("An eager message has no request and is on its way at once") {
    Cluster cluster = nodes(2);
    cluster.wire().eager = cluster.wire().detach = Bytes{2 * m};
    CHECK(received_after(cluster, 0.0) == near(L + m / B));
  }
}
