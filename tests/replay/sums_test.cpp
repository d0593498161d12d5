// What a result tells of kinds of resources and of ranks, for any number of either. `play` checks of every run that
// these are the sums of what it tells of each resource, of each rank and over time (play.hpp).
#include <doctest/doctest.h>

#include <algorithm>

#include "play.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::Absolute;
using test::Cluster;
using test::compute_for;
using test::near;
using test::play;

namespace {

constexpr double L = 10e-6, B = 1e9, m = 1e6;

/// Ranks send around in three strides at once, unequal messages and pauses, so that rates change all the time.
std::function<Generator<Step>(Rank)> strides(std::uint32_t ranks, std::uint32_t rounds) {
  return [ranks, rounds](Rank me) -> Generator<Step> {
    const auto i = static_cast<std::uint32_t>(me);
    for (std::uint32_t round = 0; round < rounds; ++round) {
      std::uint32_t request = 0;
      for (const std::uint32_t stride : {1u, 2u, ranks / 2}) {
        const auto bytes = [&](std::uint32_t from) { return Bytes{m * (1 + (7 * from + 5 * round + stride) % 11)}; };
        const std::uint32_t to = (i + stride) % ranks, from = (i + ranks - stride) % ranks;
        co_yield irecv(Rank{from}, bytes(from), Tag{stride}, RequestId{request++});
        co_yield isend(Rank{to}, bytes(i), Tag{stride}, RequestId{request++});
      }
      co_yield compute_for(1e-3 * (1 + (3 * i + round) % 5));
      co_yield wait_all();
      if (round % 4 == 3) co_yield barrier();
    }
  };
}

const KindLoad& kind_load(const RunResult& run, ResourceKind kind) {
  const auto found = std::ranges::find(run.kind_loads, kind, &KindLoad::kind);
  REQUIRE(found != run.kind_loads.end());
  return *found;
}

/// The mean over time of a load is what was carried over what could have been.
void check_saturation(const RunResult& run) {
  for (const KindLoad& of_kind : run.kind_loads) {
    double mean = 0.0;
    for (const double load : of_kind.load) mean += load / static_cast<double>(of_kind.load.size());
    CHECK(mean == near(of_kind.bytes / (of_kind.capacity * run.makespan), 1e-6));
  }
  for (const ResourceRecord& record : run.resources) {
    double mean = 0.0;
    for (const double load : record.load) mean += load / static_cast<double>(record.load.size());
    CHECK(mean == near(record.bytes / (record.capacity * run.makespan), 1e-6));
  }
}

}  // namespace

TEST_SUITE("replay/sums") {
  TEST_CASE("The load of a kind of resource is the mean of its resources over a torus") {
    Cluster cluster = Cluster(8).place({0, 0, 1, 2, 3, 4, 5, 6, 7, 7});
    cluster.network().topology = TorusTopology{{2, 4}};
    cluster.network().link_bandwidth = 3_GBps;  // another weight than the NICs
    cluster.shared().copies = {1, 1};
    const RunResult result = play(cluster, strides(10, 12));
    REQUIRE(result.kind_loads.size() == 5);
    check_saturation(result);
    CHECK(kind_load(result, ResourceKind::nic_out).resources == 8);
    CHECK(kind_load(result, ResourceKind::memory).resources == 8);
    CHECK(kind_load(result, ResourceKind::copy).resources == 10);
    CHECK(kind_load(result, ResourceKind::link).resources > 8);
  }

  TEST_CASE("The load of a kind of resource is the mean of its resources over a fat tree with time-shared cores") {
    Cluster cluster = Cluster(8, 1).place({0, 0, 1, 2, 3, 4, 5, 6, 7, 7});
    cluster.network().topology = FatTreeTopology{{4, 2}, {1, 2}, {1, 1}};
    const RunResult result = play(cluster, strides(10, 12));
    check_saturation(result);
    CHECK(kind_load(result, ResourceKind::nic_in).resources == 8);
    CHECK(kind_load(result, ResourceKind::link).resources > 2);
  }

  TEST_CASE("The load of a kind of resource is known in the bins of its messages") {
    Cluster cluster = Cluster(4).place({0, 1, 2, 3});
    cluster.options.load_bins = 10;
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield compute_for(1e-3 - L);
      if (me == Rank{0}) co_yield send(Rank{1}, Bytes{m}, Tag{0});  // on the wire from 1 ms to 2 ms
      if (me == Rank{1}) co_yield recv(Rank{0}, Bytes{m}, Tag{0});
      if (me == Rank{2}) co_yield compute_for(1.5e-3 - L);
      if (me == Rank{2}) co_yield send(Rank{3}, Bytes{m / 2}, Tag{0});  // from 1.5 ms to 2 ms
      if (me == Rank{3}) co_yield recv(Rank{2}, Bytes{m / 2}, Tag{0});
    };
    const RunResult result = play(cluster, steps);
    for (const ResourceKind kind : {ResourceKind::nic_out, ResourceKind::nic_in}) {
      const KindLoad& nics = kind_load(result, kind);
      CHECK(nics.resources == 2);
      CHECK(nics.capacity.si() == near(2 * B));
      CHECK(nics.bytes.si() == near(1.5 * m));
      REQUIRE(nics.load.size() == 10);
      CHECK(nics.load[3] == near(0.0, Absolute{0.01}));
      CHECK(nics.load[6] == near(0.5, 0.01));
      CHECK(nics.load[8] == near(1.0, 0.01));
    }
  }

  TEST_CASE("A load follows the rates of flows as they change") {
    Cluster cluster = Cluster(3).place({0, 0, 1, 2});
    cluster.options.load_bins = 30;
    const RunResult result = play(cluster, [](Rank me) -> Generator<Step> {  // the first two share their NIC for 2 ms
      if (me == Rank{0}) co_yield send(Rank{2}, Bytes{m}, Tag{0});
      if (me == Rank{1}) co_yield send(Rank{3}, Bytes{2 * m}, Tag{0});
      if (me == Rank{2}) co_yield recv(Rank{0}, Bytes{m}, Tag{0});
      if (me == Rank{3}) co_yield recv(Rank{1}, Bytes{2 * m}, Tag{0});
    });
    CHECK(result.makespan.si() == near(L + 3 * m / B));
    REQUIRE(result.resources.size() == 3);
    const auto &out = result.resources[0].load, &first = result.resources[1].load, &second = result.resources[2].load;
    for (std::size_t bin = 1; bin < 30; ++bin) {
      CHECK(out[bin] == near(1.0, 1e-8));
      if (bin < 19) CHECK(first[bin] == near(0.5, 1e-8));
      if (bin < 19) CHECK(second[bin] == near(0.5, 1e-8));
      if (bin > 21) CHECK(first[bin] == 0.0);
      if (bin > 21) CHECK(second[bin] == near(1.0, 1e-8));
    }
    check_saturation(result);
  }

  TEST_CASE("A crowd into one port loads each sender with what it sends") {
    constexpr std::uint32_t senders = 200;
    std::vector<std::uint32_t> nodes(senders + 1);
    for (std::uint32_t i = 0; i <= senders; ++i) nodes[i] = i;
    Cluster cluster = Cluster(senders + 1).place(nodes);
    const RunResult result = play(cluster, [](Rank me) -> Generator<Step> {
      const auto bytes = [](std::uint32_t from) { return Bytes{m * (1 + (7 * from) % 31)}; };
      const auto i = static_cast<std::uint32_t>(me);
      for (std::uint32_t from = 1; from <= senders && i == 0; ++from)
        co_yield irecv(Rank{from}, bytes(from), Tag{0}, RequestId{from});
      if (i > 0) co_yield compute_for(1e-4 * ((11 * i) % 41));
      if (i > 0) co_yield isend(Rank{0}, bytes(i), Tag{0}, RequestId{0});
      if (i > 0) co_yield send(Rank{i % senders + 1}, Bytes{m / 4}, Tag{1});  // detached: its NIC has room for it
      if (i > 0) co_yield recv(Rank{(i + senders - 2) % senders + 1}, Bytes{m / 4}, Tag{1});
      co_yield wait_all();
    });
    check_saturation(result);
  }

  TEST_CASE("Beyond so many resources that each has a curve the kinds have the same ones as before") {
    const auto on = [](std::uint32_t nodes) {
      const Cluster cluster = Cluster(nodes).place({0, 0, 1, 2, 3, 3});
      const test::SecondsAsFlops compute;
      const FunctionProgram program("strides", 6, strides(6, 40));
      return make_flow_engine()->replay({&program, &cluster.platform, &cluster.platform.networks.front(),
                                         &cluster.layout, &compute, cluster.options});
    };
    const RunResult few = on(4), many = on(10'001);
    REQUIRE(!few.resources.front().load.empty());
    REQUIRE(many.resources.front().load.empty());
    REQUIRE(many.kind_loads.size() == few.kind_loads.size());
    for (std::size_t k = 0; k < few.kind_loads.size(); ++k) {
      CHECK(many.kind_loads[k].resources == few.kind_loads[k].resources);
      REQUIRE(many.kind_loads[k].load.size() == few.kind_loads[k].load.size());
      for (std::size_t bin = 0; bin < few.kind_loads[k].load.size(); ++bin)  // summed in another order
        CHECK(many.kind_loads[k].load[bin] == near(few.kind_loads[k].load[bin], Absolute{1e-13}));
    }
  }

  TEST_CASE("What ranks did is told of each up to 1024 and of groups of them beyond") {
    const auto played = [](std::uint32_t ranks) {
      Cluster cluster(1, ranks);
      cluster.place(std::vector<std::uint32_t>(ranks, 0));
      cluster.options.intervals_max = 0;
      return play(cluster, [ranks](Rank me) -> Generator<Step> {
        co_yield compute_for(1e-3 * (1.0 + static_cast<double>(index(me))));
        co_yield barrier();
        if (index(me) + 1 == ranks) co_yield compute_for(1e-3);
      });
    };
    const auto compute = static_cast<std::size_t>(Activity::compute);
    const auto waiting = static_cast<std::size_t>(Activity::barrier);
    const RunResult each = played(1024);
    CHECK(each.activity_group == 1);
    REQUIRE(each.activity_times[compute].size() == 1024);
    CHECK(each.activity_times[compute][7].si() == near(8e-3));
    CHECK(each.activity_times[waiting][7].si() == near(1016e-3));
    CHECK(each.activity_times[compute][1023].si() == near(1025e-3));

    const RunResult groups = played(2050);
    CHECK(groups.activity_group == 4);
    REQUIRE(groups.activity_times[compute].size() == 513);
    CHECK(groups.activity_times[compute][1].si() == near(5e-3 + 6e-3 + 7e-3 + 8e-3));
    CHECK(groups.activity_times[waiting][1].si() == near(4 * 2.05 - 26e-3));
    CHECK(groups.activity_times[compute][512].si() == near(2.049 + 2.050 + 1e-3));  // of two ranks
  }
}
