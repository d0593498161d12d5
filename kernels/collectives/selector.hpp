/// The choice of a call's algorithm: by name, or by a selector that decides from operation, ranks and size.
#pragma once

#include <string>
#include <string_view>

#include "kernels/collectives/algorithm.hpp"
#include "sim/core/error.hpp"

namespace orrery::collectives {

struct Decision {
  Operation operation{};
  std::uint32_t ranks = 0;
  /// In the libraries' definition: the whole vector for bcast, reduce, allreduce and reduce_scatter; the block of one
  /// pair or peer for alltoall, allgather, gather and scatter; the average share for allgatherv.
  Bytes size;
  std::uint64_t elements = 0;  ///< of the same
  bool commutative = true;
  bool shared_nodes = false;            ///< the call gives the members' nodes, and some members share one
  std::uint32_t nodes = 0;              ///< number of their nodes
  const GpuParameters* gpus = nullptr;  ///< of their GPUs; null: not on GPUs, or on different ones
  std::string gpus_missing = {};        ///< why `gpus` is null; empty: not known
};

/// The refusal of something that needs GPUs.
InputError without_gpus(std::string_view name, const std::string& missing);

struct Selection {
  std::string_view algorithm;
  bool segmented = true;  ///< false: pipelines send one segment unless the call says otherwise
};

struct Selector {
  std::string name;
  std::string summary, source;
  Selection (*choose)(const Decision&) = nullptr;
};

Catalogue<Selector>& selectors();

/// The properties of a task that a selector uses.
Decision decision_of(const Task& task);

/// The name of a selector or of an algorithm. Throws InputError if no operation has it.
class Choice {
 public:
  Choice() : Choice("openmpi") {}
  Choice(std::string_view name, std::string_view where = "algorithm");  // NOLINT(google-explicit-constructor)
  Choice(const char* name) : Choice(std::string_view(name)) {}          // NOLINT(google-explicit-constructor)
  Choice(const std::string& name) : Choice(std::string_view(name)) {}   // NOLINT(google-explicit-constructor)

  /// The algorithm of a task after all substitutions; sets the task's segment if the choice implies one. Throws
  /// InputError if the operation has no algorithm of this name.
  const Algorithm& settle(Task& task) const;
  std::string_view name() const { return name_; }

 private:
  std::string_view name_;               ///< the catalogue's own text
  const Selector* selector_ = nullptr;  ///< null: an algorithm
};

}  // namespace orrery::collectives
