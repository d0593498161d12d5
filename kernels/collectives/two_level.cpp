#include "kernels/collectives/two_level.hpp"

#include <algorithm>

namespace orrery::collectives {

namespace {

/// Runs a collective of some members: `inner` counts them from 0, `outer` says which of the group's members they are.
Generator<Action> renumbered(Task inner, const Algorithm* algorithm, Nodes nodes, bool leaders, std::uint32_t node) {
  const auto outer = [&](Member i) { return leaders ? nodes.member(i, 0) : nodes.member(node, i); };
  Generator<Action> actions = algorithm->actions(inner);
  while (const Action* next = actions.next()) {
    Action action = *next;
    action.to = outer(action.to);
    action.from = outer(action.from);
    co_yield action;
  }
}

Generator<Action> some(const Task& task, Operation operation, std::string_view name, bool leaders) {
  const std::uint32_t node = task.nodes.node(task.me);
  Task inner = task;
  inner.operation = operation;
  inner.ranks = leaders ? task.nodes.count(task.ranks) : task.nodes.size(node);
  if (inner.ranks < 2) return {};
  inner.root = leaders ? task.nodes.node(task.root) : 0;
  inner.me = leaders ? node : 0;
  while (!leaders && task.nodes.member(node, inner.me) != task.me) ++inner.me;
  inner.shares = Shares::balanced(inner.ranks, task.elements());
  inner.nodes = {};
  const Algorithm& algorithm = resolve(algorithms(operation).at(name, "two-level"), inner);
  return renumbered(std::move(inner), &algorithm, task.nodes, leaders, node);
}

}  // namespace

bool leads_node(const Task& task) { return task.nodes.member(task.nodes.node(task.me), 0) == task.me; }

Generator<Action> within_node(const Task& task, Operation operation, std::string_view algorithm) {
  return some(task, operation, algorithm, false);
}
Generator<Action> among_leaders(const Task& task, Operation operation, std::string_view algorithm) {
  return some(task, operation, algorithm, true);
}

}  // namespace orrery::collectives
