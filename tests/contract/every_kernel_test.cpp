/// What holds for every kernel of the catalogue. A new kernel is covered without a line here.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "kernels/kernel.hpp"
#include "models/partition/partitioner.hpp"
#include "sim/core/error.hpp"
#include "tests/support/example_trace.hpp"
#include "tests/support/partition_problem.hpp"
#include "tests/support/recorder.hpp"
#include "tests/support/same_step.hpp"

using namespace orrery;

namespace {

/// A kernel made with small parameters for some number of ranks, and how it was made.
struct Case {
  std::string description;
  std::unique_ptr<Program> program;
  std::string refusal;  ///< why it was not made, instead
};

/// What the entry says of a small instance, defaults otherwise, so that a recording stays small.
Parameters small_parameters(const KernelEntry& entry) {
  Parameters parameters(entry.parameters);
  for (const auto& [name, value] : entry.small) parameters.set(name, value, "test");
  return parameters;
}

/// Every parameter setting that differs from the small defaults in one word or truth value.
std::vector<Parameters> settings(const KernelEntry& entry) {
  std::vector<Parameters> result{small_parameters(entry)};
  for (const auto& parameter : entry.parameters) {
    std::vector<std::string> words = parameter.choices;
    if (parameter.kind == KeyKind::boolean) words = {"true", "false"};
    for (const auto& word : words) {
      result.push_back(small_parameters(entry));
      result.back().set(parameter.name, word, "test");
    }
  }
  return result;
}

std::vector<double> uneven_speeds(std::uint32_t ranks) {
  std::vector<double> speeds;
  for (std::uint32_t r = 0; r < ranks; ++r) speeds.push_back(1.0 + (r * 7) % 5 + (r % 3 == 1 ? 10.0 : 0.0));
  return speeds;
}

std::string text_of(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters.rendered()) text += " " + name + "=" + value;
  return text;
}

/// Without what looks at every size: its slices are like others', and grids here have up to 10^8 rows.
std::vector<std::string> partitioner_names() {
  auto names = partitioners().names();
  std::erase_if(names, [](const std::string& name) {
    return partitioners().at(name, "test").asks == PartitionerEntry::Asks::speed_of_each_size;
  });
  return names;
}

Case make_case(const KernelEntry& entry, const Parameters& parameters, std::uint32_t ranks,
               const std::string& partitioner, const Layout* layout = nullptr) {
  KernelInput input{parameters, ranks, nullptr, {}, layout};
  if (entry.plays_trace) input.trace = test::example_trace(ranks);
  if (entry.grid) {
    const GridSize grid = entry.grid(parameters);
    const auto speeds = uneven_speeds(ranks);
    input.partition =
        std::make_shared<Partition>(partitioners().at(partitioner, "test").make(test::problem_of(grid, speeds)));
  }
  Case made{fmt::format("{} on {} ranks {}{}", entry.name, ranks, partitioner, text_of(parameters)), nullptr, {}};
  try {
    made.program = entry.make(input);
  } catch (const Error& refused) {
    made.refusal = refused.what();
  }
  return made;
}

void for_each_case(const std::vector<std::uint32_t>& rank_counts, const std::function<void(Case&)>& check) {
  for (const auto& [name, entry] : kernels().entries())
    for (const auto& parameters : settings(entry))
      for (const std::uint32_t ranks : rank_counts)
        for (const auto& partitioner : entry.grid ? partitioner_names() : std::vector<std::string>{"-"}) {
          Case made = make_case(entry, parameters, ranks, partitioner);
          INFO(made.description);
          check(made);
        }
}

const std::vector<std::uint32_t> many{1, 2, 3, 4, 5, 6, 8, 13};

/// What is wrong with the collective marks of a program; empty: nothing.
std::string defect_of_marks(const Recording& recording) {
  std::map<std::uint64_t, std::vector<CollectiveCall>> calls;  // of each group, as its first rank makes them
  for (std::uint32_t r = 0; r < recording.ranks(); ++r) {
    std::map<std::uint64_t, std::size_t> times;
    bool inside = false;
    for (const Step& step : recording.steps[r]) {
      if (std::holds_alternative<CollectiveEnd>(step) && !std::exchange(inside, false))
        return fmt::format("rank {} ends a collective that has not begun", r);
      const auto* mark = std::get_if<CollectiveBegin>(&step);
      if (mark == nullptr) continue;
      const CollectiveCall& call = *mark->call;
      if (std::exchange(inside, true)) return fmt::format("rank {} begins a collective inside another", r);
      if (!call.group.contains(Rank{r})) return fmt::format("rank {} begins a collective of others", r);
      if (call.root >= call.group.size() || std::string(call.algorithm).empty() || call.bytes < Bytes{})
        return fmt::format("rank {} begins a collective of no root or algorithm", r);
      auto& known = calls[call.group.fingerprint()];
      const std::size_t n = times[call.group.fingerprint()]++;
      if (n == known.size() && call.group.rank(0) >= Rank{r}) known.push_back(call);
      if (n >= known.size()) return fmt::format("rank {} begins a collective that others of its group do not", r);
      if (known[n].operation != call.operation || known[n].root != call.root ||
          std::string(known[n].algorithm) != call.algorithm ||
          (known[n].bytes != call.bytes && call.operation != Operation::alltoallv))
        return fmt::format("rank {} begins another collective than the others of its group", r);
    }
    if (inside) return fmt::format("rank {} does not end its last collective", r);
  }
  return "";
}

}  // namespace

TEST_SUITE("contract/every kernel") {
  TEST_CASE("Every kernel has the name of its file and says what it is and where it comes from") {
    REQUIRE(kernels().names().size() >= 3);
    for (const auto& [name, entry] : kernels().entries()) {
      INFO(name);
      const std::string file =
          fmt::format("{}/kernels/{}", ORRERY_SOURCE_DIR, name);  // one that has parts has a folder
      CHECK((std::filesystem::exists(file + ".cpp") || std::filesystem::exists(file + "/" + name + ".cpp")));
      CHECK_FALSE(entry.summary.empty());
      CHECK_FALSE(entry.source.empty());
      CHECK(entry.page.size() > 100);
      for (const auto& parameter : entry.parameters) CHECK_FALSE(parameter.about.empty());
    }
  }

  TEST_CASE("Every kernel terminates or refuses with a reason on one rank") {
    for_each_case({1}, [](Case& made) {
      if (made.program == nullptr) {
        CHECK(made.refusal.size() > 20);
        return;
      }
      CHECK(match_messages(record(*made.program)).defect == "");
    });
  }

  TEST_CASE("Every kernel receives each message it sends exactly once") {
    std::size_t played = 0;
    for_each_case(many, [&](Case& made) {
      if (made.program == nullptr) return;
      ++played;
      CHECK(match_messages(record(*made.program), SendEnds::posted).defect == "");
    });
    CHECK(played > kernels().names().size() * many.size() / 2);
  }

  TEST_CASE("Every kernel finishes without relying on buffered sends") {
    for_each_case(many, [](Case& made) {
      if (made.program != nullptr) CHECK(match_messages(record(*made.program), SendEnds::received).defect == "");
    });
  }

  TEST_CASE("Every kernel runs on some number of ranks of the list") {
    for (const auto& [name, entry] : kernels().entries()) {
      INFO(name);
      std::size_t made = 0;
      for (const std::uint32_t ranks : many)
        made += make_case(entry, small_parameters(entry), ranks, "even-grid").program != nullptr;
      CHECK(made > 0);
    }
  }

  TEST_CASE("Two steps are the same only when everything they say is") {
    bool first = false, second = false;
    const CollectiveCall broadcast{Operation::bcast, 0, "binomial_tree", 8_B, Group::world(4)};
    const CollectiveCall longer_broadcast{Operation::bcast, 0, "binomial_tree", 9_B, Group::world(4)};
    const std::vector<Step> different{
        compute(Work::dgemm, 2_flop, {1, 2, 3}),
        compute(Work::dgemm, 2_flop, {1, 2, 4}),
        compute(Work::dgemm, 2_flop, {1, 2, 3}, 8_B),
        ComputeUntil{{Work::dgemm, 2_flop}, 4, RequestId{1}},
        ComputeUntil{{Work::dgemm, 2_flop}, 5, RequestId{1}},
        send(Rank{1}, 8_B, Tag{2}),
        send(Rank{1}, 8_B, Tag{2}, Communicator{1}),
        Send{Rank{1}, 8_B, Tag{2}, world, 2},
        isend(Rank{1}, 8_B, Tag{2}, RequestId{0}),
        isend(Rank{1}, 8_B, Tag{3}, RequestId{0}),
        irecv(Rank{1}, 8_B, Tag{2}, RequestId{0}),
        irecv(Rank{1}, 9_B, Tag{2}, RequestId{0}),
        recv(Rank{1}, 8_B, Tag{2}),
        recv(any_rank, 8_B, Tag{2}),
        wait(RequestId{1}),
        wait(RequestId{2}),
        wait_all(),
        wait_all(RequestId{0}, 2),
        probe(Rank{1}, Tag{2}, first),
        probe(Rank{2}, Tag{2}, first),
        barrier(),
        phase("compute"),
        phase("update"),
        iteration(1),
        iteration(2),
        stage("row", Composition::set),
        stage("row", Composition::sequence),
        collective_begin(broadcast),
        collective_begin(longer_broadcast),
        collective_end(),
    };
    for (std::size_t i = 0; i < different.size(); ++i)
      for (std::size_t j = 0; j < different.size(); ++j) CHECK(test::same_step(different[i], different[j]) == (i == j));
    CHECK(test::same_step(probe(Rank{1}, Tag{2}, first), probe(Rank{1}, Tag{2}, second)));
  }

  TEST_CASE("Every kernel yields the same steps each time it is asked") {
    for_each_case({4, 5}, [](Case& made) {
      if (made.program == nullptr) return;
      const Recording first = record(*made.program), second = record(*made.program);
      for (std::uint32_t r = 0; r < first.ranks(); ++r) {
        REQUIRE(first.steps[r].size() == second.steps[r].size());
        for (std::size_t i = 0; i < first.steps[r].size(); ++i)
          REQUIRE(test::same_step(first.steps[r][i], second.steps[r][i]));
      }
    });
  }

  TEST_CASE("Every kernel names the kinds of work that its compute steps do and no other") {
    for (const auto& [name, entry] : kernels().entries()) {
      INFO(name);
      std::set<Work> done;
      for (const auto& parameters : settings(entry)) {
        const Case made = make_case(entry, parameters, 4, "even-grid");
        if (made.program == nullptr) continue;
        for (const auto& steps : record(*made.program).steps)
          for (const Step& step : steps) {
            const auto* until = std::get_if<ComputeUntil>(&step);
            const auto* work = until != nullptr ? &until->compute : std::get_if<Compute>(&step);
            if (work != nullptr && work->work != Work::elapsed) done.insert(work->work);
          }
      }
      if (done.empty()) continue;  // computes nothing
      std::string named, met;
      for (const Work work : std::set<Work>(entry.works.begin(), entry.works.end()))
        named += std::string(" ") + work_name(work);
      for (const Work work : done) met += std::string(" ") + work_name(work);
      CHECK(named == met);
    }
  }

  TEST_CASE("Every kernel begins and ends its collectives in the same order at all members") {
    std::size_t with_collectives = 0;
    for_each_case({1, 2, 4, 6, 13}, [&](Case& made) {
      if (made.program == nullptr) return;
      const Recording recording = record(*made.program);
      with_collectives += recording.collectives.empty() ? 0 : 1;
      CHECK(defect_of_marks(recording) == "");
    });
    CHECK(with_collectives > 100);
  }

  TEST_CASE("Every kernel with a layout plays what it was made from though the layout is gone") {
    std::size_t played = 0;
    for (const auto& [name, entry] : kernels().entries())
      for (const auto& parameters : settings(entry)) {
        auto layout = std::make_unique<Layout>(Layout{"two to a node", {}});
        for (std::uint32_t r = 0; r < 4; ++r) layout->placements.push_back({.node = NodeId{r / 2}});
        const Case made = make_case(entry, parameters, 4, "even-grid", layout.get());
        INFO(made.description);
        if (made.program == nullptr) continue;
        const Recording before = record(*made.program);
        for (auto& place : layout->placements) place.node = NodeId{7};
        layout.reset();
        const Recording after = record(*made.program);
        CHECK(match_messages(after).defect == "");
        for (std::uint32_t r = 0; r < 4; ++r) REQUIRE(std::ranges::equal(before.steps[r], after.steps[r], test::same_step));
        ++played;
      }
    CHECK(played > 2 * kernels().names().size());
  }

  TEST_CASE("Every kernel says how much memory its ranks hold but those that have no data of their own") {
    const std::set<std::string> without{"barrier",  "barrier-stage", "h-relation", "overhead",
                                        "pingpong", "ring",          "trace"};
    for (const auto& [name, entry] : kernels().entries()) {
      INFO(name);
      const Case made = make_case(entry, small_parameters(entry), 4, "even-grid");
      if (made.program == nullptr) continue;
      Bytes held;
      for (std::uint32_t r = 0; r < 4; ++r) held += made.program->memory(Rank{r});
      CHECK((held > Bytes(0.0)) == !without.contains(name));
      CHECK(held < Bytes(2e9));
    }
  }

  TEST_CASE("Every kernel marks the phase whose time models predict") {
    for (const auto& [name, entry] : kernels().entries()) {
      INFO(name);
      const Case made = make_case(entry, small_parameters(entry), 4, "even-grid");
      if (made.program == nullptr) continue;
      for (const auto& steps : record(*made.program).steps) {
        std::size_t marks = 0;
        for (const Step& step : steps)
          if (const auto* mark = std::get_if<PhaseMark>(&step)) marks += entry.communication_phase == mark->name;
        CHECK(marks > 0);
      }
    }
  }

  TEST_CASE("Every kernel with a grid says the step of a share as its program has it") {
    for (const auto& [name, entry] : kernels().entries()) {
      INFO(name);
      CHECK(bool(entry.share) == bool(entry.grid));
      CHECK(bool(entry.measured_shares) == bool(entry.grid));
      if (!entry.grid) continue;
      const Parameters parameters = small_parameters(entry);
      const GridSize grid = entry.grid(parameters);
      Case alone = make_case(entry, parameters, 1, "rows");
      REQUIRE(alone.program != nullptr);
      std::vector<Compute> steps;
      auto all = alone.program->steps(Rank{0});
      while (const Step* step = all.next())
        if (const auto* compute = std::get_if<Compute>(step)) steps.push_back(*compute);
      const Compute whole = entry.share(parameters, {double{1} * grid.columns, double{1} * grid.rows});
      CHECK(whole.work == entry.works.front());
      CHECK(std::ranges::count(steps, whole) > 0);
      const auto shares = entry.measured_shares(parameters);
      REQUIRE_FALSE(shares.empty());
      double before = 0.0;
      for (const ShareSize& share : shares) {
        CHECK(share.blocks() > before);
        CHECK(share.columns <= grid.columns);
        CHECK(share.rows <= grid.rows);
        CHECK(entry.share(parameters, share).flops >= entry.share(parameters, shares.front()).flops);
        before = share.blocks();
      }
    }
  }
}
