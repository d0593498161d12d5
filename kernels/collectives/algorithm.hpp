/// The catalogue of collective algorithms: one file each, which registers itself under the name that SMPI uses.
///
///   Generator<Action> linear(const Task& task) { ... co_yield send(to, whole(task.shares)); ... }
///   const bool entered = enter({Operation::bcast}, {.name = "flattree", .summary = "...", .actions = linear, ...});
///
/// An algorithm must be correct for every number of members, every root and every size. For cases that its own form
/// does not cover (odd p, p not a power of two, fewer elements than members) it names another algorithm to run
/// `instead`, as the MPI libraries do.
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

/// Operations with algorithms: all except scan and exscan, which only traces have (kernels/trace_collectives.cpp).
inline constexpr std::size_t planned_operations = static_cast<std::size_t>(Operation::scan);
/// Throws InputError that begins with `where`.
Operation operation_named(std::string_view name, std::string_view where);

/// The node of each member, for algorithms that treat nodes and networks differently, and the local work of members
/// that costs time. Empty: one member per node.
class Nodes {
 public:
  Nodes() = default;
  /// node_of  [members]. Stored once and shared by all copies.
  static Nodes of(const std::vector<std::uint32_t>& node_of);
  /// Members 0 .. per_node - 1 on the first node, and so on.
  static Nodes blocks(std::uint32_t members, std::uint32_t per_node);

  /// With local work that costs time, by member.
  Nodes with_local_work(std::vector<LocalWork> of_members) const;
  Nodes without_local_work() const;
  /// With parameters of the GPUs that the members are on.
  Nodes with_gpus(std::shared_ptr<const GpuParameters> gpus) const;
  const GpuParameters* gpus() const { return gpus_.get(); }
  /// Without GPUs for a known reason, as in "some ranks are on cores".
  Nodes without_gpus(const std::string& reason) const;
  /// Empty: there are some, or the reason is not known.
  std::string gpus_missing() const { return gpus_missing_ ? *gpus_missing_ : std::string(); }
  /// With rings over the links between the GPUs of each node.  [nodes][rings] places in the node
  Nodes with_rings(std::vector<std::vector<GpuRing>> of_nodes) const;
  /// Rings of a node; empty: a switch connects its GPUs, or all pairs have links, or there are none.
  std::span<const GpuRing> rings(std::uint32_t node) const {
    return rings_ ? std::span<const GpuRing>((*rings_)[node]) : std::span<const GpuRing>();
  }

  LocalWork local_work(Member member) const { return local_work_ ? (*local_work_)[member] : LocalWork{}; }
  bool empty() const { return !map_; }
  std::uint32_t count(std::uint32_t members) const {
    return map_ ? static_cast<std::uint32_t>(map_->members.size()) : members;
  }
  /// Nodes are numbered by their lowest member.
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
  std::shared_ptr<const std::vector<LocalWork>> local_work_;  ///< null: costs no member time
  std::shared_ptr<const GpuParameters> gpus_;                 ///< null: not on identical GPUs
  std::shared_ptr<const std::string> gpus_missing_;           ///< why there are none; null: not known
  std::shared_ptr<const std::vector<std::vector<GpuRing>>> rings_;
};

/// One collective from the view of one member.
struct Task {
  Operation operation{};
  std::uint32_t ranks = 1;  ///< members of the group
  Member me = 0, root = 0;
  /// The vector. Bcast, reduce and allreduce treat it as a whole, as `ranks` balanced shares if they cut it.
  Shares shares;
  PairSizes pairs;  ///< for an all-to-all, in place of shares
  Bytes element{1.0};
  std::uint64_t segment = 0;  ///< elements of a segment, for pipelines; 0: the algorithm's default
  bool commutative = true;
  Nodes nodes;
  std::string_view selector = "openmpi";  ///< for algorithms made of other operations: chooses these

  std::uint64_t elements() const { return shares.total(); }
  /// Segment length of a pipeline: `segment`, or the elements that fit in `usual`; at least 1.
  std::uint64_t segment_or(Bytes usual) const;
  /// The member at a distance from the root, and the distance of a member.
  Member from_root(std::uint64_t distance) const { return static_cast<Member>((root + distance) % ranks); }
  std::uint32_t distance() const { return (me + ranks - root) % ranks; }
};

/// Totals over all members, by formula. A value without a closed form for a task is `no_formula`.
inline constexpr double no_formula = std::numeric_limits<double>::quiet_NaN();
struct Cost {
  double messages = 0.0;
  double elements = 0.0;  ///< sent, all messages together
  double rounds = 0.0;    ///< messages on the longest chain in which each waits for the previous one
};

struct Algorithm {
  std::string name;     ///< SMPI's name
  std::string summary;  ///< one line
  std::string source;   ///< paper or library
  Generator<Action> (*actions)(const Task&) = nullptr;
  /// In place of `actions`: the parallel work of a GPU's thread blocks, each with separate channels.
  std::vector<Generator<Action>> (*lanes)(const Task&) = nullptr;
  Cost (*cost)(const Task&) = nullptr;                 ///< null if no closed form is known
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

/// Largest power of two not above n, and lowest k with 2^k >= n.
std::uint32_t power_below(std::uint32_t n);
std::uint32_t log2_above(std::uint32_t n);
inline bool power_of_two(std::uint32_t n) { return (n & (n - 1)) == 0; }

}  // namespace orrery::collectives
