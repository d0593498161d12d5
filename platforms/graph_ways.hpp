/// The shortest routes of a free graph: fewest links, then least latency, by Dijkstra on pairs (links, latency).
/// Private to platforms/.
///
///   ways(v) = sum of ways(u) over the links u > v that a shortest way to v ends with, ways(root) = 1
///
/// All equally short ways count, including parallel cables, and latencies within a part in 1e9 of each other. They are
/// numbered from their last link: if m links have equally many ways before them, way w ends with link w mod m in the
/// order of the file and begins like way w / m. The ways from each switch where routes start are counted once and kept.
///
/// Valid    numbers of ways up to `ways_max`; of more than that so many are taken
/// Checked  tests/unit/platforms/paths_test.cpp, routes_test.cpp, tests/replay/routing_test.cpp
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace orrery {

class GraphWays {
 public:
  using Distance = std::pair<std::uint32_t, double>;  ///< half links, latency in s

  explicit GraphWays(std::size_t switches) : switches_(switches), known_(switches) {}

  /// Links are numbered as they are added.
  void add(std::uint32_t from, std::uint32_t to, const Distance& length) { links_.push_back({from, to, length}); }

  /// Number of ways from one switch to another; 0 if there is none.
  std::uint32_t count(std::uint32_t from, std::uint32_t to) const { return ways_from(from).ways_to(to); }
  /// The links of way number `way` < count(from, to), between two different switches.
  void append(std::uint32_t from, std::uint32_t to, std::uint32_t way, std::vector<std::uint32_t>& into) const;

 private:
  static constexpr std::uint32_t no_arrival = 0xffffffffu;
  struct Link {
    std::uint32_t from, to;
    Distance length;
  };
  /// The shortest ways from one switch to all others.
  struct FromSwitch {
    std::vector<std::uint32_t> first;     ///< [switches + 1] of `arriving`; empty where each switch has one way at most
    std::vector<std::uint32_t> arriving;  ///< last links of shortest ways, by switch, in the order of the file
    std::vector<std::uint32_t> ways;      ///< [switches]; empty as `first`

    std::span<const std::uint32_t> arriving_at(std::uint32_t v) const {
      if (first.empty()) return {arriving.data() + v, arriving[v] == no_arrival ? 0u : 1u};
      return {arriving.data() + first[v], first[v + 1] - first[v]};
    }
    /// For a switch other than the root.
    std::uint32_t ways_to(std::uint32_t v) const {
      return first.empty() ? static_cast<std::uint32_t>(arriving_at(v).size()) : ways[v];
    }
  };
  const FromSwitch& ways_from(std::uint32_t root) const;
  std::vector<Distance> distances(std::uint32_t root) const;
  FromSwitch shortest_ways(std::uint32_t root) const;
  void count_ways(std::uint32_t root, const std::vector<Distance>& distance, FromSwitch& found) const;

  std::size_t switches_;
  std::vector<Link> links_;
  struct Adjacency;  ///< the links by their source switch
  mutable std::shared_ptr<const Adjacency> adjacency_;
  mutable std::vector<FromSwitch> known_;  ///< [switches] those requested so far
  mutable std::mutex mutex_;
};

}  // namespace orrery
