/// Open MPI's fixed decision rules: the algorithm by number of ranks and of bytes.
///
/// Reading a rule: {16, false, "3 |8K| 6"} - from 16 ranks on (up to the next rule), algorithm 3 below 8 KiB and 6 from
/// 8 KiB up; `true` marks rules for reductions that do not commute.
///
/// Source   Open MPI 4.1 and 5.0, coll_tuned_decision_fixed.c, as evaluated from SimGrid's selector of 2022
/// Checked  tests/unit/kernels/collectives/selector_test.cpp
#include <algorithm>
#include <cassert>
#include <charconv>
#include <map>
#include <span>

#include "kernels/collectives/selector.hpp"

namespace orrery::collectives::openmpi_collective {

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
const Rule reduce_rules[] = {
    {2, false, "7 |8| 4 |16| 3 |32| 1 |256K| 3 |512K| 2 |1M| 3"},
    {4, false, "4 |4K| 2 |64K| 5 |256K| 1 |512K| 5 |1M| 1"},
    {8, false, "4 |8K| 5"},
    {16, false, "4 |4K| 5"},
    {32, false, "5"},
    {256, false, "5 |8K| 6 |16K| 5"},
    {512, false, "5"},
    {2048, false, "5 |512| 6 |1K| 5 |8K| 6 |16K| 5"},
    {4096, false, "5 |16| 6 |32| 5 |1K| 6 |2K| 5 |8K| 6 |16K| 5"},
    {2, true, "6 |8| 1"},
    {4, true, "1"},
    {8, true, "6 |1K| 1 |8K| 6 |16K| 1 |256K| 6"},
    {16, true, "6"},
    {128, true, "6 |512| 1 |1K| 6"},
    {256, true, "6"},
};
const Rule reduce_scatter_rules[] = {
    {2, false, "3 |64K| 4 |128K| 3"},
    {4, false, "1 |8| 2 |256K| 3"},
    {8, false, "2 |256K| 3"},
    {32, false, "1 |64| 2 |2K| 4 |512K| 3"},
    {64, false, "1 |256| 2 |512| 4 |2K| 2 |4K| 4"},
    {128, false, "1 |256| 2 |512| 4"},
    {256, false, "1 |256| 2 |1K| 4"},
    {512, false, "1 |512| 2 |2K| 4 |8K| 2 |16K| 4"},
    {1024, false, "1 |512| 2 |4K| 4 |16K| 2 |32K| 4"},
    {2048, false, "1 |512| 2 |4K| 4"},
    {4096, false, "1 |1K| 2 |8K| 4"},
    {2, true, "1"},
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
const Rule allgatherv_rules[] = {
    {2, false, "3 |2K| 5 |4K| 3 |8K| 5"},
    {3, false, "1 |256| 4 |4K| 3 |8K| 4 |16K| 2 |256K| 4"},
    {8, false, "1 |1K| 2"},
    {16, false, "1 |128| 2 |256K| 3"},
    {32, false, "1 |256| 2 |8K| 3"},
    {64, false, "1 |256| 2 |4K| 3"},
    {128, false, "2 |1K| 4 |64K| 3"},
    {256, false, "2 |1K| 3"},
    {512, false, "2 |512| 1 |1K| 2 |4K| 4 |1M| 3"},
    {1024, false, "2 |4K| 4"},
};
const Rule gather_rules[] = {
    {2, false, "3 |2| 1 |4| 2 |32K| 1 |64K| 2 |128K| 3"},
    {4, false, "2 |1K| 1 |8K| 2 |32K| 1 |256K| 3"},
    {8, false, "2"},
    {256, false, "2 |2K| 1 |8K| 2"},
    {512, false, "2"},
};
const Rule scatter_rules[] = {
    {2, false, "3 |2| 1 |128K| 3 |256K| 1"},
    {4, false, "2 |2K| 1 |4K| 2 |8K| 1 |32K| 3 |1M| 1"},
    {8, false, "2 |16K| 3 |1M| 1"},
    {16, false, "2 |16K| 1 |32K| 3"},
    {32, false, "2 |512| 3 |8K| 2 |16K| 3"},
    {64, false, "2 |512| 3"},
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

/// The rules of an operation and its algorithms by Open MPI's numbers, which start at 1: as Open MPI has them, and what
/// SMPI's selector of this name runs instead.
struct Table {
  std::span<const Rule> rules;
  std::vector<std::string_view> openmpi, smpi;
};

const Table& table_of(Operation operation) {
  static const std::map<Operation, Table> tables{
      {Operation::barrier,
       {barrier_rules,
        {"ompi_basic_linear", "ompi_doublering", "ompi_recursivedoubling", "ompi_bruck", "ompi_two_procs", "ompi_tree"},
        {"ompi_basic_linear", "ompi_basic_linear", "ompi_recursivedoubling", "ompi_bruck", "ompi_two_procs",
         "ompi_tree"}}},
      {Operation::bcast,
       {bcast_rules,
        {"flattree", "ompi_pipeline", "ompi_pipeline", "ompi_split_bintree", "ompi_binary", "ompi_binomial",
         "ompi_knomial", "scatter_rdb_allgather", "scatter_LR_allgather"},
        {"NTSL", "ompi_pipeline", "ompi_pipeline", "ompi_split_bintree", "NTSB", "binomial_tree",
         "mvapich2_knomial_intra_node", "scatter_rdb_allgather", "scatter_LR_allgather"}}},
      {Operation::reduce,
       {reduce_rules,
        {"ompi_basic_linear", "ompi_pipeline", "ompi_pipeline", "ompi_binary", "ompi_binomial", "ompi_in_order_binary",
         "ompi_redscat_gather"},
        {"ompi_basic_linear", "ompi_chain", "ompi_pipeline", "ompi_binary", "ompi_binomial", "ompi_in_order_binary",
         "ompi_basic_linear"}}},
      {Operation::allreduce,
       {allreduce_rules,
        {"ompi_basic_linear", "redbcast", "rdb", "lr", "ompi_ring_segmented", "ompi_redscat_allgather"},
        {"redbcast", "redbcast", "rdb", "lr", "ompi_ring_segmented", "rab_rdb"}}},
      {Operation::reduce_scatter,
       {reduce_scatter_rules,
        {"default", "ompi_basic_recursivehalving", "ompi_ring", "ompi_butterfly"},
        {"default", "ompi_basic_recursivehalving", "ompi_ring", "ompi_butterfly"}}},
      {Operation::allgather,
       {allgather_rules,
        {"GB", "ompi_bruck", "rdb", "NTSLR", "ompi_neighborexchange", "pair"},
        {"NTSLR_NB", "bruck", "rdb", "ring", "ompi_neighborexchange", "pair"}}},
      {Operation::allgatherv,
       {allgatherv_rules,
        {"GB", "ompi_bruck", "NTSLR", "ompi_neighborexchange", "pair"},
        {"GB", "ompi_bruck", "mpich_ring", "ompi_neighborexchange", "pair"}}},
      {Operation::gather,
       {gather_rules,
        {"ompi_basic_linear", "ompi_binomial", "ompi_linear_sync"},
        {"ompi_basic_linear", "ompi_binomial", "ompi_linear_sync"}}},
      {Operation::scatter,
       {scatter_rules,
        {"ompi_basic_linear", "ompi_binomial", "ompi_linear_nb"},
        {"ompi_basic_linear", "ompi_binomial", "ompi_linear_nb"}}},
      {Operation::alltoall,
       {alltoall_rules,
        {"basic_linear", "ring", "bruck", "basic_linear", "pair"},
        {"basic_linear", "pair", "bruck", "basic_linear", "basic_linear"}}},
      {Operation::alltoallv, {alltoallv_rules, {"ompi_basic_linear", "ring"}, {"ompi_basic_linear", "pair"}}},
      {Operation::gatherv, {{}, {"ompi_basic_linear"}, {"default"}}},
      {Operation::scatterv, {{}, {"ompi_basic_linear"}, {"default"}}},
  };
  return tables.at(operation);
}

/// Open MPI's number of the algorithm, from 0.
std::size_t number_of(const Table& table, const Decision& decision) {
  const bool has_ordered = std::any_of(table.rules.begin(), table.rules.end(), [](const Rule& r) { return r.ordered; });
  const bool ordered = has_ordered && !decision.commutative;
  const Rule* chosen = nullptr;
  for (const Rule& rule : table.rules)
    if (rule.ordered == ordered && (chosen == nullptr || rule.ranks <= decision.ranks)) chosen = &rule;
  return chosen == nullptr ? 0 : choice_at(chosen->choices, decision.size) - 1;
}

/// Open MPI passes no segment size, so that its pipelines send one segment and its segmented ring is the plain one. Its
/// recursive doubling gives way to Bruck where p is not a power of two, its neighbour exchange to the ring where p is
/// odd.
Selection choose_openmpi(const Decision& decision) {
  const Table& table = table_of(decision.operation);
  const std::string_view name = table.openmpi[number_of(table, decision)];
  if (decision.operation == Operation::allgather && name == "rdb" && !power_of_two(decision.ranks))
    return {"ompi_bruck", false};
  if (name == "ompi_neighborexchange" && decision.ranks % 2 == 1) return {"NTSLR", false};
  return {name, false};
}

/// SMPI's rings hand fewer elements than ranks to a reduce and a bcast.
Selection choose_smpi(const Decision& decision) {
  const Table& table = table_of(decision.operation);
  const std::string_view name = table.smpi[number_of(table, decision)];
  const bool ring = name == "lr" || name == "ompi_ring_segmented";
  if (decision.operation == Operation::allreduce && ring && decision.elements < decision.ranks)
    return {"redbcast", true};
  return {name, true};
}

const bool entered = selectors().add({.name = "openmpi",
                                      .summary = "Open MPI 4.1 and 5.0, component tuned alone: not han, hcoll or UCC",
                                      .source = "Open MPI, coll_tuned_decision_fixed.c",
                                      .choose = choose_openmpi});
const bool entered_smpi =
    selectors().add({.name = "smpi-openmpi",
                     .summary = "the same tables with the substitutes and segments of SMPI's selector 'ompi'",
                     .source = "SimGrid, smpi_openmpi_selector.cpp",
                     .choose = choose_smpi});

}  // namespace

}  // namespace orrery::collectives::openmpi_collective
