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
      .about = "A breakpoint; between breakpoints the overhead is linear in the size, after the last it is constant.",
      .keys = {{.name = "from",
                .kind = KeyKind::data,
                .most = config::FieldType<Bytes>::most,
                .example = "8KiB",
                .about = "size of the message; breakpoints ascend"},
               {.name = "time",
                .kind = KeyKind::time,
                .most = config::FieldType<Seconds>::most,
                .example = "0.6us",
                .about = "overhead at that size"},
               {.name = "then-per-byte",
                .kind = KeyKind::time_per_byte,
                .most = 1.0,
                .absent = "nothing more",
                .example = "0.1ns/B",
                .about = "in the last breakpoint: what each byte beyond adds"}}};
  return mapping;
}

namespace {

Mapping steps_of(const char* name, const char* from, Key value) {
  value.about = fmt::format("the {} from that size on", value.name);
  return {.name = name,
          .about = fmt::format("A step: the {} from a size on, until the next.", value.name),
          .keys = {{.name = "from",
                    .kind = KeyKind::data,
                    .most = config::FieldType<Bytes>::most,
                    .example = from,
                    .about = "size of the message; steps ascend"},
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
        {.name = "send-overhead", .example = "0.2us", .about = "time the sending core is busy with a blocking send"}},
       {&Channel::isend_overhead,
        {.name = "isend-overhead",
         .absent = "send-overhead",
         .example = "0.1us",
         .about = "time the sending core is busy with a non-blocking send"}},
       {&Channel::receive_overhead,
        {.name = "receive-overhead",
         .example = "[{from: 0B, time: 0.2us}, {from: 8KiB, time: 0.6us}]",
         .about = "time the receiving core is busy"}},
       {&Channel::probe_overhead,
        {.name = "probe-overhead", .fallback = "0s", .example = "0.1us", .about = "time of asking for a message"}},
       {&Channel::eager,
        {.name = "eager",
         .example = "8KiB",
         .about = "from this size on the message starts when its receive is posted (rendezvous)"}},
       {&Channel::detach,
        {.name = "detach",
         .absent = "eager",
         .example = "4KiB",
         .about = "below this size a blocking send ends at once; at most 'eager'"}},
       {&Channel::handshake,
        {.name = "handshake",
         .most = 8,
         .example = "2",
         .about = "latencies a rendezvous takes before the data, its receive being posted: request and answer"}},
       {&Channel::handshake_request,
        {.name = "handshake-request",
         .most = 8,
         .fallback = "0",
         .example = "1",
         .about = "of these, the request's: it travels from the send on, also before the receive is posted"}},
       {&Channel::progress,
        {{"independent", MessageProgress::independent}, {"in-calls", MessageProgress::in_calls}},
        {.name = "progress",
         .fallback = "independent",
         .example = "in-calls",
         .about = "of messages from 'eager' on: whether they are answered and sent while their ranks compute, or in "
                  "their next MPI calls"}},
       {&Channel::copies,
        {.name = "copies",
         .most = 2,
         .example = "[1, 1]",
         .about = "copies in memory at the sender and at the receiver"}},
       {&Channel::copy_mode,
        {{"sequential", CopyMode::sequential}, {"pipelined", CopyMode::pipelined}},
        {.name = "copy-mode",
         .fallback = "sequential",
         .example = "pipelined",
         .about = "whether copies come before and after the transfer, or overlap it"}},
       {&Channel::unexpected_copy,
        {.name = "unexpected-copy",
         .absent = "copy-bandwidth of the node",
         .example = "5GB/s",
         .about = "speed of the copy of a message that came before its receive was posted"}},
       {&Channel::latency_factor,
        {.name = "latency-factor",
         .absent = "1",
         .example = "[{from: 0B, factor: 1}, {from: 64KiB, factor: 2}]",
         .about = "multiplies the latency"}},
       {&Channel::bandwidth_factor,
        share({.name = "bandwidth-factor",
               .example = "0.5",
               .about = "part of the bandwidth that one message gets at most; several may fill the link"})},
       {&Channel::overhead_variation,
        {.name = "overhead-variation",
         .most = 10.0,
         .fallback = "0",
         .example = "0.3",
         .about = "by how much overheads vary from call to call (half-normal): standard deviation over mean"}},
       {&Channel::gpu_direct,
        {.name = "gpu-direct",
         .fallback = "false",
         .example = "true",
         .about = "GPU ranks send and receive without staging through the host"}}},
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
       .about = "From one GPU to the next, where their kernels hand messages over as NCCL's do.",
       .shared = &provenance()},
      {{hop(GpuProtocol::ll),
        {.name = "ll", .absent = "not used", .example = "0.6us", .about = "flags in every second word"}},
       {hop(GpuProtocol::ll128),
        {.name = "ll128", .absent = "not used", .example = "1.9us", .about = "a flag in each 128 bytes"}},
       {hop(GpuProtocol::simple),
        {.name = "simple", .absent = "not used", .example = "3.4us", .about = "a fence and a flag after each chunk"}},
       {&Channel::hop_rendezvous,
        {.name = "rendezvous",
         .absent = "none",
         .example = "30us",
         .about = "more, of messages between nodes from 'eager' on"}},
       {&Channel::hop_gap,
        {.name = "gap",
         .absent = "none",
         .example = "8us",
         .about = "a message between nodes keeps its adapter so long beside its bytes"}},
       {&Channel::hop_reported,
        {.name = "reported",
         .absent = "it chooses by these hops",
         .example = "75us",
         .about = "latency of the network that NCCL is told and chooses algorithms by"}},
       {&Channel::hop_ll_limit,
        {.name = "ll-limit",
         .absent = "39 GB/s, NCCL's with Intel",
         .example = "22.5GB/s",
         .about = "most bus bandwidth between nodes that NCCL's cost model gives LL; of three nodes and more at most "
                  "20.4 GB/s"}}}};
  return fields;
}

/// What channels have that GPUs hand messages over by.
const Fields<Channel>& hop_fields() {
  static const Fields<Channel> fields{
      {},
      {{hop_latency_fields(),
        {.name = "hop-latency",
         .absent = "as of other messages",
         .example = "{ll: 0.6us, ll128: 1.9us, simple: 3.4us, assumed: true}",
         .about = "of messages in NCCL's protocols, all latency of the way together"}}}};
  return fields;
}

const Fields<GpuMessages::Multicast>& multicast_fields() {
  using Multicast = GpuMessages::Multicast;
  static const Fields<Multicast> fields{
      {.name = "node-types.<type>.gpu-messages.multicast",
       .about = "The switch reduces what it reads of several GPUs, and writes to several what one stores.",
       .shared = &provenance()},
      {{&Multicast::efficiency,
        {.name = "efficiency",
         .least = factor_min,
         .most = share_max,
         .example = "0.68",
         .about = "payload of what the links carry meanwhile"}},
       {&Multicast::latency, {.name = "latency", .example = "1us", .about = "of one such operation"}},
       {&Multicast::staging,
        {.name = "staging",
         .example = "870GB/s",
         .about = "a GPU copying to and from the buffers that the switch reaches"}}}};
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
                         {.name = "latency", .example = "0.3us", .about = "from one core to another"}}}}
          .with(&NodeType::shared_memory, channel_fields());
  return fields;
}

const Fields<GpuMessages>& gpu_messages_fields() {
  static const Fields<GpuMessages> fields =
      Fields<GpuMessages>{
          {.name = "node-types.<type>.gpu-messages",
           .about = "Messages between GPUs that the fabric joins, over its links.",
           .shared = &provenance()},
          {{&GpuMessages::latency, {.name = "latency", .example = "1.5us", .about = "beside that of the links"}}}}
          .with(&GpuMessages::protocol, channel_fields(), {"gpu-direct", "unexpected-copy"})
          .with(&GpuMessages::protocol, hop_fields())
          .with({{efficiency_of, share({.name = "wire-efficiency",
                                        .example = "0.81",
                                        .about = "payload of what the links carry, of all messages together"})},
                 {&GpuMessages::multicast,
                  multicast_fields(),
                  {.name = "multicast",
                   .absent = "the switch passes messages on and does nothing else",
                   .example = "{efficiency: 0.68, latency: 1us, staging: 870GB/s, assumed: true}",
                   .about = "what the switch does itself: NVLink SHARP"}}});
  return fields;
}

const Fields<Channel>& protocol_fields() {
  static const Fields<Channel> fields = [] {
    Fields<Channel> made{
        {.name = "networks.<network>.protocol", .about = "How messages between nodes travel.", .shared = &provenance()},
        channel_fields().fields(),
        require_fifo};
    return std::move(made)
        .with(hop_fields().fields())
        .with({{&Channel::wire_efficiency,
                share({.name = "wire-efficiency",
                       .example = "0.95",
                       .about = "payload of what the wire carries (the rest: headers), of all messages together"})},
               {&Channel::block_overhead,
                {.name = "block-overhead",
                 .absent = "takes no time",
                 .example = "[{from: 8KiB, time: 35us}]",
                 .about = "more time that the sending core is busy, from 'eager' on, with each message to another node "
                          "that is one or two shares of a scatter, gather, allgather, alltoall or reduce-scatter: "
                          "each step of a ring or of an exchange in pairs"}},
               {&Channel::pair_bandwidth,
                {.name = "pair-bandwidth",
                 .absent = "no limit",
                 .example = "25GB/s",
                 .about = "what messages between two ranks share, in both directions together"}},
               {&Channel::pair_from,
                {.name = "pair-from",
                 .fallback = "0B",
                 .example = "4MiB",
                 .about = "shorter messages do not count against 'pair-bandwidth'"}},
               {&Channel::discipline,
                {{"fair", Discipline::fair}, {"fifo", Discipline::fifo}},
                {.name = "discipline",
                 .fallback = "fair",
                 .example = "fifo",
                 .about =
                     "how messages share a port: at every moment each a fair part, or one after another as they come "
                     "(star only)"}},
               {&Channel::frame,
                {.name = "frame",
                 .fallback = "0B",
                 .example = "1448B",
                 .about = "fifo: payload of a frame, which the switch stores and forwards; 0: no frames"}},
               {&Channel::frame_header,
                {.name = "frame-header",
                 .fallback = "0B",
                 .example = "90B",
                 .about = "fifo: what each frame adds on the wire"}},
               {&Channel::message_header,
                {.name = "message-header",
                 .fallback = "0B",
                 .example = "24B",
                 .about = "fifo: what the MPI library sends before each message, in the same frames"}},
               {&Channel::acknowledgement,
                {.name = "acknowledgement",
                 .kind = KeyKind::share,
                 .most = 1.0,
                 .fallback = "0%",
                 .example = "3%",
                 .about = "fifo: bytes that go back for each that comes, over the same ports"}}});
  }();
  return fields;
}

}  // namespace orrery
