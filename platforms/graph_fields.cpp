/// The tables of the topology kinds 'graph' and 'star'.
#include "platforms/field_types.hpp"
#include "platforms/fields.hpp"
#include "platforms/topology_loader.hpp"

namespace orrery {

using namespace platform_fields_detail;

namespace {

const std::vector<Word<Sharing>>& sharing_of_media() {
  static const std::vector<Word<Sharing>> words{{"half-duplex", Sharing::half_duplex}, {"none", Sharing::none}};
  return words;
}

Key medium_sharing(const char* about) {
  return {.name = "sharing", .fallback = "half-duplex", .example = "none", .about = about};
}

}  // namespace

const config::Fields<GraphTopology::Edge>& edge_fields() {
  using Edge = GraphTopology::Edge;
  static const config::Fields<Edge> fields{
      {.name = "networks.<network>.topology.links[]",
       .about = "A cable of a topology of kind 'graph'.",
       .shared = &provenance()},
      {{&Edge::name, {.name = "name", .absent = "none", .example = "uplink", .about = "by which routes call it"}},
       Key{.name = "between",
           .shape = Shape::list,
           .example = "[a, b]",
           .about = "the two switches, or media, at its ends"},
       {&Edge::bandwidth, {.name = "bandwidth", .example = "400Gbps", .about = "each direction"}},
       {&Edge::latency, {.name = "latency", .example = "0.2us", .about = "of the cable"}},
       {&Edge::sharing,
        sharing_words(),
        {.name = "sharing",
         .fallback = "full-duplex",
         .example = "half-duplex",
         .about = "full-duplex: each direction has the bandwidth; half-duplex: messages of both directions share it; "
                  "none: each message alone gets no more than it"}}}};
  return fields;
}

const config::Fields<Medium>& medium_fields() {
  static const config::Fields<Medium> fields{
      {.name = "networks.<network>.topology.media[]",
       .about = "What joins any number of ends in a topology of kind 'graph': a bus, a hub, a backbone. Nodes hang on "
                "it, and links end at it, as at a switch.",
       .shared = &provenance()},
      {{&Medium::name, {.name = "name", .example = "bus", .about = "by which nodes, links and routes call it"}},
       Key{.name = "between",
           .shape = Shape::list,
           .absent = "none",
           .example = "[a, b]",
           .about = "switches that it joins, without a link of their own"},
       {&Medium::bandwidth,
        {.name = "bandwidth", .example = "10Mbps", .about = "of all that passes it, whatever its ends"}},
       {&Medium::latency,
        {.name = "latency", .fallback = "0s", .example = "2us", .about = "of passing it, from any end to any"}},
       {&Medium::sharing, sharing_of_media(),
        medium_sharing("half-duplex: all messages share its bandwidth; none: each message alone gets no more than "
                       "it")}}};
  return fields;
}

const config::Fields<Medium>& backbone_fields() {
  static const config::Fields<Medium> fields{
      {.name = "networks.<network>.topology.backbone",
       .about = "What all messages between nodes of a star pass: a hub, the backplane of a switch, a backbone.",
       .shared = &provenance()},
      {{&Medium::bandwidth, {.name = "bandwidth", .example = "1Gbps", .about = "of all messages together"}},
       {&Medium::latency, {.name = "latency", .fallback = "0s", .example = "20us", .about = "of passing it"}},
       {&Medium::sharing, sharing_of_media(),
        medium_sharing("half-duplex: all messages share its bandwidth; none: each message alone gets no more than "
                       "it")}}};
  return fields;
}

const config::Fields<GraphTopology::Route>& route_fields() {
  using Route = GraphTopology::Route;
  static const config::Fields<Route> fields{
      {.name = "networks.<network>.topology.routes[]",
       .about =
           "What messages between the nodes of two switches, or media, of a graph go over, instead of the shortest "
           "way. The way back is the same unless it has a route of its own.",
       .shared = &provenance()},
      {{&Route::from, {.name = "from", .example = "a", .about = "the switch or medium of the senders"}},
       {&Route::to, {.name = "to", .example = "b", .about = "that of the receivers"}},
       Key{.name = "over",
           .shape = Shape::list,
           .example = "[uplink]",
           .about = "names of links and media, in order"}}};
  return fields;
}

namespace {

const Mapping& attached_keys() {
  static const Mapping mapping{.name = "networks.<network>.topology.nodes",
                               .about = "Which nodes hang on which switch of a topology of kind 'graph'.",
                               .keys = {{.name = "<switch>",
                                         .shape = Shape::either,
                                         .example = "[0-6, 7-15]",
                                         .about = "nodes by number; each is attached once"}}};
  return mapping;
}

}  // namespace

const std::vector<Key>& star_keys() {
  static const std::vector<Key> keys{section({.name = "backbone",
                                              .absent = "none: nodes are limited by their adapters alone",
                                              .example = "{bandwidth: 1Gbps}",
                                              .about = "what all messages between nodes share"},
                                             backbone_fields().mapping())};
  return keys;
}

/// What the loader reads by itself.
const std::vector<Key>& graph_keys() {
  static const std::vector<Key> keys{
      {.name = "nodes",
       .inside = &attached_keys(),
       .about = "which nodes hang on which switch or medium, as in {a: 0-7, b: [8-15]}"},
      {.name = "switches",
       .shape = Shape::list,
       .absent = "none, where there are media",
       .example = "[a, b]",
       .about = "names of the switches"},
      sections({.name = "media",
                .absent = "none",
                .example = "[{name: bus, between: [a, b], bandwidth: 10Mbps, latency: 2us}]",
                .about = "what joins any number of ends: buses, hubs, backbones"},
               medium_fields().mapping()),
      sections({.name = "routes",
                .absent = "the shortest",
                .example = "[{from: a, to: b, over: [bus]}]",
                .about = "routes as they are, where they are not the shortest"},
               route_fields().mapping()),
      sections({.name = "links",
                .absent = "none",
                .example = "[{between: [a, b], bandwidth: 400Gbps, latency: 0.2us}]",
                .about = "cables between switches"},
               edge_fields().mapping())};
  return keys;
}

}  // namespace orrery
