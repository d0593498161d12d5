#include "kernels/collectives/collective.hpp"

#include <doctest/doctest.h>

#include "tests/support/recorder.hpp"

using namespace orrery;
using namespace orrery::collectives;

namespace {

std::vector<Step> all_steps(Generator<Step> steps) {
  std::vector<Step> result;
  while (const Step* step = steps.next()) result.push_back(*step);
  return result;
}

/// Columns of a 3 x 4 grid in row-major order, each with an allreduce of its own, then a broadcast of the whole world.
Generator<Step> two_collectives(Rank me) {
  const std::uint32_t column = static_cast<std::uint32_t>(me) % 4;
  const Call in_column{.group = Group::strided(Rank{column}, 4, 3), .me = me, .tag = Tag{3}, .algorithm = "lr"};
  co_yield elements_of(allreduce(in_column, 300_B));
  const Call everywhere{.group = Group::world(12), .me = me, .first_request = RequestId{9}};
  co_yield elements_of(bcast(everywhere, 1_KiB, 5));
}

}  // namespace

TEST_SUITE("kernels/collectives") {
  TEST_CASE("A strided group numbers its members without storing them") {
    const Group column = Group::strided(Rank{2}, 4, 3, Communicator{7});
    CHECK(column.size() == 3);
    CHECK(column.rank(2) == Rank{10});
    CHECK(column.member(Rank{6}) == 1);
    CHECK(column.communicator() == Communicator{7});
    CHECK_FALSE(column.contains(Rank{1}));
    CHECK_FALSE(column.contains(Rank{7}));
    CHECK_FALSE(column.contains(Rank{14}));
  }

  TEST_CASE("A listed group keeps the order of its list") {
    const Group group = Group::of({Rank{9}, Rank{2}, Rank{5}});
    CHECK(group.rank(0) == Rank{9});
    CHECK(group.member(Rank{5}) == 2);
    CHECK_FALSE(group.contains(Rank{3}));
  }

  TEST_CASE("Balanced shares differ by at most one element and add up") {
    const Shares shares = Shares::balanced(4, 10);
    CHECK(shares.size(0) == 3);
    CHECK(shares.size(1) == 3);
    CHECK(shares.size(2) == 2);
    CHECK(shares.begin(3) == 8);
    CHECK(shares.total() == 10);
  }

  TEST_CASE("Collectives of a column and of the world follow each other in one program") {
    const auto run = match_messages(record(FunctionProgram("two", 12, two_collectives)), SendEnds::received);
    CHECK(run.defect == "");
    CHECK(run.messages.size() == 4 * 2 * 3 * 2 + 11);
    for (const auto& message : run.messages)
      if (message.tag == Tag{3}) {
        CHECK(index(message.from) % 4 == index(message.to) % 4);
        CHECK(message.size == 100_B);
      }
  }

  TEST_CASE("A collective of one rank takes no step") {
    const Call alone{.group = Group::of({Rank{4}}), .me = Rank{4}};
    CHECK(all_steps(barrier(alone)).empty());
    CHECK(all_steps(allreduce(alone, 1_MiB)).empty());
    CHECK(all_steps(alltoall(alone, 1_MiB)).empty());
  }

  TEST_CASE("A reduction costs one operation per element where compute steps are asked for and else nothing") {
    Call call{.group = Group::world(2), .me = Rank{0}, .algorithm = "rdb", .element = 8_B};
    CHECK(all_steps(allreduce(call, 80_B)).size() == 5);
    call.computes = true;
    const auto steps = all_steps(allreduce(call, 80_B));
    REQUIRE(steps.size() == 6);
    const auto& work = std::get<Compute>(steps[4]);
    CHECK(work.work == Work::reduction);
    CHECK(work.flops == 10_flop);
    CHECK(work.traffic == 240_B);
  }

  TEST_CASE("Requests of a collective start where the call says") {
    const Call call{.group = Group::world(3), .me = Rank{0}, .first_request = RequestId{40}, .algorithm = "flattree"};
    const auto steps = all_steps(bcast(call, 8_B));
    REQUIRE(steps.size() == 5);
    CHECK(std::get<Isend>(steps[1]).request == RequestId{41});
    CHECK(std::get<WaitAll>(steps[3]).first == RequestId{40});
  }

  TEST_CASE("A collective says between its marks what it is and which algorithm was chosen") {
    const FunctionProgram program("one", 8, [](Rank me) {
      const Call call{.group = Group::world(8), .me = me, .algorithm = "smpi-openmpi", .element = 4_B};
      return allgather(call, 40_B);
    });
    const Recording recording = record(program);
    REQUIRE(recording.collectives.size() == 8);
    for (std::uint32_t r = 0; r < 8; ++r) {
      const auto& steps = recording.steps[r];
      const CollectiveCall& marked = *std::get<CollectiveBegin>(steps.front()).call;
      CHECK(std::holds_alternative<CollectiveEnd>(steps.back()));
      CHECK(marked.operation == Operation::allgather);
      CHECK(marked.bytes == 320_B);  // all shares together
      CHECK(marked.group == Group::world(8));
      CHECK(algorithms(Operation::allgather).contains(marked.algorithm));
    }
  }

  TEST_CASE("Sizes of marked collectives are those that benchmarks print") {
    const auto bytes = [](Generator<Step> steps) { return std::get<CollectiveBegin>(*steps.next()).call->bytes; };
    const Call call{.group = Group::world(4), .me = Rank{1}, .element = 8_B};
    CHECK(bytes(barrier(call)) == 0_B);
    CHECK(bytes(bcast(call, 800_B)) == 800_B);
    CHECK(bytes(allreduce(call, 800_B)) == 800_B);
    CHECK(bytes(scatter(call, 80_B)) == 320_B);
    CHECK(bytes(alltoall(call, 80_B)) == 320_B);
    CHECK(bytes(reduce_scatter(call, Shares::of({1, 2, 3, 4}))) == 80_B);
    CHECK(bytes(alltoallv(call, PairSizes::of([](Member from, Member to) { return from + to; }))) == 80_B);
  }

  TEST_CASE("Members take their nodes from the layout unless each has one to itself") {
    Layout layout{"two to a node", {}};
    for (std::uint32_t r = 0; r < 6; ++r) layout.placements.push_back({.node = NodeId{r / 2}});
    CHECK(nodes_of(Group::world(6), nullptr).empty());
    CHECK(nodes_of(Group::world(6), &layout).count(6) == 3);
    CHECK(nodes_of(Group::strided(Rank{0}, 2, 3), &layout).empty());
    CHECK(nodes_of(Group::of({Rank{5}, Rank{0}, Rank{4}}), &layout).node(2) == 0);
  }

  TEST_CASE("A node-aware allreduce sends between nodes only among the leaders") {
    Layout layout{"four to a node", {}};
    for (std::uint32_t r = 0; r < 16; ++r) layout.placements.push_back({.node = NodeId{r / 4}});
    const auto between_nodes = [&](const Layout* known) {
      const FunctionProgram program("one", 16, [&](Rank me) {
        const Call call{
            .group = Group::world(16), .me = me, .algorithm = "two_level", .nodes = nodes_of(Group::world(16), known)};
        return allreduce(call, 1_KiB);
      });
      std::size_t count = 0;
      for (const auto& message : match_messages(record(program)).messages)
        count += layout.same_node(message.from, message.to) ? 0 : 1;
      return count;
    };
    CHECK(between_nodes(&layout) == 16);  // 2 p log2 p of four leaders
    CHECK(between_nodes(nullptr) > 16);
  }

  TEST_CASE("An unknown algorithm is refused with a suggestion") {
    CHECK_THROWS_WITH_AS(
        Choice("binomial_treee"),
        "algorithm: 'binomial_treee' is neither a selector nor a collective algorithm (see 'orrery list "
        "collectives'). Did you mean 'binomial_tree'?",
        InputError);
  }

  TEST_CASE("An algorithm of another operation is refused and those of this one are named") {
    const Call call{.group = Group::world(2), .me = Rank{0}, .algorithm = "flattree"};
    try {
      const auto steps = all_steps(alltoallv(call, PairSizes::equal(8)));
      FAIL("it was not refused");
    } catch (const InputError& refused) {
      CHECK(std::string(refused.what()).starts_with("algorithm: unknown alltoallv algorithm 'flattree' (known: "));
    }
  }

  TEST_CASE("A million ranks in a ring allreduce cost no storage by rank") {
    const Call call{.group = Group::world(1u << 20), .me = Rank{77}, .algorithm = "lr"};
    Generator<Step> steps = allreduce(call, 1_MiB);
    for (int i = 0; i < 3000; ++i) REQUIRE(steps.next() != nullptr);
  }
}
