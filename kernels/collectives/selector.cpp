#include "kernels/collectives/selector.hpp"

#include <fmt/format.h>

#include <set>

#include "sim/core/error.hpp"

namespace orrery::collectives {

namespace {

/// What selectors decide by.
std::uint64_t deciding_elements(const Task& task) {
  switch (task.operation) {
    case Operation::barrier:
      return 0;
    case Operation::alltoall:
      return task.pairs(0, task.ranks > 1 ? 1 : 0);
    case Operation::alltoallv:
      return 0;
    case Operation::scatter:
    case Operation::scatterv:
    case Operation::gather:
    case Operation::gatherv:
    case Operation::allgather:
    case Operation::allgatherv:
      return task.elements() / task.ranks;
    default:
      return task.elements();
  }
}

}  // namespace

Catalogue<Selector>& selectors() {
  static Catalogue<Selector> catalogue("selector");
  return catalogue;
}

Choice::Choice(std::string_view name, std::string_view where) {
  if (selectors().contains(name)) {
    selector_ = &selectors().at(name, where);
    name_ = selector_->name;
    return;
  }
  std::set<std::string> known;
  for (const auto& selector : selectors().names()) known.insert(selector);
  for (std::size_t i = 0; i < planned_operations; ++i) {
    const auto& catalogue = algorithms(static_cast<Operation>(i));
    if (catalogue.contains(name)) {
      name_ = catalogue.at(name, where).name;
      return;
    }
    for (const auto& other : catalogue.names()) known.insert(other);
  }
  const std::vector<std::string> names(known.begin(), known.end());
  const auto nearest = nearest_name(name, names);
  throw InputError("{}: '{}' is neither a selector nor a collective algorithm (see 'orrery list collectives').{}",
                   where, name, nearest ? fmt::format(" Did you mean '{}'?", *nearest) : "");
}

Decision decision_of(const Task& task) {
  const std::uint64_t elements = deciding_elements(task);
  return {.operation = task.operation,
          .ranks = task.ranks,
          .size = static_cast<double>(elements) * task.element,
          .elements = elements,
          .commutative = task.commutative,
          .shared_nodes = task.nodes.count(task.ranks) < task.ranks,
          .nodes = task.nodes.count(task.ranks),
          .gpus = task.nodes.gpus(),
          .gpus_missing = task.nodes.gpus_missing()};
}

InputError without_gpus(std::string_view name, const std::string& missing) {
  const auto says = [&](const char* words) { return missing.find(words) != std::string::npos; };
  const char* remedy = says("on cores")        ? "Place them with 'gpus' in the layout"
                       : says("several types") ? "Take nodes of one type"
                                               : "State 'fabric' and 'gpu-messages' as 'p4d' does";
  return InputError(
      "{}: {} (NCCL's algorithms are of GPUs that are alike and that a fabric joins). {}, or choose 'openmpi'?", name,
      missing, remedy);
}

const Algorithm& Choice::settle(Task& task) const {
  const Selection selection = selector_ != nullptr ? selector_->choose(decision_of(task)) : Selection{name_};
  if (selector_ != nullptr) task.selector = name_;
  if (!selection.segmented && task.segment == 0) task.segment = std::max<std::uint64_t>(1, task.elements());
  const Algorithm& chosen = algorithms(task.operation).at(selection.algorithm, "algorithm");
  if (const std::string missing = task.nodes.gpus_missing(); !missing.empty() && chosen.name.starts_with("nccl"))
    throw without_gpus(chosen.name, missing);
  return resolve(chosen, task);
}

}  // namespace orrery::collectives
