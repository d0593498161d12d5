#include "platforms/simgrid_topologies.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "platforms/simgrid_topology_links.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace {

using ParameterLists = std::vector<std::vector<std::uint32_t>>;
using LevelNumbers = std::vector<std::uint32_t>;

constexpr std::uint32_t parameter_max = 1u << 20;

[[noreturn]] void refuse_parameters(const SimgridElements& elements, const SimgridCluster& cluster, const char* rule) {
  elements.refuse(cluster.line, Refusal("topo_parameters of the {} is '{}' ({}). Correct it?", cluster.topology,
                                        shown(cluster.parameters), rule));
}

/// One "a;b;c" of a cluster's topo_parameters, of numbers with commas, each more than 0.
ParameterLists parameter_lists(const SimgridElements& elements, const SimgridCluster& cluster) {
  constexpr const char* rule = "whole numbers from 1 on, with ',' and ';'";
  ParameterLists lists(1);
  const std::string& text = cluster.parameters;
  const char *at = text.data(), *const end = at + text.size();
  while (true) {
    std::uint32_t value = 0;
    const auto [rest, status] = std::from_chars(at, end, value);
    if (status != std::errc() || value > parameter_max || value == 0) refuse_parameters(elements, cluster, rule);
    lists.back().push_back(value);
    if (rest == end) return lists;
    if (*rest == ';')
      lists.emplace_back();
    else if (*rest != ',')
      refuse_parameters(elements, cluster, rule);
    at = rest + 1;
  }
}

double product_of(const LevelNumbers& factors) {
  double product = 1.0;
  for (const auto factor : factors) product *= factor;
  return product;
}

/// SimGrid wants as many hosts as places; here the line is known.
void require_simgrid_places(const SimgridElements& elements, const SimgridCluster& cluster, double places) {
  if (places != static_cast<double>(cluster.hosts))
    elements.refuse(cluster.line,
                    Refusal("cluster '{}' has {} hosts in its 'radical', but topo_parameters '{}' describe a {} of "
                            "{:.0f} (a place for each host, a host for each place). Correct one of them?",
                            cluster.name, cluster.hosts, shown(cluster.parameters), cluster.topology, places));
}

/// Dimension by dimension, the shorter way round. Each node has a cable to its next in each dimension.
class SimgridTorus final : public SimgridTopology {
 public:
  SimgridTorus(SimgridElements& elements, const SimgridCluster& cluster, LevelNumbers dimensions)
      : dimensions_(std::move(dimensions)),
        links_(elements, cluster, cluster.hosts, static_cast<double>(dimensions_.size()) * cluster.hosts) {
    for (std::size_t i = 0; i < dimensions_.size() * cluster.hosts; ++i) cables_.push_back(links_.cable());
  }

  std::string ours() const override {
    return fmt::format("kind: torus, dimensions: [{}]", fmt::join(dimensions_, ", "));
  }

  void append_way(std::uint32_t from, std::uint32_t to, SimgridWay& into) const override {
    if (from == to && links_.append_loopback(from, into)) return;
    std::uint32_t here = from, below = 1;
    for (std::size_t j = 0; j < dimensions_.size(); ++j) {
      const std::uint32_t size = dimensions_[j], mine = from / below % size, target = to / below % size;
      const bool right =
          (target > mine && target <= mine + size / 2) || (mine > size / 2 && (mine + size / 2) % size >= target);
      while (here / below % size != target) {
        const std::uint32_t at = here / below % size;
        links_.append_limiter(here, into);
        const std::uint32_t next = here - at * below + (right ? (at + 1) % size : (at + size - 1) % size) * below;
        const std::uint32_t cable = cables_[(right ? here : next) * dimensions_.size() + j];
        into.push_back(right ? cable : links_.back(cable));
        here = next;
      }
      below *= size;
    }
    links_.append_limiter(to, into);
  }

 private:
  LevelNumbers dimensions_;
  SimgridTopologyLinks links_;
  std::vector<std::uint32_t> cables_;  ///< [nodes x dimensions]
};

/// Levels of switches. A place has a digit for each level: of the child below it, of the parent from it on.
class SimgridFatTree final : public SimgridTopology {
 public:
  SimgridFatTree(SimgridElements& elements, const SimgridCluster& cluster, const ParameterLists& lists)
      : levels_(lists[0][0]),
        children_(lists[1]),
        parents_(lists[2]),
        ports_(lists[3]),
        position_(cluster.position),
        links_(elements, cluster, elements_of_all_levels(), cables_of_all_levels()) {
    for (std::uint32_t level = 0; level < levels_; ++level) {
      first_.push_back(static_cast<std::uint32_t>(cables_.size()));
      const std::uint32_t count = nodes_of(level) * parents_[level] * ports_[level];
      for (std::uint32_t i = 0; i < count; ++i) cables_.push_back(links_.cable());
    }
  }

  std::string ours() const override {
    if (parents_[0] != 1 || ports_[0] != 1) return {};
    return fmt::format("kind: fat-tree, down: [{}], up: [{}], parallel: [{}]", fmt::join(children_, ", "),
                       fmt::join(parents_, ", "), fmt::join(ports_, ", "));
  }

  void append_way(std::uint32_t from, std::uint32_t to, SimgridWay& into) const override {
    if (from == to && links_.append_loopback(from, into)) return;
    LevelNumbers here = label(from);
    const LevelNumbers end = label(to);
    std::uint32_t level = 0;
    for (; level == 0 || !std::equal(here.begin() + level, here.end(), end.begin() + level); ++level) {
      std::uint32_t choice = position_ + to;
      for (std::uint32_t i = 0; i < level; ++i) choice /= parents_[i] * ports_[i];
      choice %= parents_[level] * ports_[level];
      links_.append_limiter(element(level, here), into);
      into.push_back(cable(level, here, choice % parents_[level], choice / parents_[level]));
      here[level] = choice % parents_[level];
    }
    while (level > 0) descend(from, end, here, level, into);
    links_.append_limiter(to, into);
  }

 private:
  std::uint32_t nodes_of(std::uint32_t level) const {
    std::uint32_t count = 1;
    for (std::uint32_t j = 0; j < levels_; ++j) count *= j >= level ? children_[j] : parents_[j];
    return count;
  }
  std::uint32_t elements_of_all_levels() const {
    std::uint32_t count = 0;
    for (std::uint32_t level = 0; level <= levels_; ++level) count += nodes_of(level);
    return count;
  }
  double cables_of_all_levels() const {
    double count = 0.0;
    for (std::uint32_t level = 0; level < levels_; ++level) {
      double nodes = static_cast<double>(parents_[level]) * ports_[level];
      for (std::uint32_t j = 0; j < levels_; ++j) nodes *= j >= level ? children_[j] : parents_[j];
      count += nodes;
    }
    return count;
  }
  LevelNumbers label(std::uint32_t host) const {
    LevelNumbers digits;
    for (std::uint32_t j = 0; j < levels_; ++j) {
      digits.push_back(host % children_[j]);
      host /= children_[j];
    }
    return digits;
  }
  std::uint32_t node(std::uint32_t level, const LevelNumbers& digits) const {
    std::uint32_t number = 0;
    for (std::uint32_t j = levels_; j-- > 0;) number = number * (j >= level ? children_[j] : parents_[j]) + digits[j];
    return number;
  }
  /// Among hosts and all switches.
  std::uint32_t element(std::uint32_t level, const LevelNumbers& digits) const {
    std::uint32_t before = 0;
    for (std::uint32_t below = 0; below < level; ++below) before += nodes_of(below);
    return before + node(level, digits);
  }
  std::uint32_t cable(std::uint32_t level, const LevelNumbers& child, std::uint32_t parent, std::uint32_t port) const {
    return cables_[first_[level] + (node(level, child) * parents_[level] + parent) * ports_[level] + port];
  }

  /// SimGrid looks for the child among the ports from the source's on, and goes on from there at the level below.
  void descend(std::uint32_t from, const LevelNumbers& end, LevelNumbers& here, std::uint32_t& level,
               SimgridWay& into) const {
    const std::uint32_t first = (position_ + from) % ports_[level - 1] * children_[level - 1];
    for (std::uint32_t i = first; level > 0 && i < children_[level - 1] * ports_[level - 1]; ++i) {
      const std::uint32_t below = level - 1;
      if (i % children_[below] != end[below]) continue;
      const std::uint32_t parent = here[below];
      const std::uint32_t left = element(level, here);
      here[below] = end[below];
      into.push_back(links_.back(cable(below, here, parent, i / children_[below])));
      links_.append_limiter(left, into);
      level = below;
    }
  }

  std::uint32_t levels_;
  LevelNumbers children_, parents_, ports_;
  std::uint32_t position_;
  SimgridTopologyLinks links_;
  std::vector<std::uint32_t> first_, cables_;
};

/// Of all levels, in floating point: the factors come from the file.
void require_small(const SimgridElements& elements, const SimgridCluster& cluster, const ParameterLists& lists) {
  double most = product_of(lists[1]) * product_of(lists[2]) * product_of(lists[3]) * lists[0][0];
  if (most > 1e9) refuse_parameters(elements, cluster, "a tree of fewer cables");
}

}  // namespace

void add_topology_links(SimgridElements& elements, SimgridCluster& cluster) {
  const ParameterLists lists = parameter_lists(elements, cluster);
  if (cluster.topology == "TORUS") {
    if (lists.size() != 1) refuse_parameters(elements, cluster, "the dimensions, with ','");
    require_simgrid_places(elements, cluster, product_of(lists[0]));
    cluster.ways = std::make_shared<SimgridTorus>(elements, cluster, lists[0]);
  } else if (cluster.topology == "FAT_TREE") {
    if (lists.size() != 4 || lists[0].size() != 1 || lists[1].size() != lists[0][0] || lists[2].size() != lists[0][0] ||
        lists[3].size() != lists[0][0])
      refuse_parameters(elements, cluster, "levels; children; parents; parallel cables, one number for each level");
    require_simgrid_places(elements, cluster, product_of(lists[1]));
    require_small(elements, cluster, lists);
    cluster.ways = std::make_shared<SimgridFatTree>(elements, cluster, lists);
  } else {
    if (lists.size() != 4 || lists[0].size() != 2 || lists[1].size() != 2 || lists[2].size() != 2 ||
        lists[3].size() != 1)
      refuse_parameters(elements, cluster, "groups, cables; chassis, cables; routers, cables; nodes");
    require_simgrid_places(elements, cluster, product_of({lists[0][0], lists[1][0], lists[2][0], lists[3][0]}));
    if (lists[0][0] > lists[2][0])
      elements.refuse(cluster.line,
                      Refusal("the dragonfly '{}' has {} groups and {} routers in a chassis (router g of a chassis "
                              "leads to group g, so at least as many routers). Correct topo_parameters?",
                              cluster.name, lists[0][0], lists[2][0]));
    cluster.ways = make_simgrid_dragonfly(elements, cluster, lists);
  }
}

}  // namespace orrery
