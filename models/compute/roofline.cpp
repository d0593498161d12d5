/// Roofline: a step takes as long as its flops at peak speed, or as its bytes from their location, whichever is longer.
///
///   T = max(F / (e P), Q / B(Q)) / h^log2(c)
///
///   F  Flops           flop    of the step            P  FlopsPerSecond  flop/s  peak of the rank's cores or GPU
///   Q  Bytes           B       read and written       e  1               1       share of the peak that is reached
///   B  BytesPerSecond  B/s     of the smallest cache that holds Q; of the memory when none does
///
///   c  1               1       cores of the rank      h  1               1       share of its speed kept by each doubling of c
///
/// Memory bandwidth is twice the platform's (which counts bytes copied, each read and written), at most the total of
/// the rank's cores. Ranks of one node (`numa-domain: socket`: of one socket, which has its part) share it by their
/// cores if `shared-memory-bandwidth` is true: for kernels in which all compute at the same time. At most the cores of
/// a CPU share it: further ranks take turns, which the engine simulates.
///
/// Source   Williams, Waterman & Patterson, "Roofline", CACM 52(4), 2009; caches as levels with their own roof as in
///          Ilic, Pratas & Sousa, "Cache-aware roofline model", IEEE CAL 13(1), 2014
/// Valid    steps that sweep their data once: Q is taken for the size of the data too. Without Q, T is flops alone
/// Checked  tests/unit/models/compute/roofline_test.cpp
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "models/compute/catalogue.hpp"
#include "models/compute/row_groups.hpp"
#include "sim/core/error.hpp"
#include "sim/core/portable_math.hpp"

namespace orrery::roofline_compute_model {

namespace {

constexpr const char* page =
    R"(T = max(F / (e P), Q / B(Q)): flops F at the share e of the peak P, bytes Q at the bandwidth B of where they are. A rank
with several cores (threads, 'cores' of a layout) keeps the share 'thread-efficiency' of its speed at each doubling of them.

B is that of the smallest cache that holds Q, else that of the memory: twice the platform's memory-bandwidth (which
counts bytes copied), at most what the rank's cores draw, shared by the cores of the ranks on the node;
where the platform says 'numa-domain: socket', the ranks of each socket share its part.

Caches are rows (none: only the memory has a roof):
  column               meaning
  level                a name: L1, L2 ...
  size_B               of one core, or of a GPU; with a cell in 'cores', of the whole rank
  bandwidth_B_per_s    as size_B. A cache that c cores share is stated per core: size / c, bandwidth / c

Which ranks a row is about: type, node (number within its type), cpu, gpu, cores, rank; missing or empty cells fit
everything. Rows with the same cells there are the levels of one memory; the first of the file that fits applies.)";

struct Level {
  Bytes size;
  BytesPerSecond bandwidth;
};

std::vector<Level> read_levels(const DataTable& table, const std::vector<std::size_t>& rows) {
  std::vector<Level> levels;
  for (const std::size_t number : rows) {
    const auto& row = table.rows[number];
    levels.push_back({Bytes(table.required(row, "size_B", 1.0, 1e15)),
                      BytesPerSecond(table.required(row, "bandwidth_B_per_s", 1.0, 1e18))});
    if (levels.size() > 1 && !(levels.back().size > levels[levels.size() - 2].size))
      throw InputError("{}: 'size_B' is {:g} after {:g} (levels grow). Sort the rows?", row.where,
                       levels.back().size.si(), levels[levels.size() - 2].size.si());
  }
  return levels;
}

class Roofline final : public ComputeModel {
 public:
  explicit Roofline(const ComputeInput& input)
      : peaks_(input.platform, input.layout),
        memory_(memory_bandwidths(input)),
        efficiency_(input.parameters.number("efficiency")) {
    text_ = fmt::format(
        "roofline: peak speed{}, memory bandwidth {}", efficiency_ == 1.0 ? "" : fmt::format(" x {:g}", efficiency_),
        input.parameters.boolean("shared-memory-bandwidth") ? "shared by the ranks of a " + sharers(input.platform)
                                                            : "of a rank alone");
    if (const double kept = input.parameters.number("thread-efficiency"); kept != 1.0) {
      for (const Placement& place : input.layout.placements)
        threads_.push_back(place.gpu ? 1.0 : portable::pow(kept, portable::log2(static_cast<double>(place.cores))));
      text_ += fmt::format(", {:g} of the speed kept by each doubling of threads", kept);
    }
    if (input.table == nullptr) return;
    auto known = selector_columns();
    std::erase(known, "work");
    known.insert(known.end(), {"level", "size_B", "bandwidth_B_per_s"});
    input.table->require_known(known);
    groups_ = std::make_unique<RowGroups>(*input.table, input.platform, input.layout);
    for (std::size_t group = 0; group < groups_->groups(); ++group)
      levels_.push_back(read_levels(*input.table, groups_->rows(group)));
    text_ += fmt::format(", caches of '{}'", input.table->name);
  }

  std::string description() const override { return text_; }

  Seconds compute_time(const Compute& compute, Rank rank) const override {
    const Seconds flops = compute.flops / (efficiency_ * peaks_.of(rank, compute.work));
    const Seconds alone =
        compute.traffic == Bytes{} ? flops : std::max(flops, compute.traffic / bandwidth(compute.traffic, rank));
    return threads_.empty() ? alone : alone / threads_[index(rank)];
  }

 private:
  BytesPerSecond bandwidth(Bytes data, Rank rank) const {
    if (groups_ != nullptr) {
      const std::uint32_t group = groups_->group_of(rank, Work::generic);
      const double cores = groups_->cores_of(rank, group);
      for (const Level& level : levels_[group])
        if (data <= cores * level.size) return cores * level.bandwidth;
    }
    return memory_[index(rank)];
  }

  static std::string sharers(const Platform& platform) {
    const auto divided = std::ranges::count_if(platform.node_types, [](const auto& t) { return t.numa_domains() > 1; });
    if (divided == 0) return "node";
    return divided == std::ssize(platform.node_types) ? "socket" : "node or socket";
  }

  /// What shares a memory: the node and the part of it.
  using Domain = std::pair<NodeId, std::uint32_t>;
  static Domain domain_of(const ComputeInput& input, const Placement& place) {
    return {place.node, input.platform.node_types[place.node_type].domain_of(place.socket_of_node)};
  }

  /// Of CPU ranks in each, as many as compute at the same time. Processors that emulate all nodes are not theirs.
  static std::map<Domain, std::uint32_t> busy_cores(const ComputeInput& input) {
    std::map<std::pair<Domain, HostId>, std::uint32_t> of_host;
    for (const Placement& place : input.layout.placements) {
      if (place.gpu) continue;
      std::uint32_t& busy = of_host[{domain_of(input, place), place.host}];
      busy += place.cores;
      if (input.platform.processors == 0)
        busy = std::min(busy, input.platform.node_types[place.node_type].cores_per_socket);
    }
    std::map<Domain, std::uint32_t> busy;
    for (const auto& [host, cores] : of_host) busy[host.first] += cores;
    return busy;
  }

  static std::vector<BytesPerSecond> memory_bandwidths(const ComputeInput& input) {
    const Layout& layout = input.layout;
    const std::map<Domain, std::uint32_t> busy = busy_cores(input);
    std::vector<BytesPerSecond> result;
    for (const Placement& place : layout.placements) {
      const NodeType& type = input.platform.node_types[place.node_type];
      if (place.gpu) {
        result.push_back(type.gpus[place.socket_of_node].memory_bandwidth);
        continue;
      }
      const bool shared = input.parameters.boolean("shared-memory-bandwidth");
      const double share =
          shared ? std::min(1.0, static_cast<double>(place.cores) / busy.at(domain_of(input, place))) : 1.0;
      result.push_back(2.0 * std::min(share * type.domain_bandwidth(), place.cores * type.copy_bandwidth));
    }
    return result;
  }

  PeakSpeeds peaks_;
  std::vector<BytesPerSecond> memory_;  ///< [ranks] read and written
  double efficiency_;
  std::vector<double> threads_;             ///< [ranks] share of the speed that several cores keep; empty: all
  std::unique_ptr<RowGroups> groups_;       ///< null: no caches
  std::vector<std::vector<Level>> levels_;  ///< [groups]
  std::string text_;
};

const bool entered = compute_models().add({
    .name = "roofline",
    .summary = "flops at peak speed or bytes at the bandwidth of cache or memory, whichever takes longer",
    .source = "Williams, Waterman & Patterson, CACM 52(4), 2009; Ilic, Pratas & Sousa, IEEE CAL 13(1), 2014",
    .page = page,
    .parameters = {number_key("efficiency", 1, "fraction of the peak speed that is reached (assumed)", 1e-9, 1.0),
                   number_key(
                       "thread-efficiency", 1,
                       "fraction of its per-core speed that a rank keeps at each doubling of its cores (assumed)", 1e-3,
                       1.0),
                   flag_key("shared-memory-bandwidth", true,
                            "true: ranks of a node share its memory bandwidth in proportion to their cores")},
    .table = ComputeModelEntry::Table::optional,
    .make = [](const ComputeInput& input) { return std::make_unique<Roofline>(input); },
});

}  // namespace

}  // namespace orrery::roofline_compute_model
