// Several jobs in one run, on both engines: what one does to another, and what it does not.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <memory>

#include "kernels/kernel.hpp"
#include "models/partition/partitioner.hpp"
#include "play.hpp"
#include "sim/core/error.hpp"
#include "sim/core/version.hpp"
#include "sim/engine/isolate.hpp"
#include "sim/engine/wire_format.hpp"
#include "sim/study/read/joined_program.hpp"
#include "tests/support/partition_problem.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::a_rank_per_node;
using test::Cluster;
using test::compute_for;
using test::near;

namespace {

using Steps = std::function<Generator<Step>(Rank)>;

struct TestJob {
  std::uint32_t ranks = 0;
  Steps steps;
  Seconds start{};
  std::uint32_t repeat = 1;
};

std::vector<std::string> engines() {
  return with_simgrid ? std::vector<std::string>{"flow", "simgrid"} : std::vector<std::string>{"flow"};
}

/// The jobs 'job0', 'job1' ... on consecutive placements of the cluster; all but `only` idle if one is given.
RunResult play_jobs(const std::string& engine, const Cluster& cluster, const std::vector<TestJob>& parts,
                    std::optional<std::size_t> only = {}) {
  const test::SecondsAsFlops compute;
  std::vector<std::unique_ptr<Program>> programs;
  std::vector<JoinedPart> joined;
  std::vector<Job> jobs;
  for (std::size_t j = 0; j < parts.size(); ++j) {
    programs.push_back(std::make_unique<FunctionProgram>("test", parts[j].ranks, parts[j].steps));
    joined.push_back({fmt::format("job{}", j), programs.back().get(), &compute});
    jobs.push_back({joined.back().name, parts[j].ranks, parts[j].start, parts[j].repeat, only && *only != j});
  }
  const auto program = joined_program(joined);
  const auto model = joined_compute(joined);
  ReplayInput input{program.get(),   &cluster.platform, &cluster.platform.networks.front(),
                    &cluster.layout, model.get(),       cluster.options};
  input.options.critical_path = true;
  input.jobs = jobs;
  if (engine == "flow") return make_flow_engine()->replay(input);
  return engine::from_bytes(
      engine::run_isolated("test", [&] { return engine::to_bytes(make_simgrid_engine()->replay(input)); }));
}

/// Rank 0 sends rank 1 so many bytes.
Steps sends(Bytes bytes) {
  return [bytes](Rank me) -> Generator<Step> {
    if (me == Rank{0})
      co_yield send(Rank{1}, bytes, Tag{7});
    else
      co_yield recv(any_rank, bytes, any_tag);
  };
}

Steps computes(double seconds) {
  return [seconds](Rank) -> Generator<Step> { co_yield compute_for(seconds); };
}

/// A ring whose ranks compute unequally long, so that its times are not round.
Steps ring(std::uint32_t ranks, std::uint32_t rounds) {
  return [=](Rank me) -> Generator<Step> {
    const auto i = static_cast<std::uint32_t>(me);
    for (std::uint32_t k = 0; k < rounds; ++k) {
      co_yield iteration(k);
      co_yield compute_for(1e-4 * (1.0 + 0.37 * ((i + k) % 3)));
      co_yield phase("communication");
      co_yield irecv(Rank{(i + ranks - 1) % ranks}, Bytes{123457.0}, Tag{k}, RequestId{0});
      co_yield isend(Rank{(i + 1) % ranks}, Bytes{123457.0}, Tag{k}, RequestId{1});
      co_yield wait_all();
    }
  };
}

class Gigaflops final : public ComputeModel {
 public:
  std::string description() const override { return "1 Gflop/s"; }
  Seconds compute_time(const Compute& compute, Rank) const override { return Seconds{compute.flops.si() * 1e-9}; }
};

/// SimGrid advances its flows at each event, whosesoever: the last digits know of the other job.
void check_same(const std::string& engine, Seconds a, Seconds b) {
  if (engine == "flow")
    CHECK(a == b);
  else
    CHECK(a.si() == near(b.si(), 1e-12));
}

double time_of_job(const RunResult& run, std::size_t job) { return run.jobs.at(job).time().si(); }

}  // namespace

TEST_SUITE("replay/several jobs") {
  TEST_CASE("Two jobs that share nothing end to the bit as alone") {
    for (const auto& engine : engines()) {
      INFO(engine);
      const Cluster cluster = a_rank_per_node(7);
      const std::vector<TestJob> jobs{{4, ring(4, 9)}, {3, ring(3, 11)}};
      const RunResult both = play_jobs(engine, cluster, jobs);
      REQUIRE(both.jobs.size() == 2);
      for (std::size_t j = 0; j < 2; ++j) {
        const RunResult alone = play_jobs(engine, cluster, jobs, j);
        check_same(engine, both.jobs[j].time(), alone.jobs[j].time());
        CHECK(both.jobs[j].time() > Seconds{});
        CHECK(both.jobs[j].shared[1 - j] == 0);
      }
    }
  }

  TEST_CASE("A job on nodes of its own ends to the bit as a program without jobs does") {
    for (const auto& engine : engines()) {
      INFO(engine);
      Cluster cluster = a_rank_per_node(7);
      const std::vector<TestJob> jobs{{4, ring(4, 9)}, {3, ring(3, 11)}};
      const RunResult both = play_jobs(engine, cluster, jobs);
      Cluster own(7);
      own.place({4, 5, 6});
      const test::SecondsAsFlops compute;
      const FunctionProgram program("test", 3, ring(3, 11));
      const ReplayInput input{&program,    &own.platform, &own.platform.networks.front(),
                              &own.layout, &compute,      own.options};
      const RunResult alone =
          engine == "flow" ? make_flow_engine()->replay(input) : engine::from_bytes(engine::run_isolated("test", [&] {
            return engine::to_bytes(make_simgrid_engine()->replay(input));
          }));
      check_same(engine, both.jobs[1].time(), alone.makespan);
      check_same(engine, both.phase_time("job1: communication"), alone.phase_time("communication"));
    }
  }

  TEST_CASE("Equal jobs on one link take as many times as long as there are") {
    for (const auto& engine : engines())
      for (std::uint32_t n = 1; n <= 5; ++n) {
        INFO(engine, " ", n);
        Cluster cluster(2);
        std::vector<TestJob> jobs;
        for (std::uint32_t j = 0; j < n; ++j) {
          cluster.place({0, 1});
          jobs.push_back({2, sends(Bytes{1e6})});
        }
        const RunResult run = play_jobs(engine, cluster, jobs);
        for (std::uint32_t j = 0; j < n; ++j) {
          CHECK(time_of_job(run, j) == near(10e-6 + n * 1e-3));  // latency, and 1 MB at 1/n of 1 GB/s
          for (std::uint32_t other = 0; other < n; ++other) CHECK(run.jobs[j].shared[other] >= 2);  // out and in
          REQUIRE(run.jobs[j].links.empty() == false);
          if (n > 1) CHECK(run.jobs[j].links.front().bound.si() == near(n * 1e-3));
        }
      }
  }

  TEST_CASE("What a job sends and what links carry for it is what it is alone") {
    for (const auto& engine : engines()) {
      INFO(engine);
      Cluster cluster(3);
      cluster.place({0, 1, 2, 0, 1, 2, 0, 2});
      const std::vector<TestJob> jobs{{3, ring(3, 4)}, {3, ring(3, 7)}, {2, sends(Bytes{5e5})}};
      const RunResult all = play_jobs(engine, cluster, jobs);
      std::uint64_t messages = 0;
      for (std::size_t j = 0; j < jobs.size(); ++j) {
        const RunResult alone = play_jobs(engine, cluster, jobs, j);
        CHECK(all.jobs[j].sent.messages == alone.messages);
        CHECK(all.jobs[j].sent.bytes == alone.jobs[j].sent.bytes);
        CHECK(all.jobs[j].shared[j] == alone.jobs[j].shared[j]);
        messages += all.jobs[j].sent.messages;
        for (const JobLink& link : all.jobs[j].links)
          for (const ResourceRecord& record : alone.resources)
            if (record.name == link.name) CHECK(record.bytes.si() == near(link.bytes.si(), 1e-12));
      }
      CHECK(messages == all.messages);
      for (const ResourceRecord& record : all.resources) {
        Bytes sum;
        for (const JobRecord& job : all.jobs)
          for (const JobLink& link : job.links)
            if (link.name == record.name) sum += link.bytes;
        CHECK(sum.si() == near(record.bytes.si(), 1e-12));
      }
    }
  }

  TEST_CASE("A job starts when it is said to and its time counts from there") {
    for (const auto& engine : engines()) {
      INFO(engine);
      const RunResult run =
          play_jobs(engine, a_rank_per_node(4), {{2, computes(3.0)}, {2, sends(Bytes{1e6}), Seconds{1.0}}});
      CHECK(run.makespan.si() == 3.0);
      CHECK(run.jobs[1].start.si() == 1.0);
      CHECK(run.jobs[1].ends.back().si() == near(1.0 + 1.01e-3));
      CHECK(time_of_job(run, 1) == near(1.01e-3));
      const PathTotals& path = run.critical_path.jobs.at(1);
      CHECK(path.phase == "job1");
      CHECK(path.time.si() == near(1.01e-3));
      CHECK(path.of(PathKind::transfer).si() == near(1e-3));
      CHECK(path.of(PathKind::computation) == Seconds{});
    }
  }

  TEST_CASE("A barrier is of the ranks of one job") {
    const Steps waits = [](Rank me) -> Generator<Step> {
      co_yield compute_for(me == Rank{0} ? 1.0 : 2.0);
      co_yield barrier();
    };
    for (const auto& engine : engines()) {
      const RunResult run = play_jobs(engine, a_rank_per_node(4), {{2, waits}, {2, computes(5.0)}});
      CHECK(time_of_job(run, 0) == 2.0);
      CHECK(time_of_job(run, 1) == 5.0);
    }
  }

  TEST_CASE("A job that is played three times begins each time when all its ranks have ended") {
    const Steps uneven = [](Rank me) -> Generator<Step> { co_yield compute_for(me == Rank{0} ? 1.0 : 2.0); };
    for (const auto& engine : engines()) {
      const RunResult run = play_jobs(engine, a_rank_per_node(3), {{2, uneven, Seconds{0.5}, 3}, {1, computes(0.25)}});
      const std::vector<Seconds> ends{Seconds{2.5}, Seconds{4.5}, Seconds{6.5}};
      CHECK(run.jobs[0].ends == ends);
      CHECK(run.jobs[1].ends == std::vector<Seconds>{Seconds{0.25}});
      std::size_t records = 0;
      for (const PhaseRecord& record : run.phases)
        if (record.phase == "job0: program") {
          CHECK(record.iteration == records++);
          CHECK(record.time.si() == 2.0);
        }
      CHECK(records == 3);
    }
  }

  TEST_CASE("A job until others end begins no repetition after them and ends the one that it is in") {
    for (const auto& engine : engines()) {
      const RunResult run = play_jobs(engine, a_rank_per_node(3),
                                      {{1, computes(1.0)}, {1, computes(3.5)}, {1, computes(1.0), Seconds{}, 0}});
      CHECK(run.jobs[2].ends == std::vector<Seconds>{Seconds{1.0}, Seconds{2.0}, Seconds{3.0}, Seconds{4.0}});
      CHECK(run.makespan.si() == 4.0);
    }
  }

  TEST_CASE("A deadlock of one job is reported though another would repeat until it ends") {
    const Steps stuck = [](Rank) -> Generator<Step> { co_yield recv(any_rank, Bytes{1.0}, any_tag); };
    CHECK_THROWS_AS(play_jobs("flow", a_rank_per_node(4), {{2, stuck}, {2, sends(Bytes{10.0}), Seconds{}, 0}}),
                    ReplayError);
    // Nothing moves but one long message: that is no deadlock.
    const RunResult run =
        play_jobs("flow", a_rank_per_node(4), {{2, sends(Bytes{1e9})}, {2, sends(Bytes{1e6}), Seconds{}, 0}});
    CHECK(run.jobs[1].ends.size() > 900);
  }

  TEST_CASE("A job that takes no time is not repeated for ever") {
    const Steps nothing = [](Rank) -> Generator<Step> { co_return; };
    CHECK_THROWS_WITH_AS(
        play_jobs("flow", a_rank_per_node(2), {{1, computes(1.0)}, {1, nothing, Seconds{}, 0}}),
        "job 'job1': 1000 repetitions take no time, so that it would repeat for ever (t=0s). Give it work, or a "
        "number of repetitions?",
        ReplayError);
  }

  TEST_CASE("Every kernel as the second job does to the bit what it does without jobs") {
    std::size_t played = 0;
    for (const auto& [name, kernel] : kernels().entries()) {
      if (kernel.plays_trace) continue;
      INFO(name);
      Cluster cluster = a_rank_per_node(7), own(7);
      own.place({3, 4, 5, 6});
      Parameters parameters(kernel.parameters);
      for (const auto& [key, value] : kernel.small) parameters.set(key, value, "test");
      KernelInput made{parameters, 4, nullptr};
      made.layout = &own.layout;
      if (kernel.grid)
        made.partition = std::make_shared<const Partition>(
            partitioners()
                .at("even-grid", "test")
                .make(test::problem_of(kernel.grid(parameters), {1.0, 1.0, 1.0, 1.0})));
      const auto program = kernel.make(made);
      const FunctionProgram first("first", 3, ring(3, 2));
      const Gigaflops compute;
      const std::vector<JoinedPart> parts{{"ring", &first, &compute}, {"kernel", program.get(), &compute}};
      const auto joined = joined_program(parts);
      const auto model = joined_compute(parts);
      const std::vector<Job> jobs{{"ring", 3}, {"kernel", 4}};
      ReplayInput together{joined.get(),    &cluster.platform, &cluster.platform.networks.front(),
                           &cluster.layout, model.get(),       cluster.options};
      together.jobs = jobs;
      const ReplayInput alone{program.get(), &own.platform, &own.platform.networks.front(),
                              &own.layout,   &compute,      own.options};
      const RunResult both = make_flow_engine()->replay(together), single = make_flow_engine()->replay(alone);
      CHECK(both.jobs[1].time() == single.makespan);
      CHECK(both.jobs[1].sent.messages == single.messages);
      REQUIRE(both.collectives.size() == single.collectives.size());
      for (std::size_t c = 0; c < single.collectives.size(); ++c)
        CHECK(both.collectives[c].time == single.collectives[c].time);
      ++played;
    }
    CHECK(played + 1 == kernels().names().size());  // all but the one that reads a file
  }
}
