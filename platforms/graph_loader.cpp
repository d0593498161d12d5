/// The topology kind 'graph' of a platform file: switches, links, media, routes, and what hangs where.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "platforms/fields.hpp"
#include "platforms/topology_loader.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace {

using config::Section;
using config::Value;

/// "5" or "0-7": nodes by number.
std::pair<std::uint32_t, std::uint32_t> node_range(const Value& value, std::uint32_t nodes) {
  const std::string text = value.text();
  const auto dash = text.find('-');
  const std::string first_text = text.substr(0, dash),
                    last_text = dash == std::string::npos ? first_text : text.substr(dash + 1);
  const auto number = [&](const std::string& digits) {
    std::uint32_t result = 0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), result);
    if (status != std::errc() || end != digits.data() + digits.size() || digits.empty())
      value.refuse("not a node number or range. Write '0-7'?");
    return result;
  };
  const auto first = number(first_text), last = number(last_text);
  if (first > last || last >= nodes)
    value.refuse(Refusal("outside the nodes 0..{}, or backwards. Write '0-{}'?", nodes - 1, nodes - 1));
  return {first, last};
}

void attach_nodes(const Section& attached, const std::vector<std::string>& switches, const std::vector<bool>& joined,
                  GraphTopology& graph) {
  const auto nodes = static_cast<std::uint32_t>(joined.size());
  std::vector<bool> seen(nodes, false);
  for (const auto& [name, value] : attached.items()) {
    if (std::ranges::find(switches, name) == switches.end())
      throw InputError("{}: unknown switch '{}'{}", value.where(), name, known_names(name, switches));
    const auto ranges = value.is_list() ? value.list() : std::vector<Value>{value};
    for (const Value& range : ranges) {
      const auto [first, last] = node_range(range, nodes);
      for (std::uint32_t node = first; node <= last; ++node) {
        if (!joined[node]) range.refuse(Refusal("but node {} has no adapter on this network. Leave it out?", node));
        if (seen[node]) range.refuse(Refusal("but node {} is attached already (once each). Remove one?", node));
        seen[node] = true;
      }
      graph.edges.push_back({fmt::format("node:{}-{}", first, last), name, BytesPerSecond(0.0), Seconds(0.0)});
    }
  }
  if (const auto missing = std::ranges::mismatch(seen, joined).in1; missing != seen.end())
    throw InputError("{}: node {} is attached to no switch (all of 0..{} are). Add it to 'nodes'?", attached.where(),
                     missing - seen.begin(), nodes - 1);
}

/// Names of switches, media and links are told apart, so that routes may name each.
class Names {
 public:
  void add(const Value& name) {
    if (name.text().starts_with("node:")) name.refuse("(reserved for nodes). Rename it?");
    if (!taken_.insert(name.text()).second) name.refuse("again (names are unique). Remove one?");
  }
  void add_place(const Value& name) {
    add(name);
    places_.push_back(name.text());
  }
  const std::vector<std::string>& places() const { return places_; }  ///< switches and media
  void require_place(const Value& name, const char* what, const std::vector<std::string>& known) const {
    if (std::ranges::find(known, name.text()) == known.end())
      throw InputError("{}: unknown {} '{}'{}", name.where(), what, name.text(), known_names(name.text(), known));
  }

 private:
  std::set<std::string> taken_;
  std::vector<std::string> places_;
};

void load_media(const ParameterReader& topology, Names& names, GraphTopology& graph) {
  std::vector<ParameterReader> readers;
  for (const Value& item : topology.section().optional_list("media")) {
    readers.push_back(topology.inside(item));
    names.add_place(readers.back().section().value("name"));
  }
  for (const ParameterReader& reader : readers) {
    Medium& medium = graph.media.emplace_back();
    reader.read(medium_fields(), medium);
    for (const Value& end : reader.section().optional_list("between")) {
      names.require_place(end, "switch", graph.switches);
      if (std::ranges::find(medium.between, end.text()) != medium.between.end())
        end.refuse("again (each is on the medium once). Remove one?");
      medium.between.push_back(end.text());
    }
    reader.finish();
  }
}

void load_links(const ParameterReader& topology, Names& names, GraphTopology& graph) {
  const char* const place = graph.media.empty() ? "switch" : "switch or medium";
  for (const Value& item : topology.section().optional_list("links")) {
    const ParameterReader link = topology.inside(item);
    const auto ends = link.section().list("between");
    if (ends.size() != 2)
      link.section().refuse("between", Refusal("{} ends (a link has two{}). Write '[a, b]'?", ends.size(),
                                               ends.size() > 2 ? ", one of 'media' any number" : ""));
    for (const Value& end : ends) names.require_place(end, place, names.places());
    if (ends[0].text() == ends[1].text()) ends[1].refuse("a link from a switch to itself. Name another end?");
    if (const auto name = link.section().optional("name")) names.add(*name);
    link.read(edge_fields(), graph.edges.emplace_back(GraphTopology::Edge{ends[0].text(), ends[1].text(), {}, {}}));
    link.finish();
  }
}

/// What routes name is looked up where they are built (graph_stated.hpp).
void load_routes(const ParameterReader& topology, GraphTopology& graph) {
  for (const Value& item : topology.section().optional_list("routes")) {
    const ParameterReader route = topology.inside(item);
    GraphTopology::Route& made = graph.routes.emplace_back();
    route.read(route_fields(), made);
    for (const Value& part : route.section().list("over")) made.over.push_back(part.text());
    made.where = item.where();
    route.finish();
  }
}

}  // namespace

Topology load_graph(const ParameterReader& topology, const TopologyOf& of) {
  GraphTopology graph;
  Names names;
  for (const Value& item : topology.section().optional_list("switches")) {
    names.add_place(item);
    graph.switches.push_back(item.text());
  }
  load_media(topology, names, graph);
  if (names.places().empty())
    topology.section().refuse("switches", "no switches (at least one). Add 'switches: [s1]'?");
  load_links(topology, names, graph);
  load_routes(topology, graph);
  const Value attached = topology.section().value("nodes");
  attach_nodes(attached.section(), names.places(), of.joined, graph);
  return graph;
}

}  // namespace orrery
