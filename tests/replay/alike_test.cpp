// Stretches that are alike and played once, beside the same run played whole: whatever is told must be the same.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

#include "inside_of_nodes.hpp"
#include "kernels/collectives/collective.hpp"
#include "platforms/loader.hpp"
#include "sim/core/error.hpp"
#include "sim/core/mixed.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::Absolute;
using test::Cluster;
using test::near;

namespace {

constexpr std::uint32_t gpus = 4;

/// Nodes of four GPUs, each on a link of its own to a switch, with adapters behind PCIe. All GPUs of the first `nodes`
/// have `ranks` ranks each, those of one GPU side by side.
Cluster gpu_nodes(std::uint32_t nodes, std::uint32_t ranks = 1) {
  Cluster cluster = test::two_sockets(nodes, gpus);
  Fabric& fabric = cluster.type().fabric;
  fabric.switches = {"plx-0", "plx-1", "nvswitch"};
  const auto cable = [&](ResourceKind kind, std::uint32_t a, std::uint32_t b, double gbps) {
    fabric.cables.push_back({kind, a, b, gbps * 1_GBps, 0.1_us});
  };
  cable(ResourceKind::upi, 0, 1, 0.7);
  for (const std::uint32_t side : {0u, 1u}) cable(ResourceKind::pcie, side, 6 + side, 1.3);
  for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
    cable(ResourceKind::pcie, 6 + gpu / 2, 2 + gpu, 1.1);
    cable(ResourceKind::nvlink, 2 + gpu, 8, 4.0);
  }
  ChannelProperties channel = cluster.wire();
  channel.eager = Bytes{8192.0};
  channel.handshake = 1;
  channel.send_overhead = channel.receive_overhead = PiecewiseLinear(0.3e-6);
  channel.wire_efficiency = PiecewiseFactor{{{0.0, 0.9}}};
  cluster.type().gpu_messages = GpuMessages{1_us, channel};
  channel.gpu_direct = true;
  cluster.wire() = channel;
  cluster.type().power = PowerDraw{Watts(100.0), Watts(300.0), Watts(200.0)};
  for (Gpu& gpu : cluster.type().gpus) gpu.power = PowerDraw{Watts(50.0), Watts(700.0), Watts(150.0)};
  test::put_adapters(cluster, {6, 7});
  for (std::uint32_t i = 0; i < nodes * gpus * ranks; ++i) test::seat(cluster, i / ranks / gpus, 2 + i / ranks % gpus);
  cluster.options.intervals_max = 0;  // ranks with a time line are played whole
  return cluster;
}

RunResult played(const Cluster& cluster, const Program& program, bool once, const ComputeModel& compute) {
  ReplayInput input{&program, &cluster.platform, &cluster.network(), &cluster.layout, &compute, cluster.options};
  input.options.alike_once = once;
  return make_flow_engine()->replay(input);
}

/// Dates are rounded where they stand, so nothing is nearer than to a part of the makespan; sums of ranks and bins
/// likewise.
void check_same(const RunResult& once, const RunResult& whole) {
  const double date = 1e-12 * whole.makespan.si();
  CHECK(once.makespan.si() == near(whole.makespan.si(), 1e-12));
  CHECK(once.messages == whole.messages);
  CHECK(once.unexpected_messages == whole.unexpected_messages);
  REQUIRE(once.phases.size() == whole.phases.size());
  for (std::size_t i = 0; i < whole.phases.size(); ++i) {
    const PhaseRecord &a = once.phases[i], &b = whole.phases[i];
    CHECK(a.phase == b.phase);
    CHECK(a.time.si() == near(b.time.si(), Absolute{date}));
    CHECK(a.begin.si() == near(b.begin.si(), Absolute{date}));
    CHECK(a.end.si() == near(b.end.si(), Absolute{date}));
    for (std::size_t k = 0; k < channel_kinds; ++k) {
      CHECK(a.traffic[k].messages == b.traffic[k].messages);
      CHECK(a.traffic[k].bytes.si() == near(b.traffic[k].bytes.si(), 1e-12));
    }
  }
  REQUIRE(once.collectives.size() == whole.collectives.size());
  for (std::size_t i = 0; i < whole.collectives.size(); ++i) {
    const CollectiveRecord &a = once.collectives[i], &b = whole.collectives[i];
    CHECK(a.algorithm == b.algorithm);
    CHECK(a.calls == b.calls);
    CHECK(a.messages == b.messages);
    CHECK(a.steps == b.steps);
    const double calls = date * static_cast<double>(b.calls);
    CHECK(a.time.si() == near(b.time.si(), Absolute{calls}));
    CHECK(a.time_max.si() == near(b.time_max.si(), Absolute{date}));
    CHECK(a.late.si() == near(b.late.si(), Absolute{calls}));
  }
  REQUIRE(once.resources.size() == whole.resources.size());
  for (std::size_t i = 0; i < whole.resources.size(); ++i) {
    const ResourceRecord &a = once.resources[i], &b = whole.resources[i];
    CHECK(a.name == b.name);
    CHECK(a.bytes.si() == near(b.bytes.si(), 1e-12));
    CHECK(a.busy.si() == near(b.busy.si(), Absolute{10 * date}));
    REQUIRE(a.load.size() == b.load.size());
    for (std::size_t bin = 0; bin < b.load.size(); ++bin) CHECK(a.load[bin] == near(b.load[bin], Absolute{1e-9}));
  }
  REQUIRE(once.activity_times.size() == whole.activity_times.size());
  for (std::size_t activity = 0; activity < whole.activity_times.size(); ++activity) {
    for (std::size_t rank = 0; rank < whole.activity_times[activity].size(); ++rank)
      CHECK(once.activity_times[activity][rank].si() ==
            near(whole.activity_times[activity][rank].si(), Absolute{10 * date}));
    for (std::size_t bin = 0; bin < whole.activity_shares[activity].size(); ++bin)
      CHECK(once.activity_shares[activity][bin] == near(whole.activity_shares[activity][bin], Absolute{1e-9}));
  }
  for (std::size_t part = 0; part < energy_parts; ++part)
    CHECK(once.energy.parts[part] == near(whole.energy.parts[part], 1e-11));
}

/// Checks that both are the same; what came of it.
Repeated once_and_whole(const Cluster& cluster, const Program& program,
                        const ComputeModel& compute = test::SecondsAsFlops()) {
  const RunResult whole = played(cluster, program, false, compute), once = played(cluster, program, true, compute);
  CHECK(once.repeated.asked);
  CHECK_FALSE(whole.repeated.asked);
  check_same(once, whole);
  return once.repeated;
}
Repeated once_and_whole(const Cluster& cluster, std::function<Generator<Step>(Rank)> steps) {
  return once_and_whole(cluster, FunctionProgram("program", cluster.layout.ranks(), std::move(steps)));
}

struct Drawn {
  std::uint64_t state;
  std::uint64_t below(std::uint64_t n) { return (state = mixed(state)) % n; }
  double share() { return static_cast<double>(below(1u << 20)) / (1u << 20); }
};

collectives::Call call_of(Rank me, std::uint32_t group, const char* algorithm, std::uint32_t tag) {
  const auto first = static_cast<std::uint32_t>(me) / group * group;
  return {.group = Group::strided(Rank{first}, 1, group, Communicator{1}),
          .me = me,
          .tag = Tag{tag},
          .first_request = RequestId{16},
          .algorithm = {algorithm, "test"}};
}

/// Rounds that are the same at all ranks but for how long each computes now and then, and what some send elsewhere.
Generator<Step> rounds(Rank me, std::uint32_t ranks, std::uint64_t seed) {
  Drawn all{seed}, own{seed * 1000 + index(me)};
  const auto i = static_cast<std::uint32_t>(me);
  const std::uint32_t group = all.below(2) == 0 ? gpus : 2;
  for (std::uint32_t round = 0; round < 12; ++round) {
    const std::uint64_t what = all.below(7);
    const Bytes size{std::floor(std::exp2(3.0 + 17.0 * all.share()))};
    const double most = all.below(3) == 0 ? 1e-5 : 0.0, evenly = 1e-5 * all.share();
    const double late = most * own.share();
    if (what == 0) co_yield elements_of(collectives::allreduce(call_of(me, group, "lr", 3), size));
    if (what == 1) co_yield elements_of(collectives::allgather(call_of(me, group, "NTSLR", 3), size));
    if (what == 2) co_yield elements_of(collectives::allreduce(call_of(me, group, "rdb", 3), size));
    if (what == 3) co_yield elements_of(collectives::alltoall(call_of(me, group, "basic_linear", 3), size));
    if (what == 4) co_yield elements_of(collectives::bcast(call_of(me, group, "ompi_binomial", 3), size));
    if (what == 5) {  // to the next node, waited for some rounds later
      co_yield wait_all(RequestId{0}, 2);
      co_yield irecv(Rank{(i + ranks - gpus) % ranks}, size, Tag{9}, RequestId{0});
      co_yield isend(Rank{(i + gpus) % ranks}, size, Tag{9}, RequestId{1});
    }
    if (what == 6 && all.below(3) == 0) {  // to the other pair of its node
      const Rank other{i / gpus * gpus + (i + 2) % gpus};
      co_yield irecv(other, size, Tag{8}, RequestId{2});
      co_yield isend(other, size, Tag{8}, RequestId{3});
      if (all.below(2) == 0) co_yield wait_all(RequestId{2}, 2);
    }
    co_yield test::compute_for(evenly + late);
    co_yield wait_all(RequestId{2}, 2);
  }
  co_yield wait_all();
}

Generator<Step> reduced_twice(Rank me, Bytes size) {
  for (int k = 0; k < 2; ++k) {
    co_yield elements_of(collectives::allreduce(call_of(me, gpus, "lr", 3), size));
    co_yield test::compute_for(1e-5);
  }
}

test::Words training(const test::Words& more) {
  test::Words words{{"layers", "8"},       {"hidden", "512"},      {"heads", "8"},
                    {"vocabulary", "512"}, {"sequence", "64"},     {"batch", "32"},
                    {"allreduce", "lr"},   {"allgather", "NTSLR"}, {"reduce-scatter", "ompi_ring"}};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// A thousandth of a second for 1e9 flops.
class Fast final : public ComputeModel {
 public:
  std::string description() const override { return "1 Tflop/s"; }
  Seconds compute_time(const Compute& compute, Rank rank) const override {
    return Seconds{compute.flops.si() * (rank == slow ? 1.2e-12 : 1e-12)};
  }
  Rank slow = any_rank;
};

}  // namespace

TEST_SUITE("replay/alike") {
  TEST_CASE("A collective of each node is played once for all nodes and each time that it comes again") {
    const auto repeated = once_and_whole(gpu_nodes(3), [](Rank me) { return reduced_twice(me, Bytes{1e6}); });
    CHECK(repeated.whole == "");
    CHECK(repeated.stretches == 3);  // both calls and what is computed after each
    CHECK(repeated.played == 1);
    CHECK(repeated.messages == 3 * 2 * 4 * 6);
  }

  TEST_CASE("Drawn programs are the same played once and whole") {
    std::uint64_t shortened = 0, whole = 0, saved = 0;
    for (std::uint64_t seed = 1; seed <= 120; ++seed) {
      CAPTURE(seed);
      const Cluster cluster = gpu_nodes(3);
      const auto repeated = once_and_whole(cluster, [seed](Rank me) { return rounds(me, 12, seed); });
      ++(repeated.whole.empty() ? shortened : whole);
      saved += repeated.stretches - repeated.played;
    }
    CHECK(shortened > 40);
    CHECK(whole > 5);
    CHECK(saved > 40);
  }

  TEST_CASE("Training steps are the same played once and whole however they are divided") {
    const std::vector<test::Words> divisions{
        {{"tensor", "4"}, {"pipeline", "2"}},
        {{"tensor", "4"}, {"pipeline", "4"}, {"sequence-parallel", "true"}, {"sharded-optimizer", "true"}},
        {{"tensor", "4"}, {"pipeline", "2"}, {"schedule", "interleaved"}, {"sequence-parallel", "true"}},
        {{"tensor", "4"}, {"pipeline", "2"}, {"sequence-parallel", "true"}, {"tensor-overlap", "true"}},
        {{"tensor", "4"},
         {"pipeline", "2"},
         {"schedule", "interleaved"},
         {"layers", "6"},
         {"ends-as-layers", "true"},
         {"sequence-parallel", "true"},
         {"tensor-overlap", "true"},
         {"elementwise", "true"},
         {"product-precision", "1B"},
         {"sharded-optimizer", "true"},
         {"deferred-micro-batches", "3"}},
        {{"tensor", "2"}, {"pipeline", "2"}, {"context", "2"}, {"recompute", "full"}},
        {{"tensor", "2"}, {"experts", "4"}, {"expert", "2"}, {"expert-skew", "1"}},
        {{"tensor", "2"}, {"pipeline", "4"}, {"recompute", "selective"}}};
    for (const auto& division : divisions)
      for (const bool stream : {false, true}) {
        auto words = training(division);
        words.emplace_back("gradient-stream", stream ? "true" : "false");
        if (stream && division.back().first == "deferred-micro-batches") words.emplace_back("gather-in-passes", "true");
        CAPTURE(division.back().first);
        CAPTURE(stream);
        const Cluster cluster = gpu_nodes(4, stream ? 2 : 1);
        const auto program = test::make_kernel("training-step", words, cluster.layout.ranks());
        const auto repeated = once_and_whole(cluster, *program, Fast());
        CHECK(repeated.whole == "");
        CHECK(repeated.stretches > 5 * repeated.played);
      }
  }

  TEST_CASE("A GPU that is slower than the others is one more kind of stretch") {
    Fast compute;
    const Cluster cluster = gpu_nodes(4);
    const auto program = test::make_kernel("training-step", training({{"tensor", "4"}, {"pipeline", "2"}}), 16);
    const auto even = once_and_whole(cluster, *program, compute);
    compute.slow = Rank{6};
    const auto uneven = once_and_whole(cluster, *program, compute);
    CHECK(uneven.whole == "");
    CHECK(uneven.stretches == even.stretches);
    CHECK(uneven.played > even.played);
  }

  TEST_CASE("Nodes whose links differ are not alike") {
    Cluster cluster = gpu_nodes(4);
    cluster.platform.node_types.push_back(cluster.type());
    for (auto& cable : cluster.platform.node_types.back().fabric.cables)
      if (cable.kind == ResourceKind::nvlink) cable.bandwidth = 3_GBps;
    cluster.platform.node_counts = {2, 2};
    cluster.network().adapters.at.push_back(cluster.network().adapters.at.front());
    for (std::uint32_t i = 8; i < 16; ++i) cluster.layout.placements[i].node_type = 1;
    const auto repeated = once_and_whole(cluster, [](Rank me) { return reduced_twice(me, Bytes{1e6}); });
    CHECK(repeated.stretches == 4);
    CHECK(repeated.played == 2);
  }

  TEST_CASE("A message of somebody else over the links of a group sends the run back to be played whole") {
    const auto repeated = once_and_whole(gpu_nodes(1), [](Rank me) -> Generator<Step> {
      if (index(me) < 2) co_yield elements_of(collectives::allreduce(call_of(me, 2, "lr", 3), Bytes{4e6}));
      if (me == Rank{2}) co_yield test::compute_for(1e-4);
      if (me == Rank{2}) co_yield send(Rank{0}, Bytes{4000.0}, Tag{1});
      if (me == Rank{0}) co_yield recv(Rank{2}, Bytes{4000.0}, Tag{1});
    });
    CHECK(repeated.whole == "a message uses a link of a group that was alone");
  }

  TEST_CASE("What cannot be told apart by order is played whole") {
    const auto reason = [](const Cluster& cluster, std::function<Generator<Step>(Rank)> steps) {
      return once_and_whole(cluster, std::move(steps)).whole;
    };
    const auto plain = [](Rank me) { return reduced_twice(me, Bytes{1e6}); };
    Cluster cluster = gpu_nodes(2);
    cluster.network().routing.kind = Routing::Kind::adaptive;
    CHECK(reason(cluster, plain) == "routing is adaptive");
    cluster = gpu_nodes(2);
    cluster.network().adapters.send_queues = 4;
    CHECK(reason(cluster, plain) == "adapters send from queues");
    cluster = gpu_nodes(2);
    cluster.options.approximate = 0.01;
    CHECK(reason(cluster, plain) == "sharing is approximate");
    cluster = gpu_nodes(2);
    cluster.options.critical_path = true;
    CHECK(reason(cluster, plain) == "the critical path is kept");
    cluster = gpu_nodes(2);
    const FunctionProgram program("two jobs", 8, plain);
    const test::SecondsAsFlops compute;
    ReplayInput input{&program, &cluster.platform, &cluster.network(), &cluster.layout, &compute, cluster.options};
    const std::vector<Job> jobs{{.name = "a", .ranks = 4}, {.name = "b", .ranks = 4}};
    input.jobs = jobs;
    input.options.alike_once = true;
    CHECK(make_flow_engine()->replay(input).repeated.whole == "there are several jobs");
    CHECK(reason(gpu_nodes(2), [](Rank me) -> Generator<Step> {
            co_yield elements_of(reduced_twice(me, Bytes{1e6}));
            if (me == Rank{1}) co_yield send(Rank{0}, Bytes{8.0}, Tag{0});
            if (me == Rank{0}) co_yield recv(any_rank, Bytes{8.0}, Tag{0});
          }) == "a rank receives from any source");
  }

  TEST_CASE("Compute times that vary leave nothing alike and change nothing") {
    class Noisy final : public ComputeModel {
     public:
      std::string description() const override { return "noise"; }
      Seconds compute_time(const Compute& compute, Rank) const override { return Seconds{compute.flops.si() * 1e-12}; }
      Seconds sampled_time(const Compute& compute, Rank rank, std::uint64_t step) const override {
        const auto drawn = static_cast<double>(mixed(index(rank) * 4096 + step) % 1000);
        return compute_time(compute, rank) * (1.0 + 1e-4 * drawn);
      }
    };
    const auto program =
        test::make_kernel("training-step", training({{"tensor", "4"}, {"pipeline", "4"}, {"batch", "128"}}), 16);
    const auto repeated = once_and_whole(gpu_nodes(4), *program, Noisy());
    CHECK(repeated.stretches == repeated.played);
    CHECK(repeated.played <= 65);  // then it is no longer tried
  }

  TEST_CASE("A deadlock is told as of a run that is played whole") {
    const Cluster cluster = gpu_nodes(1);
    const FunctionProgram program("stuck", gpus, [](Rank me) -> Generator<Step> {
      if (me != Rank{3}) co_yield elements_of(collectives::allreduce(call_of(me, gpus, "lr", 3), Bytes{1e6}));
    });
    const auto error = [&](bool once) -> std::string {
      try {
        played(cluster, program, once, test::SecondsAsFlops());
      } catch (const ReplayError& found) {
        return found.what();
      }
      return "none";
    };
    CHECK(error(true) == error(false));
    CHECK(error(true) != "none");
  }
}
