/// The catalogue of collective algorithms: one file each, entered by itself under the name that SMPI uses.
///
///   Generator<Action> linear(const Task& task) { ... co_yield send(to, whole(task.shares)); ... }
///   const bool entered = enter({Operation::bcast}, {.name = "flattree", .summary = "...", .actions = linear, ...});
///
/// An algorithm must be correct for every number of members, every root and every size; where its own form is not
/// (odd p, p not a power of two, fewer elements than members) it names another algorithm that is run `instead`, as
/// the MPI libraries do.
#pragma once

#include <array>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/collectives/action.hpp"
#include "sim/core/catalogue.hpp"
#include "sim/core/collective_call.hpp"
#include "sim/core/generator.hpp"
#include "sim/core/layout.hpp"
#include "sim/core/units.hpp"

namespace orrery::collectives {

/// Operations with algorithms: all but scan and exscan, which only traces have (kernels/trace_collectives.cpp).
inline constexpr std::size_t planned_operations = static_cast<std::size_t>(Operation::scan);
/// Throws InputError opened by `where`.
Operation operation_named(std::string_view name, std::string_view where);

/// Which node each member is on, for algorithms that treat nodes and networks differently, and what members do beside
/// messages that costs time there. Empty: one member per node.
class Nodes {
 public:
  Nodes() = default;
  /// node_of  [members]. Kept once and shared by all copies.
  static Nodes of(const std::vector<std::uint32_t>& node_of);
  /// Members 0 .. per_node - 1 on the first node, and so on.
  static Nodes blocks(std::uint32_t members, std::uint32_t per_node);

  /// With what costs time, by member.
  Nodes with_local_work(std::vector<LocalWork> of_members) const;
  Nodes without_local_work() const;
  /// With parameters of the GPUs that the members are on.
  Nodes with_gpus(std::shared_ptr<const GpuParameters> gpus) const;
  const GpuParameters* gpus() const { return gpus_.get(); }
  /// Without GPUs for a known reason, as in "some ranks are on cores".
  Nodes without_gpus(const std::string& reason) const;
  /// Empty: they have some, or it is not known.
  std::string gpus_missing() const { return gpus_missing_ ? *gpus_missing_ : std::string(); }
  /// With rings over the links between the GPUs of each node.  [nodes][rings] places in the node
  Nodes with_rings(std::vector<std::vector<GpuRing>> of_nodes) const;
  /// Of a node; none: a switch joins its GPUs, or each is joined to each, or nothing does.
  std::span<const GpuRing> rings(std::uint32_t node) const {
    return rings_ ? std::span<const GpuRing>((*rings_)[node]) : std::span<const GpuRing>();
  }

  LocalWork local_work(Member member) const { return local_work_ ? (*local_work_)[member] : LocalWork{}; }
  bool empty() const { return !map_; }
  std::uint32_t count(std::uint32_t members) const {
    return map_ ? static_cast<std::uint32_t>(map_->members.size()) : members;
  }
  /// Nodes are numbered by their least member.
  std::uint32_t node(Member member) const { return map_ ? map_->node_of[member] : member; }
  std::uint32_t size(std::uint32_t node) const {
    return map_ ? static_cast<std::uint32_t>(map_->members[node].size()) : 1;
  }
  Member member(std::uint32_t node, std::uint32_t i) const { return map_ ? map_->members[node][i] : node; }

 private:
  struct Map {
    std::vector<std::uint32_t> node_of;
    std::vector<std::vector<Member>> members;  ///< [nodes], ascending
  };
  std::shared_ptr<const Map> map_;
  std::shared_ptr<const std::vector<LocalWork>> local_work_;  ///< none: it costs none of them time
  std::shared_ptr<const GpuParameters> gpus_;                 ///< none: not on GPUs that are alike
  std::shared_ptr<const std::string> gpus_missing_;           ///< why they are not; none: not known
  std::shared_ptr<const std::vector<std::vector<GpuRing>>> rings_;
};

/// One collective as one member sees it.
struct Task {
  Operation operation{};
  std::uint32_t ranks = 1;  ///< members of the group
  Member me = 0, root = 0;
  /// The vector. Bcast, reduce and allreduce see it whole: as `ranks` balanced shares, if they care to cut it.
  Shares shares;
  PairSizes pairs;  ///< of an all-to-all instead
  Bytes element{1.0};
  std::uint64_t segment = 0;  ///< elements of a segment, for pipelines; 0: as the algorithm has it
  bool commutative = true;
  Nodes nodes;
  std::string_view selector = "openmpi";  ///< chooses the parts of algorithms made of other operations

  std::uint64_t elements() const { return shares.total(); }
  /// Segment length of a pipeline: `segment`, or as many elements as `usual` holds; at least 1.
  std::uint64_t segment_or(Bytes usual) const;
  /// The member at a distance from the root, and the distance of a member.
  Member from_root(std::uint64_t distance) const { return static_cast<Member>((root + distance) % ranks); }
  std::uint32_t distance() const { return (me + ranks - root) % ranks; }
};

/// Totals over all members, by formula. What has no closed form for a task is `no_formula`.
inline constexpr double no_formula = std::numeric_limits<double>::quiet_NaN();
struct Cost {
  double messages = 0.0;
  double elements = 0.0;  ///< sent, all messages together
  double rounds = 0.0;    ///< messages on the longest chain in which each waits for the one before
};

struct Algorithm {
  std::string name;     ///< as SMPI calls it
  std::string summary;  ///< one line
  std::string source;   ///< paper or library
  Generator<Action> (*actions)(const Task&) = nullptr;
  /// Instead of `actions`: what thread blocks of a GPU do beside each other, each with channels of its own.
  std::vector<Generator<Action>> (*lanes)(const Task&) = nullptr;
  Cost (*cost)(const Task&) = nullptr;                 ///< null where no closed form is known
  std::string_view (*instead)(const Task&) = nullptr;  ///< name of the algorithm to run, or ""
  bool ordered = false;                                ///< keeps the order of operands: for non-commutative reductions
  GpuProtocol protocol = GpuProtocol::none;            ///< of its messages between GPUs
  Seconds launch = {};                                 ///< of its kernel, on GPUs: before its first message
};

Catalogue<Algorithm>& algorithms(Operation operation);
/// Enters one algorithm for one or more operations.
bool enter(const std::vector<Operation>& of, const Algorithm& algorithm);

/// The algorithm after all substitutions.
const Algorithm& resolve(const Algorithm& algorithm, const Task& task);

/// Greatest power of two not above n, and least k with 2^k >= n.
std::uint32_t power_below(std::uint32_t n);
std::uint32_t log2_above(std::uint32_t n);
inline bool power_of_two(std::uint32_t n) { return (n & (n - 1)) == 0; }

}  // namespace orrery::collectives
