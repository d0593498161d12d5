/// The collective operations, and one call of an operation as the marks around its steps describe it.
///
/// `bytes` is the size that the OSU and NCCL benchmarks would print, the same at every member except in an alltoallv:
///
///   bcast, reduce, allreduce                      the vector
///   scatter, gather, allgather, reduce_scatter    all shares together, likewise in their uneven forms
///   alltoall, alltoallv                           what one member has for all members, itself included
///   barrier                                       0
///
/// Source   MPI 4.0, chapter 6; sizes: NVIDIA nccl-tests, doc/PERFORMANCE.md
/// Checked  tests/unit/kernels/collectives/collective_test.cpp, tests/contract/every_kernel_test.cpp
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/core/group.hpp"
#include "sim/core/units.hpp"

namespace orrery {

enum class Operation : std::uint8_t {
  barrier,
  bcast,
  reduce,
  allreduce,
  scatter,
  scatterv,
  gather,
  gatherv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  reduce_scatter,
  scan,
  exscan
};
inline constexpr std::array operation_names = {"barrier",  "bcast",     "reduce",         "allreduce", "scatter",
                                               "scatterv", "gather",    "gatherv",        "allgather", "allgatherv",
                                               "alltoall", "alltoallv", "reduce_scatter", "scan",      "exscan"};
inline constexpr std::size_t operations = operation_names.size();
inline const char* operation_name(Operation operation) { return operation_names[static_cast<std::size_t>(operation)]; }
inline std::optional<Operation> find_operation(std::string_view name) {
  for (std::size_t i = 0; i < operations; ++i)
    if (name == operation_names[i]) return static_cast<Operation>(i);
  return std::nullopt;
}
inline bool has_root(Operation operation) {
  return operation == Operation::bcast || operation == Operation::reduce ||
         (operation >= Operation::scatter && operation <= Operation::gatherv);
}
/// Whether each member has a share of the vector in the interface of the library (MPI, NCCL).
inline bool in_shares(Operation operation) {
  return operation >= Operation::scatter && operation <= Operation::reduce_scatter;
}
inline bool reduces(Operation operation) {
  return operation == Operation::reduce || operation == Operation::allreduce || operation >= Operation::reduce_scatter;
}

struct CollectiveCall {
  Operation operation{};
  Member root = 0;             ///< of the group; 0 where there is none
  const char* algorithm = "";  ///< that the steps follow; storage outlives the program
  Bytes bytes;
  Group group;
  const char* name = "";  ///< the kernel's name for it: "tensor", "gradients"; storage outlives the program

  bool operator==(const CollectiveCall&) const = default;
};

}  // namespace orrery
