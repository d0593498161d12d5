#include "platforms/node_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

#include "sim/config/reader.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace {

constexpr std::size_t names_max = std::size_t{1} << 22;

std::optional<std::uint32_t> number_of(std::string_view digits) {
  std::uint32_t number = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (status != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

/// "01-03,7": 01, 02, 03, 7.
std::optional<std::vector<std::string>> alternatives(std::string_view inside) {
  std::vector<std::string> all;
  while (true) {
    const auto comma = std::min(inside.find(','), inside.size());
    const std::string_view range = inside.substr(0, comma);
    const auto dash = std::min(range.find('-'), range.size());
    const auto first = number_of(range.substr(0, dash));
    const auto last = dash < range.size() ? number_of(range.substr(dash + 1)) : first;
    if (!first || !last || *last < *first || *last - *first >= names_max) return std::nullopt;
    for (std::uint32_t i = *first; i <= *last; ++i) all.push_back(fmt::format("{:0{}}", i, dash));
    if (comma == inside.size()) return all;
    inside.remove_prefix(comma + 1);
  }
}

/// Nothing where a bracket is left open or holds no numbers, or where the names are too many.
std::optional<std::vector<std::string>> expanded(std::string_view rest) {
  std::vector<std::string> names{""};
  while (!rest.empty()) {
    const auto open = std::min(rest.find('['), rest.size());
    std::vector<std::string> ends{std::string(rest.substr(0, open))};
    rest.remove_prefix(open);
    if (!rest.empty()) {
      const auto close = rest.find(']');
      if (close == std::string_view::npos) return std::nullopt;
      const auto numbers = alternatives(rest.substr(1, close - 1));
      if (!numbers || names.size() * numbers->size() > names_max) return std::nullopt;
      std::vector<std::string> with;
      for (const std::string& number : *numbers) with.push_back(ends.front() + number);
      ends = std::move(with);
      rest.remove_prefix(close + 1);
    }
    std::vector<std::string> longer;
    longer.reserve(names.size() * ends.size());
    for (const std::string& name : names)
      for (const std::string& end : ends) longer.push_back(name + end);
    names = std::move(longer);
  }
  return names;
}

}  // namespace

std::vector<std::string> expanded_names(const std::string& expression) {
  return expanded(expression).value_or(std::vector<std::string>{});
}

std::vector<std::string> expanded_names(const config::Value& expression) {
  auto names = expanded(expression.text());
  if (!names) expression.refuse("no names of nodes. Write 'rack[1-4]node[01-32]'?");
  return std::move(*names);
}

std::vector<NodeId> nodes_named(const Platform& platform, const NodeChoice& choice) {
  std::unordered_map<std::string, NodeId> known;
  for (std::uint32_t type = 0; type < platform.node_types.size(); ++type) {
    const auto first = static_cast<std::uint32_t>(platform.first_node_of(type));
    if (platform.node_types[type].names.empty()) continue;
    std::uint32_t i = 0;
    for (std::string& name : expanded_names(platform.node_types[type].names))
      if (i < platform.node_counts[type]) known.emplace(std::move(name), NodeId{first + i++});
  }
  if (known.empty())
    throw InputError(
        fmt::format("{}: '{}' is the name of a node, but nodes of '{}' have numbers alone (0..{}). Add "
                    "'names' to its node types?",
                    choice.where(0), shown(choice.named.front()), platform.name, platform.nodes() - 1));
  std::vector<NodeId> nodes;
  std::vector<bool> taken(platform.nodes(), false);
  for (std::size_t i = 0; i < choice.named.size(); ++i) {
    const std::string& name = choice.named[i];
    const auto found = known.find(name.substr(0, name.find('.')));
    if (found == known.end())
      throw InputError(fmt::format("{}: no node of '{}' is called '{}' (they are '{}'). Another platform?",
                                   choice.where(i), platform.name, shown(name), platform.node_types.front().names));
    if (!taken[index(found->second)]) nodes.push_back(found->second);  // a line for each rank is as well
    taken[index(found->second)] = true;
  }
  return nodes;
}

}  // namespace orrery
