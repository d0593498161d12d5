// What the player asks of an engine for one message, in which order and when, each line worked out by hand from the
// table of protocol.hpp. L = 10 us, 1 GB/s: a message of 1000 B is on the wire for 1 us. Times in us.
#include "scripted_sink.hpp"
#include "tests/support/relative.hpp"

namespace orrery::engine {

namespace {

using test::Cluster;
using test::compute_for;
using test::near;

constexpr Bytes m{1000};
const char* const wire = "outgoing NIC of node-0, incoming NIC of node-1";

Generator<Step> one_message(Rank me) {
  if (me == Rank{0}) co_yield send(Rank{1}, m, Tag{1});
  if (me == Rank{1}) co_yield recv(Rank{0}, m, Tag{1});
}

/// The receive is posted at 50 us.
Generator<Step> late_receiver(Rank me) {
  if (me == Rank{0}) co_yield send(Rank{1}, m, Tag{1});
  if (me != Rank{1}) co_return;
  co_yield compute_for(50e-6);
  co_yield recv(Rank{0}, m, Tag{1});
}

Cluster two_nodes() {
  Cluster cluster(2);
  cluster.place({0, 1});
  return cluster;
}

Cluster one_node() {
  Cluster cluster(1);
  cluster.place({0, 0});
  return cluster;
}

std::string at(const char* when, const std::string& route, const char* cap = "") {
  return std::string(when) + ": 1000 B over " + route + cap;
}

}  // namespace

TEST_SUITE("replay/player messages") {
  TEST_CASE("An eager message is asked for when its overhead and its latency are over whether it is awaited or not") {
    Cluster cluster = two_nodes();
    cluster.wire().send_overhead = PiecewiseLinear(2e-6);
    cluster.wire().receive_overhead = PiecewiseLinear(3e-6);
    const Told told = play(cluster, one_message);
    CHECK(told.flows == Lines{at("12", wire)});
    CHECK(told.ranks[0] == Lines{"send 0..2 (1, 1000 B)"});
    CHECK(told.ranks[1] == Lines{"receive 0..16 (0, 1000 B)"});
    CHECK(told.run.makespan == near(16_us));
    CHECK(told.run.messages == 1);
    CHECK(told.run.unexpected_messages == 0);
    CHECK(play(cluster, late_receiver).flows.front() == at("12", wire));
  }

  TEST_CASE("A non-blocking send pays its own overhead and the sender goes on") {
    Cluster cluster = two_nodes();
    cluster.wire().send_overhead = PiecewiseLinear(2e-6);
    cluster.wire().isend_overhead = PiecewiseLinear(1e-6);
    const Told told = play(cluster, [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) {
        co_yield isend(Rank{1}, m, Tag{1}, RequestId{4});
        co_yield compute_for(5e-6);
        co_yield wait(RequestId{4});
      } else {
        co_yield recv(Rank{0}, m, Tag{1});
      }
    });
    CHECK(told.flows == Lines{at("11", wire)});
    CHECK(told.ranks[0] == Lines{"send 0..1 (1, 1000 B)", "compute 1..6"});
  }

  TEST_CASE(
      "A rendezvous starts when its receive is posted and after a handshake and holds its sender until it has "
      "arrived") {
    Cluster cluster = two_nodes();
    cluster.wire().eager = cluster.wire().detach = m;  // a message of just this size is not eager any more
    cluster.wire().handshake = 2;
    const Told told = play(cluster, late_receiver);
    CHECK(told.flows == Lines{at("80", wire)});  // 50 + 2 L + L
    CHECK(told.ranks[0] == Lines{"send 0..81 (1, 1000 B)"});
    CHECK(told.ranks[1] == Lines{"compute 0..50", "receive 50..81 (0, 1000 B)"});
    CHECK(told.run.unexpected_messages == 0);
    cluster.wire().eager = cluster.wire().detach = Bytes{1001};
    CHECK(play(cluster, late_receiver).flows.front() == at("10", wire));
  }

  TEST_CASE("An eager message too long to detach holds its sender until it has arrived and not until it is received") {
    Cluster cluster = two_nodes();
    cluster.wire().detach = m;
    const Told told = play(cluster, late_receiver);
    CHECK(told.flows.front() == at("10", wire));
    CHECK(told.ranks[0] == Lines{"send 0..11 (1, 1000 B)"});
  }

  TEST_CASE("A message that came before its receive is copied once more from then on at its own speed") {
    Cluster cluster = two_nodes();
    cluster.wire().receive_overhead = PiecewiseLinear(3e-6);
    const Lines plain = play(cluster, late_receiver).flows;
    CHECK(plain == Lines{at("10", wire), at("50", "copying core of rank 1, memory of node-1")});
    cluster.wire().unexpected_copy = BytesPerSecond{5e8};
    const Told told = play(cluster, late_receiver);
    CHECK(told.flows.back() == at("50", "copying core of rank 1, memory of node-1", " at most 5e+08 B/s"));
    CHECK(told.ranks[1].back() == "receive 50..55 (0, 1000 B)");  // 2 us of copy and 3 us of overhead
    CHECK(told.run.unexpected_messages == 1);
  }

  TEST_CASE("A message that comes at the instant at which its receive is posted is not unexpected") {
    const auto receiving_at = [](double date) {
      return [date](Rank me) -> Generator<Step> {
        if (me == Rank{0}) co_yield send(Rank{1}, m, Tag{1});
        if (me != Rank{1}) co_return;
        co_yield compute_for(date);
        co_yield recv(Rank{0}, m, Tag{1});
      };
    };
    const Cluster cluster = two_nodes();
    CHECK(play(cluster, receiving_at(11e-6)).run.unexpected_messages == 0);
    CHECK(play(cluster, receiving_at(11e-6 + 0.5e-12)).run.unexpected_messages == 0);
    CHECK(play(cluster, receiving_at(11e-6 + 2e-12)).run.unexpected_messages == 1);
  }

  TEST_CASE("A message of no bytes is on its way for the latency and asks for no flow not even when unexpected") {
    const auto empty = [](double date) {
      return [date](Rank me) -> Generator<Step> {
        if (me == Rank{0}) co_yield send(Rank{1}, Bytes{}, Tag{1});
        if (me != Rank{1}) co_return;
        co_yield compute_for(date);
        co_yield recv(Rank{0}, Bytes{}, Tag{1});
      };
    };
    Cluster cluster = two_nodes();
    cluster.wire().copies = {2, 2};
    const Told told = play(cluster, empty(0.0));
    CHECK(told.flows.empty());
    CHECK(told.run.makespan == near(10_us));
    const Told late = play(cluster, empty(50e-6));
    CHECK(late.flows.empty());
    CHECK(late.run.unexpected_messages == 1);
    CHECK(late.run.makespan == near(50_us));
  }

  TEST_CASE("Sequential copies are asked for one after another and pipelined ones all at once") {
    Cluster cluster = two_nodes();
    cluster.wire().copies = {2, 1};
    const std::string sender = "copying core of rank 0, memory of node-0",
                      receiver = "copying core of rank 1, memory of node-1";
    const Told sequential = play(cluster, one_message);
    CHECK(sequential.flows == Lines{at("10", sender), at("11", sender), at("12", wire), at("13", receiver)});
    CHECK(sequential.run.makespan == near(14_us));

    cluster.wire().copy_mode = CopyMode::pipelined;
    cluster.wire().bandwidth_factor = PiecewiseFactor({{0.0, 0.25}});
    const Told pipelined = play(cluster, one_message);
    CHECK(pipelined.flows ==
          Lines{at("10", sender), at("10", sender), at("10", wire, " at most 2.5e+08 B/s"), at("10", receiver)});
    CHECK(pipelined.run.makespan == near(14_us));  // when the last has ended, which is the wire's
  }

  TEST_CASE("Ranks of one node copy over their own memory and wait for its latency alone when nothing is copied") {
    Cluster cluster = one_node();
    const Told told = play(cluster, one_message);
    CHECK(told.flows.empty());
    CHECK(told.run.makespan == near(1_us));

    cluster.shared().copies = {1, 1};
    cluster.shared().bandwidth_factor = PiecewiseFactor({{0.0, 0.5}});
    CHECK(play(cluster, one_message).flows ==
          Lines{at("1", "copying core of rank 0, memory of node-0", " at most 5e+08 B/s"),
                at("3", "copying core of rank 1, memory of node-0", " at most 5e+08 B/s")});
  }

  TEST_CASE("What a GPU rank sends crosses its link before the wire and after it unless the channel does without") {
    Cluster cluster = two_nodes();
    cluster.type().gpus = {{"gpu", FlopsPerSecond{1.0}, FlopsPerSecond{0}, 1_MiB, 1_GBps, 2_GBps, 1_us}};
    for (Placement& placement : cluster.layout.placements) placement.gpu = true;
    const std::string from = "PCIe link from GPU 0 of node-0", to = "PCIe link to GPU 0 of node-1";
    CHECK(play(cluster, one_message).flows == Lines{at("10", wire)});  // the compute model contains it
    cluster.options.staging_in_compute_model = false;
    CHECK(play(cluster, one_message).flows == Lines{at("12", from), at("13", wire), at("14", to)});
    cluster.wire().gpu_direct = true;
    CHECK(play(cluster, one_message).flows == Lines{at("10", wire)});
  }

  TEST_CASE("A train is one flow of all its bytes after as many overheads and latencies as it has messages") {
    Cluster cluster = two_nodes();
    cluster.wire().send_overhead = PiecewiseLinear(2e-6);
    cluster.wire().receive_overhead = PiecewiseLinear(3e-6);
    const Told told = play(cluster, [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) {
        Send train{Rank{1}, m, Tag{1}};
        train.repeat = 3;
        co_yield train;
      } else {
        co_yield recv(Rank{0}, m, Tag{1});
      }
    });
    CHECK(told.flows == Lines{std::string("36: 3000 B over ") + wire});
    CHECK(told.ranks[0] == Lines{"send 0..6 (1, 1000 B)"});
    CHECK(told.ranks[1] == Lines{"receive 0..48 (0, 1000 B)"});
    CHECK(told.run.messages == 3);
  }

  TEST_CASE("A message posted first is taken first though a later and shorter one arrives before it") {
    const Told told = play(two_nodes(), [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) {
        co_yield isend(Rank{1}, Bytes{9000}, Tag{1}, RequestId{0});
        co_yield isend(Rank{1}, m, Tag{1}, RequestId{1});
        co_yield wait_all();
      } else {
        co_yield recv(Rank{0}, Bytes{9000}, Tag{1});
        co_yield recv(Rank{0}, m, Tag{1});
      }
    });
    CHECK(told.flows == Lines{std::string("10: 9000 B over ") + wire, at("10", wire),
                              at("19", "copying core of rank 1, memory of node-1")});
    CHECK(told.ranks[1] == Lines{"receive 0..19 (0, 9000 B)", "receive 19..20 (0, 1000 B)"});
  }

  TEST_CASE("What resources carried is what the flows over them were asked to carry") {
    Cluster cluster = two_nodes();
    cluster.wire().copies = {1, 0};
    const Told told = play(cluster, one_message);
    REQUIRE(told.run.resources.size() == 4);
    for (const ResourceRecord& record : told.run.resources) {
      CHECK(record.bytes == near(m));
      CHECK(record.busy == near(1_us));
    }
  }
}

}  // namespace orrery::engine
