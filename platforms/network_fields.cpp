/// What a network is: adapters, links, switches, and which way messages take.
#include "platforms/field_types.hpp"

namespace orrery {

using namespace platform_fields_detail;
using config::Fields;

namespace platform_fields_detail {

const Mapping& affinity_keys() {
  static const Mapping mapping{
      .name = "networks.<network>.affinity",
      .about = "Which adapters ranks on a socket or GPU use, instead of the nearest.",
      .keys = {{.name = "<socket-0 or gpu-0..3>",
                .kind = KeyKind::integer,
                .shape = Shape::either,
                .least = 0,
                .most = 63,
                .example = "0",
                .about = "number of the adapter, or several in order: the first, the others for striping"}},
      .shared = &provenance()};
  return mapping;
}

}  // namespace platform_fields_detail

namespace {

const Fields<Adapters>& striping_fields() {
  static const Fields<Adapters> fields{
      {.name = "networks.<network>.striping",
       .about = "Long messages in equal parts over several adapters, each as a message of its own.",
       .shared = &provenance()},
      {{&Adapters::stripe_from,
        {.name = "from", .least = 1.0, .example = "1MiB", .about = "smallest message that is striped"}},
       {&Adapters::stripe_over,
        {.name = "over",
         .least = 1,
         .most = 12,
         .example = "2",
         .about = "parts, each over the next nearest adapter; 1: no striping"}}}};
  return fields;
}

const Fields<Routing>& routing_fields() {
  using Kind = Routing::Kind;
  static const Fields<Routing> fields{
      {.name = "networks.<network>.routing",
       .about = "Which of several routes between two adapters a message takes.",
       .shared = &provenance()},
      {{&Routing::kind,
        {{"deterministic", Kind::deterministic},
         {"hash", Kind::hash},
         {"split", Kind::split},
         {"valiant", Kind::valiant},
         {"adaptive", Kind::adaptive}},
        {.name = "kind",
         .example = "adaptive",
         .about =
             "deterministic: one route by formula; hash: one shortest route drawn for each pair of ranks (ECMP); "
             "split: in equal parts over 'paths' shortest routes; valiant: each message over a place in between, of "
             "'paths' drawn for its pair; adaptive: of 'paths' drawn for its pair, half of them detours, the "
             "least loaded as the message starts (UGAL)"}},
       {&Routing::paths,
        {.name = "paths", .least = 2, .most = 12, .fallback = "4", .example = "4", .about = "routes of a pair"}},
       {&Routing::seed,
        {.name = "seed",
         .most = 1e9,
         .fallback = "1",
         .example = "1",
         .about = "of the drawn routes; 'orrery run --repeat N' plays with N of them"}}}};
  return fields;
}

PiecewiseRate& message_rate_of(Network& network) { return network.adapters.message_rate; }
std::uint32_t& send_queues_of(Network& network) { return network.adapters.send_queues; }

const Fields<Aggregation>& aggregation_fields() {
  static const Fields<Aggregation> fields{
      {.name = "networks.<network>.aggregation",
       .about =
           "Switches that reduce what comes from below and multicast the result, as SHARP of InfiniBand: allreduce "
           "by algorithm 'sharp'.",
       .shared = &provenance()},
      {{&Aggregation::latency,
        {.name = "latency",
         .example = "0.6us",
         .about = "added to that of the route, on the way up and on the way down: switches that work, adapters that "
                  "begin and end"}},
       {&Aggregation::bandwidth,
        {.name = "bandwidth", .absent = "as the links", .example = "23.7GB/s", .about = "of one reduction, at most"}}}};
  return fields;
}

const Mapping& nic_keys() {
  static const Mapping mapping{
      .name = "networks.<network>.nic",
      .about = "Adapters that differ by the type of their nodes.",
      .keys = {section({.name = "<type>", .absent = "as the network says", .example = "", .about = "a type of node"},
                       adapter_fields().mapping())},
      .shared = &provenance()};
  return mapping;
}

}  // namespace

const Fields<Adapter>& adapter_fields() {
  static const Fields<Adapter> fields{
      {.name = "networks.<network>.nic.<type>",
       .about = "The adapter of nodes of one type, where it is not as the network says.",
       .shared = &provenance()},
      {{&Adapter::bandwidth,
        {.name = "bandwidth",
         .absent = "bandwidth of the network",
         .example = "50Mbps",
         .about = "of the adapter, each direction"}},
       {&Adapter::latency,
        {.name = "latency",
         .absent = "latency of the network",
         .example = "300us",
         .about = "end to end between two of them; between unlike ones the mean of theirs"}},
       {&Adapter::sharing,
        sharing_words(),
        {.name = "sharing",
         .absent = "sharing of the network",
         .example = "half-duplex",
         .about = "of the adapter's two directions"}},
       {&Adapter::both_ways,
        {.name = "bidirectional-bandwidth",
         .absent = "that of the network",
         .example = "80Mbps",
         .about = "of what the adapter sends and receives together"}}}};
  return fields;
}

const Fields<Network>& network_fields() {
  static const Fields<Network> fields{
      {.name = "networks.<network>",
       .about = "A network that connects the nodes; a run takes one of them.",
       .shared = &provenance()},
      {{&Network::technology,
        {.name = "technology",
         .absent = "the network's name",
         .example = "\"InfiniBand HDR\"",
         .about = "as it is called in tables"}},
       {&Network::bandwidth, {.name = "bandwidth", .example = "200Gbps", .about = "of an adapter, each direction"}},
       {&Network::sharing,
        sharing_words(),
        {.name = "sharing",
         .fallback = "full-duplex",
         .example = "half-duplex",
         .about =
             "of an adapter: full-duplex: each direction has the bandwidth; half-duplex: what it sends and what it "
             "receives share it; none: each message alone gets no more than it"}},
       {&Network::both_ways,
        {.name = "bidirectional-bandwidth",
         .absent = "both directions have all of 'bandwidth' at once",
         .example = "320Gbps",
         .about = "of what an adapter sends and receives together, as where its slot is slower than its two "
                  "directions"}},
       Key{.name = "adapters",
           .kind = KeyKind::any,
           .shape = Shape::either,
           .absent = "one to a node",
           .example = "2",
           .about = "how many to a node, spread over its sockets; or where each is (plx-0..3, or a list); or either by "
                    "node type ({gpu-node: plx-0..3, login: 1})"},
       section({.name = "affinity",
                .absent = "the nearest adapter; ranks take equally near ones in turn",
                .example = "{socket-0: 0}",
                .about = "which adapter a rank uses"},
               affinity_keys()),
       {message_rate_of,
        {.name = "message-rate",
         .absent = "any number",
         .example = "[{from: 0B, rate: 65M/s}, {from: 64B, rate: 12.7M/s}]",
         .about = "messages that an adapter takes in a second, each direction, of all sizes or by the size of a "
                  "message (below the first step any number); a message alone takes no less than one of them"}},
       {send_queues_of,
        {.name = "send-queues",
         .least = 1,
         .most = 64,
         .absent = "messages of an adapter share it at once",
         .example = "4",
         .about = "of an adapter, which messages join in turn; each sends one message at a time, in order"}},
       {&Network::receive_buffer,
        {.name = "receive-buffer",
         .absent = "not looked at",
         .example = "16MB",
         .about = "of the switch port before an adapter; a run says where more eager messages were under way to one "
                  "than that, as sharing like fluids is then wrong"}},
       {&Network::adapters,
        striping_fields(),
        {.name = "striping", .absent = "none", .example = "", .about = "long messages over several adapters"}},
       {&Network::routing,
        routing_fields(),
        {.name = "routing",
         .absent = "deterministic",
         .example = "{kind: hash}",
         .about = "which way messages take where there are several"}},
       {&Network::congestion,
        {{"ideal", Congestion::ideal}, {"head-of-line", Congestion::head_of_line}},
        {.name = "congestion",
         .fallback = "ideal",
         .example = "head-of-line",
         .about = "what messages to a receiver that takes no more do to others: ideal: nothing, their share is used; "
                  "head-of-line: they hold up those behind them on every link that they have come over, as on a "
                  "lossless network without congestion control"}},
       {&Network::latency,
        {.name = "latency", .example = "0.8us", .about = "end to end between two nodes of one switch"}},
       {&Network::link_bandwidth,
        {.name = "link-bandwidth",
         .absent = "bandwidth",
         .example = "400Gbps",
         .about = "of a link between switches, each direction"}},
       {&Network::link_latency,
        {.name = "link-latency",
         .fallback = "0s",
         .example = "0.14us",
         .about = "of each link between switches on the way"}},
       section({.name = "nic",
                .absent = "all alike",
                .example = "{xeon12: {bandwidth: 50Mbps}}",
                .about = "adapters that differ by the type of their nodes"},
               nic_keys()),
       {&Network::aggregation,
        aggregation_fields(),
        {.name = "aggregation",
         .absent = "switches pass messages on and do nothing else",
         .example = "{latency: 0.6us, bandwidth: 23.7GB/s, assumed: true}",
         .about = "what switches do themselves: they reduce, and multicast the result (SHARP)"}},
       {&Network::power,
        network_power_fields(),
        {.name = "power",
         .absent = "not counted",
         .example = "{adapter: 18W, adapter-busy: 25W, switch: 600W}",
         .about = "what adapters and switches draw"}},
       section({.name = "topology", .example = "{kind: star}", .about = "switches and links"}, topology_keys()),
       {&Network::protocol,
        protocol_fields(),
        {.name = "protocol",
         .example =
             "{send-overhead: 0.2us, receive-overhead: 0.2us, eager: 8KiB, handshake: 1, copies: [0, 0], assumed: "
             "true}",
         .about = "how messages travel"}}}};
  return fields;
}

}  // namespace orrery
