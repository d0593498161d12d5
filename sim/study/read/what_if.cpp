#include "sim/study/read/what_if.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "platforms/faults.hpp"
#include "platforms/node_names.hpp"
#include "sim/core/error.hpp"
#include "sim/core/mixed.hpp"
#include "sim/core/suggest.hpp"
#include "sim/study/read/keys_detail.hpp"
#include "sim/study/read/points.hpp"

namespace orrery {

using config::Value;

namespace {

std::optional<std::uint32_t> number_in(std::string_view text) {
  std::uint32_t number = 0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return number;
}

WhatIf read_one(const Value& value) {
  const config::Section section = value.section(scenario_detail::what_if_fields().mapping());
  WhatIf what{.text = value_label(value), .where = value.where()};
  config::read_fields(section, scenario_detail::what_if_fields(), what);
  section.finish();
  return what;
}

/// Resolves the places of one point's faults.
class Places {
 public:
  Places(const Platform& platform, const Network& network, const Layout& layout)
      : platform_(platform), network_(network), layout_(layout), routes_(build_routes(platform, network)) {
    for (std::uint32_t i = 0; i < routes_->switches(); ++i) {
      switches_[routes_->switch_name(i)] = i;
      in_words_[routes_->switch_words(i)] = i;
    }
  }

  Faulted::Effect effect(const WhatIf& what) const {
    Faulted::Effect effect{.text = what.text, .down = what.down};
    if (what.slower) effect.slower = ranks(what);
    if (what.bandwidth || what.latency || what.down) effect.links = with_shared(links(what), what);
    return effect;
  }
  bool is_shared(LinkId link) const { return routes_->is_shared(link); }
  bool is_wire(LinkId link) const { return routes_->is_wire(link); }

 private:
  std::vector<NodeId> nodes(const WhatIf& what) const {
    if (!what.node.empty()) return {node_called(platform_, what.node, what.where)};
    constexpr std::string_view random = "random ";
    const auto& written = what.nodes;
    if (written.size() != 1 || !written.front().starts_with(random)) {
      std::vector<NodeId> found;
      for (const std::string& name : written) found.push_back(node_called(platform_, name, what.where));
      return found;
    }
    std::vector<NodeId> all = layout_.nodes();
    const auto count = number_in(written.front().substr(random.size()));
    if (!count || *count == 0 || *count > all.size())
      throw InputError("{}: 'nodes' is '{}', of {} nodes with ranks (random 1 to random {}). Take fewer?", what.where,
                       written.front(), all.size(), all.size());
    for (std::size_t i = all.size(); i > 1; --i)  // Fisher and Yates
      std::swap(all[i - 1], all[mixed(mixed(what.seed) ^ i) % i]);
    all.resize(*count);
    return all;
  }

  std::vector<Rank> ranks(const WhatIf& what) const {
    std::vector<Rank> found;
    const auto add = [&](const auto& is_there) {
      for (std::uint32_t r = 0; r < layout_.ranks(); ++r)
        if (is_there(layout_.of(Rank{r}))) found.push_back(Rank{r});
    };
    if (what.gpu.where.empty()) {
      const auto chosen = nodes(what);
      add([&](const Placement& at) { return std::ranges::find(chosen, at.node) != chosen.end(); });
      return found;
    }
    const NodeId node = node_called(platform_, what.gpu.node, what.gpu.where);
    const auto number = part(what.gpu, "GPU", platform_.node_types[platform_.type_of(node)].gpus.size());
    add([&](const Placement& at) { return at.gpu && at.node == node && at.socket_of_node == number; });
    return found;
  }

  /// With what their directions share, and the medium that is named.
  std::vector<LinkId> with_shared(std::vector<LinkId> found, const WhatIf& what) const {
    if (what.bandwidth && !what.link.empty() &&
        std::ranges::all_of(found, [&](LinkId id) { return routes_->is_wire(id); }))
      throw InputError(
          "{}: what joins '{}' and '{}' has no bandwidth but that of the medium. Write "
          "'switch' and the name of the medium?",
          what.where, what.link[0], what.link[1]);
    std::set<LinkId> shared;
    for (const LinkId id : found)
      if (const auto part = routes_->shared_by(id)) shared.insert(*part);
    for (const LinkId part : shared) found.push_back(part);
    if (!what.from_switch.empty())
      if (const auto medium = routes_->medium_at(vertex_of(what.from_switch, what.where) - routes_->adapters()))
        found.push_back(*medium);
    return found;
  }

  static std::uint32_t part(const PartOfNode& part, const char* called, std::size_t count) {
    const auto number = number_in(part.number);
    if (!number || *number >= count)
      throw InputError("{}: node {} has {} {}{}, and 'index' is {} (from 0). Choose another?", part.where, part.node,
                       count, called, count == 1 ? "" : "s", part.number);
    return *number;
  }

  std::vector<LinkId> links(const WhatIf& what) const {
    std::vector<LinkId> found;
    const auto add_adapter = [&](AdapterId adapter) {
      found.push_back(LinkId{static_cast<std::uint32_t>(index(adapter))});
      found.push_back(LinkId{static_cast<std::uint32_t>(routes_->adapters() + index(adapter))});
    };
    const auto adapters_of = [&](NodeId node) { return network_.adapters.of_type(platform_.type_of(node)); };
    if (!what.adapter.where.empty()) {
      const NodeId node = node_called(platform_, what.adapter.node, what.adapter.where);
      add_adapter(routes_->adapter(node, part(what.adapter, "adapter", adapters_of(node))));
    } else if (!what.rail.empty()) {
      const auto number = number_in(what.rail);
      for (std::uint32_t node = 0; number && node < platform_.nodes(); ++node)
        if (*number < adapters_of(NodeId{node})) add_adapter(routes_->adapter(NodeId{node}, *number));
      if (found.empty())
        throw InputError(
            "{}: no node has an adapter {} on network '{}' (they count from 0). Choose "
            "another?",
            what.where, what.rail, network_.name);
    } else if (!what.link.empty()) {
      return between(what);
    } else if (!what.from_switch.empty()) {
      const std::uint32_t vertex = vertex_of(what.from_switch, what.where);
      for (auto i = 0u; i < index(routes_->end_of_cables()); ++i)
        if (const auto [from, to] = routes_->ends(LinkId{i}); from == vertex || to == vertex)
          found.push_back(LinkId{i});
    } else {
      for (const NodeId node : nodes(what))
        for (std::uint32_t k = 0; k < adapters_of(node); ++k) add_adapter(routes_->adapter(node, k));
    }
    return found;
  }

  /// Of the network's graph.
  std::uint32_t vertex_of(const std::string& name, const std::string& where) const {
    for (const auto& names : {switches_, in_words_})
      if (const auto found = names.find(name); found != names.end()) return routes_->adapters() + found->second;
    std::vector<std::string> known;
    for (const auto& [one, number] : switches_) known.push_back(one);
    throw InputError("{}: network '{}' has no switch '{}'{}", where, network_.name, name, known_names(name, known));
  }

  /// Both directions of the cables between two switches.
  std::vector<LinkId> between(const WhatIf& what) const {
    if (what.link.size() != 2)
      throw InputError("{}: 'link' has {} ends (the names of two switches). Write '[leaf-0, spine-1]'?", what.where,
                       what.link.size());
    const std::uint32_t a = vertex_of(what.link[0], what.where), b = vertex_of(what.link[1], what.where);
    std::vector<LinkId> there, back;
    for (auto i = static_cast<std::uint32_t>(routes_->first_cable()); i < index(routes_->end_of_cables()); ++i) {
      const auto ends = routes_->ends(LinkId{i});
      if (ends == std::pair(a, b)) there.push_back(LinkId{i});
      if (ends == std::pair(b, a)) back.push_back(LinkId{i});
    }
    if (there.empty())
      throw InputError("{}: no cable joins '{}' and '{}' on network '{}'. Name its two ends?", what.where, what.link[0],
                       what.link[1], network_.name);
    if (what.cable > there.size())
      throw InputError("{}: 'cable' is {}, of {} between '{}' and '{}'. Choose another?", what.where, what.cable,
                       there.size(), what.link[0], what.link[1]);
    if (what.cable > 0) return {there[what.cable - 1], back[what.cable - 1]};
    std::ranges::copy(back, std::back_inserter(there));  // GCC 14 takes an insert for an overflow
    return there;
  }

  const Platform& platform_;
  const Network& network_;
  const Layout& layout_;
  std::unique_ptr<Routes> routes_;
  std::map<std::string, std::uint32_t> switches_, in_words_;
};

/// With several at one place, all hold.
void add_to(Faulted& all, LinkFaults& links, const WhatIf& what, const Layout& layout, const Places& places) {
  const Faulted::Effect& effect = all.effects.back();
  const double share = what.rail.empty() ? 1.0 : 0.5;
  for (const LinkId link : effect.links)
    links.add(link, {places.is_wire(link) ? 1.0 : what.bandwidth.value_or(1.0),
                     places.is_shared(link) ? Seconds{} : share * what.latency.value_or(Seconds{}), what.down});
  if (effect.slower.empty()) return;
  all.factors.resize(layout.ranks(), 1.0);
  for (const Rank rank : effect.slower) all.factors[index(rank)] *= 1.0 + *what.slower;
}

}  // namespace

std::vector<WhatIf> read_what_if(const Value& value) {
  std::vector<WhatIf> faults;
  if (value.is_scalar()) {
    if (value.written() != "none")
      value.refuse("(a fault, a list of faults, or none). Write '{node: 3, slower: 20%}'?");
    return faults;
  }
  for (const Value& one : value.is_list() ? value.list() : std::vector{value}) {
    if (one.is_scalar())
      one.refuse(
          "(a fault is keys and values; 'none' stands alone). A value for each run: 'sweep: {what-if: [none, "
          "{node: 3, slower: 20%}]}'?");
    faults.push_back(read_one(one));
  }
  return faults;
}

NodeId node_called(const Platform& platform, const std::string& name, const std::string& where) {
  if (const auto number = number_in(name)) {
    if (*number < platform.nodes()) return NodeId{*number};
    throw InputError("{}: '{}' has no node {} (0 to {}). Choose another?", where, platform.name, name,
                     platform.nodes() - 1);
  }
  for (std::uint32_t node = 0; node < platform.nodes(); ++node)
    if (platform.node_name(NodeId{node}) == name) return NodeId{node};
  return nodes_named(platform, {.named = {name}, .places = {{0, where}}}).front();
}

Faulted faulted(const std::vector<WhatIf>& faults, const Platform& platform, const Network& network,
                const Layout& layout) {
  Faulted all;
  if (faults.empty()) return all;
  const Places places(platform, network, layout);
  LinkFaults links{.where = faults.front().where};
  for (const WhatIf& what : faults) {
    all.effects.push_back(places.effect(what));
    if (network.protocol.discipline == Discipline::fifo && !all.effects.back().links.empty() &&
        (what.bandwidth || what.down))
      throw InputError(
          "{}: ports of network '{}' have 'discipline: fifo', and all take what it states. "
          "Change its 'nic' of a node type?",
          what.where, network.name);
    add_to(all, links, what, layout, places);
  }
  if (links.links.empty()) return all;
  auto changed = std::make_shared<Platform>(platform);
  for (Network& one : changed->networks)
    if (one.name == network.name) {
      one.faults = std::make_shared<const LinkFaults>(std::move(links));
      all.network = &one;
    }
  all.platform = std::move(changed);
  return all;
}

}  // namespace orrery
