/// Keys of a platform file. Figures are {value, source} where they do not share the source of the sections around them.
#include "platforms/keys.hpp"

#include "platforms/key_kinds.hpp"

namespace orrery {

using namespace platform_keys_detail;
using config::anything;

namespace platform_keys_detail {

const Mapping& provenance() {
  static const Mapping mapping{
      .name = "<section>",
      .about = "Where the figures of a section come from; a figure has it from the nearest section around it.",
      .keys = {{.name = "source",
                .absent = "that of the section around it",
                .example = "\"NVIDIA ConnectX-6 datasheet\"",
                .about = "datasheet, paper or dated measurement"},
               {.name = "assumed",
                .absent = "that of the section around it",
                .example = "\"as the previous model\"",
                .about = "instead of a source: true, or why"}}};
  return mapping;
}

}  // namespace platform_keys_detail

namespace {

const Mapping& gpu_keys() {
  static const Mapping mapping{
      .name = "node-types.<type>.gpus[]",
      .about = "GPUs of a node; each may run one rank, which holds a core, too.",
      .keys = {count({.name = "count", .example = "4", .about = "GPUs of this kind in a node"}, 1, 96),
               {.name = "model", .example = "A100", .about = "as it is called in tables"},
               speed({.name = "speed", .example = "9.7Tflop/s", .about = "peak, in double precision"}),
               data({.name = "memory", .example = "40GB", .about = "of one GPU"}, 1.0),
               bandwidth({.name = "memory-bandwidth", .example = "1555GB/s", .about = "of one GPU"}),
               bandwidth({.name = "link-bandwidth",
                          .example = "31.5GB/s",
                          .about = "of PCI Express or NVLink to the host, each direction; with a fabric that joins it "
                                   "to a socket not needed"}),
               time({.name = "link-latency", .example = "2us", .about = "of the same link"}),
               section({.name = "local-work",
                        .absent = "takes no time",
                        .example = "",
                        .about = "of collectives on GPUs: keys as those of a node type"},
                       local_work_keys())},
      .shared = &provenance()};
  return mapping;
}

const Mapping& node_type_keys() {
  static const Mapping mapping{
      .name = "node-types.<type>",
      .about = "Nodes of one type; ranks are numbered by type in the order of the file.",
      .keys = {count({.name = "count", .example = "16", .about = "nodes of this type"}, 1, count_max),
               {.name = "names",
                .absent = "their numbers",
                .example = "\"rack[1-4]node[1-4]\"",
                .about = "of the nodes, in order, the last bracket counting fastest: how node lists of batch systems "
                         "are read"},
               count({.name = "sockets", .example = "2", .about = "CPUs of a node"}, 1, 64),
               count({.name = "cores-per-socket", .example = "16", .about = "cores of a CPU"}, 1, 4096),
               speed({.name = "core-speed",
                      .example = "40Gflop/s",
                      .about = "peak of one core in double precision: clock x flop per cycle"}),
               data({.name = "memory", .example = "128GiB", .about = "of a node"}, 1.0),
               bandwidth({.name = "memory-bandwidth",
                          .example = "100GB/s",
                          .about = "bytes copied per second by the whole node: half of what a datasheet states"}),
               bandwidth(
                   {.name = "copy-bandwidth", .example = "8GB/s", .about = "bytes copied per second by one core"}),
               section({.name = "local-work",
                        .absent = "takes no time",
                        .example = "",
                        .about = "what collectives do beside messages: reducing, copying"},
                       local_work_keys()),
               {.name = "time-sharing-overhead",
                .kind = KeyKind::share,
                .most = 10.0,
                .fallback = "0%",
                .example = "3%",
                .about = "longer work for each rank beyond the cores that takes turns on one: switches, cold caches"},
               section({.name = "shared-memory",
                        .example = "{latency: 0.3us, send-overhead: 0.2us, receive-overhead: 0.2us, eager: 4KiB, "
                                   "handshake: 2, copies: [1, 1], assumed: true}",
                        .about = "messages inside a node"},
                       shared_memory_keys()),
               sections(
                   {.name = "gpus",
                    .absent = "none",
                    .example = "[{count: 2, model: A100, speed: 9.7Tflop/s, memory: 40GB, memory-bandwidth: 1555GB/s, "
                               "link-bandwidth: 31.5GB/s, link-latency: 2us, assumed: true}]",
                    .about = "one entry for each kind of GPU"},
                   gpu_keys()),
               sections({.name = "fabric",
                         .absent = "not described: sockets are alike, GPUs have links of their own",
                         .example = "[{link: upi, among: sockets, bandwidth: 41.6GB/s, latency: 0.1us, assumed: true}]",
                         .about = "cables that join sockets, GPUs and switches of a node"},
                        fabric_keys()),
               section({.name = "gpu-messages",
                        .absent = "GPUs of a node talk through its memory",
                        .example = "",
                        .about = "messages between GPUs that the fabric joins"},
                       gpu_messages_keys())},
      .shared = &provenance()};
  return mapping;
}

const Mapping& adapter_keys() {
  static const Mapping mapping{
      .name = "networks.<network>.nic.<type>",
      .about = "The adapter of nodes of one type, where it is not as the network says.",
      .keys = {bandwidth({.name = "bandwidth",
                          .absent = "bandwidth of the network",
                          .example = "50Mbps",
                          .about = "of the adapter, each direction"}),
               time({.name = "latency",
                     .absent = "latency of the network",
                     .example = "300us",
                     .about = "end to end between two of them; between unlike ones the mean of theirs"})},
      .shared = &provenance()};
  return mapping;
}

const Mapping& adapters_keys() {
  static const Mapping mapping{
      .name = "networks.<network>.nic",
      .about = "Adapters that differ by the type of their nodes.",
      .keys = {section({.name = "<type>", .absent = "as the network says", .example = "", .about = "a type of node"},
                       adapter_keys())},
      .shared = &provenance()};
  return mapping;
}

const Mapping& network_keys() {
  static const Mapping mapping{
      .name = "networks.<network>",
      .about = "A network that connects the nodes; a run takes one of them.",
      .keys =
          {{.name = "technology",
            .absent = "the network's name",
            .example = "\"InfiniBand HDR\"",
            .about = "as it is called in tables"},
           bandwidth({.name = "bandwidth", .example = "200Gbps", .about = "of an adapter, each direction"}),
           {.name = "adapters",
            .kind = KeyKind::any,
            .shape = Shape::either,
            .absent = "one to a node",
            .example = "2",
            .about = "how many to a node, spread over its sockets; or where each is (plx-0..3, or a list); or either "
                     "by node type ({gpu-node: plx-0..3, login: 1})"},
           section({.name = "affinity",
                    .absent = "the nearest adapter; ranks take equally near ones in turn",
                    .example = "{socket-0: 0}",
                    .about = "which adapter a rank uses"},
                   affinity_keys()),
           {.name = "message-rate",
            .kind = KeyKind::rate,
            .least = 1.0,
            .most = 1e12,
            .absent = "any number",
            .example = "100M/s",
            .about = "messages that an adapter takes in a second, each direction; a message alone takes no less than "
                     "one of them"},
           data({.name = "receive-buffer",
                 .absent = "not looked at",
                 .example = "16MB",
                 .about = "of the switch port before an adapter; a run says where more eager messages were under way "
                          "to one than that, as sharing like fluids is then wrong"}),
           section(
               {.name = "striping", .absent = "none", .example = "", .about = "long messages over several adapters"},
               striping_keys()),
           section({.name = "routing",
                    .absent = "deterministic",
                    .example = "{kind: hash}",
                    .about = "which way messages take where there are several"},
                   routing_keys()),
           time({.name = "latency", .example = "0.8us", .about = "end to end between two nodes of one switch"}),
           bandwidth({.name = "link-bandwidth",
                      .absent = "bandwidth",
                      .example = "400Gbps",
                      .about = "of a link between switches, each direction"}),
           time({.name = "link-latency",
                 .fallback = "0s",
                 .example = "0.14us",
                 .about = "of each link between switches on the way"}),
           section({.name = "nic",
                    .absent = "all alike",
                    .example = "{xeon12: {bandwidth: 50Mbps}}",
                    .about = "adapters that differ by the type of their nodes"},
                   adapters_keys()),
           section({.name = "topology", .example = "{kind: star}", .about = "switches and links"}, topology_keys()),
           section({.name = "protocol",
                    .example = "{send-overhead: 0.2us, receive-overhead: 0.2us, eager: 8KiB, handshake: 1, "
                               "copies: [0, 0], assumed: true}",
                    .about = "how messages travel"},
                   protocol_keys())},
      .shared = &provenance()};
  return mapping;
}

const Mapping& node_types_keys() {
  static const Mapping mapping{
      .name = "node-types",
      .about = "The nodes.",
      .keys = {section({.name = "<type>", .example = "", .about = "a name of a-z, 0-9 and '-'"}, node_type_keys())},
      .shared = &provenance()};
  return mapping;
}

const Mapping& networks_keys() {
  static const Mapping mapping{
      .name = "networks",
      .about = "One network or several.",
      .keys = {section({.name = "<network>", .example = "", .about = "a name of a-z, 0-9 and '-'"}, network_keys())},
      .shared = &provenance()};
  return mapping;
}

const Mapping& compute_keys() {
  static const Mapping mapping{
      .name = "compute",
      .about = "How long a compute step takes, where peak speed does not say it.",
      .keys = {{.name = "model", .example = "roofline", .about = "a compute model ('orrery list compute-models')"},
               {.name = "figures",
                .absent = "none, or rows",
                .example = "dahu",
                .about = "its figures: a CSV file beside the platform, or a shipped one"},
               sections({.name = "rows",
                         .absent = "none, or figures",
                         .example = "[{work: dgemm, speed_flop_per_s: 30e9}]",
                         .about = "the same, written here"},
                        anything()),
               {.name = "<setting>",
                .kind = KeyKind::any,
                .example = "",
                .about = "its settings ('orrery show compute-model NAME')"}},
      .shared = &provenance()};
  return mapping;
}

}  // namespace

const Mapping& figure_keys() {
  static const Mapping mapping{
      .name = "<figure>",
      .about = "A figure with a source of its own, instead of the value alone.",
      .keys =
          {{.name = "value", .kind = KeyKind::any, .shape = Shape::either, .example = "1.3us", .about = "the figure"}},
      .shared = &provenance()};
  return mapping;
}

const Mapping& platform_keys() {
  static const Mapping mapping{
      .name = "",
      .about = "A platform file describes a cluster ('orrery new platform').",
      .keys = {
          {.name = "name", .example = "mine", .about = "of a-z, 0-9 and '-'; the file is called the same"},
          {.name = "source",
           .example = "\"datasheets of the vendor, 2026\"",
           .about = "where the figures come from, unless a section or a figure says otherwise"},
          section({.name = "node-types", .example = "", .about = "the nodes"}, node_types_keys()),
          section({.name = "networks", .example = "", .about = "the networks"}, networks_keys()),
          count({.name = "processors",
                 .fallback = "0",
                 .example = "2",
                 .about = "of the one machine that emulates all nodes ('orrery cluster'): overheads and computation of "
                          "all ranks share them; 0: nodes have processors of their own"},
                0, 4096),
          time({.name = "forwarding",
                .fallback = "0s",
                .example = "40us",
                .about =
                    "work of those processors on a message between nodes (the switch's), half as it leaves and half "
                    "as it arrives, one message after another; part of the latency of a network of 'discipline: "
                    "fifo'"}),
          time({.name = "forwarding-next",
                .absent = "as 'forwarding'",
                .example = "12us",
                .about = "that work on a message that comes while the switch is at work on another"}),
          time({.name = "start-skew",
                .fallback = "0s",
                .example = "100us",
                .about = "by how much ranks leave a common start or an ideal barrier late, at most, each by chance: as "
                         "they do where times are measured"}),
          section(
              {.name = "compute", .absent = "peak speeds", .example = "{model: roofline}", .about = "a compute model"},
              compute_keys())}};
  return mapping;
}

}  // namespace orrery
