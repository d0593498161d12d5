#include "sim/app/pages/platform_template.hpp"

namespace orrery::app {

namespace {

constexpr const char* text =
    R"(# A platform: what a cluster is. Check it with 'orrery check', look at it with 'orrery show platform'.
#
# Every quantity has a unit: us, ms, s / B, KiB, MiB, GiB, GB / GB/s, Gbps (bits) / Gflop/s, Tflop/s.
# Every figure has a source: the nearest `source:` or `assumed:` of the sections around it, or its own, written
#   latency: {value: 1.3us, source: "datasheet, page 4"}      or      latency: {value: 1.3us, assumed: "like its sibling"}
name: NAME
source: "who says so: a datasheet, a paper, a measurement with its date"

node-types:
  node:                            # your word for this kind of node; add others below it
    count: 16
    sockets: 2
    cores-per-socket: 16
    core-speed: {value: 40Gflop/s, assumed: "clock x flop per cycle, double precision"}
    memory: 128GiB
    # Bytes copied per second by the whole node. A copy reads and writes: half of the datasheet's bandwidth.
    memory-bandwidth: {value: 100GB/s, assumed: true}
    # Bytes copied per second by one core.
    copy-bandwidth: {value: 8GB/s, assumed: true}
    shared-memory:                 # messages between ranks of one node
      assumed: "typical; measure yours"
      latency: 0.3us
      send-overhead: 0.2us         # how long the sending core is busy; may depend on the size, as below
      receive-overhead: 0.2us
      eager: 4KiB                  # from this size on the sender waits until the receiver is ready (rendezvous)
      handshake: 2                 # latencies such a rendezvous costs before the data: 2, or 1 when the receiver reads
      copies: [1, 1]               # memory copies at the sender's and the receiver's end, 0 to 2
      copy-mode: sequential        # or pipelined: the copies overlap
    # gpus:
    #   - model: "A100"
    #     count: 4
    #     speed: 9.7Tflop/s
    #     memory: 40GB
    #     memory-bandwidth: 1555GB/s
    #     link-bandwidth: 31.5GB/s   # PCI Express or NVLink to the host, each direction
    #     link-latency: 2us

# How long work takes on these nodes, when peak speed is not good enough ('orrery list compute-models'):
# compute: {model: polynomial, figures: measured.csv, source: "our dgemm runs, 2026"}

networks:                          # one or more; a run chooses one
  fabric:
    technology: "InfiniBand HDR"
    bandwidth: 200Gbps             # of a node's NIC, each direction
    latency: {value: 0.8us, assumed: true}        # end to end between two nodes of one switch
    # link-bandwidth: 200Gbps      # of links between switches, when it differs
    # link-latency: 0.14us         # added by each link between switches
    topology: {kind: star}         # one switch. Or:
    # topology: {kind: fat-tree, down: [8, 2], up: [1, 4], parallel: [1, 2], assumed: true}    # nodes per leaf, leaves ...
    # topology: {kind: torus, dimensions: [4, 4], assumed: true}
    # topology: {kind: dragonfly, groups: 2, routers: 4, nodes: 2, global-links: 1, assumed: true}
    # topology:
    #   kind: graph                # any switches and links
    #   switches: [a, b]
    #   nodes: {a: 0-7, b: [8-14, 15]}
    #   links: [{between: [a, b], bandwidth: 400Gbps, latency: 0.2us}]
    protocol:
      assumed: "typical; measure yours"
      send-overhead:               # piecewise linear: between two sizes, between their times
        - {from: 0B, time: 0.2us}
        - {from: 8KiB, time: 0.6us}
      isend-overhead: 0.2us        # of a non-blocking send; default: as send-overhead
      receive-overhead: 0.2us
      # probe-overhead: 0.1us
      eager: 8KiB
      # detach: 8KiB               # below this size the sender goes on at once; default: as eager
      handshake: 1
      copies: [0, 0]               # RDMA: none. TCP: [1, 1] and copy-mode: pipelined
      # unexpected-copy: 5GB/s     # a message that came before its receive is copied once more; default: copy-bandwidth
      # latency-factor: [{from: 64KiB, factor: 2}]         # times the latency, from this size on
      bandwidth-factor: 0.95       # times the bandwidth; a number or a list as above
      # gpu-direct: true           # GPU ranks send without staging through the host
)";

}  // namespace

std::string platform_template(const std::string& name) {
  std::string result = text;
  result.replace(result.find("NAME\n"), 4, name);
  return result;
}

}  // namespace orrery::app
