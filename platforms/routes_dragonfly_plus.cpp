/// Dragonfly+: cells of leaf and spine switches, each leaf joined to each spine of its cell; cells joined by global
/// links of their spines. Minimal routes: up, a global link between two cells, down.
///
///   port k of a cell, k = spine h + j, leads to cell (C + 1 + k mod (c-1)) mod c as its copy k / (c-1); it meets that
///   cell's port k' = (c - 2 - k mod (c-1)) + copy (c-1)
///
///   c  cells   s  spines of a cell   h  global links of a spine; ports beyond s h / (c-1) copies stay unused
///
/// A route towards place d takes spine d mod s within a cell, and copy d mod copies to another. The numbered ways:
/// every spine, or every copy; detours over every other cell by each copy, which leave it from the spine where they
/// came in if that has a link to the cell of d, else over leaf d mod leaves.
///
/// Source   Shpiner, Haramaty, Eliad, Zdornov, Gafni & Zahavi, Dragonfly+: low cost topology for scaling datacenters,
///          HiPINEB 2017; the order of global links as in our dragonfly
/// Checked  tests/unit/platforms/paths_test.cpp
#include <fmt/format.h>

#include <algorithm>

#include "platforms/routes_detail.hpp"

namespace orrery {

namespace {

class DragonflyPlusRoutes final : public SwitchedRoutes {
 public:
  DragonflyPlusRoutes(const Platform& platform, const Network& network, const DragonflyPlusTopology& fly)
      : SwitchedRoutes(platform, network),
        cells_(fly.cells),
        leaves_(fly.leaves),
        spines_(fly.spines),
        nodes_per_leaf_(fly.nodes),
        global_(fly.global_links),
        copies_(fly.cells > 1 ? fly.spines * fly.global_links / (fly.cells - 1) : 0),
        local_links_(2 * fly.cells * fly.leaves * fly.spines),
        global_latency_(fly.global_latency) {}

  /// Cell by cell: its leaves, then its spines.
  std::uint32_t switches() const override { return cells_ * (leaves_ + spines_); }
  std::string switch_name(std::uint32_t number) const override {
    const auto [cell, leaf, spine] = place_of_switch(number);
    return leaf < leaves_ ? fmt::format("cell{}-leaf{}", cell, leaf) : fmt::format("cell{}-spine{}", cell, spine);
  }
  std::string switch_words(std::uint32_t number) const override {
    const auto [cell, leaf, spine] = place_of_switch(number);
    return leaf < leaves_ ? fmt::format("leaf switch {} of cell {}", leaf, cell)
                          : fmt::format("spine switch {} of cell {}", spine, cell);
  }

 protected:
  std::uint32_t switch_links() const override { return local_links_ + cells_ * ports(); }
  std::uint32_t switch_of(std::uint32_t place) const override {
    const std::uint32_t leaf = place / nodes_per_leaf_;
    return leaf_switch(leaf / leaves_, leaf % leaves_);
  }
  std::pair<std::uint32_t, std::uint32_t> switch_ends(std::uint32_t i) const override {
    if (i < local_links_) {
      const std::uint32_t cable = i / 2, cell = cable / (leaves_ * spines_), inside = cable % (leaves_ * spines_);
      const std::uint32_t leaf = leaf_switch(cell, inside / spines_), spine = spine_switch(cell, inside % spines_);
      return i % 2 == 0 ? std::pair{leaf, spine} : std::pair{spine, leaf};
    }
    const std::uint32_t cell = (i - local_links_) / ports(), port = (i - local_links_) % ports();
    const std::uint32_t offset = port % (cells_ - 1), copy = port / (cells_ - 1);
    const std::uint32_t peer_port = cells_ - 2 - offset + copy * (cells_ - 1);
    return {spine_switch(cell, port / global_), spine_switch((cell + 1 + offset) % cells_, peer_port / global_)};
  }
  std::string relation(std::uint32_t i) const override {
    if (i >= local_links_) return "global link from";
    return i % 2 == 0 ? "uplink of" : "downlink of";
  }
  ResourceKind switch_link_kind(std::uint32_t i) const override {
    return i < local_links_ ? ResourceKind::link : ResourceKind::global_link;
  }
  Seconds switch_link_latency(std::uint32_t i) const override {
    return SwitchedRoutes::switch_link_latency(i) + (i < local_links_ ? Seconds{} : global_latency_);
  }

  void append_switch_route(std::uint32_t from, std::uint32_t to, std::vector<LinkId>& into) const override {
    append_switch_path(from, to, to % std::max<std::uint64_t>(1, switch_paths(from, to).minimal), into);
  }

  PathCounts switch_paths(std::uint32_t from, std::uint32_t to) const override {
    if (switch_of(from) == switch_of(to)) return {};
    if (cell_of(from) == cell_of(to)) return {spines_, 0};
    return {copies_, std::uint64_t{cells_ - 2} * copies_};
  }

  void append_switch_path(std::uint32_t from, std::uint32_t to, std::uint64_t path,
                          std::vector<LinkId>& into) const override {
    if (switch_of(from) == switch_of(to)) return;
    const std::uint32_t here = cell_of(from), there = cell_of(to);
    const std::uint32_t leaf = from / nodes_per_leaf_ % leaves_, last_leaf = to / nodes_per_leaf_ % leaves_;
    if (here == there) {
      const auto spine = static_cast<std::uint32_t>(path);
      into.push_back(to_spine(here, leaf, spine));
      into.push_back(to_leaf(here, last_leaf, spine));
      return;
    }
    const auto copy = static_cast<std::uint32_t>(path % copies_);
    std::uint32_t cell = here, port = port_to(here, there, copy);
    if (path >= copies_) {
      cell = static_cast<std::uint32_t>(path / copies_ - 1);
      for (const std::uint32_t taken : {std::min(here, there), std::max(here, there)})
        if (cell >= taken) ++cell;
      port = port_to(here, cell, copy);
      into.push_back(to_spine(here, leaf, port / global_));
      port = onward_port(cell, there, append_global(here, port, into), copy, to, into);
    } else {
      into.push_back(to_spine(here, leaf, port / global_));
    }
    into.push_back(to_leaf(there, last_leaf, append_global(cell, port, into)));
  }

 private:
  struct SwitchPosition {
    std::uint32_t cell, leaf, spine;
  };
  SwitchPosition place_of_switch(std::uint32_t number) const {
    const std::uint32_t inside = number % (leaves_ + spines_);
    return {number / (leaves_ + spines_), inside, inside - leaves_};
  }
  std::uint32_t leaf_switch(std::uint32_t cell, std::uint32_t leaf) const { return cell * (leaves_ + spines_) + leaf; }
  std::uint32_t spine_switch(std::uint32_t cell, std::uint32_t spine) const {
    return cell * (leaves_ + spines_) + leaves_ + spine;
  }
  std::uint32_t cell_of(std::uint32_t place) const { return place / nodes_per_leaf_ / leaves_; }
  std::uint32_t ports() const { return copies_ * (cells_ - 1); }
  std::uint32_t port_to(std::uint32_t cell, std::uint32_t other, std::uint32_t copy) const {
    return (other + cells_ - cell) % cells_ - 1 + copy * (cells_ - 1);
  }
  LinkId to_spine(std::uint32_t cell, std::uint32_t leaf, std::uint32_t spine) const {
    return switch_link(2 * ((std::uint64_t{cell} * leaves_ + leaf) * spines_ + spine));
  }
  LinkId to_leaf(std::uint32_t cell, std::uint32_t leaf, std::uint32_t spine) const {
    return switch_link(2 * ((std::uint64_t{cell} * leaves_ + leaf) * spines_ + spine) + 1);
  }
  /// Returns the number, in its cell, of the spine where the global link ends.
  std::uint32_t append_global(std::uint32_t cell, std::uint32_t port, std::vector<LinkId>& into) const {
    const std::uint32_t link = local_links_ + cell * ports() + port;
    into.push_back(switch_link(link));
    return place_of_switch(switch_ends(link).second).spine;
  }
  /// The port of a cell in between by which a detour goes on.
  std::uint32_t onward_port(std::uint32_t cell, std::uint32_t to_cell, std::uint32_t spine, std::uint32_t copy,
                            std::uint32_t to, std::vector<LinkId>& into) const {
    for (std::uint32_t other = 0; other < copies_; ++other)
      if (const std::uint32_t port = port_to(cell, to_cell, other); port / global_ == spine) return port;
    const std::uint32_t port = port_to(cell, to_cell, copy), leaf = to % leaves_;
    into.push_back(to_leaf(cell, leaf, spine));
    into.push_back(to_spine(cell, leaf, port / global_));
    return port;
  }

  std::uint32_t cells_, leaves_, spines_, nodes_per_leaf_, global_, copies_, local_links_;
  Seconds global_latency_;
};

}  // namespace

std::unique_ptr<Routes> make_dragonfly_plus_routes(const Platform& platform, const Network& network) {
  return std::make_unique<DragonflyPlusRoutes>(platform, network, std::get<DragonflyPlusTopology>(network.topology));
}

}  // namespace orrery
