/// Open MPI's fixed decision rules: which algorithm for how many ranks and how many bytes.
///
/// Reading a rule: {16, false, "3 |8K| 6"} - from 16 ranks on (up to the next rule), algorithm 3 below 8 KiB and 6 from
/// 8 KiB up; `true` marks rules for reductions that do not commute.
///
/// Source   Open MPI 4.1 and 5.0, coll_tuned_decision_fixed.c, as evaluated from SimGrid's selector of 2022
/// Checked  tests/unit/kernels/collectives/selector_test.cpp
#include <algorithm>
#include <cassert>
#include <charconv>
#include <limits>
#include <span>

#include "kernels/collectives/selector.hpp"

namespace orrery::collectives {

namespace {

struct Rule {
  std::uint32_t ranks;
  bool ordered;
  std::string_view choices;
};

// clang-format off
const Rule allreduce_rules[] = {
    {2, false, "4 |8| 3 |4K| 4 |8K| 3 |16K| 4 |64K| 5 |256K| 6"},
    {4, false, "4 |16| 3 |8K| 6"},
    {8, false, "3 |8K| 6"},
    {16, false, "5 |64| 3 |4K| 6"},
    {32, false, "5 |128| 6"},
    {64, false, "3 |256K| 6"},
    {128, false, "2 |128K| 3 |256K| 6"},
    {256, false, "2 |4K| 6"},
    {512, false, "2 |2K| 3 |16K| 6"},
    {2048, false, "2 |2K| 5 |4K| 3 |16K| 6"},
    {4096, false, "2 |2K| 5 |16K| 3 |32K| 6"},
    {2, true, "3 |128K| 1"},
    {4, true, "3"},
    {8, true, "3 |1M| 2"},
    {16, true, "3"},
    {128, true, "2 |128K| 3 |512K| 2"},
    {256, true, "2 |4K| 3 |512K| 2"},
    {512, true, "2 |2K| 3"},
};
const Rule alltoall_rules[] = {
    {2, false, "2 |2| 5 |4| 2 |16| 5 |64| 2 |256| 5 |4K| 2 |32K| 4 |256K| 5 |1M| 2"},
    {3, false, "4 |8K| 1 |16K| 4 |64K| 1 |512K| 2 |1M| 1"},
    {8, false, "4 |256K| 1"},
    {16, false, "4 |4| 3 |512| 4 |8K| 1 |32K| 4 |256K| 1 |512K| 4"},
    {32, false, "3 |512| 1 |512K| 4"},
    {64, false, "3 |1K| 1 |2K| 4 |4K| 1 |256K| 2"},
    {128, false, "3 |1K| 4 |2K| 1 |256K| 2"},
    {256, false, "3 |1K| 4 |8K| 1 |32K| 2"},
    {512, false, "3 |512| 4 |8K| 1 |16K| 4 |128K| 1 |256K| 2"},
    {1024, false, "3 |512| 4 |1K| 1 |2K| 4 |16K| 1 |256K| 4"},
    {2048, false, "3 |1K| 4 |4K| 1 |8K| 4 |128K| 1"},
    {4096, false, "3 |2K| 4 |8K| 1 |16K| 4 |32K| 1 |64K| 4"},
};
const Rule alltoallv_rules[] = {
    {2, false, "2"},
    {4, false, "1"},
    {64, false, "2"},
    {128, false, "1"},
    {256, false, "2"},
    {1024, false, "1"},
};
const Rule barrier_rules[] = {
    {2, false, "3"},
    {4, false, "1"},
    {8, false, "3"},
    {64, false, "4"},
    {256, false, "6"},
    {512, false, "4"},
    {1024, false, "6"},
    {4096, false, "4"},
};
const Rule bcast_rules[] = {
    {2, false, "3 |32| 5 |256| 3 |512| 7 |1K| 1 |32K| 5 |128K| 2 |256K| 1 |512K| 6 |1M| 5"},
    {4, false, "5 |64| 6 |128| 5 |2K| 6 |8K| 1 |1M| 2"},
    {8, false, "7 |8| 5 |64| 7 |4K| 5 |16K| 6 |32K| 1"},
    {16, false, "7 |4K| 6 |1M| 8"},
    {32, false, "6 |2K| 7"},
    {64, false, "7"},
    {128, false, "6 |2| 5 |16K| 1 |32K| 5 |64K| 7"},
    {256, false, "7 |16K| 4 |32K| 7"},
    {1024, false, "7 |512K| 8"},
    {2048, false, "7 |256K| 8"},
    {4096, false, "7 |8K| 5 |16K| 7 |256K| 8"},
};
const Rule allgather_rules[] = {
    {2, false, "6"},
    {3, false, "3"},
    {32, false, "3 |1K| 5 |64K| 4"},
    {64, false, "3 |512| 5 |64K| 4"},
    {128, false, "3 |512| 5 |128K| 4 |512K| 5 |1M| 4"},
    {256, false, "3 |32| 2 |128| 3 |1K| 5 |128K| 4 |512K| 5 |1M| 4"},
    {512, false, "3 |64| 2 |256| 3 |2K| 5"},
    {1024, false, "3 |4| 2 |8| 3 |16| 2 |32| 3 |256| 2 |512| 3 |4K| 5"},
    {2048, false, "2 |32| 3 |128| 2 |512| 3 |4K| 5"},
    {4096, false, "3 |2| 2 |8| 3 |16| 2 |512| 3 |4K| 5"},
};
// clang-format on

std::uint64_t number(std::string_view& text) {
  std::uint64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
  return value;
}

std::uint64_t threshold(std::string_view& text) {
  std::uint64_t value = number(text);
  if (!text.empty() && (text.front() == 'K' || text.front() == 'M')) {
    value *= text.front() == 'K' ? 1024 : 1024 * 1024;
    text.remove_prefix(1);
  }
  return value;
}

/// "4 |8| 3 |4K| 6" at a size: the last algorithm whose threshold the size has reached.
std::size_t choice_at(std::string_view choices, Bytes size) {
  std::size_t chosen = number(choices);
  while (choices.starts_with(" |")) {
    choices.remove_prefix(2);
    const auto from = static_cast<double>(threshold(choices));
    choices.remove_prefix(2);  // "| "
    const std::size_t next = number(choices);
    if (size.si() >= from) chosen = next;
  }
  return chosen;
}

/// The rules of an operation and its algorithms by Open MPI's numbers, which start at 1.
struct Table {
  std::span<const Rule> rules;
  std::vector<std::string_view> names;
};

std::string_view choose_from(const Table& table, const Decision& decision) {
  const Rule* chosen = nullptr;
  const bool has_ordered = std::any_of(table.rules.begin(), table.rules.end(), [](const Rule& r) { return r.ordered; });
  const bool ordered = has_ordered && !decision.commutative;
  for (const Rule& rule : table.rules)
    if (rule.ordered == ordered && (chosen == nullptr || rule.ranks <= decision.ranks)) chosen = &rule;
  return table.names[choice_at(chosen->choices, decision.size) - 1];
}

Table table_of(Operation operation) {
  switch (operation) {
    case Operation::barrier:
      return {
          barrier_rules,
          {"ompi_recursivedoubling", "ompi_bruck", "ompi_recursivedoubling", "ompi_bruck", "ompi_bruck", "ompi_bruck"}};
    case Operation::bcast:
      return {bcast_rules,
              {"flattree", "binomial_tree", "binomial_tree", "binomial_tree", "binomial_tree", "binomial_tree",
               "binomial_tree", "binomial_tree", "binomial_tree"}};
    case Operation::allreduce:
      return {allreduce_rules, {"rdb", "rdb", "rdb", "lr", "lr", "lr"}};
    case Operation::alltoall:
      return {alltoall_rules, {"basic_linear", "ring", "ring", "basic_linear", "basic_linear"}};
    case Operation::alltoallv:
      return {alltoallv_rules, {"ompi_basic_linear", "ring"}};
    default:
      return {allgather_rules, {"ring", "NTSLR", "NTSLR", "NTSLR", "NTSLR", "ring"}};
  }
}

std::string_view choose(const Decision& decision) { return choose_from(table_of(decision.operation), decision); }

const bool entered = selectors().add({.name = "openmpi",
                                      .summary = "decision tables of Open MPI 4.1 and 5.0",
                                      .source = "Open MPI, coll_tuned_decision_fixed.c",
                                      .choose = choose});

}  // namespace

}  // namespace orrery::collectives
