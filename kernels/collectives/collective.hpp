/// Collective operations as steps of a kernel.
///
///   const Group row = Group::strided(Rank{first}, 1, columns);
///   const Call call{.group = row, .me = me, .tag = Tag{7}, .algorithm = "lr"};     // or a selector; default "openmpi"
///   co_yield elements_of(allreduce(call, 8_KiB));
///
/// Every member makes the same call. The steps are messages and, if the platform gives it a cost, local work (reducing,
/// copying between buffers, fresh buffers), between marks that name the collective; a group of one has no steps.
/// Requests are numbered from `first_request`, and all are waited for at the end, so a kernel with open requests of its
/// own numbers these differently. Arguments are copied: only objects referred to by a function in PairSizes must
/// outlive the call.
///
/// Sizes are integer numbers of elements of `element` bytes each (rounded to the nearest), as in MPI.
#pragma once

#include "kernels/collectives/selector.hpp"
#include "sim/core/layout.hpp"
#include "sim/core/step.hpp"

namespace orrery::collectives {

struct Call {
  Group group;
  Rank me{};
  Tag tag{};
  RequestId first_request{};
  Choice algorithm{};
  Bytes element{1.0};
  Bytes segment{0.0};       ///< of pipelined algorithms; 0: the algorithm's default
  bool computes = false;    ///< reductions cost compute steps on every platform: Work::reduction, one flop per element
  bool commutative = true;  ///< false: selectors keep to algorithms that preserve the order of operands
  Nodes nodes;              ///< for node-aware algorithms and local work: see nodes_of
  const char* name = "";    ///< distinguishes a kernel's collectives in results; storage outlives the program
};

/// The node of each member of a group, and its local work. Without a layout, and if no two members share a node, each
/// member has its own node.
Nodes nodes_of(const Group& group, const Layout* layout);

Generator<Step> barrier(const Call& call);
Generator<Step> bcast(const Call& call, Bytes message, Member root = 0);
Generator<Step> reduce(const Call& call, Bytes message, Member root = 0);
Generator<Step> allreduce(const Call& call, Bytes message);
/// `share` is the size for each member; shares are counted in elements.
Generator<Step> scatter(const Call& call, Bytes share, Member root = 0);
Generator<Step> scatterv(const Call& call, const Shares& shares, Member root = 0);
Generator<Step> gather(const Call& call, Bytes share, Member root = 0);
Generator<Step> gatherv(const Call& call, const Shares& shares, Member root = 0);
Generator<Step> allgather(const Call& call, Bytes share);
Generator<Step> allgatherv(const Call& call, const Shares& shares);
/// `block` is the data of each member for each other.
Generator<Step> alltoall(const Call& call, Bytes block);
Generator<Step> alltoallv(const Call& call, const PairSizes& sizes);
Generator<Step> reduce_scatter(const Call& call, const Shares& shares);

/// The task and the algorithm that result from a call, for tests and listings.
struct Planned {
  Task task;
  const Algorithm* algorithm = nullptr;
};
Planned plan(const Call& call, Operation operation, const Shares& shares, const PairSizes& pairs, Member root);
/// Steps of a planned call.
Generator<Step> steps_of(const Call& call, Planned planned);

}  // namespace orrery::collectives
