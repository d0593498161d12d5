#include "sim/cli/pages/platform_template.hpp"

namespace orrery::cli {

namespace {

constexpr const char* text =
    R"(# A platform describes a cluster. 'orrery check' finds errors in it, 'orrery show platform' displays it.
#
# Every quantity has a unit: us, ms, s / B, KiB, MiB, GiB, GB / GB/s, Gbps (bits) / Gflop/s, Tflop/s.
# Every parameter has a source: the nearest enclosing `source:` or `assumed:`, or one of its own:
#   latency: {value: 1.3us, source: "datasheet, page 4"}      or      latency: {value: 1.3us, assumed: "as the previous model"}
name: NAME
source: "where the parameters come from: a datasheet, a paper, a dated measurement"

node-types:
  node:                            # your name for this type of node; add other types below
    count: 16
    sockets: 2
    cores-per-socket: 16
    core-speed: {value: 40Gflop/s, assumed: "clock x flop per cycle, double precision"}
    memory: 128GiB
    # Bytes copied per second by the whole node. A copy reads and writes each byte: half the datasheet's bandwidth.
    memory-bandwidth: {value: 100GB/s, assumed: true}
    # numa-domain: socket          # each socket's ranks have an equal part of it; else all ranks of a node share it
    # Bytes copied per second by one core.
    copy-bandwidth: {value: 8GB/s, assumed: true}
    # What collectives do beside messages, on one core; without it reducing takes no time.
    # local-work: {reduction: 5GB/s, copy: 8GB/s, cache: 32MiB, cached-reduction: 10GB/s, assumed: true}
    # waiting: polls               # ranks that share a core keep their part of it while they wait
    shared-memory:                 # messages between ranks of one node
      assumed: "typical; measure yours"
      latency: 0.3us
      send-overhead: 0.2us         # time the sending core is busy; may depend on size, as below
      receive-overhead: 0.2us
      eager: 4KiB                  # from this size the sender waits for the receiver (rendezvous)
      handshake: 2                 # latencies a rendezvous takes before the data
      # handshake-request: 1       # of these, the request's, which does not wait for the receive
      # progress: in-calls         # such a message is answered and sent in MPI calls of its ranks, not while they compute
      copies: [1, 1]               # memory copies at the sender and at the receiver, 0 to 2 each
      copy-mode: sequential        # or pipelined: the copies overlap
    # gpus:
    #   - model: "A100"
    #     count: 4
    #     speed: 9.7Tflop/s
    #     memory: 40GB
    #     memory-bandwidth: 1555GB/s
    #     link-bandwidth: 31.5GB/s   # PCI Express or NVLink to the host, each direction
    #     link-latency: 2us
    # Cables inside the node, if messages shall take them ('orrery new platform pod --like dgx-h100' has GPUs joined so):
    # fabric: [{link: upi, among: sockets, bandwidth: 41.6GB/s, latency: 0.1us, assumed: true}]

# A compute model, if peak speed is not accurate enough ('orrery list compute-models'):
# compute: {model: polynomial, parameters: measured.csv, source: "our dgemm runs, 2026"}

networks:                          # one or more; a run chooses one
  fabric:
    technology: "InfiniBand HDR"
    bandwidth: 200Gbps             # of an adapter, each direction
    # adapters: 2                  # to a node, spread over its sockets; or where each is: [socket-0, socket-1]
    # message-rate: 100M/s         # of an adapter, each direction; or by size: [{from: 0B, rate: 100M/s}, ...]
    # striping: {from: 1MiB, over: 2, assumed: true}       # long messages over several adapters
    # routing: {kind: adaptive, paths: 4}                  # or hash, split, valiant; default: one way for each pair
    latency: {value: 0.8us, assumed: true}        # end to end between two nodes of one switch
    # link-bandwidth: 200Gbps      # of links between switches, if different
    # link-latency: 0.14us         # of each link between switches
    topology: {kind: star}         # one switch. Or:
    # topology: {kind: fat-tree, down: [8, 2], up: [1, 4], parallel: [1, 2], assumed: true}    # nodes per leaf, leaves ...
    # topology: {kind: fat-tree, down: [8, 4], taper: 2, assumed: true}   # half as much bandwidth above the leaves
    # topology: {kind: torus, dimensions: [4, 4], assumed: true}
    # topology: {kind: dragonfly, groups: 2, routers: 4, nodes: 2, global-links: 1, assumed: true}
    # topology: {kind: dragonfly-plus, cells: 2, leaves: 4, spines: 4, nodes: 4, global-links: 1, assumed: true}
    # topology:
    #   kind: graph                # any switches and links
    #   switches: [a, b]
    #   nodes: {a: 0-7, b: [8-14, 15]}
    #   links: [{between: [a, b], bandwidth: 400Gbps, latency: 0.2us}]
    protocol:
      assumed: "typical; measure yours"
      send-overhead:               # piecewise linear in the size
        - {from: 0B, time: 0.2us}
        - {from: 8KiB, time: 0.6us}
      isend-overhead: 0.2us        # of a non-blocking send; default: send-overhead
      receive-overhead: 0.2us
      # probe-overhead: 0.1us
      eager: 8KiB
      # detach: 8KiB               # below this size the sender continues at once; default: eager
      handshake: 1
      copies: [0, 0]               # RDMA: none. TCP: [1, 1] and copy-mode: pipelined
      # unexpected-copy: 5GB/s     # extra copy of a message that arrives before its receive; default: copy-bandwidth
      # latency-factor: [{from: 64KiB, factor: 2}]         # multiplies the latency from this size on
      wire-efficiency: 0.95        # payload of what the wire carries (the rest: headers); a number or a list as above
      # bandwidth-factor: 0.5      # the most of the bandwidth that one message alone gets; likewise
      # gpu-direct: true           # GPU ranks send without staging through the host
)";

}  // namespace

std::string platform_template(const std::string& name) {
  std::string result = text;
  result.replace(result.find("NAME\n"), 4, name);
  return result;
}

}  // namespace orrery::cli
