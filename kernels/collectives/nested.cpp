#include "kernels/collectives/nested.hpp"

#include "kernels/collectives/selector.hpp"

namespace orrery::collectives {

namespace {

/// Keeps the task for as long as its actions are pulled.
Generator<Action> keep(Task task, const Algorithm* algorithm) { co_yield elements_of(algorithm->actions(task)); }

}  // namespace

Generator<Action> nested(const Task& task, Operation operation, std::string_view name) {
  Task inner = task;
  inner.operation = operation;
  const Algorithm& algorithm = Choice(name.empty() ? task.selector : name).settle(inner);
  return keep(std::move(inner), &algorithm);
}

}  // namespace orrery::collectives
