#include "platforms/adapters_loader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platforms/fabric.hpp"
#include "platforms/node_elements.hpp"
#include "sim/config/keys.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace {

using config::Value;

constexpr std::uint32_t adapters_max = 96;

/// `2`, `plx-0..3` or a list of elements: where each adapter is; `0`: the node is not on the network.
std::vector<std::uint32_t> adapters_at(const Value& value, const NodeType& type) {
  NodeType copy = type;
  NodeElements elements(copy);
  std::vector<std::uint32_t> at;
  if (value.is_list()) {
    for (const Value& item : value.list())
      for (const std::uint32_t element : elements.of(item.written(), item, false)) at.push_back(element);
  } else if (const std::string text = value.written(); text.find_first_not_of("0123456789") == std::string::npos) {
    const auto count = static_cast<std::uint32_t>(value.integer(0, adapters_max));
    if (count == 0) return at;
    for (std::uint32_t i = 0; i < count; ++i) at.push_back(i * type.sockets / count);
  } else {
    at = elements.of(text, value, false);
  }
  if (at.empty() || at.size() > adapters_max)
    value.refuse(Refusal("{} adapters (1..{}). Name where each is, as 'plx-0..3'?", at.size(), adapters_max));
  return at;
}

void require_reachable(const Value& value, const NodeType& type, const std::vector<std::uint32_t>& at) {
  if (!type.fabric.described()) return;
  const FabricRoutes routes(type);
  for (std::size_t k = 0; k < at.size(); ++k)
    for (std::uint32_t e = 0; e < type.sockets + type.gpus.size(); ++e)
      if (!routes.joined(e, at[k]))
        throw InputError(
            "{}: no cable joins {} of '{}' to '{}', where adapter {} is. Add one to its "
            "'fabric'?",
            value.where(), routes.words(e), type.name, element_name(type, at[k]), k);
}

void require_some(const Value& value, const Network& network) {
  if (std::ranges::all_of(network.adapters.at, [](const auto& of_type) { return of_type.empty(); }))
    throw InputError(
        "{}: no node has an adapter on network '{}' (0 says that a type is not on it). Give "
        "some type one, or leave the network out?",
        value.where(), network.name);
}

void load_places(const ParameterReader& parameters, const Platform& platform, Network& network) {
  const auto place = [&](const Value& its, std::size_t t) {
    network.adapters.at[t] = adapters_at(its, platform.node_types[t]);
    require_reachable(its, platform.node_types[t], network.adapters.at[t]);
  };
  network.adapters.at.assign(platform.node_types.size(), {0});
  const Value value = parameters.section().value("adapters");
  if (!value.is_section() || value.section(config::anything()).has("value")) {
    const Value of_all = parameters.parameter("adapters");
    for (std::size_t t = 0; t < platform.node_types.size(); ++t) place(of_all, t);
    return require_some(value, network);
  }
  std::vector<std::string> names;
  for (const NodeType& type : platform.node_types) names.push_back(type.name);
  const ParameterReader by_type = parameters.inside(value);
  for (const auto& [name, its] : by_type.section().items()) {
    if (name == "source" || name == "assumed") continue;
    const auto found = std::ranges::find(names, name);
    if (found == names.end())
      throw InputError("{}: unknown node type '{}'{}", its.where(), name, known_names(name, names));
    place(by_type.parameter(name), static_cast<std::size_t>(found - names.begin()));
  }
  require_some(value, network);
}

/// The numbers of adapters, each of which a node of the type has.
std::vector<std::uint32_t> adapters_of(const std::vector<Value>& items, const NodeType& type, std::uint32_t count) {
  std::vector<std::uint32_t> adapters;
  for (const Value& item : items) {
    if (item.is_scalar() && item.written().find_first_not_of("0123456789") != std::string::npos)
      item.refuse("no number of an adapter (they count from 0). Write '0'?");
    adapters.push_back(static_cast<std::uint32_t>(item.integer()));
    if (adapters.back() >= count)
      item.refuse(Refusal("but a node of '{}' has {} on this network ({}). {}?", type.name,
                          count == 1 ? "one adapter" : fmt::format("{} adapters", count),
                          count == 1 ? "number 0" : fmt::format("0..{}", count - 1),
                          count == 1 ? "Add 'adapters'" : "Name one of them"));
  }
  return adapters;
}

void load_affinity(const ParameterReader& affinity, const Platform& platform, Network& network) {
  auto& of_types = network.adapters.affinity;
  of_types.resize(platform.node_types.size());
  for (const auto& [name, stated] : affinity.section().items()) {
    if (name == "source" || name == "assumed") continue;
    const Value value = affinity.parameter(name);
    const auto items = value.is_list() ? value.list() : std::vector<Value>{value};
    if (items.empty()) value.refuse("without adapters. Write 'socket-0: 0'?");
    for (std::uint32_t t = 0; t < platform.node_types.size(); ++t) {
      if (network.adapters.of_type(t) == 0) continue;
      NodeType type = platform.node_types[t];
      const auto order = adapters_of(items, type, network.adapters.of_type(t));
      NodeElements elements(type);
      for (const std::uint32_t element : elements.of(name, value, false)) {
        if (element >= type.sockets + type.gpus.size())
          value.refuse(Refusal("but no rank is on '{}' (on sockets and GPUs). Write 'socket-0'?", name));
        of_types[t][element] = order;
      }
    }
  }
}

}  // namespace

void load_adapters(const ParameterReader& parameters, const Platform& platform, Network& network) {
  if (parameters.has("adapters")) load_places(parameters, platform, network);
  if (parameters.has("affinity")) {
    const ParameterReader affinity = parameters.inside("affinity");
    load_affinity(affinity, platform, network);
    affinity.finish();
  }
  if (!parameters.has("striping")) return;
  for (std::uint32_t t = 0; t < platform.node_types.size(); ++t)
    if (network.adapters.of_type(t) > 0 && network.adapters.stripe_over > network.adapters.of_type(t))
      parameters.section()
          .section("striping")
          .refuse("over",
                  Refusal("'over' is {}, but a node of '{}' has {} {} on network '{}'. Stripe over {}?",
                          network.adapters.stripe_over, platform.node_types[t].name, network.adapters.of_type(t),
                          network.adapters.of_type(t) == 1 ? "adapter" : "adapters", network.name,
                          network.adapters.of_type(t) == 1 ? "adapters that 'adapters' adds"
                                                           : std::to_string(network.adapters.of_type(t))));
}

}  // namespace orrery
