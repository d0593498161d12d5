/// How the algorithm of a call is chosen: by name, or by a selector that decides from operation, ranks and size.
#pragma once

#include <string>
#include <string_view>

#include "kernels/collectives/algorithm.hpp"

namespace orrery::collectives {

struct Decision {
  Operation operation{};
  std::uint32_t ranks = 0;
  /// As the libraries count: the whole vector for bcast, reduce, allreduce and reduce_scatter; the block of one pair or
  /// peer for alltoall, allgather, gather and scatter; the average share for allgatherv.
  Bytes size;
  std::uint64_t elements = 0;  ///< of the same
  bool commutative = true;
};

struct Selector {
  std::string name;
  std::string summary, source;
  std::string_view (*choose)(const Decision&) = nullptr;
};

Catalogue<Selector>& selectors();

/// The name of a selector or of an algorithm. Throws InputError when no operation knows it.
class Choice {
 public:
  Choice() : Choice("openmpi") {}
  Choice(std::string_view name, std::string_view where = "algorithm");  // NOLINT(google-explicit-constructor)
  Choice(const char* name) : Choice(std::string_view(name)) {}          // NOLINT(google-explicit-constructor)
  Choice(const std::string& name) : Choice(std::string_view(name)) {}   // NOLINT(google-explicit-constructor)

  /// The algorithm for a call, before substitutions. Throws InputError when the operation has none of this name.
  const Algorithm& of(const Decision& decision) const;
  std::string_view name() const { return name_; }

 private:
  std::string_view name_;               ///< the catalogue's own text
  const Selector* selector_ = nullptr;  ///< null: an algorithm
};

}  // namespace orrery::collectives
