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
      {{&Edge::name, {.name = "name", .absent = "none", .example = "uplink", .about = "name for use in 'routes'"}},
       Key{.name = "between",
           .shape = Shape::list,
           .example = "[a, b]",
           .about = "the two switches, or media, at its ends"},
       {&Edge::bandwidth, {.name = "bandwidth", .example = "400Gbps", .about = "bandwidth in each direction"}},
       {&Edge::latency, {.name = "latency", .example = "0.2us", .about = "latency of the cable"}},
       {&Edge::sharing,
        sharing_words(),
        {.name = "sharing",
         .fallback = "full-duplex",
         .example = "half-duplex",
         .about = "full-duplex: each direction has the full bandwidth; half-duplex: both directions share it; none: it "
                  "limits each message separately"}}}};
  return fields;
}

const config::Fields<Medium>& medium_fields() {
  static const config::Fields<Medium> fields{
      {.name = "networks.<network>.topology.media[]",
       .about = "A shared medium of a topology of kind 'graph' with any number of ends: a bus, a hub, a backbone. "
                "Nodes and links attach to it as to a switch.",
       .shared = &provenance()},
      {{&Medium::name, {.name = "name", .example = "bus", .about = "name for use in 'nodes', 'links' and 'routes'"}},
       Key{.name = "between",
           .shape = Shape::list,
           .absent = "none",
           .example = "[a, b]",
           .about = "switches that it joins directly, without further links"},
       {&Medium::bandwidth,
        {.name = "bandwidth", .example = "10Mbps", .about = "total bandwidth of all messages that pass it"}},
       {&Medium::latency,
        {.name = "latency", .fallback = "0s", .example = "2us", .about = "latency between any two of its ends"}},
       {&Medium::sharing, sharing_of_media(),
        medium_sharing("half-duplex: all messages share the bandwidth; none: it limits each message separately")}}};
  return fields;
}

const config::Fields<Medium>& backbone_fields() {
  static const config::Fields<Medium> fields{
      {.name = "networks.<network>.topology.backbone",
       .about =
           "A shared resource that all messages between nodes of a star pass: a hub, a switch backplane, a backbone.",
       .shared = &provenance()},
      {{&Medium::bandwidth, {.name = "bandwidth", .example = "1Gbps", .about = "total bandwidth of all messages"}},
       {&Medium::latency, {.name = "latency", .fallback = "0s", .example = "20us", .about = "latency of passing it"}},
       {&Medium::sharing, sharing_of_media(),
        medium_sharing("half-duplex: all messages share the bandwidth; none: it limits each message separately")}}};
  return fields;
}

const config::Fields<GraphTopology::Route>& route_fields() {
  using Route = GraphTopology::Route;
  static const config::Fields<Route> fields{
      {.name = "networks.<network>.topology.routes[]",
       .about = "The route of messages from the nodes of one switch or medium to those of another, instead of the "
                "shortest. The way back is the same unless it has its own route.",
       .shared = &provenance()},
      {{&Route::from, {.name = "from", .example = "a", .about = "switch or medium of the senders"}},
       {&Route::to, {.name = "to", .example = "b", .about = "switch or medium of the receivers"}},
       Key{.name = "over",
           .shape = Shape::list,
           .example = "[uplink]",
           .about = "names of links and media, in order"}}};
  return fields;
}

namespace {

const Mapping& attached_keys() {
  static const Mapping mapping{.name = "networks.<network>.topology.nodes",
                               .about = "Nodes on each switch of a topology of kind 'graph'.",
                               .keys = {{.name = "<switch>",
                                         .shape = Shape::either,
                                         .example = "[0-6, 7-15]",
                                         .about = "node numbers; each node is on one switch"}}};
  return mapping;
}

}  // namespace

const std::vector<Key>& star_keys() {
  static const std::vector<Key> keys{section({.name = "backbone",
                                              .absent = "none: only adapters limit the nodes",
                                              .example = "{bandwidth: 1Gbps}",
                                              .about = "a resource that all messages between nodes share"},
                                             backbone_fields().mapping())};
  return keys;
}

/// What the loader reads by itself.
const std::vector<Key>& graph_keys() {
  static const std::vector<Key> keys{
      {.name = "nodes",
       .inside = &attached_keys(),
       .about = "nodes on each switch or medium, as in {a: 0-7, b: [8-15]}"},
      {.name = "switches",
       .shape = Shape::list,
       .absent = "none, where there are media",
       .example = "[a, b]",
       .about = "names of the switches"},
      sections({.name = "media",
                .absent = "none",
                .example = "[{name: bus, between: [a, b], bandwidth: 10Mbps, latency: 2us}]",
                .about = "shared media with any number of ends: buses, hubs, backbones"},
               medium_fields().mapping()),
      sections({.name = "routes",
                .absent = "the shortest",
                .example = "[{from: a, to: b, over: [bus]}]",
                .about = "explicit routes where messages do not take the shortest"},
               route_fields().mapping()),
      sections({.name = "links",
                .absent = "none",
                .example = "[{between: [a, b], bandwidth: 400Gbps, latency: 0.2us}]",
                .about = "cables between switches"},
               edge_fields().mapping())};
  return keys;
}

}  // namespace orrery
