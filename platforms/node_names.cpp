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

/// Of one expression. Nothing where a bracket is left open or holds no numbers, or where the names are too many.
std::optional<std::vector<std::string>> expanded_one(std::string_view rest) {
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

/// Of several: "cn[101-108],gpu[01-08]".
std::optional<std::vector<std::string>> expanded(std::string_view expressions) {
  std::vector<std::string> names;
  while (true) {
    std::size_t end = 0;
    for (bool inside = false; end < expressions.size() && (inside || expressions[end] != ','); ++end)
      inside = expressions[end] == '[' || (inside && expressions[end] != ']');
    auto more = expanded_one(expressions.substr(0, end));
    if (!more || names.size() + more->size() > names_max) return std::nullopt;
    if (end == 0 && !expressions.empty()) return std::nullopt;
    names.insert(names.end(), std::make_move_iterator(more->begin()), std::make_move_iterator(more->end()));
    if (end == expressions.size()) return names;
    expressions.remove_prefix(end + 1);
    if (expressions.empty()) return std::nullopt;
  }
}

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/// "node-12", as the host files that we export have it.
std::optional<NodeId> node_numbered(const Platform& platform, std::string_view name) {
  constexpr std::string_view prefix = "node-";
  if (!name.starts_with(prefix)) return std::nullopt;
  const auto number = number_of(name.substr(prefix.size()));
  return number && *number < platform.nodes() ? std::optional(NodeId{*number}) : std::nullopt;
}

[[noreturn]] void refuse_name(const Platform& platform, const std::string& name, const std::string& where) {
  const auto& types = platform.node_types;
  const auto named = std::ranges::find_if(types, [](const NodeType& type) { return !type.names.empty(); });
  if (named == types.end())
    throw InputError(
        fmt::format("{}: no node of '{}' is called '{}' (node-0 to node-{}; its node types state no other 'names'). "
                    "Another platform, or add them?",
                    where, platform.name, shown(name), platform.nodes() - 1));
  throw InputError(fmt::format("{}: no node of '{}' is called '{}' (they are '{}'). Another platform?", where,
                               platform.name, shown(name), named->names));
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

std::string names_expression(const std::vector<std::string>& hosts) {
  std::string common, text, first;
  std::uint32_t next = 0;  // number that would go on with the range which begins at `first`
  bool range = false;
  for (const std::string& host : hosts) {
    const std::string name = host.substr(0, host.find('.'));
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    const auto number = number_of(std::string_view(name).substr(digits));
    if (!number || !std::all_of(name.begin(), name.end(), is_plain)) return {};
    if (!text.empty() && name.substr(0, digits) != common) return {};
    common = name.substr(0, digits);
    const std::string written = name.substr(digits);
    if (!text.empty() && written == fmt::format("{:0{}}", next, first.size())) {
      if (range) text.erase(text.rfind('-'));
      text += "-" + written;
      range = true;
    } else {
      text += (text.empty() ? "" : ",") + written;
      first = written;
      range = false;
    }
    next = *number + 1;
  }
  return fmt::format("{}[{}]", common, text);
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
  std::vector<NodeId> nodes;
  std::vector<bool> taken(platform.nodes(), false);
  std::unordered_map<std::string, std::string> of_short;  // the name with its domain, by the name without
  for (std::size_t i = 0; i < choice.named.size(); ++i) {
    const std::string& name = choice.named[i];
    auto found = known.find(name);
    if (found == known.end()) {
      const std::string label = name.substr(0, name.find('.'));
      found = known.find(label);
      if (const auto& first = of_short.emplace(label, name).first->second; found != known.end() && first != name)
        throw InputError(fmt::format("{}: '{}' and '{}' are two hosts, and '{}' has one '{}' for both (a name counts "
                                     "whole, or without its domain). Write the names that the platform has?",
                                     choice.where(i), shown(first), shown(name), platform.name, shown(label)));
    }
    const auto node = found != known.end() ? std::optional(found->second) : node_numbered(platform, name);
    if (!node) refuse_name(platform, name, choice.where(i));
    if (choice.of_ranks || !taken[index(*node)]) nodes.push_back(*node);
    taken[index(*node)] = true;
  }
  return nodes;
}

}  // namespace orrery
