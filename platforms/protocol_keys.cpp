/// Keys of a channel: messages inside a node, and those of a network.
#include "platforms/key_kinds.hpp"

namespace orrery::platform_keys_detail {

namespace {

const Mapping& overhead_keys() {
  static const Mapping mapping{
      .name = "<overhead>[]",
      .about = "A breakpoint; between breakpoints the overhead is linear in the size, after the last it is constant.",
      .keys = {data({.name = "from", .example = "8KiB", .about = "size of the message; breakpoints ascend"}),
               time({.name = "time", .example = "0.6us", .about = "overhead at that size"}),
               {.name = "then-per-byte",
                .kind = KeyKind::time_per_byte,
                .most = 1.0,
                .absent = "nothing more",
                .example = "0.1ns/B",
                .about = "in the last breakpoint: what each byte beyond adds"}}};
  return mapping;
}

constexpr double factor_min = 1e-3, factor_max = 1e7, share_max = 1.0;

Mapping steps_to(const char* name, double most) {
  return {.name = name,
          .about = "A step: the factor from a size on, until the next.",
          .keys = {data({.name = "from", .example = "64KiB", .about = "size of the message; steps ascend"}),
                   {.name = "factor",
                    .kind = KeyKind::number,
                    .least = factor_min,
                    .most = most,
                    .example = "0.9",
                    .about = "the factor from that size on"}}};
}
const Mapping& factor_keys() {
  static const Mapping mapping = steps_to("<factor>[]", factor_max);
  return mapping;
}
const Mapping& share_keys() {
  static const Mapping mapping = steps_to("<share>[]", share_max);
  return mapping;
}

Key overhead(Key key) { return stepped(time(std::move(key)), overhead_keys()); }
Key factor(Key key, double most, const Mapping& steps) {
  key.kind = KeyKind::number;
  key.least = factor_min;
  key.most = most;
  key.absent = "1";
  return stepped(std::move(key), steps);
}
Key factor(Key key) { return factor(std::move(key), factor_max, factor_keys()); }
/// At most 1: nobody gets more than there is.
Key share(Key key) { return factor(std::move(key), share_max, share_keys()); }

const Mapping& hop_latency_keys() {
  const auto hop = [](const char* name, const char* example, const char* about) {
    return time({.name = name, .absent = "not used", .example = example, .about = about});
  };
  static const Mapping mapping{
      .name = "<messages>.hop-latency",
      .about = "From one GPU to the next, where their kernels hand messages over as NCCL's do.",
      .keys = {hop("ll", "0.6us", "flags in every second word"), hop("ll128", "1.9us", "a flag in each 128 bytes"),
               hop("simple", "3.4us", "a fence and a flag after each chunk"),
               time({.name = "rendezvous",
                     .absent = "none",
                     .example = "30us",
                     .about = "more, of messages between nodes from 'eager' on"}),
               time({.name = "gap",
                     .absent = "none",
                     .example = "8us",
                     .about = "a message between nodes keeps its adapter so long beside its bytes"}),
               time({.name = "reported",
                     .absent = "it chooses by these hops",
                     .example = "75us",
                     .about = "latency of the network that NCCL is told and chooses algorithms by"}),
               bandwidth({.name = "ll-limit",
                          .absent = "39 GB/s, NCCL's with Intel",
                          .example = "22.5GB/s",
                          .about = "most bus bandwidth between nodes that NCCL's cost model gives LL; of three nodes "
                                   "and more at most 20.4 GB/s"})},
      .shared = &provenance()};
  return mapping;
}

const Mapping& multicast_keys() {
  static const Mapping mapping{
      .name = "node-types.<type>.gpu-messages.multicast",
      .about = "The switch reduces what it reads of several GPUs, and writes to several what one stores.",
      .keys = {{.name = "efficiency",
                .kind = KeyKind::number,
                .least = factor_min,
                .most = share_max,
                .example = "0.68",
                .about = "payload of what the links carry meanwhile"},
               time({.name = "latency", .example = "1us", .about = "of one such operation"}),
               bandwidth({.name = "staging",
                          .example = "870GB/s",
                          .about = "a GPU copying to and from the buffers that the switch reaches"})},
      .shared = &provenance()};
  return mapping;
}

Key hop_latency_key() {
  return section({.name = "hop-latency",
                  .absent = "as of other messages",
                  .example = "{ll: 0.6us, ll128: 1.9us, simple: 3.4us, assumed: true}",
                  .about = "of messages in NCCL's protocols, all latency of the way together"},
                 hop_latency_keys());
}

std::vector<Key> protocol_key_list() {
  return {
      overhead(
          {.name = "send-overhead", .example = "0.2us", .about = "time the sending core is busy with a blocking send"}),
      overhead({.name = "isend-overhead",
                .absent = "send-overhead",
                .example = "0.1us",
                .about = "time the sending core is busy with a non-blocking send"}),
      overhead({.name = "receive-overhead",
                .example = "[{from: 0B, time: 0.2us}, {from: 8KiB, time: 0.6us}]",
                .about = "time the receiving core is busy"}),
      time({.name = "probe-overhead", .fallback = "0s", .example = "0.1us", .about = "time of asking for a message"}),
      data({.name = "eager",
            .example = "8KiB",
            .about = "from this size on the message starts when its receive is posted (rendezvous)"}),
      data({.name = "detach",
            .absent = "eager",
            .example = "4KiB",
            .about = "below this size a blocking send ends at once; at most 'eager'"}),
      count({.name = "handshake",
             .example = "2",
             .about = "latencies a rendezvous takes before the data, its receive being posted: request and answer"},
            0, 8),
      count({.name = "handshake-request",
             .fallback = "0",
             .example = "1",
             .about = "of these, the request's: it travels from the send on, also before the receive is posted"},
            0, 8),
      counts({.name = "copies", .example = "[1, 1]", .about = "copies in memory at the sender and at the receiver"}, 0,
             2),
      {.name = "copy-mode",
       .kind = KeyKind::word,
       .choices = {"sequential", "pipelined"},
       .fallback = "sequential",
       .example = "pipelined",
       .about = "whether copies come before and after the transfer, or overlap it"},
      bandwidth({.name = "unexpected-copy",
                 .absent = "copy-bandwidth of the node",
                 .example = "5GB/s",
                 .about = "speed of the copy of a message that came before its receive was posted"}),
      factor({.name = "latency-factor",
              .example = "[{from: 0B, factor: 1}, {from: 64KiB, factor: 2}]",
              .about = "multiplies the latency"}),
      share({.name = "bandwidth-factor",
             .example = "0.5",
             .about = "part of the bandwidth that one message gets at most; several may fill the link"}),
      {.name = "overhead-variation",
       .kind = KeyKind::number,
       .most = 10.0,
       .fallback = "0",
       .example = "0.3",
       .about = "by how much overheads vary from call to call (half-normal): standard deviation over mean"},
      {.name = "gpu-direct",
       .kind = KeyKind::boolean,
       .fallback = "false",
       .example = "true",
       .about = "GPU ranks send and receive without staging through the host"}};
}

}  // namespace

const Mapping& shared_memory_keys() {
  static const Mapping mapping = [] {
    Mapping made{.name = "node-types.<type>.shared-memory",
                 .about = "Messages between ranks of one node.",
                 .keys = {time({.name = "latency", .example = "0.3us", .about = "from one core to another"})},
                 .shared = &provenance()};
    for (Key& key : protocol_key_list()) made.keys.push_back(std::move(key));
    return made;
  }();
  return mapping;
}

const Mapping& gpu_messages_keys() {
  static const Mapping mapping = [] {
    Mapping made{.name = "node-types.<type>.gpu-messages",
                 .about = "Messages between GPUs that the fabric joins, over its links.",
                 .keys = {time({.name = "latency", .example = "1.5us", .about = "beside that of the links"})},
                 .shared = &provenance()};
    for (Key& key : protocol_key_list())
      if (key.name != "gpu-direct" && key.name != "unexpected-copy") made.keys.push_back(std::move(key));
    made.keys.push_back(hop_latency_key());
    made.keys.push_back(share({.name = "wire-efficiency",
                               .example = "0.81",
                               .about = "payload of what the links carry, of all messages together"}));
    made.keys.push_back(section({.name = "multicast",
                                 .absent = "the switch passes messages on and does nothing else",
                                 .example = "{efficiency: 0.68, latency: 1us, staging: 870GB/s, assumed: true}",
                                 .about = "what the switch does itself: NVLink SHARP"},
                                multicast_keys()));
    return made;
  }();
  return mapping;
}

const Mapping& protocol_keys() {
  static const Mapping mapping = [] {
    Mapping made{.name = "networks.<network>.protocol",
                 .about = "How messages between nodes travel.",
                 .keys = protocol_key_list(),
                 .shared = &provenance()};
    made.keys.push_back(hop_latency_key());
    made.keys.push_back(
        share({.name = "wire-efficiency",
               .example = "0.95",
               .about = "payload of what the wire carries (the rest: headers), of all messages together"}));
    made.keys.push_back(bandwidth({.name = "pair-bandwidth",
                                   .absent = "no limit",
                                   .example = "25GB/s",
                                   .about = "what messages between two ranks share, both ways together"}));
    made.keys.push_back(data({.name = "pair-from",
                              .fallback = "0B",
                              .example = "4MiB",
                              .about = "shorter messages do not count against 'pair-bandwidth'"}));
    made.keys.push_back({.name = "discipline",
                         .kind = KeyKind::word,
                         .choices = {"fair", "fifo"},
                         .fallback = "fair",
                         .example = "fifo",
                         .about =
                             "how messages share a port: at every moment each a fair part, or one after another as "
                             "they come (star only)"});
    made.keys.push_back(
        data({.name = "frame",
              .fallback = "0B",
              .example = "1448B",
              .about = "fifo: payload of a frame, which the switch stores and forwards; 0: no frames"}));
    made.keys.push_back(data({.name = "frame-header",
                              .fallback = "0B",
                              .example = "90B",
                              .about = "fifo: what each frame adds on the wire"}));
    made.keys.push_back(data({.name = "message-header",
                              .fallback = "0B",
                              .example = "24B",
                              .about = "fifo: what the MPI library sends before each message, in the same frames"}));
    made.keys.push_back({.name = "acknowledgement",
                         .kind = KeyKind::share,
                         .most = 1.0,
                         .fallback = "0%",
                         .example = "3%",
                         .about = "fifo: bytes that go back for each that comes, over the same ports"});
    return made;
  }();
  return mapping;
}

}  // namespace orrery::platform_keys_detail
