#include "platforms/configuration.hpp"

#include <fmt/format.h>

#include <charconv>

#include "platforms/layouts.hpp"
#include "sim/core/error.hpp"

namespace orrery {

namespace {

constexpr std::uint32_t per_core_max = 1024;  // more are a slip of the pen

/// The whole numbers between commas; nothing where something else is there.
std::optional<std::vector<std::uint32_t>> numbers_of(const std::string& text) {
  std::vector<std::uint32_t> numbers;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (;;) {
    while (at != end && *at == ' ') ++at;
    std::uint32_t number = 0;
    const auto [rest, status] = std::from_chars(at, end, number);
    if (status != std::errc()) return {};
    numbers.push_back(number);
    at = rest;
    while (at != end && *at == ' ') ++at;
    if (at == end) return numbers;
    if (*at++ != ',') return {};
  }
}

}  // namespace

std::string Configuration::text() const {
  std::string text;
  for (const auto& [nodes, per_core] : parts) text += fmt::format("{}{},{}", text.empty() ? "" : ",", nodes, per_core);
  return text;
}

std::uint64_t Configuration::ranks(const Platform& platform) const {
  std::uint64_t ranks = 0;
  for (std::size_t type = 0; type < parts.size(); ++type)
    ranks += std::uint64_t{parts[type].nodes} * parts[type].per_core * platform.node_types[type].cores();
  return ranks;
}

std::uint32_t Configuration::nodes() const {
  std::uint32_t nodes = 0;
  for (const Part& part : parts) nodes += part.nodes;
  return nodes;
}

std::uint32_t Configuration::types() const {
  std::uint32_t types = 0;
  for (const Part& part : parts) types += part.nodes > 0;
  return types;
}

Configuration parse_configuration(const std::string& text, const Platform& platform, const std::string& where) {
  const auto numbers = numbers_of(text);
  const std::size_t types = platform.node_types.size();
  if (!numbers || numbers->size() != 2 * types)
    throw InputError(
        "{}: '{}' is no configuration of platform '{}' (nodes and ranks to a core of each of its {} node "
        "types, {} whole numbers between commas). Write '1,1{}'?",
        where, text, platform.name, types, 2 * types, std::string(types > 1 ? ",0,0" : ""));
  Configuration configuration;
  for (std::size_t type = 0; type < types; ++type) {
    const std::uint32_t nodes = (*numbers)[2 * type], per_core = (*numbers)[2 * type + 1];
    const std::string& name = platform.node_types[type].name;
    if (nodes > platform.node_counts[type])
      throw InputError("{}: configuration '{}' takes {} nodes of '{}', platform '{}' has {}. Take fewer?", where, text,
                       nodes, name, platform.name, platform.node_counts[type]);
    if ((nodes == 0) != (per_core == 0) || per_core > per_core_max)
      throw InputError(
          "{}: configuration '{}' puts {} ranks on each core of {} nodes of '{}' (1 to {}, and 0 of no "
          "nodes). Correct it?",
          where, text, per_core, nodes, name, per_core_max);
    configuration.parts.push_back({nodes, per_core});
  }
  if (configuration.nodes() == 0)
    throw InputError("{}: configuration '{}' has no node (one at least). Write '1,1' first?", where, text);
  return configuration;
}

Layout layout_of(const Configuration& configuration, const Platform& platform) {
  Layout layout{.name = "(" + configuration.text() + ")", .placements = {}};
  for (std::uint32_t type = 0; type < configuration.parts.size(); ++type) {
    const NodeType& described = platform.node_types[type];
    const auto first = static_cast<std::uint32_t>(index(platform.first_node_of(type)));
    const std::uint32_t on_socket = configuration.parts[type].per_core * described.cores_per_socket;
    for (std::uint32_t n = 0; n < configuration.parts[type].nodes; ++n)
      for (std::uint32_t socket = 0; socket < described.sockets; ++socket)
        for (std::uint32_t r = 0; r < on_socket; ++r) {
          const NodeId node{first + n};
          layout.placements.push_back({node, host_of(platform, node, false, socket), type, 1, false, socket});
        }
  }
  return layout;
}

std::optional<Configuration> configuration_of(const Layout& layout, const Platform& platform) {
  std::vector<std::uint32_t> on_node(platform.nodes(), 0);
  for (const Placement& placement : layout.placements) {
    if (placement.gpu || placement.cores != 1) return {};
    ++on_node[index(placement.node)];
  }
  Configuration configuration{.parts = std::vector<Configuration::Part>(platform.node_types.size())};
  for (std::uint32_t node = 0; node < on_node.size(); ++node) {
    if (on_node[node] == 0) continue;
    const std::uint32_t type = platform.type_of(NodeId{node}), cores = platform.node_types[type].cores();
    Configuration::Part& part = configuration.parts[type];
    const std::uint32_t per_core = on_node[node] / cores;
    if (on_node[node] % cores != 0 || (part.nodes > 0 && part.per_core != per_core)) return {};
    part.per_core = per_core;
    ++part.nodes;
  }
  return configuration;
}

}  // namespace orrery
