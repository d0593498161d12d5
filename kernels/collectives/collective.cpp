#include "kernels/collectives/collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "kernels/collectives/translation.hpp"
#include "sim/core/elapsed.hpp"
#include "sim/core/error.hpp"

namespace orrery::collectives {

namespace {

std::uint64_t whole_elements(const Call& call, Bytes message) {
  return static_cast<std::uint64_t>(std::llround(message / call.element));
}

/// What a member of these operations copies from the buffer it sends from to the one it receives into.
std::uint64_t own_elements(const Task& task) {
  switch (task.operation) {
    case Operation::scatter:
    case Operation::scatterv:
    case Operation::gather:
    case Operation::gatherv:
      return task.me == task.root ? task.shares.size(task.me) : 0;
    case Operation::allgather:
    case Operation::allgatherv:
      return task.shares.size(task.me);
    case Operation::alltoall:
    case Operation::alltoallv:
      return task.pairs(task.me, task.me);
    default:
      return 0;  // algorithms of reductions differ in it
  }
}

/// Whether each member is given a count for each.
bool has_counts(Operation operation) { return operation == Operation::allgatherv || operation == Operation::alltoallv; }

/// Who shares the switch of one.
std::vector<Rank> team_of(const Task& task, const Translation& to) {
  std::vector<Rank> team;
  const std::uint32_t node = task.nodes.node(task.me);
  for (std::uint32_t i = 0; i < task.nodes.size(node); ++i) team.push_back(to.rank(task.nodes.member(node, i)));
  return team;
}

/// Of an algorithm of lanes.
Generator<Step> translate_lanes(const Algorithm* algorithm, Task task, Translation to) {
  const std::vector<Rank> team = team_of(task, to);
  co_yield collective_begin(to.call, team);
  if (to.launch > Seconds{}) co_yield elapsed(to.launch);
  co_yield elements_of(play_lanes(algorithm->lanes(task), task.nodes, to));
  co_yield collective_end();
}

/// One variable holds whatever step comes next: with one of its own for each, a frame would be twice as long.
Generator<Step> translate(Translation to, const Algorithm* algorithm, Task task) {
  Step step = collective_begin(to.call);
  std::uint32_t open = 0;  // one more than the greatest request in use
  Generator<Action> actions = algorithm->actions(task);
  co_yield made_from(actions);
  co_yield step;
  if (to.launch > Seconds{}) {
    step = elapsed(to.launch);
    co_yield step;
  }
  if (to.local.datatypes && has_counts(task.operation)) {
    step = compute(Work::datatype, Flops{}, {0.0, 0.0, static_cast<double>(task.ranks)});
    co_yield step;
  }
  if (const std::uint64_t own = own_elements(task); to.local.copy && own > 0) {
    step = to.local_step(Work::buffer_copy, Flops{}, rearrange(own), 2.0);
    co_yield step;
  }
  while (const Action* action = actions.next()) {
    switch (action->kind) {
      case Action::Kind::send:
        step = to.send_step(*action);
        break;
      case Action::Kind::receive:
        step = to.receive_step(*action);
        break;
      case Action::Kind::exchange:  // leaves requests that the algorithm has open alone
        step = irecv(to.rank(action->from), to.sent(action->in), to.tag, to.request(open), to.communicator());
        co_yield step;
        step = to.start_send_step(*action, open + 1);
        co_yield step;
        step = orrery::wait_all(to.request(open), 2);
        break;
      case Action::Kind::start_send:
        open = std::max(open, action->request + 1);
        step = to.start_send_step(*action, action->request);
        break;
      case Action::Kind::start_receive:
        open = std::max(open, action->request + 1);
        step = to.start_receive_step(*action);
        break;
      case Action::Kind::wait:
        step = orrery::wait(to.request(action->request));
        break;
      case Action::Kind::wait_all:
        if (open == 0) continue;
        step = orrery::wait_all(to.request(0), open);
        open = 0;
        break;
      case Action::Kind::combine:
        if (!to.local.reduction || action->in.elements == 0 || action->in_switch != InSwitch::nothing) continue;
        step = to.combine_step(*action);
        break;
      case Action::Kind::copy:
        continue;
      case Action::Kind::rearrange:
        if (!to.local.copy || action->in.elements == 0) continue;
        step = to.local_step(Work::buffer_copy, Flops{}, *action, 2.0);
        break;
      case Action::Kind::allocate:
        if (!to.local.fresh_memory || action->in.elements == 0) continue;
        step = to.fresh_step(*action);
        break;
      case Action::Kind::first_sent:
        if (!to.local.fresh_memory) continue;
        step = to.first_sent_step(*action);
        break;
      case Action::Kind::describe:
        if (!to.local.datatypes) continue;
        step = compute(Work::datatype, Flops{}, {1.0, static_cast<double>(action->in.elements)});
        break;
    }
    co_yield step;
  }
  step = collective_end();
  co_yield step;
}

/// What the marks say, see sim/core/collective_call.hpp.
Bytes marked_bytes(const Task& task) {
  std::uint64_t elements = task.elements();
  if (task.operation == Operation::alltoall) elements = task.ranks * task.pairs(0, task.ranks > 1 ? 1 : 0);
  if (task.operation == Operation::alltoallv)
    for (Member to = 0; to < task.ranks; ++to) elements += task.pairs(task.me, to);
  return static_cast<double>(elements) * task.element;
}

Generator<Step> collective(const Call& call, Operation operation, const Shares& shares, const PairSizes& pairs,
                           Member root) {
  if (call.group.size() <= 1) return {};
  return steps_of(call, plan(call, operation, shares, pairs, root));
}

Shares vector_of(const Call& call, Bytes message) {
  return Shares::balanced(std::max(1u, call.group.size()), whole_elements(call, message));
}
Shares equal_shares(const Call& call, Bytes share) {
  return Shares::equal(call.group.size(), whole_elements(call, share));
}

/// Why there are no parameters of GPUs; empty: there are some, or it is not known.
std::string gpus_missing(const Group& group, const Layout& layout) {
  if (layout.gpus != nullptr || !layout.gpus_missing.empty()) return layout.gpus != nullptr ? "" : layout.gpus_missing;
  for (Member m = 0; m < group.size(); ++m)
    if (!layout.of(group.rank(m)).gpu) return "some ranks are on cores";
  return "";
}

/// Over the links between the GPUs that the members are on.  [nodes]
std::vector<std::vector<GpuRing>> rings_of_nodes(const Group& group, const Layout& layout, const Nodes& nodes) {
  std::map<std::vector<std::uint32_t>, std::vector<GpuRing>> known;  // by the GPUs of a node
  std::vector<std::vector<GpuRing>> rings;
  for (std::uint32_t node = 0; node < nodes.count(group.size()); ++node) {
    std::vector<std::uint32_t> gpus;
    for (std::uint32_t i = 0; i < nodes.size(node); ++i)
      gpus.push_back(layout.of(group.rank(nodes.member(node, i))).socket_of_node);
    const auto [at, fresh] = known.try_emplace(gpus);
    if (fresh) at->second = rings_over(*layout.gpus->mesh, gpus);
    rings.push_back(at->second);
  }
  return rings;
}

}  // namespace

Nodes nodes_of(const Group& group, const Layout* layout) {
  if (layout == nullptr) return {};
  std::vector<std::uint32_t> node_of(group.size());
  for (Member m = 0; m < group.size(); ++m) node_of[m] = layout->domain(group.rank(m));
  Nodes nodes = Nodes::of(node_of);
  if (nodes.count(group.size()) == group.size()) nodes = {};
  nodes = nodes.with_gpus(layout->gpus);
  if (const std::string missing = gpus_missing(group, *layout); !missing.empty()) nodes = nodes.without_gpus(missing);
  if (layout->gpus != nullptr && layout->gpus->mesh && !nodes.empty())
    nodes = nodes.with_rings(rings_of_nodes(group, *layout, nodes));
  std::vector<LocalWork> local(group.size());
  for (Member m = 0; m < group.size(); ++m) local[m] = layout->of(group.rank(m)).local_work;
  if (std::ranges::none_of(local, &LocalWork::any)) return nodes;
  return nodes.with_local_work(std::move(local));
}

Planned plan(const Call& call, Operation operation, const Shares& shares, const PairSizes& pairs, Member root) {
  Planned planned;
  Task& task = planned.task;
  task.operation = operation;
  task.ranks = call.group.size();
  task.me = call.group.member(call.me);
  task.root = root;
  task.shares = shares;
  task.pairs = pairs;
  task.element = call.element;
  task.segment = call.segment > Bytes{} ? std::max<std::uint64_t>(1, whole_elements(call, call.segment)) : 0;
  task.commutative = call.commutative;
  task.nodes = call.nodes;
  if (root >= task.ranks)
    throw InputError("collective: the root of a {} is member {} (of {}: 0..{}). Choose one of them?",
                     operation_name(operation), root, task.ranks, task.ranks - 1);
  planned.algorithm = &call.algorithm.settle(task);
  return planned;
}

Generator<Step> steps_of(const Call& call, Planned planned) {
  const Task& task = planned.task;
  const CollectiveCall marked{task.operation,     task.root,  planned.algorithm->name.c_str(),
                              marked_bytes(task), call.group, call.name};
  const Algorithm& algorithm = *planned.algorithm;
  // A kernel of a GPU library reduces what comes as it passes it on: the protocol's bandwidth has that in it.
  const bool fused = algorithm.protocol != GpuProtocol::none && task.nodes.gpus() != nullptr;
  LocalWork local = fused ? LocalWork{} : call.nodes.local_work(task.me);
  local.reduction = local.reduction || call.computes;
  const Seconds launch = task.nodes.gpus() != nullptr ? algorithm.launch : Seconds{};
  const Translation to{marked, call.tag,    call.first_request, call.element, local, algorithm.protocol,
                       launch, marked.bytes};
  if (algorithm.lanes != nullptr) return translate_lanes(&algorithm, std::move(planned.task), to);
  return translate(to, &algorithm, std::move(planned.task));
}

Generator<Step> barrier(const Call& call) { return collective(call, Operation::barrier, vector_of(call, {}), {}, 0); }
Generator<Step> bcast(const Call& call, Bytes message, Member root) {
  return collective(call, Operation::bcast, vector_of(call, message), {}, root);
}
Generator<Step> reduce(const Call& call, Bytes message, Member root) {
  return collective(call, Operation::reduce, vector_of(call, message), {}, root);
}
Generator<Step> allreduce(const Call& call, Bytes message) {
  return collective(call, Operation::allreduce, vector_of(call, message), {}, 0);
}
Generator<Step> scatter(const Call& call, Bytes share, Member root) {
  return collective(call, Operation::scatter, equal_shares(call, share), {}, root);
}
Generator<Step> scatterv(const Call& call, const Shares& shares, Member root) {
  return collective(call, Operation::scatterv, shares, {}, root);
}
Generator<Step> gather(const Call& call, Bytes share, Member root) {
  return collective(call, Operation::gather, equal_shares(call, share), {}, root);
}
Generator<Step> gatherv(const Call& call, const Shares& shares, Member root) {
  return collective(call, Operation::gatherv, shares, {}, root);
}
Generator<Step> allgather(const Call& call, Bytes share) {
  return collective(call, Operation::allgather, equal_shares(call, share), {}, 0);
}
Generator<Step> allgatherv(const Call& call, const Shares& shares) {
  return collective(call, Operation::allgatherv, shares, {}, 0);
}
Generator<Step> alltoall(const Call& call, Bytes block) {
  return collective(call, Operation::alltoall, vector_of(call, {}), PairSizes::equal(whole_elements(call, block)), 0);
}
Generator<Step> alltoallv(const Call& call, const PairSizes& sizes) {
  return collective(call, Operation::alltoallv, vector_of(call, {}), sizes, 0);
}
Generator<Step> reduce_scatter(const Call& call, const Shares& shares) {
  return collective(call, Operation::reduce_scatter, shares, {}, 0);
}

}  // namespace orrery::collectives
