/// What a network is: adapters, links, switches, and which way messages take.
#include "platforms/field_types.hpp"

namespace orrery {

using namespace platform_fields_detail;
using config::Fields;

namespace platform_fields_detail {

const Mapping& affinity_keys() {
  static const Mapping mapping{
      .name = "networks.<network>.affinity",
      .about = "Adapters of the ranks on a socket or GPU, instead of the nearest.",
      .keys = {{.name = "<socket-0 or gpu-0..3>",
                .kind = KeyKind::integer,
                .shape = Shape::either,
                .least = 0,
                .most = 63,
                .example = "0",
                .about = "adapter number, or several in order; the first is used, the others only for striping"}},
      .shared = &provenance()};
  return mapping;
}

}  // namespace platform_fields_detail

namespace {

const Fields<Adapters>& striping_fields() {
  static const Fields<Adapters> fields{
      {.name = "networks.<network>.striping",
       .about = "Long messages are divided into equal parts, each sent as a message over another adapter.",
       .shared = &provenance()},
      {{&Adapters::stripe_from,
        {.name = "from", .least = 1.0, .example = "1MiB", .about = "smallest message that is striped"}},
       {&Adapters::stripe_over,
        {.name = "over",
         .least = 1,
         .most = 12,
         .example = "2",
         .about = "number of parts, each over the next nearest adapter; 1: no striping"}}}};
  return fields;
}

const Fields<Routing>& routing_fields() {
  using Kind = Routing::Kind;
  static const Fields<Routing> fields{
      {.name = "networks.<network>.routing",
       .about = "Choice among several routes between two adapters.",
       .shared = &provenance()},
      {{&Routing::kind,
        {{"deterministic", Kind::deterministic},
         {"hash", Kind::hash},
         {"split", Kind::split},
         {"valiant", Kind::valiant},
         {"adaptive", Kind::adaptive}},
        {.name = "kind",
         .example = "adaptive",
         .about = "deterministic: one route by formula; hash: one randomized shortest route per rank pair (ECMP); "
                  "split: equal parts over 'paths' shortest routes; valiant: each message takes one of 'paths' "
                  "randomized detours of its pair; adaptive: of 'paths' randomized routes per pair, half of them "
                  "detours, the least loaded when the message starts (UGAL)"}},
       {&Routing::paths,
        {.name = "paths",
         .least = 2,
         .most = 12,
         .fallback = "4",
         .example = "4",
         .about = "number of routes per pair"}},
       {&Routing::seed,
        {.name = "seed",
         .most = 1e9,
         .fallback = "1",
         .example = "1",
         .about = "seed of randomized routes; 'orrery run --repeat N' runs N seeds"}}}};
  return fields;
}

PiecewiseRate& message_rate_of(Network& network) { return network.adapters.message_rate; }
std::uint32_t& send_queues_of(Network& network) { return network.adapters.send_queues; }

const Fields<Aggregation>& aggregation_fields() {
  static const Fields<Aggregation> fields{{.name = "networks.<network>.aggregation",
                                           .about = "Switches that reduce data and multicast the result, as InfiniBand "
                                                    "SHARP: used by allreduce algorithm 'sharp'.",
                                           .shared = &provenance()},
                                          {{&Aggregation::latency,
                                            {.name = "latency",
                                             .example = "0.6us",
                                             .about = "extra latency of switches and adapters, added to the route's "
                                                      "once on the way up and once on the way down"}},
                                           {&Aggregation::bandwidth,
                                            {.name = "bandwidth",
                                             .absent = "that of the links",
                                             .example = "23.7GB/s",
                                             .about = "maximum bandwidth of one reduction"}}}};
  return fields;
}

const Mapping& nic_keys() {
  static const Mapping mapping{
      .name = "networks.<network>.nic",
      .about = "Adapters that differ between node types.",
      .keys = {section({.name = "<type>", .absent = "that of the network", .example = "", .about = "a node type"},
                       adapter_fields().mapping())},
      .shared = &provenance()};
  return mapping;
}

}  // namespace

const Fields<Adapter>& adapter_fields() {
  static const Fields<Adapter> fields{
      {.name = "networks.<network>.nic.<type>",
       .about = "Adapter of one node type, where it differs from the network's.",
       .shared = &provenance()},
      {{&Adapter::bandwidth,
        {.name = "bandwidth",
         .absent = "bandwidth of the network",
         .example = "50Mbps",
         .about = "bandwidth of the adapter in each direction"}},
       {&Adapter::latency,
        {.name = "latency",
         .absent = "latency of the network",
         .example = "300us",
         .about = "latency end to end between two such nodes; between two types: the mean"}},
       {&Adapter::sharing,
        sharing_words(),
        {.name = "sharing",
         .absent = "sharing of the network",
         .example = "half-duplex",
         .about = "sharing between the adapter's two directions"}},
       {&Adapter::both_ways,
        {.name = "bidirectional-bandwidth",
         .absent = "that of the network",
         .example = "80Mbps",
         .about = "total bandwidth for sending and receiving"}}}};
  return fields;
}

const Fields<Network>& network_fields() {
  static const Fields<Network> fields{
      {.name = "networks.<network>",
       .about = "A network that connects the nodes; a run uses one network.",
       .shared = &provenance()},
      {{&Network::technology,
        {.name = "technology",
         .absent = "the network's name",
         .example = "\"InfiniBand HDR\"",
         .about = "name in tables"}},
       {&Network::bandwidth,
        {.name = "bandwidth", .example = "200Gbps", .about = "bandwidth of an adapter in each direction"}},
       {&Network::sharing,
        sharing_words(),
        {.name = "sharing",
         .fallback = "full-duplex",
         .example = "half-duplex",
         .about = "of an adapter. full-duplex: each direction has the full bandwidth; half-duplex: both directions "
                  "share it; none: it limits each message separately"}},
       {&Network::both_ways,
        {.name = "bidirectional-bandwidth",
         .absent = "each direction has all of 'bandwidth'",
         .example = "320Gbps",
         .about = "total bandwidth of an adapter for sending and receiving, for example limited by its PCIe slot"}},
       Key{.name = "adapters",
           .kind = KeyKind::any,
           .shape = Shape::either,
           .absent = "one per node",
           .example = "2",
           .about = "number per node, spread over its sockets; or the place of each (plx-0..3, or a list); or either "
                    "by node type ({gpu-node: plx-0..3, login: 1})"},
       section({.name = "affinity",
                .absent = "the nearest adapter; equally near ones in turn",
                .example = "{socket-0: 0}",
                .about = "adapters that ranks use"},
               affinity_keys()),
       {message_rate_of,
        {.name = "message-rate",
         .absent = "any number",
         .example = "[{from: 0B, rate: 65M/s}, {from: 64B, rate: 12.7M/s}]",
         .about = "maximum messages per second of an adapter in each direction, for all sizes or by message size (no "
                  "limit below the first step); one message takes at least 1/rate"}},
       {send_queues_of,
        {.name = "send-queues",
         .least = 1,
         .most = 64,
         .absent = "all messages of an adapter share it at the same time",
         .example = "4",
         .about = "queues of an adapter; messages join them in turn, and each sends one message at a time, in order"}},
       {&Network::adapters,
        striping_fields(),
        {.name = "striping", .absent = "none", .example = "", .about = "long messages over several adapters"}},
       {&Network::routing,
        routing_fields(),
        {.name = "routing",
         .absent = "deterministic",
         .example = "{kind: hash}",
         .about = "choice of route where there are several"}},
       {&Network::congestion,
        {{"ideal", Congestion::ideal}, {"head-of-line", Congestion::head_of_line}},
        {.name = "congestion",
         .fallback = "ideal",
         .example = "head-of-line",
         .about = "ideal: bandwidth that a blocked message cannot use goes to others; head-of-line: a blocked message "
                  "also blocks messages behind it, as on a lossless network without congestion control"}},
       {&Network::latency,
        {.name = "latency", .example = "0.8us", .about = "latency end to end between two nodes of one switch"}},
       {&Network::link_bandwidth,
        {.name = "link-bandwidth",
         .absent = "bandwidth",
         .example = "400Gbps",
         .about = "bandwidth of a link between switches in each direction"}},
       {&Network::link_latency,
        {.name = "link-latency",
         .fallback = "0s",
         .example = "0.14us",
         .about = "extra latency of each link between switches on the route"}},
       section({.name = "nic",
                .absent = "all identical",
                .example = "{xeon12: {bandwidth: 50Mbps}}",
                .about = "adapters that differ between node types"},
               nic_keys()),
       {&Network::aggregation,
        aggregation_fields(),
        {.name = "aggregation",
         .absent = "switches only forward messages",
         .example = "{latency: 0.6us, bandwidth: 23.7GB/s, assumed: true}",
         .about = "reduction and multicast in the switches (SHARP)"}},
       {&Network::power,
        network_power_fields(),
        {.name = "power",
         .absent = "not included",
         .example = "{adapter: 18W, adapter-busy: 25W, switch: 600W}",
         .about = "power of adapters and switches"}},
       section({.name = "topology", .example = "{kind: star}", .about = "switches and links"}, topology_keys()),
       {&Network::protocol,
        protocol_fields(),
        {.name = "protocol",
         .example =
             "{send-overhead: 0.2us, receive-overhead: 0.2us, eager: 8KiB, handshake: 1, copies: [0, 0], assumed: "
             "true}",
         .about = "transfer of messages"}}}};
  return fields;
}

}  // namespace orrery
