#include "platforms/fabric_ways.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "platforms/fabric.hpp"
#include "sim/core/quantity_text.hpp"

namespace orrery {

namespace {

using Cable = Fabric::Cable;

/// What one switch is joined to. By element, kind and latency: bandwidth.
using Ends = std::map<std::tuple<std::uint32_t, ResourceKind, double>, BytesPerSecond>;

struct Elements {
  std::uint32_t sockets, gpus;
  explicit Elements(const NodeType& type) : sockets(type.sockets), gpus(static_cast<std::uint32_t>(type.gpus.size())) {}
  bool gpu(std::uint32_t element) const { return element >= sockets && element < sockets + gpus; }
  std::uint32_t first_switch() const { return sockets + gpus; }
};

std::string words_of(const NodeType& type, std::uint32_t element) { return FabricRoutes(type).words(element); }

/// [switches]
std::vector<Ends> ends_of_switches(const NodeType& type) {
  const Elements elements(type);
  std::vector<Ends> ends(type.fabric.switches.size());
  for (const Cable& cable : type.fabric.cables)
    for (const auto& [one, other] : {std::pair{cable.from, cable.to}, std::pair{cable.to, cable.from}})
      if (one >= elements.first_switch())
        ends[one - elements.first_switch()][{other, cable.kind, cable.latency.si()}] = cable.bandwidth;
  return ends;
}

/// Whether all that two switches are joined to has the same shares of its bandwidth to both.
bool in_proportion(const Ends& one, const Ends& other) {
  const double first = other.begin()->second / one.begin()->second;
  for (auto a = one.begin(), b = other.begin(); a != one.end(); ++a, ++b)
    if (std::abs(b->second / a->second / first - 1.0) > 1e-9) return false;
  return true;
}

/// Switches that join the same elements, two GPUs among them, by equal cables in equal shares.  [groups][switches]
std::vector<std::vector<std::uint32_t>> groups_of(const NodeType& type) {
  const Elements elements(type);
  const auto ends = ends_of_switches(type);
  const auto same_key = [](const auto& a, const auto& b) { return a.first == b.first; };
  std::vector<std::vector<std::uint32_t>> groups;
  std::vector<bool> taken(ends.size(), false);
  for (std::uint32_t s = 0; s < ends.size(); ++s) {
    const auto gpus =
        std::ranges::count_if(ends[s], [&](const auto& end) { return elements.gpu(std::get<0>(end.first)); });
    if (taken[s] || gpus < (type.fabric.span > 1 ? 1 : 2)) continue;
    std::vector<std::uint32_t> group{s};
    for (std::uint32_t other = s + 1; other < ends.size(); ++other)
      if (!taken[other] && std::ranges::equal(ends[s], ends[other], same_key) && in_proportion(ends[s], ends[other])) {
        group.push_back(other);
        taken[other] = true;
      }
    if (group.size() > 1) groups.push_back(std::move(group));
  }
  return groups;
}

/// "nvswitch-0..3" of consecutive numbers; else "red+blue".
std::string name_of_all(const NodeType& type, const std::vector<std::uint32_t>& group) {
  const auto& switches = type.fabric.switches;
  const std::string& first = switches[group.front()];
  const std::string stem = first.substr(0, first.find_last_not_of("0123456789") + 1);
  std::vector<std::string> names;
  for (const std::uint32_t s : group) names.push_back(switches[s]);
  const auto number =
      first.size() > stem.size() && first.size() - stem.size() < 6 ? std::stoul(first.substr(stem.size())) : 0ul;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] != fmt::format("{}{}", stem, number + i)) return fmt::format("{}", fmt::join(names, "+"));
  return fmt::format("{}..{}", first, number + names.size() - 1);
}

/// The first of the group stands for all.
void join_group(NodeType& type, const std::vector<std::uint32_t>& group, std::vector<std::uint32_t>& elements) {
  const std::uint32_t first = Elements(type).first_switch();
  auto& fabric = type.fabric;
  const auto in_group = [&](std::uint32_t element) {
    return element >= first && std::ranges::find(group, element - first) != group.end();
  };
  for (Cable& cable : fabric.cables)
    for (std::uint32_t* end : {&cable.from, &cable.to})
      if (in_group(*end)) *end = first + group.front();
  for (std::uint32_t& element : elements)
    if (in_group(element)) element = first + group.front();
  fabric.switches[group.front()] = name_of_all(type, group);
}

/// Leaves out switches that others stand for.
void leave_out(NodeType& type, const std::set<std::uint32_t>& gone, std::vector<std::uint32_t>& elements) {
  const std::uint32_t first = Elements(type).first_switch();
  auto& fabric = type.fabric;
  const auto place = [&](std::uint32_t element) {
    if (element < first) return element;
    const auto before = std::ranges::count_if(gone, [&](std::uint32_t s) { return s < element - first; });
    return element - static_cast<std::uint32_t>(before);
  };
  for (Cable& cable : fabric.cables) cable.from = place(cable.from), cable.to = place(cable.to);
  for (std::uint32_t& element : elements) element = place(element);
  std::vector<std::string> kept;
  for (std::uint32_t s = 0; s < fabric.switches.size(); ++s)
    if (!gone.contains(s)) kept.push_back(fabric.switches[s]);
  fabric.switches = std::move(kept);
}

/// Two ways of one kind from one GPU to another: over which a message would go alone.
Refusal unlike_ways(const NodeType& type) {
  const Elements elements(type);
  using Way = std::tuple<std::uint32_t, std::uint32_t, ResourceKind>;
  std::map<Way, std::string> known;  // by the two GPUs: over what
  const auto found = [&](std::uint32_t a, std::uint32_t b, ResourceKind kind, const std::string& over) -> Refusal {
    const auto [at, fresh] = known.try_emplace({std::min(a, b), std::max(a, b), kind}, over);
    if (fresh) return {};
    return Refusal(
        "'{}' has two ways ({}) from {} to {}, {} and {}, and a message would take one alone (switches are used "
        "together "
        "where they join the same GPUs by equal cables, each GPU with the same shares of its bandwidth). Write one "
        "switch for both, with the sum of the bandwidths?",
        type.name, resource_words(kind).one, words_of(type, std::min(a, b)), words_of(type, std::max(a, b)), at->second,
        over);
  };
  for (const Cable& cable : type.fabric.cables)
    if (elements.gpu(cable.from) && elements.gpu(cable.to))
      if (auto problem = found(cable.from, cable.to, cable.kind, "a cable"); !problem.empty()) return problem;
  const auto ends = ends_of_switches(type);
  for (std::uint32_t s = 0; s < ends.size(); ++s)
    for (auto a = ends[s].begin(); a != ends[s].end(); ++a)
      for (auto b = std::next(a); b != ends[s].end(); ++b) {
        const auto [one, kind, latency] = a->first;
        const auto [other, other_kind, other_latency] = b->first;
        if (kind != other_kind || one == other || !elements.gpu(one) || !elements.gpu(other)) continue;
        if (auto problem = found(one, other, kind, fmt::format("'{}'", type.fabric.switches[s])); !problem.empty())
          return problem;
      }
  return {};
}

}  // namespace

Refusal join_cables(NodeType& type) {
  std::vector<Cable> joined;
  std::map<std::tuple<std::uint32_t, std::uint32_t, ResourceKind>, std::size_t> known;
  for (const Cable& cable : type.fabric.cables) {
    const auto [a, b] = std::minmax(cable.from, cable.to);
    const auto [at, fresh] = known.try_emplace({a, b, cable.kind}, joined.size());
    if (fresh) {
      joined.push_back(cable);
      continue;
    }
    Cable& first = joined[at->second];
    if (first.latency != cable.latency)
      return Refusal(
          "'{}' has two cables ({}) from {} to {}, of latency {} and {} (parallel cables are used together, and have "
          "one latency). Give both the same?",
          type.name, resource_words(cable.kind).one, words_of(type, a), words_of(type, b), to_text(first.latency),
          to_text(cable.latency));
    first.bandwidth += cable.bandwidth;
  }
  type.fabric.cables = std::move(joined);
  return {};
}

Refusal join_switches(NodeType& type, std::vector<std::uint32_t>& elements) {
  std::set<std::uint32_t> gone;
  for (const auto& group : groups_of(type)) {
    join_group(type, group, elements);
    gone.insert(group.begin() + 1, group.end());
    type.fabric.notes.push_back(
        fmt::format("{} switches of '{}' that join the same GPUs are taken for one, '{}', "
                    "which carries what they carry together",
                    group.size(), type.name, type.fabric.switches[group.front()]));
  }
  leave_out(type, gone, elements);
  if (auto problem = join_cables(type); !problem.empty()) return problem;
  return unlike_ways(type);
}

}  // namespace orrery
