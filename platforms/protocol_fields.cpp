/// What a channel's protocol is: messages inside a node, between GPUs of a node, and those of a network.
#include <fmt/format.h>

#include "platforms/field_types.hpp"
#include "sim/core/error.hpp"

namespace orrery {

using namespace platform_fields_detail;
using config::Fields;

namespace platform_fields_detail {

const Mapping& overhead_steps() {
  static const Mapping mapping{
      .name = "<overhead>[]",
      .about = "A breakpoint. The overhead is linear in the size between breakpoints and constant after the last.",
      .keys = {{.name = "from",
                .kind = KeyKind::data,
                .most = config::FieldType<Bytes>::most,
                .example = "8KiB",
                .about = "message size; breakpoints must ascend"},
               {.name = "time",
                .kind = KeyKind::time,
                .most = config::FieldType<Seconds>::most,
                .example = "0.6us",
                .about = "overhead at this size"},
               {.name = "then-per-byte",
                .kind = KeyKind::time_per_byte,
                .most = 1.0,
                .absent = "constant",
                .example = "0.1ns/B",
                .about = "last breakpoint only: extra time per byte beyond it"}}};
  return mapping;
}

namespace {

Mapping steps_of(const char* name, const char* from, Key value) {
  value.about = fmt::format("the {} from this size on", value.name);
  return {.name = name,
          .about = fmt::format("A step: the {} from this size up to the next step.", value.name),
          .keys = {{.name = "from",
                    .kind = KeyKind::data,
                    .most = config::FieldType<Bytes>::most,
                    .example = from,
                    .about = "message size; steps must ascend"},
                   std::move(value)}};
}
Mapping factors_to(const char* name, double most) {
  return steps_of(name, "64KiB",
                  {.name = "factor", .kind = KeyKind::number, .least = factor_min, .most = most, .example = "0.9"});
}

}  // namespace

const Mapping& factor_steps() {
  static const Mapping mapping = factors_to("<factor>[]", factor_max);
  return mapping;
}
const Mapping& share_steps() {
  static const Mapping mapping = factors_to("<share>[]", share_max);
  return mapping;
}
const Mapping& rate_steps() {
  using Rate = config::FieldType<PerSecond>;
  static const Mapping mapping =
      steps_of("<rate>[]", "64B",
               {.name = "rate", .kind = Rate::kind, .least = Rate::least, .most = Rate::most, .example = "12.7M/s"});
  return mapping;
}

}  // namespace platform_fields_detail

namespace {

using Channel = ChannelProperties;

void require_channel(const config::Section& section, const Channel& channel) {
  if (channel.detach > channel.eager)
    section.refuse("detach", Refusal("'detach' is {}, above 'eager' {} (at most that). Lower it?",
                                     to_text(channel.detach), to_text(channel.eager)));
  if (channel.handshake_request > channel.handshake)
    section.refuse("handshake-request",
                   Refusal("'handshake-request' is {}, above 'handshake' {} (a part of that). Lower it?",
                           channel.handshake_request, channel.handshake));
}

/// What only a network has.
void require_fifo(const config::Section& section, const Channel& channel) {
  require_channel(section, channel);
  if (channel.discipline == Discipline::fifo && section.has("bandwidth-factor"))
    section.refuse("bandwidth-factor",
                   "'bandwidth-factor' beside 'discipline: fifo' (a message has the port to itself while it goes out). "
                   "Leave it out?");
  if (channel.discipline == Discipline::fifo && channel.progress == MessageProgress::in_calls)
    section.refuse("progress",
                   "'progress' is 'in-calls' beside 'discipline: fifo', whose handshakes queue at the ports by "
                   "themselves (independent). Leave it out?");
}

/// What every channel has.
const Fields<Channel>& channel_fields() {
  static const Fields<Channel> fields{
      {},
      {{&Channel::send_overhead,
        {.name = "send-overhead", .example = "0.2us", .about = "time that a blocking send occupies the core"}},
       {&Channel::isend_overhead,
        {.name = "isend-overhead",
         .absent = "send-overhead",
         .example = "0.1us",
         .about = "time that a non-blocking send occupies the core"}},
       {&Channel::receive_overhead,
        {.name = "receive-overhead",
         .example = "[{from: 0B, time: 0.2us}, {from: 8KiB, time: 0.6us}]",
         .about = "time that a receive occupies the core"}},
       {&Channel::probe_overhead,
        {.name = "probe-overhead", .fallback = "0s", .example = "0.1us", .about = "time of one probe for a message"}},
       {&Channel::eager,
        {.name = "eager",
         .example = "8KiB",
         .about = "from this size on, a message starts only when its receive is posted (rendezvous)"}},
       {&Channel::detach,
        {.name = "detach",
         .absent = "eager",
         .example = "4KiB",
         .about = "below this size, a blocking send returns at once; at most 'eager'"}},
       {&Channel::handshake,
        {.name = "handshake",
         .most = 8,
         .example = "2",
         .about = "latencies of a rendezvous before its data (request and answer), if the receive is already posted"}},
       {&Channel::handshake_request,
        {.name = "handshake-request",
         .most = 8,
         .fallback = "0",
         .example = "1",
         .about =
             "part of 'handshake' for the request, which travels from the send on, even before the receive is posted"}},
       {&Channel::progress,
        {{"independent", MessageProgress::independent}, {"in-calls", MessageProgress::in_calls}},
        {.name = "progress",
         .fallback = "independent",
         .example = "in-calls",
         .about = "rendezvous messages: independent: answered and sent while ranks compute; in-calls: only inside MPI "
                  "calls"}},
       {&Channel::copies,
        {.name = "copies",
         .most = 2,
         .example = "[1, 1]",
         .about = "memory copies per message at the sender and at the receiver"}},
       {&Channel::copy_mode,
        {{"sequential", CopyMode::sequential}, {"pipelined", CopyMode::pipelined}},
        {.name = "copy-mode",
         .fallback = "sequential",
         .example = "pipelined",
         .about = "sequential: copies before and after the transfer; pipelined: copies overlap it"}},
       {&Channel::unexpected_copy,
        {.name = "unexpected-copy",
         .absent = "copy-bandwidth of the node",
         .example = "5GB/s",
         .about = "copy speed of a message that arrives before its receive is posted"}},
       {&Channel::latency_factor,
        {.name = "latency-factor",
         .absent = "1",
         .example = "[{from: 0B, factor: 1}, {from: 64KiB, factor: 2}]",
         .about = "factor on the latency"}},
       {&Channel::bandwidth_factor,
        share({.name = "bandwidth-factor",
               .example = "0.5",
               .about = "maximum fraction of the bandwidth for one message; several messages may fill the link"})},
       {&Channel::overhead_variation,
        {.name = "overhead-variation",
         .most = 10.0,
         .fallback = "0",
         .example = "0.3",
         .about = "randomization of overheads from call to call (half-normal): standard deviation / mean"}},
       {&Channel::gpu_direct,
        {.name = "gpu-direct",
         .fallback = "false",
         .example = "true",
         .about = "true: GPU ranks send and receive without staging through the host"}}},
      require_channel};
  return fields;
}

const Fields<Channel>& hop_latency_fields() {
  const auto hop = [](GpuProtocol protocol) {
    return
        [at = static_cast<std::size_t>(protocol) - 1](Channel& channel) -> Seconds& { return channel.hop_latency[at]; };
  };
  static const Fields<Channel> fields{
      {.name = "<messages>.hop-latency",
       .about = "Latency from one GPU to the next in NCCL's protocols (GPU kernels pass messages on).",
       .shared = &provenance()},
      {{hop(GpuProtocol::ll),
        {.name = "ll", .absent = "not used", .example = "0.6us", .about = "LL: a flag in every second word"}},
       {hop(GpuProtocol::ll128),
        {.name = "ll128", .absent = "not used", .example = "1.9us", .about = "LL128: a flag per 128 bytes"}},
       {hop(GpuProtocol::simple),
        {.name = "simple",
         .absent = "not used",
         .example = "3.4us",
         .about = "Simple: a fence and a flag after each chunk"}},
       {&Channel::hop_rendezvous,
        {.name = "rendezvous",
         .absent = "none",
         .example = "30us",
         .about = "extra latency of messages between nodes from 'eager' on"}},
       {&Channel::hop_gap,
        {.name = "gap",
         .absent = "none",
         .example = "8us",
         .about = "extra time that each message between nodes occupies its adapter"}},
       {&Channel::hop_reported,
        {.name = "reported",
         .absent = "NCCL chooses by these hops",
         .example = "75us",
         .about = "network latency that is reported to NCCL, by which it chooses algorithms"}},
       {&Channel::hop_ll_limit,
        {.name = "ll-limit",
         .absent = "39 GB/s, NCCL's value with Intel CPUs",
         .example = "22.5GB/s",
         .about = "maximum bus bandwidth between nodes of protocol LL in NCCL's cost model; at most 20.4 GB/s from "
                  "three nodes on"}}}};
  return fields;
}

/// What channels have that GPUs hand messages over by.
const Fields<Channel>& hop_fields() {
  static const Fields<Channel> fields{{},
                                      {{hop_latency_fields(),
                                        {.name = "hop-latency",
                                         .absent = "as for other messages",
                                         .example = "{ll: 0.6us, ll128: 1.9us, simple: 3.4us, assumed: true}",
                                         .about = "total latency of the route for messages in NCCL's protocols"}}}};
  return fields;
}

const Fields<GpuMessages::Multicast>& multicast_fields() {
  using Multicast = GpuMessages::Multicast;
  static const Fields<Multicast> fields{
      {.name = "node-types.<type>.gpu-messages.multicast",
       .about = "The switch reduces data that it reads from several GPUs, and multicasts data that one GPU stores.",
       .shared = &provenance()},
      {{&Multicast::efficiency,
        {.name = "efficiency",
         .least = factor_min,
         .most = share_max,
         .example = "0.68",
         .about = "payload / bytes on the links during such operations"}},
       {&Multicast::latency, {.name = "latency", .example = "1us", .about = "latency of one such operation"}},
       {&Multicast::staging,
        {.name = "staging",
         .example = "870GB/s",
         .about = "copy rate of a GPU to and from the buffers that the switch can access"}}}};
  return fields;
}

PiecewiseFactor& efficiency_of(GpuMessages& messages) { return messages.protocol.wire_efficiency; }

}  // namespace

const Fields<NodeType>& shared_memory_fields() {
  static const Fields<NodeType> fields =
      Fields<NodeType>{{.name = "node-types.<type>.shared-memory",
                        .about = "Messages between ranks of one node.",
                        .shared = &provenance()},
                       {{&NodeType::shared_memory_latency,
                         {.name = "latency", .example = "0.3us", .about = "latency from one core to another"}}}}
          .with(&NodeType::shared_memory, channel_fields());
  return fields;
}

const Fields<GpuMessages>& gpu_messages_fields() {
  static const Fields<GpuMessages> fields =
      Fields<GpuMessages>{{.name = "node-types.<type>.gpu-messages",
                           .about = "Messages between GPUs over the links of 'fabric'.",
                           .shared = &provenance()},
                          {{&GpuMessages::latency,
                            {.name = "latency", .example = "1.5us", .about = "latency in addition to the links'"}}}}
          .with(&GpuMessages::protocol, channel_fields(), {"gpu-direct", "unexpected-copy"})
          .with(&GpuMessages::protocol, hop_fields())
          .with({{efficiency_of, share({.name = "wire-efficiency",
                                        .example = "0.81",
                                        .about = "payload / bytes on the links, for all messages together"})},
                 {&GpuMessages::multicast,
                  multicast_fields(),
                  {.name = "multicast",
                   .absent = "the switch only forwards messages",
                   .example = "{efficiency: 0.68, latency: 1us, staging: 870GB/s, assumed: true}",
                   .about = "reduction and multicast in the switch (NVLink SHARP)"}}});
  return fields;
}

const Fields<Channel>& protocol_fields() {
  static const Fields<Channel> fields = [] {
    Fields<Channel> made{{.name = "networks.<network>.protocol",
                          .about = "Transfer of messages between nodes.",
                          .shared = &provenance()},
                         channel_fields().fields(),
                         require_fifo};
    return std::move(made)
        .with(hop_fields().fields())
        .with({{&Channel::wire_efficiency,
                share({.name = "wire-efficiency",
                       .example = "0.95",
                       .about = "payload / bytes on the wire (the rest is headers), for all messages together"})},
               {&Channel::block_overhead,
                {.name = "block-overhead",
                 .absent = "takes no time",
                 .example = "[{from: 8KiB, time: 35us}]",
                 .about = "extra time of the sending core per inter-node message of a block collective (scatter, "
                          "gather, allgather, alltoall, reduce-scatter) from 'eager' on that carries one or two "
                          "blocks, as in each step of a ring or pairwise exchange"}},
               {&Channel::pair_bandwidth,
                {.name = "pair-bandwidth",
                 .absent = "no limit",
                 .example = "25GB/s",
                 .about = "maximum total bandwidth between two ranks, both directions together"}},
               {&Channel::pair_from,
                {.name = "pair-from",
                 .fallback = "0B",
                 .example = "4MiB",
                 .about = "smallest message that 'pair-bandwidth' limits"}},
               {&Channel::discipline,
                {{"fair", Discipline::fair}, {"fifo", Discipline::fifo}},
                {.name = "discipline",
                 .fallback = "fair",
                 .example = "fifo",
                 .about = "fair: messages share a port equally at each moment; fifo: one after another in order of "
                          "arrival (star only)"}},
               {&Channel::frame,
                {.name = "frame",
                 .fallback = "0B",
                 .example = "1448B",
                 .about = "fifo: payload of a frame in a store-and-forward switch; 0: no frames"}},
               {&Channel::frame_header,
                {.name = "frame-header",
                 .fallback = "0B",
                 .example = "90B",
                 .about = "fifo: header bytes per frame on the wire"}},
               {&Channel::message_header,
                {.name = "message-header",
                 .fallback = "0B",
                 .example = "24B",
                 .about = "fifo: MPI header bytes before each message, in the same frames"}},
               {&Channel::acknowledgement,
                {.name = "acknowledgement",
                 .kind = KeyKind::share,
                 .most = 1.0,
                 .fallback = "0%",
                 .example = "3%",
                 .about = "fifo: acknowledgement bytes returned per received byte, over the same ports"}}});
  }();
  return fields;
}

}  // namespace orrery
