/// How the algorithm of a call is chosen: by name, or by a selector that decides from operation, ranks and size.
#pragma once

#include <string>
#include <string_view>

#include "kernels/collectives/algorithm.hpp"
#include "sim/core/error.hpp"

namespace orrery::collectives {

struct Decision {
  Operation operation{};
  std::uint32_t ranks = 0;
  /// As the libraries count: the whole vector for bcast, reduce, allreduce and reduce_scatter; the block of one pair or
  /// peer for alltoall, allgather, gather and scatter; the average share for allgatherv.
  Bytes size;
  std::uint64_t elements = 0;  ///< of the same
  bool commutative = true;
  bool shared_nodes = false;            ///< the call says which node each member is on, and some are on one
  std::uint32_t nodes = 0;              ///< that they are on
  const GpuParameters* gpus = nullptr;  ///< of the GPUs that they are on; null: elsewhere, or unlike each other
  std::string gpus_missing = {};        ///< why there are none; empty: not known
};

/// The refusal of what needs GPUs.
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

/// What a selector needs to know of a task.
Decision decision_of(const Task& task);

/// The name of a selector or of an algorithm. Throws InputError when no operation knows it.
class Choice {
 public:
  Choice() : Choice("openmpi") {}
  Choice(std::string_view name, std::string_view where = "algorithm");  // NOLINT(google-explicit-constructor)
  Choice(const char* name) : Choice(std::string_view(name)) {}          // NOLINT(google-explicit-constructor)
  Choice(const std::string& name) : Choice(std::string_view(name)) {}   // NOLINT(google-explicit-constructor)

  /// The algorithm of a task after all substitutions; sets the task's segment where the choice implies one.
  /// Throws InputError when the operation has none of this name.
  const Algorithm& settle(Task& task) const;
  std::string_view name() const { return name_; }

 private:
  std::string_view name_;               ///< the catalogue's own text
  const Selector* selector_ = nullptr;  ///< null: an algorithm
};

}  // namespace orrery::collectives
