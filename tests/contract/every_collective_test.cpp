/// What holds for every collective algorithm of the catalogue. A new algorithm is covered without a line here.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <vector>

#include "tests/contract/collective_stage.hpp"
#include "tests/support/recorder.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::collectives;
using test::near;

namespace {

/// Tasks for one operation and number of ranks: sizes below, at and above the number of ranks, equal and not.
std::vector<Task> tasks_for(Operation operation, std::uint32_t ranks) {
  std::vector<Task> tasks;
  const auto add = [&](const Shares& shares, const PairSizes& pairs, std::uint64_t segment) {
    tasks.push_back({.operation = operation, .ranks = ranks, .shares = shares, .pairs = pairs, .segment = segment});
  };
  std::vector<std::uint64_t> uneven;
  for (Member m = 0; m < ranks; ++m) uneven.push_back((m * 5 + 3) % 4);
  switch (operation) {
    case Operation::barrier:
      add(Shares::balanced(ranks, 0), {}, 0);
      break;
    case Operation::bcast:
    case Operation::reduce:
    case Operation::allreduce:
      for (const std::uint64_t total : {0u, 1u, ranks, 2 * ranks + 5})
        for (const std::uint64_t segment : {std::uint64_t{0}, std::uint64_t{3}})
          if (total > 3 || segment == 0) add(Shares::balanced(ranks, total), {}, segment);
      break;
    case Operation::alltoall:
      add(Shares::balanced(ranks, 0), PairSizes::equal(3), 0);
      break;
    case Operation::alltoallv:
      add(Shares::balanced(ranks, 0), PairSizes::equal(2), 0);
      add(Shares::balanced(ranks, 0), PairSizes::of([](Member from, Member to) { return (from * 3 + to) % 5; }), 0);
      break;
    case Operation::scatterv:
    case Operation::gatherv:
    case Operation::allgatherv:
    case Operation::reduce_scatter:
      add(Shares::of(uneven), {}, 0);
      [[fallthrough]];
    default:
      add(Shares::equal(ranks, 2), {}, 0);
  }
  const std::size_t plain = tasks.size();
  std::vector<std::uint32_t> round_robin;
  for (Member m = 0; m < ranks; ++m) round_robin.push_back(m % 3);
  for (const Nodes& nodes : {Nodes::blocks(ranks, 4), Nodes::of(round_robin)}) {
    tasks.push_back(tasks[plain - 1]);
    tasks.back().nodes = nodes;
  }
  if (operation == Operation::alltoall || operation == Operation::alltoallv) {  // long enough for stages
    tasks.push_back(tasks[plain]);
    tasks.back().element = Bytes{4 << 20};
  }
  return tasks;
}

/// One member runs no algorithm: tests/unit/kernels/collectives/collective_test.cpp.
std::vector<std::uint32_t> rank_counts() {
  std::vector<std::uint32_t> counts;
  for (std::uint32_t p = 2; p <= 17; ++p) counts.push_back(p);
  counts.insert(counts.end(), {32, 33});
  return counts;
}

void for_each_case(const std::function<void(const Algorithm&, const Task&)>& check) {
  for (std::size_t o = 0; o < planned_operations; ++o) {
    const auto operation = static_cast<Operation>(o);
    for (const auto& [name, algorithm] : algorithms(operation).entries())
      for (const std::uint32_t ranks : rank_counts()) {
        for (Task task : tasks_for(operation, ranks))
          for (task.root = 0; task.root < (has_root(operation) ? ranks : 1); ++task.root) {
            INFO(fmt::format("{} {} on {} members, root {}, {} elements, segment {}", operation_name(operation), name,
                             ranks, task.root, task.elements(), task.segment));
            check(algorithm, task);
          }
      }
  }
}

bool combines(Operation operation) {
  return operation == Operation::reduce || operation == Operation::allreduce || operation == Operation::reduce_scatter;
}

/// The steps of all members of a task, as engines get them.
FunctionProgram program_of(const Algorithm& algorithm, const Task& task) {
  return FunctionProgram("collective", task.ranks, [&algorithm, task](Rank me) {
    Call call{.group = Group::world(task.ranks), .me = me, .algorithm = std::string_view(algorithm.name)};
    Planned planned{task, nullptr};
    planned.task.me = static_cast<Member>(me);
    planned.algorithm = &resolve(algorithm, planned.task);
    return steps_of(call, std::move(planned));
  });
}

}  // namespace

TEST_SUITE("contract/every collective") {
  TEST_CASE("Every collective algorithm says what it is and where it comes from") {
    for (std::size_t o = 0; o < planned_operations; ++o)
      for (const auto& [name, algorithm] : algorithms(static_cast<Operation>(o)).entries()) {
        INFO(operation_name(static_cast<Operation>(o)) << " " << name);
        CHECK(algorithm.summary.size() > 5);
        CHECK(algorithm.source.size() > 5);
        const bool runs = (algorithm.actions != nullptr) != (algorithm.lanes != nullptr);
        CHECK(runs);
      }
  }

  TEST_CASE("Every collective algorithm that moves data leaves every member with exactly what it should have") {
    for_each_case([](const Algorithm& algorithm, const Task& task) {
      if (!combines(task.operation)) CHECK(Stage(algorithm, task).run() == "");
    });
  }

  TEST_CASE("Every collective algorithm that combines data counts each contribution once and in order where asked") {
    for_each_case([](const Algorithm& algorithm, const Task& task) {
      if (!combines(task.operation)) return;
      CHECK(Stage(algorithm, task).run() == "");
      if (!algorithm.ordered) return;
      Task ordered = task;
      ordered.commutative = false;
      CHECK(Stage(algorithm, ordered).run() == "");
    });
  }

  TEST_CASE("Every collective algorithm sends as much in as many messages and rounds as its formula says") {
    for_each_case([](const Algorithm& algorithm, const Task& task) {
      const Algorithm& run = resolve(algorithm, task);
      if (run.cost == nullptr || (task.root > 2 && task.root + 1 < task.ranks)) return;
      Stage stage(algorithm, task);
      REQUIRE(stage.run() == "");
      const Cost expected = run.cost(task);
      const auto agrees = [](double measured, double formula) {
        return std::isnan(formula) || measured == near(formula);
      };
      CHECK(agrees(stage.measured().messages, expected.messages));
      CHECK(agrees(stage.measured().elements, expected.elements));
      CHECK(agrees(stage.measured().rounds, expected.rounds));
    });
  }

  TEST_CASE("A linear all-to-all with more members than requests still moves every block in two rounds") {
    const Task task{.operation = Operation::alltoall,
                    .ranks = 140,
                    .shares = Shares::balanced(140, 0),
                    .pairs = PairSizes::equal(1)};
    const Algorithm& limited = algorithms(Operation::alltoall).entries().at("ompi_linear_sync");
    Stage stage(limited, task);
    CHECK(stage.run() == "");
    CHECK(stage.measured().messages == near(140.0 * 139.0));
    CHECK(limited.cost(task).rounds == near(2.0));
  }

  TEST_CASE("Every collective algorithm receives what it sends and finishes without buffered sends") {
    for_each_case([](const Algorithm& algorithm, const Task& task) {
      if (task.root > 2) return;
      CHECK(match_messages(record(program_of(algorithm, task)), SendEnds::received).defect == "");
    });
  }
}
