#include "sim/study/read/what_if_places.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "sim/core/error.hpp"
#include "sim/study/read/point.hpp"

namespace orrery {

using config::Document;
using config::Value;

namespace {

constexpr std::string_view of_level = "each of level ";
constexpr std::size_t pairs_max = 2'000'000;  ///< of adapters whose routes are looked at

std::string yaml_of(const Value& value) {
  if (value.is_scalar()) return fmt::format("\"{}\"", value.written());
  std::string text;
  if (value.is_list()) {
    for (const Value& item : value.list()) text += (text.empty() ? "" : ", ") + yaml_of(item);
    return "[" + text + "]";
  }
  for (const auto& [key, item] : value.section().items())
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", key, yaml_of(item));
  return "{" + text + "}";
}

/// Values that stand where the `each` does.
std::vector<Value> listed(const std::string& yaml, const std::string& where) {
  return config::parse_yaml("all: []", where).with("all", yaml, where).root().list("all");
}

bool is_each(const Value& value) {
  return value.is_scalar() && (value.written() == "each" || value.written().starts_with(of_level));
}

/// The key of a fault whose place is `each`; empty where it names its place.
std::string each_of(const Value& fault) {
  if (!fault.is_section()) return "";
  for (const auto& [key, value] : fault.section().items())
    if (is_each(value)) return key;
  return "";
}

/// The places of the point's machine, as keys of a fault.
class EachPlace {
 public:
  explicit EachPlace(const LoadedPoint& point)
      : platform_(*point.platform),
        network_(*point.network),
        layout_(point.layout),
        routes_(build_routes(*point.platform, *point.network)) {}

  std::vector<std::string> of(const std::string& key, const Value& each) const {
    if (key == "node") return names("node: \"{}\"");
    if (key == "gpu") return gpus();
    if (key == "adapter") return adapters();
    if (key == "rail") return rails();
    if (key == "link") return links(level_in(each));
    if (key == "switch") return switches();
    each.refuse("(each node, gpu, adapter, rail, link or switch). Write 'node: each'?");
  }

 private:
  static std::uint32_t level_in(const Value& each) {
    const std::string text = each.written();
    if (text == "each") return 0;
    std::uint32_t level = 0;
    const auto [rest, status] = std::from_chars(text.data() + of_level.size(), text.data() + text.size(), level);
    if (status != std::errc() || rest != text.data() + text.size() || level == 0)
      each.refuse("(a level is a number from 1). Write 'each of level 2'?");
    return level;
  }

  std::vector<std::string> names(fmt::format_string<std::string> form) const {
    std::vector<std::string> all;
    for (const NodeId node : layout_.nodes()) all.push_back(fmt::format(form, platform_.node_name(node)));
    return all;
  }

  std::vector<std::string> gpus() const {
    std::set<std::pair<NodeId, std::uint32_t>> with_ranks;
    for (const Placement& at : layout_.placements)
      if (at.gpu) with_ranks.emplace(at.node, at.socket_of_node);
    std::vector<std::string> all;
    for (const auto& [node, number] : with_ranks)
      all.push_back(fmt::format("gpu: {{node: \"{}\", index: {}}}", platform_.node_name(node), number));
    return all;
  }

  std::uint32_t adapters_of(NodeId node) const { return network_.adapters.of_type(platform_.type_of(node)); }

  std::vector<std::string> adapters() const {
    std::vector<std::string> all;
    for (const NodeId node : layout_.nodes())
      for (std::uint32_t k = 0; k < adapters_of(node); ++k)
        all.push_back(fmt::format("adapter: {{node: \"{}\", index: {}}}", platform_.node_name(node), k));
    return all;
  }

  std::vector<std::string> rails() const {
    std::uint32_t most = 0;
    for (const NodeId node : layout_.nodes()) most = std::max(most, adapters_of(node));
    std::vector<std::string> all;
    for (std::uint32_t k = 0; k < most; ++k) all.push_back(fmt::format("rail: {}", k));
    return all;
  }

  /// Cables, in both directions, that messages of the job may cross.
  std::vector<bool> used() const {
    std::vector<AdapterId> ends;
    for (const NodeId node : layout_.nodes())
      for (std::uint32_t k = 0; k < adapters_of(node); ++k) ends.push_back(routes_->adapter(node, k));
    const bool all = network_.routing.kind != Routing::Kind::deterministic || ends.size() * ends.size() > pairs_max;
    std::vector<bool> used(routes_->links(), all);
    std::vector<LinkId> links;
    for (std::size_t a = 0; !all && a < ends.size(); ++a)
      for (const AdapterId to : ends) {
        links.clear();
        if (ends[a] != to) routes_->append_route(ends[a], to, links);
        for (const LinkId link : links) used[index(link)] = true;
      }
    return used;
  }

  /// Each cable by its ends as switch numbers, the lower first, from 1; with how many there are between them.
  std::vector<std::string> links(std::uint32_t level) const {
    const auto crossed = used();
    const auto distance = distances();
    using Ends = std::pair<std::uint32_t, std::uint32_t>;
    std::map<Ends, std::uint32_t> there, back;
    std::map<std::pair<Ends, std::uint32_t>, bool> cables;
    for (auto i = static_cast<std::uint32_t>(routes_->first_cable()); i < index(routes_->end_of_cables()); ++i) {
      if (routes_->is_wire(LinkId{i})) continue;
      const auto [from, to] = switch_ends(LinkId{i});
      const Ends ends = std::minmax({from, to});
      const std::uint32_t number = ++(from < to ? there : back)[ends];
      bool& is_used = cables[{ends, number}];
      is_used = is_used || crossed[i];
    }
    std::vector<std::string> all;
    for (const auto& [cable, is_used] : cables) {
      const auto& [ends, number] = cable;
      if (!is_used || (level > 0 && std::max(distance[ends.first], distance[ends.second]) != level)) continue;
      all.push_back(fmt::format("link: [\"{}\", \"{}\"]{}", routes_->switch_name(ends.first),
                                routes_->switch_name(ends.second),
                                there[ends] > 1 ? fmt::format(", cable: {}", number) : ""));
    }
    return all;
  }

  std::vector<std::string> switches() const {
    const auto crossed = used();
    std::set<std::uint32_t> with_cables;
    for (auto i = static_cast<std::uint32_t>(routes_->first_cable()); i < index(routes_->end_of_cables()); ++i)
      if (const auto [from, to] = switch_ends(LinkId{i}); crossed[i]) with_cables.insert({from, to});
    std::vector<std::string> all;
    for (const std::uint32_t number : with_cables)
      all.push_back(fmt::format("switch: \"{}\"", routes_->switch_name(number)));
    return all;
  }

  std::pair<std::uint32_t, std::uint32_t> switch_ends(LinkId link) const {
    const auto [from, to] = routes_->ends(link);
    return {from - routes_->adapters(), to - routes_->adapters()};
  }

  /// [switches] links from an adapter.
  std::vector<std::uint32_t> distances() const {
    std::vector<std::uint32_t> distance(routes_->switches(), 0);
    for (std::uint32_t i = 0; i < routes_->adapters(); ++i)
      distance[routes_->ends(LinkId{i}).second - routes_->adapters()] = 1;
    for (bool found = true; found;) {
      found = false;
      for (auto i = static_cast<std::uint32_t>(routes_->first_cable()); i < index(routes_->end_of_cables()); ++i)
        if (const auto [from, to] = switch_ends(LinkId{i});
            distance[from] > 0 && (distance[to] == 0 || distance[to] > distance[from] + 1)) {
          distance[to] = distance[from] + 1;
          found = true;
        }
    }
    return distance;
  }

  const Platform& platform_;
  const Network& network_;
  const Layout& layout_;
  std::unique_ptr<Routes> routes_;
};

/// One value of the axis: a fault or several, one of them at each place.
std::vector<Value> expanded(const Value& value, const EachPlace& places) {
  const auto faults = value.is_list() ? value.list() : std::vector{value};
  const auto with_each = [](const Value& fault) { return !each_of(fault).empty(); };
  if (std::ranges::count_if(faults, with_each) > 1)
    throw InputError(
        "{}: 'what-if' has two faults at 'each' place (one place is tried after another). "
        "Write two runs: 'sweep: {{what-if: [{{...}}, {{...}}]}}'?",
        value.where());
  const auto fault = std::ranges::find_if(faults, with_each);
  if (fault == faults.end()) return {value};
  const std::string key = each_of(*fault);
  std::string others, beside;
  for (const auto& [name, setting] : fault->section().items())
    if (name != key) others += fmt::format(", {}: {}", name, yaml_of(setting));
  for (auto one = faults.begin(); one != faults.end(); ++one)
    if (one != fault) beside += ", " + yaml_of(*one);
  std::vector<std::string> all;
  for (const std::string& place : places.of(key, *fault->section().optional(key)))
    all.push_back(beside.empty() ? fmt::format("{{{}{}}}", place, others)
                                 : fmt::format("[{{{}{}}}{}]", place, others, beside));
  if (all.empty())
    throw InputError(
        "{}: 'what-if' is of each {}, and messages and ranks of this run have none. Name "
        "another place?",
        fault->where(), key);
  return listed(fmt::format("[{}]", fmt::join(all, ", ")), fault->where());
}

/// The machine that all points are on.
LoadedPoint placed_on(const std::vector<Axis>& axes, const Document& document, const std::string& folder,
                      const std::string& where) {
  Document first = document.with("what-if", "none", where);
  for (const Axis& axis : axes) {
    const std::string key = axis.path.substr(0, axis.path.find('.'));
    if (key == "platform" || key == "network" || key == "layout" || key == "jobs")
      throw InputError(
          "{}: 'what-if' is of each place beside the axis '{}' (places are of one machine and "
          "layout). Write a scenario for each?",
          where, axis.path);
    if (key != "what-if") first = opened_for(axis.path, first).with(axis.path, axis.values.front());
  }
  return PointLoader(folder, "flow", true).placed(read_point(first, {}));
}

bool has_each(const Value& value) {
  const auto faults = value.is_list() ? value.list() : std::vector{value};
  return std::ranges::any_of(faults, [](const Value& fault) { return !each_of(fault).empty(); });
}

}  // namespace

std::vector<Axis> with_each_place(std::vector<Axis> axes, const Document& document, const std::string& folder) {
  auto axis = std::ranges::find(axes, "what-if", &Axis::path);
  if (axis == axes.end()) {
    const auto stated = document.root().optional("what-if");
    if (!stated || !has_each(*stated)) return axes;
    axis = axes.insert(axes.end(), {"what-if", {*stated}});
  }
  const auto each = std::ranges::find_if(axis->values, has_each);
  if (each == axis->values.end()) return axes;
  if (axis->zip > 0)
    throw InputError(
        "{}: 'what-if' is of each place inside 'zip' (how many there are depends on the "
        "machine). Move it out of 'zip'?",
        each->where());
  const LoadedPoint point = placed_on(axes, document, folder, each->where());
  const EachPlace places(point);
  std::vector<Value> values;
  const auto is_none = [](const Value& value) { return value.is_scalar() && value.written() == "none"; };
  if (std::ranges::none_of(axis->values, is_none)) values = listed("[none]", each->where());
  for (const Value& value : axis->values)
    for (Value& one : expanded(value, places)) values.push_back(std::move(one));
  axis->values = std::move(values);
  return axes;
}

}  // namespace orrery
