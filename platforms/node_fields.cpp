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
                                 .absent = "node numbers",
                                 .example = "\"rack[1-4]node[1-4]\"",
                                 .about = "names of the nodes in order, as in node lists of batch systems, domains "
                                          "included; the last bracket counts fastest"});
  field.read = [](NodeType& into, const config::Value& value) { into.names = names_of(value); };
  return field;
}

}  // namespace

const Fields<Fabric::Cable>& cable_fields() {
  using Cable = Fabric::Cable;
  static const Fields<Cable> fields{
      {.name = "node-types.<type>.fabric[]",
       .about = "Cables inside a node. Ends are sockets (socket-0, or 'sockets' for all), GPUs (gpu-3, 'gpus'), or any "
                "other name, which makes a switch of PCI Express or NVLink; 'plx-0..3' are four. Messages take the "
                "widest route.",
       .shared = &provenance()},
      {{&Cable::kind,
        {{"pcie", ResourceKind::pcie},
         {"nvlink", ResourceKind::nvlink},
         {"infinity-fabric", ResourceKind::infinity_fabric},
         {"upi", ResourceKind::upi}},
        {.name = "link", .example = "nvlink", .about = "kind of cable; loads are reported by kind"}},
       Key{.name = "between",
           .shape = Shape::list,
           .absent = "required without 'among' and 'each'",
           .example = "[sockets, plx-0..3]",
           .about = "two ends; several elements at one end are divided evenly, in order, among those at the other end"},
       Key{.name = "each",
           .shape = Shape::list,
           .absent = "required without 'between' and 'among'",
           .example = "[gpus, nvswitch-0..3]",
           .about = "two ends; each element of one end has a cable to each of the other, as GPUs to all NVSwitches. "
                    "Switches that join the same GPUs become one with their total bandwidth"},
       Key{.name = "among",
           .absent = "required without 'between' and 'each'",
           .example = "sockets",
           .about = "several elements, with a cable between each two"},
       {&Cable::bandwidth,
        {.name = "bandwidth", .example = "450GB/s", .about = "bandwidth of each cable in each direction"}},
       {&Cable::latency, {.name = "latency", .fallback = "0s", .example = "0.2us", .about = "latency of each cable"}},
       count({.name = "spans",
              .fallback = "1",
              .example = "1",
              .about = "number of consecutive nodes that share the switches at the second end (an NVLink domain)"},
             1, 1u << 12)}};
  return fields;
}

const Fields<LocalRates>& local_work_fields() {
  static const Fields<LocalRates> fields{
      {.name = "node-types.<type>.local-work",
       .about = "Work of a core for a collective besides its messages, per byte of the result; GPUs have the same "
                "keys. Without this section it takes no time.",
       .shared = &provenance()},
      {{&LocalRates::reduction,
        {.name = "reduction",
         .absent = "no time",
         .example = "6GB/s",
         .about = "rate of reducing two vectors in memory"}},
       {&LocalRates::copy,
        {.name = "copy",
         .absent = "no time",
         .example = "10GB/s",
         .about = "rate of copies between buffers of an algorithm: rotations, packing, operands"}},
       {&LocalRates::cache,
        {.name = "cache",
         .fallback = "32MiB",
         .example = "32MiB",
         .about = "collectives on vectors up to this size work in caches"}},
       {&LocalRates::shared_cache,
        {.name = "shared-cache",
         .absent = "each rank has all of 'cache'",
         .example = "16MiB",
         .about = "cache that the ranks of a socket share equally; each gets at most 'cache'"}},
       {&LocalRates::cached_reduction,
        {.name = "cached-reduction",
         .absent = "reduction",
         .example = "12GB/s",
         .about = "rate of reducing two vectors in caches"}},
       {&LocalRates::cached_copy,
        {.name = "cached-copy",
         .absent = "copy",
         .example = "20GB/s",
         .about = "rate of copies between buffers in caches"}},
       {&LocalRates::fresh_memory,
        {.name = "fresh-memory",
         .absent = "takes no time",
         .example = "8GB/s",
         .about = "rate of the first use of a temporary buffer that malloc maps anew in each call"}},
       {&LocalRates::heap_memory,
        {.name = "heap-memory",
         .absent = "takes no time",
         .example = "3GB/s",
         .about = "the same for smaller buffers that malloc returns to the system: several, over 128 KiB, with a total "
                  "of at least twice the longest"}},
       {&LocalRates::registration,
        {.name = "registration",
         .absent = "takes no time",
         .example = "1.3ms",
         .about = "time to register a block of a new buffer of at least 'fresh-from' with the adapter; paid for each "
                  "block that a ring reduce-scatter sends"}},
       {&LocalRates::datatype,
        {.name = "datatype",
         .absent = "takes no time",
         .example = "3us",
         .about = "time to build the MPI datatype of a message; once per round of Bruck's all-to-all"}},
       {&LocalRates::datatype_block,
        {.name = "datatype-block",
         .absent = "takes no time",
         .example = "68ns",
         .about = "extra time per block of such a datatype; a round of Bruck's all-to-all has half of all blocks"}},
       {&LocalRates::count,
        {.name = "count",
         .absent = "takes no time",
         .example = "25ns",
         .about = "time to read one count of allgatherv or alltoallv, which have one count per rank"}},
       {&LocalRates::fresh_from,
        {.name = "fresh-from",
         .fallback = "32MiB",
         .example = "32MiB",
         .about = "smallest buffer of 'fresh-memory': glibc's largest M_MMAP_THRESHOLD"}}}};
  return fields;
}

const Fields<Gpu>& gpu_fields() {
  static const Fields<Gpu> fields{
      {.name = "node-types.<type>.gpus[]",
       .about = "GPUs of a node. Each may run one rank, which also occupies a core.",
       .shared = &provenance()},
      {count({.name = "count", .example = "4", .about = "GPUs of this kind per node"}, 1, 96),
       {&Gpu::model, {.name = "model", .example = "A100", .about = "name in tables"}},
       {&Gpu::speed, {.name = "speed", .example = "9.7Tflop/s", .about = "peak speed in double precision"}},
       {&Gpu::matrix_speed,
        {.name = "matrix-speed",
         .absent = "not stated",
         .example = "312Tflop/s",
         .about = "peak speed of matrix products in training precision; a training step reports the fraction that it "
                  "reaches"}},
       {&Gpu::double_matrix_speed,
        {.name = "double-matrix-speed",
         .absent = "speed",
         .example = "19.5Tflop/s",
         .about = "peak speed of matrix products in double precision (FP64 tensor cores), for dgemm of HPL"}},
       {&Gpu::memory, {.name = "memory", .least = 1.0, .example = "40GB", .about = "of one GPU"}},
       {&Gpu::memory_bandwidth, {.name = "memory-bandwidth", .example = "1555GB/s", .about = "of one GPU"}},
       {&Gpu::link_bandwidth,
        {.name = "link-bandwidth",
         .example = "31.5GB/s",
         .about = "bandwidth of PCI Express or NVLink to the host in each direction; a 'fabric' that joins the GPU to "
                  "a socket replaces it"}},
       {&Gpu::link_latency, {.name = "link-latency", .example = "2us", .about = "latency of this link"}},
       {&Gpu::local_work,
        local_work_fields(),
        {.name = "local-work",
         .absent = "takes no time",
         .example = "",
         .about = "work of collectives on GPUs, with the keys of a node type"}},
       {&Gpu::power,
        power_fields(),
        {.name = "power",
         .absent = "not stated",
         .example = "{idle: 75W, computing: 700W, communicating: 300W}",
         .about = "power of a GPU, with the keys of a node type"}}}};
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
       .about = "Nodes of one type. Ranks are numbered type by type, in the order of the file.",
       .shared = &provenance()},
      {count({.name = "count", .example = "16", .about = "number of nodes of this type"}, 1, count_max),
       names_field(),
       {&NodeType::sockets, {.name = "sockets", .least = 1, .most = 64, .example = "2", .about = "CPUs of a node"}},
       {&NodeType::cores_per_socket,
        {.name = "cores-per-socket", .least = 1, .most = 4096, .example = "16", .about = "cores of a CPU"}},
       {&NodeType::core_speed,
        {.name = "core-speed",
         .example = "40Gflop/s",
         .about = "peak speed of one core in double precision: clock x flop per cycle"}},
       {&NodeType::memory, {.name = "memory", .least = 1.0, .example = "128GiB", .about = "memory of a node"}},
       {&NodeType::memory_bandwidth,
        {.name = "memory-bandwidth",
         .example = "100GB/s",
         .about = "bytes that the whole node copies per second: half of the datasheet bandwidth"}},
       {&NodeType::numa_domain,
        {{"node", NumaDomain::node}, {"socket", NumaDomain::socket}},
        {.name = "numa-domain",
         .fallback = "node",
         .example = "socket",
         .about =
             "node: all ranks of a node share 'memory-bandwidth'; socket: each socket has an equal part for its ranks "
             "(GPU ranks use the nearest socket). A copy loads the memory of the copying core, wherever the data are"}},
       {&NodeType::copy_bandwidth,
        {.name = "copy-bandwidth", .example = "8GB/s", .about = "bytes that one core copies per second"}},
       {&NodeType::local_work,
        local_work_fields(),
        {.name = "local-work",
         .absent = "takes no time",
         .example = "",
         .about = "work of collectives besides messages: reducing, copying"}},
       {&NodeType::time_sharing_overhead,
        {.name = "time-sharing-overhead",
         .kind = KeyKind::share,
         .most = 10.0,
         .fallback = "0%",
         .example = "3%",
         .about = "extra time of work on shared cores, per rank beyond one per core (context switches, cold caches)"}},
       {&NodeType::waiting,
        {{"blocks", Waiting::blocks}, {"polls", Waiting::polls}},
        {.name = "waiting",
         .fallback = "blocks",
         .example = "polls",
         .about = "a waiting rank on a shared CPU core: blocks: leaves the core to the others; polls: keeps its part "
                  "until its program ends"}},
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
                 .absent = "not modelled: sockets are identical, each GPU has its own link",
                 .example = "[{link: upi, among: sockets, bandwidth: 41.6GB/s, latency: 0.1us, assumed: true}]",
                 .about = "cables between the sockets, GPUs and switches of a node"},
                cable_fields().mapping()),
       {&NodeType::power,
        power_fields(),
        {.name = "power",
         .absent = "runs report no energy",
         .example = "{idle: 250W, computing: 700W, communicating: 450W}",
         .about = "power of a node without GPUs and adapters"}},
       {&NodeType::power_cap,
        {.name = "power-cap",
         .absent = "none",
         .example = "5kW",
         .about = "maximum power of a node with GPUs, without adapters; above it, computation slows down by the cube "
                  "root of (available / needed power above 'idle')"}},
       {&NodeType::price,
        {.name = "price",
         .most = 1e6,
         .absent = "not stated",
         .example = "2.5",
         .about = "price of a node per hour, in any currency"}},
       section({.name = "gpu-messages",
                .absent = "GPUs of a node communicate through its memory",
                .example = "",
                .about = "messages between GPUs that 'fabric' connects"},
               gpu_messages_fields().mapping())},
      require_copies};
  return fields;
}

}  // namespace orrery
