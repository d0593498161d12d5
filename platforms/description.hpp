/// The description of a cluster: node types, node counts, networks. One struct per thing in a platform file, in SI.
///
/// Loaded from YAML by platforms/loader.hpp; both engines, the graph and the analytic models read only this.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/core/critical_path.hpp"
#include "sim/core/data_table.hpp"
#include "sim/core/gpu_parameters.hpp"
#include "sim/core/ids.hpp"
#include "sim/core/layout.hpp"
#include "sim/core/units.hpp"

namespace orrery {

/// Piecewise linear in the message size: breakpoints (bytes, value), constant before the first and after the last
/// unless `slope_after` is set. An empty function is 0.
class PiecewiseLinear {
 public:
  PiecewiseLinear() = default;
  explicit PiecewiseLinear(double constant) : points_{{0.0, constant}} {}
  PiecewiseLinear(std::vector<std::pair<double, double>> points, double slope_after = 0.0)
      : points_(std::move(points)), slope_after_(slope_after) {}
  double operator()(Bytes m) const;
  const std::vector<std::pair<double, double>>& points() const { return points_; }
  double slope_after() const { return slope_after_; }

 private:
  std::vector<std::pair<double, double>> points_;
  double slope_after_ = 0.0;
};

/// Piecewise constant in the message size: the value of the last breakpoint (bytes) not above m; `before` if there is
/// none.
template <class T, int before>
class PiecewiseConstant {
 public:
  PiecewiseConstant() = default;
  explicit PiecewiseConstant(T constant) : steps_{{0.0, constant}} {}
  explicit PiecewiseConstant(std::vector<std::pair<double, T>> steps) : steps_(std::move(steps)) {}
  T operator()(Bytes m) const;
  /// The value of all sizes, if there is only one.
  std::optional<T> constant() const {
    if (steps_.empty()) return T(before);
    return steps_.size() == 1 && steps_.front().first <= 0.0 ? std::optional(steps_.front().second) : std::nullopt;
  }
  const std::vector<std::pair<double, T>>& steps() const { return steps_; }

 private:
  std::vector<std::pair<double, T>> steps_;
};
using PiecewiseFactor = PiecewiseConstant<double, 1>;
using PiecewiseRate = PiecewiseConstant<PerSecond, 0>;  ///< of messages; 0: any number
extern template class PiecewiseConstant<double, 1>;
extern template class PiecewiseConstant<PerSecond, 0>;

/// "65 M/s messages, from 64 B on 8.87 M/s"
std::string messages_text(const PiecewiseRate& rate);

enum class CopyMode : std::uint8_t { sequential, pipelined };

/// How messages share the ports of a network: each always gets a fair part, or one after another in order of arrival.
enum class Discipline : std::uint8_t { fair, fifo };
/// Effect of a blocked flow on others on the links before: none, or it blocks them, too
/// (sim/engine/flow/head_of_line.hpp).
enum class Congestion : std::uint8_t { ideal, head_of_line };

/// When a rendezvous message progresses: independently of its ranks, or once both have been inside an MPI call for it.
enum class MessageProgress : std::uint8_t { independent, in_calls };

/// What a waiting rank does with a shared core: leaves it to the other ranks, or keeps its part.
enum class Waiting : std::uint8_t { blocks, polls };

/// The unit with its own memory: the node, or each of its sockets, with an equal part of the node's bandwidth.
enum class NumaDomain : std::uint8_t { node, socket };

/// The protocol of a channel: the shared memory of a node type, or a network. sim/engine/README.md has the details.
struct ChannelProperties {
  PiecewiseLinear send_overhead;        ///< o_s(m)   s, blocking send: sending core busy
  PiecewiseLinear isend_overhead;       ///< o_is(m)  s, non-blocking send
  PiecewiseLinear receive_overhead;     ///< o_r(m)   s, receiving core busy
  Seconds probe_overhead;               ///< o_probe
  Bytes eager{65536};                   ///< below: the message travels at once; from here on: rendezvous
  Bytes detach{65536};                  ///< below: the sender goes on without waiting for its message (detach <= eager)
  std::uint32_t handshake = 2;          ///< route latencies before a rendezvous starts: the request's and the answer's
  std::uint32_t handshake_request = 0;  ///< of these, those of the request, which travels before its receive is posted
  MessageProgress progress = MessageProgress::independent;  ///< of messages from `eager` on: sim/engine/in_calls.hpp
  std::array<std::uint8_t, 2> copies{1, 1};  ///< memory copies at the sender's and the receiver's end, 0..2
  CopyMode copy_mode = CopyMode::sequential;
  BytesPerSecond unexpected_copy{0};  ///< 0: the receiver's own copy bandwidth
  PiecewiseFactor latency_factor;
  PiecewiseFactor bandwidth_factor;  ///< limit of one message: factor * narrowest capacity of its route
  PiecewiseFactor wire_efficiency;   ///< for all: m bytes take m / efficiency on every link; 1 in shared memory
  HopLatency hop_latency = {};       ///< of messages between GPU kernels, in place of other latencies; 0: as others
  Seconds hop_rendezvous{};          ///< in addition, from `eager` on
  Seconds hop_gap{};                 ///< of such a message at its adapter, in addition to its bytes
  Seconds hop_reported{};            ///< latency that the network reports to NCCL for its choices; 0: none
  BytesPerSecond hop_ll_limit{0};    ///< NCCL's assumption for LL (bus bandwidth); 0: no limit

  /// Whether kernels use this protocol; all protocols, if no hop latency is given.
  bool carries(GpuProtocol protocol) const {
    return hop_latency == HopLatency{} || of(hop_latency, protocol) > Seconds{};
  }
  bool gpu_direct = false;          ///< GPU ranks send without staging over PCIe
  double overhead_variation = 0.0;  ///< standard deviation of each overhead, half-normal, over its mean

  // of a network
  PiecewiseLinear
      block_overhead;  ///< s, extra core time to send a block of a collective, from `eager` on
  BytesPerSecond pair_bandwidth{0};  ///< limit of the messages between two ranks, both directions together; 0: none
  Bytes pair_from{0};                ///< shorter messages are exempt
  Discipline discipline = Discipline::fair;  ///< fifo: sim/engine/ports.hpp
  Bytes frame{0};                ///< maximum payload of a frame, which switches store and forward; 0: no frames
  Bytes frame_header{0};         ///< added by each frame on the wire
  Bytes message_header{0};       ///< sent by the MPI library before each message, in the same frames
  double acknowledgement = 0.0;  ///< bytes sent back per byte received, over the same ports

  bool pair_limited(Bytes m) const { return pair_bandwidth > BytesPerSecond{} && m >= pair_from; }
};

/// Local work of a core, or a GPU, for a collective in addition to its messages. A rate of 0: it takes no time.
struct LocalRates {
  BytesPerSecond reduction{0};  ///< of the result: two operands are read, one is written
  BytesPerSecond copy{0};       ///< from one buffer of the collective to another
  Bytes cache{0};               ///< collectives on vectors up to this size stay in caches
  Bytes shared_cache{0};        ///< part that all ranks of a socket share; 0: each has all of `cache`
  BytesPerSecond cached_reduction{0}, cached_copy{0};
  BytesPerSecond fresh_memory{0};  ///< first use of a buffer that the operating system just mapped
  Bytes fresh_from{0};             ///< smaller buffers are reused
  BytesPerSecond heap_memory{0};   ///< for sets of these that malloc gives back each time; 0: it keeps them
  Seconds registration{0};         ///< a block sent from a new buffer, next to the one before it
  Seconds datatype{0};             ///< describing the parts of a buffer that a message takes
  Seconds datatype_block{0};       ///< additional time for each of these parts
  Seconds count{0};                ///< reading one of the counts of a collective with uneven block sizes
};

/// Power by activity; of a node without its GPUs, all cores doing the same.
struct PowerDraw {
  Watts idle, computing, communicating;
};

struct Gpu {
  std::string model;
  FlopsPerSecond speed;
  FlopsPerSecond matrix_speed{0};  ///< of matrix products in training; 0: not given
  Bytes memory;
  BytesPerSecond memory_bandwidth;
  BytesPerSecond link_bandwidth;  ///< PCIe or NVLink to the host, each direction
  Seconds link_latency;
  LocalRates local_work = {};
  std::optional<PowerDraw> power = {};
  FlopsPerSecond double_matrix_speed{0};  ///< of matrix products in double precision; 0: as `speed`

  /// Peak of matrix products in double precision, and of other work.
  FlopsPerSecond product_speed() const { return double_matrix_speed > FlopsPerSecond{} ? double_matrix_speed : speed; }
};

/// The inside of a node: the cables between its sockets, its GPUs and its switches. These elements are numbered
/// together: sockets, then GPUs, then switches.
struct Fabric {
  struct Cable {  ///< two links, one each way
    ResourceKind kind{};
    std::uint32_t from = 0, to = 0;  ///< elements
    BytesPerSecond bandwidth;        ///< each direction
    Seconds latency;
  };
  std::vector<std::string> switches;  ///< by name: "plx-0", "nvswitch"
  std::vector<Cable> cables;          ///< none: the inside is not described
  std::uint32_t span = 1;             ///< number of consecutive nodes of the type that share the switch `shared`
  std::uint32_t shared = 0;           ///< element; if span > 1
  std::vector<std::string> notes;     ///< simplifications of the file's contents, a sentence each

  bool described() const { return !cables.empty(); }
};

/// Messages between GPUs of one fabric, in one node or over a switch that several nodes share.
struct GpuMessages {
  /// Operations of the switch itself: it reduces data that it reads from several GPUs, and writes to several.
  struct Multicast {
    double efficiency = 1.0;    ///< payload share of the bytes on its links meanwhile
    Seconds latency;            ///< of one operation
    BytesPerSecond staging{0};  ///< of a GPU that copies to and from the buffers that the switch reaches
  };
  Seconds latency;  ///< in addition to that of the links
  ChannelProperties protocol;
  std::optional<Multicast> multicast = {};
};

struct NodeType {
  std::string name;
  std::string names;  ///< of its nodes, in order: "rack[1-4]node[01-32]"; empty: no names
  std::uint32_t sockets = 1;
  std::uint32_t cores_per_socket = 1;
  FlopsPerSecond core_speed;
  Bytes memory;
  BytesPerSecond memory_bandwidth;  ///< of the whole node: bytes copied per second (each is read and written)
  NumaDomain numa_domain = NumaDomain::node;
  BytesPerSecond copy_bandwidth;  ///< of one core copying
  LocalRates local_work = {};     ///< of one core
  Seconds shared_memory_latency;
  ChannelProperties shared_memory;
  std::vector<Gpu> gpus;
  double time_sharing_overhead = 0.0;  ///< loss of a core for each time-sharing rank beyond the first
  Waiting waiting = Waiting::blocks;   ///< of those ranks: sim/engine/kept_cores.hpp
  Fabric fabric;
  std::optional<GpuMessages> gpu_messages;  ///< empty: GPUs of a node communicate through its memory
  std::optional<PowerDraw> power = {};      ///< empty: runs have no energy
  std::optional<Watts> power_cap = {};      ///< of a node with its GPUs: energy.hpp
  std::optional<double> price = {};         ///< of a node per hour, in the currency of the platform's file

  std::uint32_t cores() const { return sockets * cores_per_socket; }
  std::uint32_t numa_domains() const { return numa_domain == NumaDomain::socket ? sockets : 1; }
  /// The memory domain of a socket.
  std::uint32_t domain_of(std::uint32_t socket) const { return numa_domain == NumaDomain::socket ? socket : 0; }
  std::uint32_t domain_cores() const { return cores() / numa_domains(); }
  BytesPerSecond domain_bandwidth() const { return memory_bandwidth / numa_domains(); }
};

/// The messages that share the bandwidth of a link or medium.
enum class Sharing : std::uint8_t {
  full_duplex,  ///< those of one direction: each direction has the full bandwidth
  half_duplex,  ///< all: both directions together, between any ends
  none          ///< none: only limits each message separately
};

/// A connection of any number of ends: a bus, a hub, a backbone. A message over it takes its latency once.
struct Medium {
  std::string name;
  BytesPerSecond bandwidth;
  Seconds latency;
  Sharing sharing = Sharing::half_duplex;
  std::vector<std::string> between = {};  ///< switches on it; links and nodes may be attached, too
};

struct StarTopology {
  std::optional<Medium> backbone = {};  ///< crossed by all messages between nodes
};
/// `down[l]` children per switch of level l (0 = leaf), `up[l]` parents of each element, `parallel[l]` parallel links.
struct FatTreeTopology {
  std::vector<std::uint32_t> down, up, parallel;
};
struct TorusTopology {
  std::vector<std::uint32_t> dimensions;
  std::vector<bool> wrap = {};  ///< [dimensions] whether the last is connected to the first; empty: all are
};
/// groups x routers per group (all to all inside), nodes per router, global links per router.
struct DragonflyTopology {
  std::uint32_t groups = 1, routers = 1, nodes = 1, global_links = 1;
  Seconds global_latency{};  ///< of each link between groups, in addition to the network's `link_latency`
};
/// Dragonfly+: cells x leaves of nodes, each joined to every spine of its cell; spines have links to other cells.
struct DragonflyPlusTopology {
  std::uint32_t cells = 1, leaves = 1, spines = 1, nodes = 1, global_links = 1;
  Seconds global_latency{};  ///< of each link between cells, in addition to the network's `link_latency`
};
/// Free graph: switches, links and media by name; nodes attach as "node:<number>" or "node:<first>-<last>".
struct GraphTopology {
  struct Edge {
    std::string from, to;
    BytesPerSecond bandwidth;
    Seconds latency;
    Sharing sharing = Sharing::full_duplex;
    std::string name = {};  ///< empty: no name
  };
  /// Messages from nodes at `from` to nodes at `to` go over these links and media, in this order.
  struct Route {
    std::string from, to;
    std::vector<std::string> over;
    std::string where = {};
  };
  std::vector<std::string> switches;
  std::vector<Edge> edges;
  std::vector<Medium> media = {};
  std::vector<Route> routes = {};  ///< the opposite route is the same unless listed separately
};
using Topology =
    std::variant<StarTopology, FatTreeTopology, TorusTopology, DragonflyTopology, GraphTopology, DragonflyPlusTopology>;

/// The selection of a message's route among several.
///
///   deterministic  one route for each pair of adapters, by formula (routes.hpp)
///   hash           one shortest route for each pair of ranks, randomized by the seed: ECMP
///   split          the message in equal parts over `paths` shortest routes at the same time
///   valiant        over a place in between, random for each message, one of `paths` random ones for each pair
///   adaptive       of `paths` random routes for each pair, half of them detours, the one with the least load when the
///                  message starts: UGAL
struct Routing {
  enum class Kind : std::uint8_t { deterministic, hash, split, valiant, adaptive };
  Kind kind = Kind::deterministic;
  std::uint32_t paths = 1;
  std::uint64_t seed = 1;
};
inline constexpr std::array routing_kind_names{"deterministic", "hash", "split", "valiant", "adaptive"};

/// Which links are not as stated: platforms/faults.hpp.
struct LinkFaults;

/// Adapters of the nodes on one network.
struct Adapters {
  std::vector<std::vector<std::uint32_t>> at;  ///< [node types][adapters] the element of the node it is on; empty: one
  /// [node types] element -> its adapters, the first for messages that are not striped; elsewhere the nearest.
  std::vector<std::map<std::uint32_t, std::vector<std::uint32_t>>> affinity;
  bool rail_leaves = false;       ///< the k-th adapters of a leaf's worth of nodes have a leaf of their own
  PiecewiseRate message_rate;     ///< messages of one adapter, each direction, by the size of a message
  std::uint32_t send_queues = 0;  ///< of an adapter (sim/engine/send_queues.hpp); 0: it sends all at once
  std::uint32_t stripe_over = 1;  ///< a message of `stripe_from` or more is cut into this number of parts
  Bytes stripe_from{std::numeric_limits<double>::infinity()};

  bool rated() const { return !message_rate.steps().empty(); }
  std::uint32_t of_type(std::uint32_t type) const {
    return at.empty() ? 1 : static_cast<std::uint32_t>(at[type].size());
  }
};

/// An adapter that is not as the network says.
struct Adapter {
  BytesPerSecond bandwidth;
  Seconds latency;  ///< end to end between two of its kind
  Sharing sharing = Sharing::full_duplex;
  BytesPerSecond both_ways{0};  ///< of what it sends and receives together; 0: no limit
};

/// What the parts of a network draw: adapters by their load, switches always the same.
struct NetworkPower {
  Watts adapter, adapter_busy, switches;  ///< of one adapter idle, and sending and receiving at full rate; of a switch
};

/// Switches that reduce what comes and multicast the result: kernels/collectives/algorithms/allreduce/sharp.cpp.
struct Aggregation {
  Seconds latency;              ///< added to that of the route, each way
  BytesPerSecond bandwidth{0};  ///< of one stream; 0: as the links
};

struct Network {
  std::string name;
  std::string technology;            ///< "InfiniBand QDR", "Ethernet 1 Gb/s": for people
  BytesPerSecond bandwidth;          ///< of an adapter, each direction
  Seconds latency;                   ///< end to end between two nodes of one switch (NIC, wire and switch)
  BytesPerSecond link_bandwidth{0};  ///< of links between switches; 0: as `bandwidth`
  Seconds link_latency{0};           ///< added by each link between switches
  ChannelProperties protocol;
  Topology topology;
  Sharing sharing = Sharing::full_duplex;  ///< of an adapter
  BytesPerSecond both_ways{0};             ///< of what an adapter sends and receives together; 0: no limit
  /// [nodes] where node types differ in their adapters; else empty, and all are as above.
  std::vector<Adapter> nics = {};

  Adapter nic(NodeId node) const {
    return nics.empty() ? Adapter{bandwidth, latency, sharing, both_ways} : nics[index(node)];
  }
  Adapters adapters = {};
  Routing routing = {};
  Congestion congestion = Congestion::ideal;
  std::optional<Aggregation> aggregation = {};  ///< none: switches pass messages on and do nothing else
  std::optional<NetworkPower> power = {};
  std::shared_ptr<const LinkFaults> faults = {};  ///< null: all links are as stated above
};

/// How work on the cluster is timed unless a scenario says otherwise: a compute model and its settings, by name. What
/// they mean is known to models/compute.
struct ComputeChoice {
  struct Setting {
    std::string name, value, where;
  };
  std::string model, where;               ///< empty: none is named
  std::vector<Setting> settings;          ///< `parameters` names a CSV file, first searched next to the platform
  std::shared_ptr<const DataTable> rows;  ///< parameters written in the file itself
};

/// Where a parameter of the file comes from: path ("node-types.xeon12.memory-bandwidth"), text as written, source or
/// "assumed".
struct Provenance {
  std::string parameter, value, source;
};

struct Platform {
  std::string name;
  std::string file;  ///< where it was read from
  std::string source;
  std::vector<NodeType> node_types;
  std::vector<std::uint32_t> node_counts;  ///< [node types]
  std::vector<Network> networks;
  /// Of the machine that emulates all nodes: what occupies the cores of ranks shares them. 0: nodes have their own.
  std::uint32_t processors = 0;
  /// Work of those processors on a message between nodes, half as it leaves and half as it arrives; part of its
  /// latency. `next`: while the switch is at work on another.
  Seconds forwarding{0}, forwarding_next{0};
  /// Ranks leave a common start and an ideal barrier up to so much late, each by its own draw.
  Seconds start_skew{0};
  ComputeChoice compute = {};
  std::optional<double> electricity = {};  ///< price of a kWh, in the currency of the nodes' prices
  std::vector<Provenance> provenance;

  std::uint32_t nodes() const;
  /// Nodes are numbered type by type, in the order of the file.
  std::uint32_t type_of(NodeId node) const;
  NodeId first_node_of(std::uint32_t type) const;
  /// "xeon12-0": the node's type and its number within the type.
  std::string node_name(NodeId node) const;
  /// Of the host that a rank is on.
  const LocalRates& local_rates(const Placement& place) const {
    const NodeType& type = node_types[place.node_type];
    return place.gpu ? type.gpus[place.socket_of_node].local_work : type.local_work;
  }
  const Network& network(const std::string& name, const std::string& where) const;  ///< throws InputError
};

}  // namespace orrery
