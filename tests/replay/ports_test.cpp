// Messages through first-in-first-out ports. L = 10 us, B = 1 GB/s, both directions of every node (play.hpp).
#include <doctest/doctest.h>

#include <cmath>
#include <utility>

#include "play.hpp"
#include "sim/engine/overhead_variation.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::Cluster;
using test::compute_for;
using test::makespan;
using test::near;
using test::play;

namespace {

constexpr double L = 10e-6, B = 1e9, m = 1e6;

Cluster fifo(const std::vector<std::uint32_t>& nodes, std::uint32_t count) {
  Cluster cluster(count);
  cluster.wire().discipline = Discipline::fifo;
  return cluster.place(nodes);
}

Generator<Step> one_message(Rank me) {
  if (me == Rank{0}) co_yield send(Rank{1}, Bytes{m}, Tag{0});
  if (me == Rank{1}) co_yield recv(Rank{0}, Bytes{m}, Tag{0});
}

/// Rank 0 sends to 1 and then to 2, at once.
Generator<Step> to_two(Rank me) {
  if (me != Rank{0}) {
    co_yield recv(Rank{0}, Bytes{m}, Tag{0});
    co_return;
  }
  co_yield isend(Rank{1}, Bytes{m}, Tag{0}, RequestId{0});
  co_yield isend(Rank{2}, Bytes{m}, Tag{0}, RequestId{1});
  co_yield wait_all();
}

/// Ranks 0 and 1 send to 2 and then both to 3.
Generator<Step> same_order(Rank me) {
  if (index(me) < 2) {
    co_yield isend(Rank{2}, Bytes{m}, Tag{0}, RequestId{0});
    co_yield isend(Rank{3}, Bytes{m}, Tag{0}, RequestId{1});
  } else {
    co_yield irecv(Rank{0}, Bytes{m}, Tag{0}, RequestId{0});
    co_yield irecv(Rank{1}, Bytes{m}, Tag{0}, RequestId{1});
  }
  co_yield wait_all();
}

Generator<Step> exchange(Rank me) {
  const Rank other{1 - static_cast<std::uint32_t>(index(me))};
  co_yield irecv(other, Bytes{m}, Tag{0}, RequestId{0});
  co_yield isend(other, Bytes{m}, Tag{0}, RequestId{1});
  co_yield wait_all();
}

/// When a rank is done that only receives.
double ends(const RunResult& run, std::size_t rank) { return run.timelines.at(rank).back().end.si(); }

}  // namespace

TEST_SUITE("replay/ports") {
  TEST_CASE("A message alone through first-in-first-out ports takes latency and size over bandwidth") {
    CHECK(makespan(fifo({0, 1}, 2), one_message) == near(L + m / B));
  }

  TEST_CASE("Through a first-in-first-out port messages leave one after another and not together") {
    const RunResult run = play(fifo({0, 1, 2}, 3), to_two);
    CHECK(ends(run, 1) == near(L + m / B));
    CHECK(ends(run, 2) == near(L + 2 * m / B));
    Cluster fair = fifo({0, 1, 2}, 3);
    fair.wire().discipline = Discipline::fair;
    CHECK(ends(play(fair, to_two), 1) == near(L + 2 * m / B));
  }

  TEST_CASE("Senders that go round in the same order keep one receiver waiting while another is idle") {
    CHECK(makespan(fifo({0, 1, 2, 3}, 4), same_order) == near(L + 3 * m / B));
    Cluster fair = fifo({0, 1, 2, 3}, 4);
    fair.wire().discipline = Discipline::fair;
    CHECK(makespan(fair, same_order) == near(L + 2 * m / B));
  }

  TEST_CASE("A late message joins the queue of its receiver behind what has come before") {
    // Rank 0 sends at once and rank 1 half a message later: the first has mixed with half of the second when it is
    // through, the second waits for all of the first.
    const auto late = [](Rank me) -> Generator<Step> {
      if (me == Rank{1}) co_yield compute_for(0.5 * m / B);
      if (index(me) < 2) co_yield send(Rank{2}, Bytes{m}, Tag{0});
      if (me == Rank{2}) co_yield recv(Rank{0}, Bytes{m}, Tag{0});
      if (me == Rank{2}) co_yield compute_for(0.0);
      if (me == Rank{2}) co_yield recv(Rank{1}, Bytes{m}, Tag{0});
    };
    CHECK(makespan(fifo({0, 1, 2}, 3), late) == near(L + 2 * m / B));
  }

  TEST_CASE("A switch forwards a frame when it has all of it and headers travel too") {
    Cluster cluster = fifo({0, 1}, 2);
    cluster.wire().frame = Bytes{1000};
    cluster.wire().frame_header = Bytes{100};
    CHECK(makespan(cluster, one_message) == near(L + 1.1 * m / B + 1100 / B));
    const auto small = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield send(Rank{1}, Bytes{400}, Tag{0});
      if (me == Rank{1}) co_yield recv(Rank{0}, Bytes{400}, Tag{0});
    };
    CHECK(makespan(cluster, small) == near(L + 2 * 500 / B));
  }

  TEST_CASE("Between adapters of two rates the slower one sets the pace") {
    Cluster cluster = fifo({0, 1}, 2);
    for (const auto& [first, second] : {std::pair{1e9, 0.25e9}, std::pair{0.25e9, 1e9}}) {
      cluster.network().nics = {{BytesPerSecond{first}, Seconds{L}}, {BytesPerSecond{second}, Seconds{L}}};
      CHECK(makespan(cluster, one_message) == near(L + m / 0.25e9));
      Cluster fair = cluster;
      fair.wire().discipline = Discipline::fair;
      CHECK(makespan(fair, one_message) == near(L + m / 0.25e9));
    }
  }

  TEST_CASE("Acknowledgements share the way back with messages") {
    Cluster cluster = fifo({0, 1}, 2);
    cluster.wire().acknowledgement = 0.05;
    CHECK(makespan(cluster, one_message) == near(L + m / B));
    CHECK(makespan(cluster, exchange) == near(L + 1.05 * m / B));
  }

  TEST_CASE("The handshake of a rendezvous queues at the ports like any message") {
    Cluster cluster = fifo({0, 1}, 2);
    cluster.wire().eager = cluster.wire().detach = Bytes{0};
    cluster.wire().handshake = 2;
    CHECK(makespan(cluster, one_message) == near(3 * L + m / B));
    cluster.wire().frame = Bytes{1000};
    cluster.wire().frame_header = Bytes{100};
    CHECK(makespan(cluster, one_message) == near(3 * L + 4 * 100 / B + 1.1 * m / B + 1100 / B));
    // Behind a message under way: rank 0 sends an eager one to 1 first, which its request has to wait for.
    Cluster behind = fifo({0, 1}, 2);
    behind.wire().eager = behind.wire().detach = Bytes{2 * m};
    behind.wire().handshake = 2;
    const auto two = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) {
        co_yield isend(Rank{1}, Bytes{m}, Tag{0}, RequestId{0});
        co_yield isend(Rank{1}, Bytes{2 * m}, Tag{1}, RequestId{1});
      } else {
        co_yield irecv(Rank{0}, Bytes{m}, Tag{0}, RequestId{0});
        co_yield irecv(Rank{0}, Bytes{2 * m}, Tag{1}, RequestId{1});
      }
      co_yield wait_all();
    };
    CHECK(makespan(behind, two) == near(3 * L + 3 * m / B));
  }

  TEST_CASE("A request that travels queues at the ports before its receive is posted and only its answer after") {
    // Rank 0 sends an eager message to 1 and then one twice as long, whose request comes behind the first.
    Cluster cluster = fifo({0, 1}, 2);
    cluster.wire().eager = cluster.wire().detach = Bytes{2 * m};
    cluster.wire().handshake = 2;
    cluster.wire().handshake_request = 1;
    const auto receiver_after = [&](double seconds) {
      return makespan(cluster, [seconds](Rank me) -> Generator<Step> {
        if (me == Rank{0}) {
          co_yield isend(Rank{1}, Bytes{m}, Tag{0}, RequestId{0});
          co_yield isend(Rank{1}, Bytes{2 * m}, Tag{1}, RequestId{1});
        } else {
          co_yield irecv(Rank{0}, Bytes{m}, Tag{0}, RequestId{0});
          co_yield compute_for(seconds);
          co_yield irecv(Rank{0}, Bytes{2 * m}, Tag{1}, RequestId{1});
        }
        co_yield wait_all();
      });
    };
    const double request_comes = m / B + L;
    for (const double seconds : {0.0, 0.5 * L, 0.5 * request_comes, request_comes})
      CHECK(receiver_after(seconds) == near(request_comes + 2 * L + 2 * m / B));
    CHECK(receiver_after(5.0) == near(5.0 + 2 * L + 2 * m / B));
    cluster.wire().handshake = 1;  // nothing is left to answer
    CHECK(receiver_after(0.0) == near(request_comes + L + 2 * m / B));
    CHECK(receiver_after(5.0) == near(5.0 + L + 2 * m / B));
    cluster.wire().handshake = 4;  // there and back, twice
    CHECK(receiver_after(5.0) == near(5.0 + 4 * L + 2 * m / B));
    cluster.wire().handshake_request = 3;
    CHECK(receiver_after(5.0) == near(5.0 + 2 * L + 2 * m / B));
  }

  TEST_CASE("A message to a near node does not overtake one to a far node at the port of their sender") {
    Cluster cluster = fifo({0, 1, 2}, 3);
    cluster.network().nics = {
        {BytesPerSecond{B}, Seconds{L}}, {BytesPerSecond{B}, Seconds{9 * L}}, {BytesPerSecond{B}, Seconds{L}}};
    const RunResult run = play(cluster, to_two);  // to 1, which is 5 L away, and then to 2
    CHECK(ends(run, 1) == near(5 * L + m / B));
    CHECK(ends(run, 2) == near(L + 2 * m / B));
  }

  TEST_CASE("Messages of no bytes queue at ports for their headers") {
    Cluster cluster = fifo({0, 1, 2}, 3);
    cluster.wire().frame = Bytes{1000};
    cluster.wire().frame_header = Bytes{100};
    cluster.wire().message_header = Bytes{20};
    const auto signals = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) {
        co_yield irecv(Rank{1}, Bytes{0}, Tag{0}, RequestId{0});
        co_yield irecv(Rank{2}, Bytes{0}, Tag{0}, RequestId{1});
        co_yield wait_all();
      } else {
        co_yield send(Rank{0}, Bytes{0}, Tag{0});
      }
    };
    CHECK(makespan(cluster, signals) == near(L + 3 * 120 / B));  // both at once; out, and one after another in
  }

  TEST_CASE("Ports tell what they carried and how long they were busy") {
    const RunResult run = play(fifo({0, 1, 2}, 3), to_two);
    for (const auto& resource : run.resources)
      if (resource.kind == ResourceKind::nic_out) CHECK(resource.bytes.si() == near(2 * m));
  }

  TEST_CASE("Overheads that vary keep their mean and differ by seed alone") {
    double sum = 0.0, squares = 0.0;
    constexpr int draws = 20000;
    for (int k = 0; k < draws; ++k) {
      const double one = engine::varied(1e-6, 0.4, 3, 7, static_cast<std::uint64_t>(k));
      sum += one, squares += one * one;
    }
    const double mean = sum / draws;
    CHECK(mean == near(1e-6, 0.02));  // 20,000 draws: 0.3 % of standard error
    CHECK(std::sqrt(squares / draws - mean * mean) == near(0.4e-6, 0.05));
    Cluster cluster = fifo({0, 1}, 2);
    cluster.wire().send_overhead = PiecewiseLinear(1e-3);
    cluster.wire().overhead_variation = 0.3;
    const double first = makespan(cluster, one_message);
    CHECK(makespan(cluster, one_message) == first);
    cluster.options.seed = 1;
    CHECK(makespan(cluster, one_message) != first);
  }

  TEST_CASE("Ranks of an emulated cluster share the processors of the machine that emulates it") {
    Cluster cluster = fifo({0, 1, 2, 3}, 4);
    const auto work = [](Rank) -> Generator<Step> { co_yield compute_for(1.0); };
    CHECK(makespan(cluster, work) == near(1.0));
    cluster.platform.processors = 2;
    CHECK(makespan(cluster, work) == near(2.0));
  }

  TEST_CASE("Forwarding is a part of the latency and takes the switch for one message after another") {
    constexpr double f = 4e-6;
    const auto signal = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield send(Rank{1}, Bytes{0}, Tag{0});
      if (me == Rank{1}) co_yield recv(Rank{0}, Bytes{0}, Tag{0});
      if (me == Rank{2}) co_yield send(Rank{3}, Bytes{0}, Tag{0});
      if (me == Rank{3}) co_yield recv(Rank{2}, Bytes{0}, Tag{0});
    };
    Cluster two = fifo({0, 1}, 4), four = fifo({0, 1, 2, 3}, 4);
    for (Cluster* cluster : {&two, &four}) {
      cluster->platform.processors = 2;
      cluster->platform.forwarding = cluster->platform.forwarding_next = Seconds{f};
    }
    CHECK(makespan(two, signal) == near(L));
    CHECK(makespan(four, signal) == near(L + f / 2));  // the second message begins when the first has been read
    four.platform.forwarding_next = Seconds{f / 4};
    CHECK(makespan(four, signal) == near(L + f / 8));
  }

  TEST_CASE("A message that a switch at work forwards sooner than its latency counts where it went") {
    const auto burst = [](Rank me) -> Generator<Step> {
      if (me == Rank{0})
        for (std::uint32_t i = 0; i < 8; ++i) co_yield isend(Rank{1}, Bytes{1}, Tag{0}, RequestId{i});
      for (std::uint32_t i = 0; i < 8 && me == Rank{1}; ++i) co_yield recv(Rank{0}, Bytes{1}, Tag{0});
    };
    Cluster cluster = fifo({0, 1}, 2);
    cluster.platform.processors = 4;
    cluster.platform.forwarding = Seconds{L};
    cluster.platform.forwarding_next = Seconds{L / 50};
    cluster.options.load_bins = 512;
    const RunResult run = play(cluster, burst);
    CHECK(run.makespan.si() < 2 * L);
    for (const ResourceRecord& record : run.resources)
      for (const auto load : record.load) CHECK(load >= 0.0);
  }

  TEST_CASE("Forwarding interrupts ranks when no processor is free") {
    constexpr double f = 4e-6, work = 1e-3;
    Cluster cluster = fifo({0, 1, 2}, 3);
    cluster.platform.processors = 2;
    cluster.platform.forwarding = cluster.platform.forwarding_next = Seconds{f};
    const auto program = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield isend(Rank{1}, Bytes{0}, Tag{0}, RequestId{0});
      for (int i = 0; i < 2 && me != Rank{1}; ++i) co_yield compute_for(work);
      if (me == Rank{1}) co_yield recv(Rank{0}, Bytes{0}, Tag{0});
    };
    CHECK(makespan(cluster, program) == near(2 * work + f));  // rank 2 begins behind one half, the other interrupts it
  }

  TEST_CASE("A sender goes on as its message joins the queue of its port") {
    Cluster cluster = fifo({0, 1}, 2);
    cluster.wire().eager = cluster.wire().detach = Bytes{0};
    cluster.wire().handshake = 2;
    CHECK(ends(play(cluster, one_message), 0) == near(2 * L));
    CHECK(ends(play(cluster, one_message), 1) == near(3 * L + m / B));
  }

  TEST_CASE("Ranks leave a start and an ideal barrier late by less than the skew and each by its own draw") {
    Cluster cluster(2);
    cluster.place({0, 1});
    cluster.platform.start_skew = Seconds{1e-3};
    const auto barriers = [](Rank) -> Generator<Step> {
      for (std::uint32_t i = 0; i < 2; ++i) co_yield barrier();
    };
    const RunResult run = play(cluster, barriers);
    CHECK(run.makespan.si() > 0.0);
    CHECK(run.makespan.si() < 3e-3);
    CHECK(makespan(cluster, barriers) == run.makespan.si());
    cluster.options.seed = 5;
    CHECK(makespan(cluster, barriers) != run.makespan.si());
  }
}
