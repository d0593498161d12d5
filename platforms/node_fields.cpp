/// What nodes of a type are: processors, memory, GPUs, cables between them, a host's own work for collectives.
#include <fmt/format.h>

#include "platforms/field_types.hpp"
#include "platforms/node_names.hpp"

namespace orrery {

using namespace platform_fields_detail;
using config::Fields;

namespace {

/// A text, or a list of such.
config::Field<NodeType> names_field() {
  config::Field<NodeType> field(&NodeType::names,
                                {.name = "names",
                                 .shape = Shape::either,
                                 .absent = "their numbers",
                                 .example = "\"rack[1-4]node[1-4]\"",
                                 .about = "of the nodes, in order and as they are, domains included; the last bracket "
                                          "counts fastest. Node lists of batch systems name nodes so"});
  field.read = [](NodeType& into, const config::Value& value) { into.names = names_of(value); };
  return field;
}

}  // namespace

const Fields<Fabric::Cable>& cable_fields() {
  using Cable = Fabric::Cable;
  static const Fields<Cable> fields{
      {.name = "node-types.<type>.fabric[]",
       .about =
           "Cables inside a node. Their ends are sockets (socket-0, or 'sockets' for all), GPUs (gpu-3, 'gpus') and "
           "any "
           "other name, which makes a switch of PCI Express or NVLink; 'plx-0..3' are four. Messages take the widest "
           "way.",
       .shared = &provenance()},
      {{&Cable::kind,
        {{"pcie", ResourceKind::pcie},
         {"nvlink", ResourceKind::nvlink},
         {"infinity-fabric", ResourceKind::infinity_fabric},
         {"upi", ResourceKind::upi}},
        {.name = "link", .example = "nvlink", .about = "what the cables are; loads are shown by it"}},
       Key{.name = "between",
           .shape = Shape::list,
           .absent = "required without 'among' and 'each'",
           .example = "[sockets, plx-0..3]",
           .about = "two ends; where one is several, they are divided evenly, in order, among the other"},
       Key{.name = "each",
           .shape = Shape::list,
           .absent = "required without 'between' and 'among'",
           .example = "[gpus, nvswitch-0..3]",
           .about = "two ends; each of the one is joined to each of the other, as GPUs are to all their NVSwitches. "
                    "Switches that join the same GPUs are taken for one that carries what they carry together"},
       Key{.name = "among",
           .absent = "required without 'between' and 'each'",
           .example = "sockets",
           .about = "several, each joined to each by a cable"},
       {&Cable::bandwidth, {.name = "bandwidth", .example = "450GB/s", .about = "of each cable, each direction"}},
       {&Cable::latency, {.name = "latency", .fallback = "0s", .example = "0.2us", .about = "of each cable"}},
       count({.name = "spans",
              .fallback = "1",
              .example = "1",
              .about = "so many consecutive nodes share the switch or switches at the second end: an NVLink domain"},
             1, 1u << 12)}};
  return fields;
}

const Fields<LocalRates>& local_work_fields() {
  static const Fields<LocalRates> fields{
      {.name = "node-types.<type>.local-work",
       .about = "What a core does for a collective beside its messages, in bytes of the result; a GPU has the same. "
                "Without it all this takes no time.",
       .shared = &provenance()},
      {{&LocalRates::reduction,
        {.name = "reduction",
         .absent = "reducing takes no time",
         .example = "6GB/s",
         .about = "combining two vectors in memory"}},
       {&LocalRates::copy,
        {.name = "copy",
         .absent = "copying takes no time",
         .example = "10GB/s",
         .about = "where an algorithm copies between buffers: rotations, packing, operands"}},
       {&LocalRates::cache,
        {.name = "cache",
         .fallback = "32MiB",
         .example = "32MiB",
         .about = "collectives on vectors of up to so much work in caches"}},
       {&LocalRates::shared_cache,
        {.name = "shared-cache",
         .absent = "each rank has all of 'cache'",
         .example = "16MiB",
         .about = "cache that the ranks of a socket share: each has an equal part of it, at most 'cache'"}},
       {&LocalRates::cached_reduction,
        {.name = "cached-reduction",
         .absent = "reduction",
         .example = "12GB/s",
         .about = "combining two vectors in caches"}},
       {&LocalRates::cached_copy,
        {.name = "cached-copy", .absent = "copy", .example = "20GB/s", .about = "copying between buffers in caches"}},
       {&LocalRates::fresh_memory,
        {.name = "fresh-memory",
         .absent = "takes no time",
         .example = "8GB/s",
         .about = "first use of a temporary buffer that malloc maps anew for each call"}},
       {&LocalRates::heap_memory,
        {.name = "heap-memory",
         .absent = "takes no time",
         .example = "3GB/s",
         .about = "the same of shorter buffers that malloc gives back: several, together at least twice as long as the "
                  "longest of over 128 KiB"}},
       {&LocalRates::registration,
        {.name = "registration",
         .absent = "takes no time",
         .example = "1.3ms",
         .about = "registering a block of a new buffer, of at least 'fresh-from', with the adapter: a fixed time for "
                  "each block of it that a ring reduce-scatter sends"}},
       {&LocalRates::datatype,
        {.name = "datatype",
         .absent = "takes no time",
         .example = "3us",
         .about = "describing to MPI which blocks a message takes: each round of Bruck's all-to-all"}},
       {&LocalRates::datatype_block,
        {.name = "datatype-block",
         .absent = "takes no time",
         .example = "68ns",
         .about = "added for each block of such a datatype; a round of Bruck's all-to-all sends half of all blocks"}},
       {&LocalRates::count,
        {.name = "count",
         .absent = "takes no time",
         .example = "25ns",
         .about = "reading one of the counts, one for each rank, that allgatherv and alltoallv are given"}},
       {&LocalRates::fresh_from,
        {.name = "fresh-from",
         .fallback = "32MiB",
         .example = "32MiB",
         .about = "the smallest such buffer: glibc's greatest M_MMAP_THRESHOLD"}}}};
  return fields;
}

const Fields<Gpu>& gpu_fields() {
  static const Fields<Gpu> fields{
      {.name = "node-types.<type>.gpus[]",
       .about = "GPUs of a node; each may run one rank, which holds a core, too.",
       .shared = &provenance()},
      {count({.name = "count", .example = "4", .about = "GPUs of this kind in a node"}, 1, 96),
       {&Gpu::model, {.name = "model", .example = "A100", .about = "as it is called in tables"}},
       {&Gpu::speed, {.name = "speed", .example = "9.7Tflop/s", .about = "peak, in double precision"}},
       {&Gpu::matrix_speed,
        {.name = "matrix-speed",
         .absent = "not stated",
         .example = "312Tflop/s",
         .about = "peak of matrix products in the precision of training; a training step tells its share of it"}},
       {&Gpu::double_matrix_speed,
        {.name = "double-matrix-speed",
         .absent = "speed",
         .example = "19.5Tflop/s",
         .about = "peak of matrix products in double precision (FP64 tensor cores): what dgemm of HPL runs at"}},
       {&Gpu::memory, {.name = "memory", .least = 1.0, .example = "40GB", .about = "of one GPU"}},
       {&Gpu::memory_bandwidth, {.name = "memory-bandwidth", .example = "1555GB/s", .about = "of one GPU"}},
       {&Gpu::link_bandwidth,
        {.name = "link-bandwidth",
         .example = "31.5GB/s",
         .about = "of PCI Express or NVLink to the host, each direction; a fabric that joins the GPU to a socket is "
                  "taken instead"}},
       {&Gpu::link_latency, {.name = "link-latency", .example = "2us", .about = "of the same link"}},
       {&Gpu::local_work,
        local_work_fields(),
        {.name = "local-work",
         .absent = "takes no time",
         .example = "",
         .about = "of collectives on GPUs: keys as those of a node type"}},
       {&Gpu::power,
        power_fields(),
        {.name = "power",
         .absent = "not stated",
         .example = "{idle: 75W, computing: 700W, communicating: 300W}",
         .about = "what a GPU draws: keys as those of a node type"}}}};
  return fields;
}

const Fields<NodeType>& node_type_fields() {
  constexpr double count_max = 1u << 22;
  const auto require_copies = [](const config::Section& section, const NodeType& type) {
    if (type.copy_bandwidth > type.memory_bandwidth)
      section.refuse("copy-bandwidth",
                     Refusal("'copy-bandwidth' is {}, above 'memory-bandwidth' {} (one core copies no faster than "
                             "the node). Swap them?",
                             to_text(type.copy_bandwidth), to_text(type.memory_bandwidth)));
    if (type.copy_bandwidth > type.domain_bandwidth())
      section.refuse("copy-bandwidth",
                     Refusal("'copy-bandwidth' is {}, above the {} that each of {} sockets has of "
                             "'memory-bandwidth' ('numa-domain: socket'). Lower it?",
                             to_text(type.copy_bandwidth), to_text(type.domain_bandwidth()), type.sockets));
  };
  static const Fields<NodeType> fields{
      {.name = "node-types.<type>",
       .about = "Nodes of one type; ranks are numbered by type in the order of the file.",
       .shared = &provenance()},
      {count({.name = "count", .example = "16", .about = "nodes of this type"}, 1, count_max),
       names_field(),
       {&NodeType::sockets, {.name = "sockets", .least = 1, .most = 64, .example = "2", .about = "CPUs of a node"}},
       {&NodeType::cores_per_socket,
        {.name = "cores-per-socket", .least = 1, .most = 4096, .example = "16", .about = "cores of a CPU"}},
       {&NodeType::core_speed,
        {.name = "core-speed",
         .example = "40Gflop/s",
         .about = "peak of one core in double precision: clock x flop per cycle"}},
       {&NodeType::memory, {.name = "memory", .least = 1.0, .example = "128GiB", .about = "of a node"}},
       {&NodeType::memory_bandwidth,
        {.name = "memory-bandwidth",
         .example = "100GB/s",
         .about = "bytes copied per second by the whole node: half of what a datasheet states"}},
       {&NodeType::numa_domain,
        {{"node", NumaDomain::node}, {"socket", NumaDomain::socket}},
        {.name = "numa-domain",
         .fallback = "node",
         .example = "socket",
         .about =
             "what shares 'memory-bandwidth': all ranks of a node, or those of a socket an equal part of it (ranks on "
             "GPUs: that of the nearest socket). A copy loads that of the core that copies, wherever the data lie"}},
       {&NodeType::copy_bandwidth,
        {.name = "copy-bandwidth", .example = "8GB/s", .about = "bytes copied per second by one core"}},
       {&NodeType::local_work,
        local_work_fields(),
        {.name = "local-work",
         .absent = "takes no time",
         .example = "",
         .about = "what collectives do beside messages: reducing, copying"}},
       {&NodeType::time_sharing_overhead,
        {.name = "time-sharing-overhead",
         .kind = KeyKind::share,
         .most = 10.0,
         .fallback = "0%",
         .example = "3%",
         .about = "longer work for each rank beyond the cores that takes turns on one: switches, cold caches"}},
       {&NodeType::waiting,
        {{"blocks", Waiting::blocks}, {"polls", Waiting::polls}},
        {.name = "waiting",
         .fallback = "blocks",
         .example = "polls",
         .about = "what a rank that waits does with the CPU core that it shares: leaves it to the others, or keeps its "
                  "part until its program ends"}},
       {shared_memory_fields(),
        {.name = "shared-memory",
         .example =
             "{latency: 0.3us, send-overhead: 0.2us, receive-overhead: 0.2us, eager: 4KiB, handshake: 2, copies: "
             "[1, 1], assumed: true}",
         .about = "messages inside a node"}},
       sections({.name = "gpus",
                 .absent = "none",
                 .example = "[{count: 2, model: A100, speed: 9.7Tflop/s, memory: 40GB, memory-bandwidth: 1555GB/s, "
                            "link-bandwidth: 31.5GB/s, link-latency: 2us, assumed: true}]",
                 .about = "one entry for each kind of GPU"},
                gpu_fields().mapping()),
       sections({.name = "fabric",
                 .absent = "not described: sockets are alike, GPUs have links of their own",
                 .example = "[{link: upi, among: sockets, bandwidth: 41.6GB/s, latency: 0.1us, assumed: true}]",
                 .about = "cables that join sockets, GPUs and switches of a node"},
                cable_fields().mapping()),
       {&NodeType::power,
        power_fields(),
        {.name = "power",
         .absent = "runs have no energy",
         .example = "{idle: 250W, computing: 700W, communicating: 450W}",
         .about = "what a node draws, without its GPUs and adapters"}},
       {&NodeType::power_cap,
        {.name = "power-cap",
         .absent = "none",
         .example = "5kW",
         .about = "most that a node draws with its GPUs, without adapters: where its ranks would draw more, their "
                  "computation is slower, by the cube root of what is left above 'idle'"}},
       {&NodeType::price,
        {.name = "price",
         .most = 1e6,
         .absent = "not stated",
         .example = "2.5",
         .about = "of a node for an hour, in a currency of your own"}},
       section({.name = "gpu-messages",
                .absent = "GPUs of a node talk through its memory",
                .example = "",
                .about = "messages between GPUs that the fabric joins"},
               gpu_messages_fields().mapping())},
      require_copies};
  return fields;
}

}  // namespace orrery
