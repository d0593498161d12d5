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

/// What an expression writes as it is.
bool is_plain(char c) { return c > ' ' && c < '\x7f' && std::string_view(",[]\"\\").find(c) == std::string_view::npos; }

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
        "{}: no node of '{}' is called '{}' (node-0 to node-{}; its node types state no other 'names'). "
        "Another platform, or add them?",
        where, platform.name, shown(name), platform.nodes() - 1);
  throw InputError("{}: no node of '{}' is called '{}' (they are '{}'). Another platform?", where, platform.name,
                   shown(name), named->names);
}

}  // namespace

std::vector<std::string> expanded_names(const std::string& expression) {
  return expanded(expression).value_or(std::vector<std::string>{});
}

std::string names_of(const config::Value& value) {
  if (!value.is_list()) return value.text();
  std::string expression;
  for (const config::Value& item : value.list()) {
    if (item.text().empty()) item.refuse("no name of a node. Remove it?");
    expression += (expression.empty() ? "" : ",") + item.text();
  }
  return expression;
}

std::vector<std::string> expanded_names(const config::Value& value) {
  auto names = expanded(names_of(value));
  if (!names) value.refuse("no names of nodes. Write 'rack[1-4]node[01-32]'?");
  return std::move(*names);
}

namespace {

/// A name as a range takes it: what is before its last number, the number as written, what is after.
struct Split {
  std::string before, digits, after;
};

Split split(const std::string& host) {
  const std::size_t last = host.find_last_of("0123456789");
  if (last == std::string::npos) return {host, "", ""};
  const std::size_t first = host.find_last_not_of("0123456789", last) + 1;
  return {host.substr(0, first), host.substr(first, last - first + 1), host.substr(last + 1)};
}

/// The number before the first dot, so that domains with numbers do not hide it.
Split split_name(const std::string& host) {
  const std::size_t dot = std::min(host.find('.'), host.size());
  Split name = split(host.substr(0, dot));
  if (name.digits.empty()) return {host, "", ""};
  name.after += host.substr(dot);
  return name;
}

/// "[1-3,12]" of numbers as they are written.
std::string ranges_of(const std::vector<std::string>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    const std::uint32_t first = number_of(numbers[i]).value_or(0);
    while (end < numbers.size() &&
           numbers[end] == fmt::format("{:0{}}", first + static_cast<std::uint32_t>(end - i), numbers[i].size()))
      ++end;
    text += (text.empty() ? "" : ",") + numbers[i];
    if (end - i > 1) text += "-" + numbers[end - 1];
    i = end;
  }
  return fmt::format("[{}]", text);
}

}  // namespace

std::string names_expression(const std::vector<std::string>& hosts) {
  std::string text;
  for (std::size_t i = 0; i < hosts.size();) {
    if (hosts[i].empty() || !std::all_of(hosts[i].begin(), hosts[i].end(), is_plain)) return {};
    const Split first = split_name(hosts[i]);
    std::vector<std::string> numbers;
    std::size_t end = i;
    for (; end < hosts.size() && number_of(first.digits); ++end) {
      const Split next = split_name(hosts[end]);
      if (next.before != first.before || next.after != first.after || !number_of(next.digits)) break;
      numbers.push_back(next.digits);
    }
    if (!text.empty()) text += ",";
    text += numbers.size() > 1 ? first.before + ranges_of(numbers) + first.after : hosts[i];
    i = std::max(end, i + 1);
  }
  return text;
}

namespace {

constexpr NodeId several{0xffffffffu};  ///< hosts of one short name

/// Of each name: whole, and without its domain.
class KnownNames {
 public:
  explicit KnownNames(const Platform& platform) {
    for (std::uint32_t type = 0; type < platform.node_types.size(); ++type) {
      const auto first = static_cast<std::uint32_t>(platform.first_node_of(type));
      if (platform.node_types[type].names.empty()) continue;
      std::uint32_t i = 0;
      for (std::string& name : expanded_names(platform.node_types[type].names)) {
        if (i >= platform.node_counts[type]) break;
        const NodeId node{first + i++};
        const auto [at, fresh] = brief_.try_emplace(name.substr(0, name.find('.')), node);
        if (!fresh && at->second != node) at->second = several;
        whole_.emplace(std::move(name), node);
      }
    }
  }

  /// By its whole name, else without the domain of either.
  std::optional<NodeId> find(const std::string& name, const std::string& where) {
    if (const auto found = whole_.find(name); found != whole_.end()) return found->second;
    const std::string label = name.substr(0, name.find('.'));
    if (const auto found = whole_.find(label); found != whole_.end()) {
      if (const auto& first = of_short_.emplace(label, name).first->second; first != name)
        throw InputError(
            "{}: '{}' and '{}' are two hosts, and the platform has one '{}' for both (a name "
            "counts whole, or without its domain). Write the names that the platform has?",
            where, shown(first), shown(name), shown(label));
      return found->second;
    }
    if (label != name) return std::nullopt;  // another domain
    const auto found = brief_.find(label);
    if (found == brief_.end()) return std::nullopt;
    if (found->second == several)
      throw InputError(
          "{}: several nodes are called '{}' (they differ after the dot). Write the whole "
          "name?",
          where, shown(name));
    return found->second;
  }

 private:
  std::unordered_map<std::string, NodeId> whole_, brief_;
  std::unordered_map<std::string, std::string> of_short_;  ///< the name with its domain, by the name without
};

}  // namespace

std::vector<NodeId> nodes_named(const Platform& platform, const NodeChoice& choice) {
  KnownNames known(platform);
  std::vector<NodeId> nodes;
  std::vector<bool> taken(platform.nodes(), false);
  for (std::size_t i = 0; i < choice.named.size(); ++i) {
    const std::string& name = choice.named[i];
    auto node = known.find(name, choice.where(i));
    if (!node) node = node_numbered(platform, name);
    if (!node) refuse_name(platform, name, choice.where(i));
    if (choice.of_ranks || !taken[index(*node)]) nodes.push_back(*node);
    taken[index(*node)] = true;
  }
  return nodes;
}

}  // namespace orrery
