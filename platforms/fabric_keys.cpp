/// Keys of the inside of a node, of the local work of its hosts, of its adapters on a network, and of routing.
#include "platforms/key_kinds.hpp"

namespace orrery::platform_keys_detail {

const Mapping& fabric_keys() {
  static const Mapping mapping{
      .name = "node-types.<type>.fabric[]",
      .about =
          "Cables inside a node. Their ends are sockets (socket-0, or 'sockets' for all), GPUs (gpu-3, 'gpus') and any "
          "other name, which makes a switch of PCI Express or NVLink; 'plx-0..3' are four. Messages take the widest "
          "way.",
      .keys = {{.name = "link",
                .kind = KeyKind::word,
                .choices = {"pcie", "nvlink", "infinity-fabric", "upi"},
                .example = "nvlink",
                .about = "what the cables are; loads are shown by it"},
               {.name = "between",
                .shape = Shape::list,
                .absent = "required without 'among'",
                .example = "[sockets, plx-0..3]",
                .about = "two ends; where one is several, they are divided evenly, in order, among the other"},
               {.name = "among",
                .absent = "required without 'between'",
                .example = "sockets",
                .about = "several, each joined to each by a cable"},
               bandwidth({.name = "bandwidth", .example = "450GB/s", .about = "of each cable, each direction"}),
               time({.name = "latency", .fallback = "0s", .example = "0.2us", .about = "of each cable"}),
               count({.name = "spans",
                      .fallback = "1",
                      .example = "1",
                      .about = "so many consecutive nodes share the switch at the second end: an NVLink domain"},
                     1, 1u << 12)},
      .shared = &provenance()};
  return mapping;
}

const Mapping& local_work_keys() {
  static const Mapping mapping{
      .name = "node-types.<type>.local-work",
      .about =
          "What a core does for a collective beside its messages, in bytes of the result; a GPU has the same. "
          "Without it all this takes no time.",
      .keys = {bandwidth({.name = "reduction",
                          .absent = "reducing takes no time",
                          .example = "6GB/s",
                          .about = "combining two vectors in memory"}),
               bandwidth({.name = "copy",
                          .absent = "copying takes no time",
                          .example = "10GB/s",
                          .about = "where an algorithm copies between buffers: rotations, packing, operands"}),
               data({.name = "cache",
                     .fallback = "32MiB",
                     .example = "32MiB",
                     .about = "collectives on vectors of up to so much work in caches"}),
               bandwidth({.name = "cached-reduction", .absent = "reduction", .example = "12GB/s", .about = "there"}),
               bandwidth({.name = "cached-copy", .absent = "copy", .example = "20GB/s", .about = "there"}),
               bandwidth({.name = "fresh-memory",
                          .absent = "takes no time",
                          .example = "8GB/s",
                          .about = "first use of a temporary buffer that malloc maps anew for each call"}),
               bandwidth({.name = "heap-memory",
                          .absent = "takes no time",
                          .example = "3GB/s",
                          .about = "the same of shorter buffers that malloc gives back: several, together at least "
                                   "twice as long as the longest of over 128 KiB"}),
               time({.name = "datatype",
                     .absent = "takes no time",
                     .example = "3us",
                     .about = "describing to MPI which blocks a message takes: each round of Bruck's all-to-all"}),
               data({.name = "fresh-from",
                     .fallback = "32MiB",
                     .example = "32MiB",
                     .about = "the smallest such buffer: glibc's greatest M_MMAP_THRESHOLD"})},
      .shared = &provenance()};
  return mapping;
}

const Mapping& striping_keys() {
  static const Mapping mapping{
      .name = "networks.<network>.striping",
      .about = "Long messages in equal parts over several adapters, each as a message of its own.",
      .keys =
          {data({.name = "from", .example = "1MiB", .about = "smallest message that is striped"}, 1.0),
           count({.name = "over", .example = "2", .about = "parts, each over the next nearest adapter; 1: no striping"},
                 1, 12)},
      .shared = &provenance()};
  return mapping;
}

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

const Mapping& routing_keys() {
  static const Mapping mapping{
      .name = "networks.<network>.routing",
      .about = "Which of several ways between two adapters a message takes.",
      .keys = {{.name = "kind",
                .kind = KeyKind::word,
                .choices = {"deterministic", "hash", "split", "valiant", "adaptive"},
                .example = "adaptive",
                .about =
                    "deterministic: one way by formula; hash: one shortest way drawn for each pair of ranks (ECMP); "
                    "split: in equal parts over 'paths' shortest ways; valiant: each message over a place in "
                    "between, of 'paths' drawn for its pair; adaptive: of 'paths' drawn for its pair, half of them "
                    "detours, the least loaded as the message starts (UGAL)"},
               count({.name = "paths", .fallback = "4", .example = "4", .about = "ways of a pair"}, 2, 12),
               count({.name = "seed",
                      .fallback = "1",
                      .example = "1",
                      .about = "of the drawn ways; 'orrery run --repeat N' plays with N of them"},
                     0, 1e9)},
      .shared = &provenance()};
  return mapping;
}

}  // namespace orrery::platform_keys_detail
