#include "platforms/sharing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/config/reader.hpp"
#include "sim/core/quantity_text.hpp"

namespace orrery {

namespace {

const char* word(Sharing sharing) {
  return sharing == Sharing::none ? "none" : sharing == Sharing::half_duplex ? "half-duplex" : "full-duplex";
}

std::string of_adapters(const Network& network, const auto& matches) {
  std::vector<Adapter> all = network.nics;
  if (all.empty()) all.push_back({network.bandwidth, network.latency, network.sharing, network.both_ways});
  const auto found = std::ranges::find_if(all, [&](const Adapter& one) { return matches(one.sharing); });
  return found == all.end() ? std::string() : fmt::format("'sharing: {}' of adapters", word(found->sharing));
}

/// Of links, media and backbones.
std::string of_topology(const Network& network, const auto& matches) {
  if (const auto* star = std::get_if<StarTopology>(&network.topology))
    return star->backbone && matches(star->backbone->sharing) ? "'backbone'" : "";
  const auto* graph = std::get_if<GraphTopology>(&network.topology);
  if (graph == nullptr) return "";
  const auto link = std::ranges::find_if(graph->edges, [&](const auto& edge) { return matches(edge.sharing); });
  if (link != graph->edges.end()) return fmt::format("'sharing: {}' of links", word(link->sharing));
  return std::ranges::any_of(graph->media, [&](const Medium& medium) { return matches(medium.sharing); }) ? "'media'"
                                                                                                          : "";
}

std::string first_of(const Network& network, const auto& matches) {
  const std::string adapters = of_adapters(network, matches);
  return adapters.empty() ? of_topology(network, matches) : adapters;
}

}  // namespace

BytesPerSecond limit_both_ways(const Adapter& adapter) {
  if (adapter.sharing != Sharing::half_duplex) return adapter.both_ways;
  return adapter.both_ways > BytesPerSecond{} ? std::min(adapter.both_ways, adapter.bandwidth) : adapter.bandwidth;
}

BytesPerSecond bandwidth_both_full(const Network& network) {
  const BytesPerSecond limit =
      limit_both_ways({network.bandwidth, network.latency, network.sharing, network.both_ways});
  return limit > BytesPerSecond{} ? std::min(network.bandwidth, limit / 2.0) : network.bandwidth;
}

std::string shared_words(const Network& network) {
  const std::string words = first_of(network, [](Sharing sharing) { return sharing != Sharing::full_duplex; });
  if (!words.empty()) return words;
  const auto limited = [](const Adapter& nic) { return nic.both_ways > BytesPerSecond{}; };
  return network.both_ways > BytesPerSecond{} || std::ranges::any_of(network.nics, limited)
             ? "'bidirectional-bandwidth'"
             : "";
}

std::string alone_words(const Network& network) {
  return first_of(network, [](Sharing sharing) { return sharing == Sharing::none; });
}

namespace {

std::string medium_fact(const std::string& name, const Medium& medium) {
  return fmt::format("{}: {} {}", name, to_text(medium.bandwidth),
                     medium.sharing == Sharing::none ? "for each message alone" : "for all that passes it");
}

void add_adapters(const Network& network, std::vector<std::string>& facts) {
  const auto add = [&](const Adapter& nic) {
    if (nic.sharing == Sharing::half_duplex) facts.emplace_back("adapters are half-duplex");
    if (nic.sharing == Sharing::none) facts.emplace_back("an adapter limits each message alone");
    if (nic.both_ways > BytesPerSecond{})
      facts.push_back(fmt::format("an adapter sends and receives {} together", to_text(nic.both_ways)));
  };
  if (network.nics.empty()) return add({network.bandwidth, network.latency, network.sharing, network.both_ways});
  const auto special = [](const Adapter& nic) {
    return nic.sharing != Sharing::full_duplex || nic.both_ways > BytesPerSecond{};
  };
  if (const auto count = std::ranges::count_if(network.nics, special); count > 0)
    facts.push_back(
        fmt::format("{} of {} nodes have adapters that are not full-duplex or have a limit for both "
                    "directions",
                    count, network.nics.size()));
}

}  // namespace

std::vector<std::string> sharing_facts(const Network& network) {
  std::vector<std::string> facts;
  add_adapters(network, facts);
  if (const auto* star = std::get_if<StarTopology>(&network.topology); star != nullptr && star->backbone)
    facts.push_back(medium_fact("backbone", *star->backbone));
  const auto* graph = std::get_if<GraphTopology>(&network.topology);
  if (graph == nullptr) return facts;
  for (const Sharing sharing : {Sharing::half_duplex, Sharing::none})
    if (const auto links = std::ranges::count(graph->edges, sharing, &GraphTopology::Edge::sharing); links > 0)
      facts.push_back(fmt::format("{} {} {}", links, links == 1 ? "link" : "links",
                                  sharing == Sharing::half_duplex ? "half-duplex" : "limiting each message alone"));
  constexpr std::size_t named_max = 8;
  for (std::size_t i = 0; i < std::min(graph->media.size(), named_max); ++i)
    facts.push_back(medium_fact(fmt::format("medium '{}'", graph->media[i].name), graph->media[i]));
  if (graph->media.size() > named_max) facts.push_back(fmt::format("{} more media", graph->media.size() - named_max));
  if (!graph->routes.empty())
    facts.push_back(fmt::format("{} {} as written in the file", graph->routes.size(),
                                graph->routes.size() == 1 ? "route" : "routes"));
  return facts;
}

void require_playable(const config::Section& section, const Network& network) {
  const auto* graph = std::get_if<GraphTopology>(&network.topology);
  if (graph != nullptr && !graph->routes.empty() && network.routing.kind != Routing::Kind::deterministic)
    section.refuse("routing", Refusal("'routing' is {} beside 'routes' (which say one way for each pair). Leave one "
                                      "of the two out?",
                                      routing_kind_names[static_cast<std::size_t>(network.routing.kind)]));
  const std::string shared = shared_words(network);
  if (shared.empty()) return;
  using Kind = Routing::Kind;
  if (const Kind kind = network.routing.kind; kind != Kind::deterministic && kind != Kind::hash)
    section.refuse("routing", Refusal("'routing' is {} beside {} (its load is that of one direction). Use 'kind: "
                                      "hash', or leave 'routing' out?",
                                      routing_kind_names[static_cast<std::size_t>(kind)], shared));
  if (network.congestion == Congestion::head_of_line)
    section.refuse("congestion", Refusal("'congestion' is head-of-line beside {} (which is of full-duplex networks). "
                                         "Leave 'congestion' out?",
                                         shared));
  if (network.protocol.discipline == Discipline::fifo)
    section.section("protocol")
        .refuse("discipline", Refusal("'discipline' is fifo beside {} (its ports share nothing). Use fair?", shared));
  if (network.aggregation)
    section.refuse("aggregation", Refusal("'aggregation' beside {} (switches that reduce are full-duplex). Leave one "
                                          "of the two out?",
                                          shared));
  const std::string alone = alone_words(network);
  if (alone.empty()) return;
  if (network.adapters.stripe_over > 1)
    section.refuse("striping", Refusal("'striping' beside {} (each part would be limited alone). Leave one of the two "
                                       "out?",
                                       alone));
  if (network.power && network.power->adapter_busy > network.power->adapter && alone.ends_with("of adapters"))
    section.refuse("power", Refusal("'adapter-busy' beside {} (which have no load). Leave one of the two out?", alone));
}

}  // namespace orrery
