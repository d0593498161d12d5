#include "platforms/faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "sim/core/error.hpp"
#include "sim/core/mixed.hpp"

namespace orrery {

namespace {

constexpr std::uint64_t counted_ways = 64;
constexpr std::uint32_t unreached = 0xffffffffu;

/// All but links that differ is asked of the routes as built.
class FaultyRoutes final : public Routes {
 public:
  FaultyRoutes(std::unique_ptr<Routes> healthy, const Network& network)
      : healthy_(std::move(healthy)),
        faults_(network.faults),
        network_(network.name),
        any_down_(faults_->any_down()),
        distances_(any_down_ ? healthy_->switches() : 0) {
    if (!any_down_) return;
    arriving_.resize(healthy_->switches());
    leaving_.resize(healthy_->switches());
    for (auto i = index(healthy_->first_cable()); i < index(healthy_->end_of_cables()); ++i) {
      const LinkId link{static_cast<std::uint32_t>(i)};
      if (down(link)) continue;
      const auto [from, to] = switches_of(link);
      leaving_[from].push_back(link);
      arriving_[to].push_back(link);
    }
  }

  std::uint32_t nodes() const override { return healthy_->nodes(); }
  std::uint32_t adapters() const override { return healthy_->adapters(); }
  std::uint32_t links() const override { return healthy_->links(); }
  LinkId end_of_cables() const override { return healthy_->end_of_cables(); }
  LinkProperties parameters(LinkId id) const override { return changed(id, healthy_->parameters(id)); }
  Link link(LinkId id) const override {
    Link link = healthy_->link(id);
    static_cast<LinkProperties&>(link) = changed(id, link);
    return link;
  }
  bool down(LinkId id) const override {
    const auto found = faults_->links.find(id);
    return found != faults_->links.end() && found->second.down;
  }
  AdapterId adapter(NodeId node, std::uint32_t number) const override { return healthy_->adapter(node, number); }
  NodeId node_of(AdapterId adapter) const override { return healthy_->node_of(adapter); }

  void add_shared(std::size_t first, std::vector<LinkId>& into) const override { healthy_->add_shared(first, into); }
  bool is_shared(LinkId id) const override { return healthy_->is_shared(id); }
  std::optional<LinkId> shared_by(LinkId id) const override { return healthy_->shared_by(id); }
  bool is_wire(LinkId id) const override { return healthy_->is_wire(id); }
  using Routes::append_route;
  void append_route(AdapterId from, AdapterId to, std::vector<LinkId>& into) const override {
    const std::size_t first = into.size();
    healthy_->append_route(from, to, into);
    if (!any_down_ || alive(into, first)) return;
    const std::vector<LinkId> dead(into.begin() + static_cast<std::ptrdiff_t>(first), into.end());
    into.resize(first);
    const auto left = alive_ways(from, to);
    if (left.empty()) return append_around(from, to, into);
    const std::uint64_t turn = dead_before(from, to, dead) + index(to) / healthy_->paths(from, to).minimal;
    healthy_->append_path(from, to, left[turn % left.size()], into);
  }

  PathCounts paths(AdapterId from, AdapterId to) const override {
    PathCounts counts = healthy_->paths(from, to);
    if (any_down_ && from != to && counts.minimal <= counted_ways)
      counts.minimal = std::max<std::uint64_t>(1, alive_ways(from, to).size());
    return counts;
  }

  void append_path(AdapterId from, AdapterId to, std::uint64_t path, std::vector<LinkId>& into) const override {
    if (!any_down_ || from == to) return healthy_->append_path(from, to, path, into);
    const PathCounts all = healthy_->paths(from, to);
    if (all.minimal <= counted_ways) {
      const auto left = alive_ways(from, to);
      const std::uint64_t counted = std::max<std::uint64_t>(1, left.size());
      if (path < left.size()) return healthy_->append_path(from, to, left[path], into);
      if (path < counted) return append_around(from, to, into);
      path += all.minimal - counted;  // detours follow the ways that there were
    }
    const std::uint64_t first = path < all.minimal ? 0 : all.minimal;
    const std::uint64_t count = path < all.minimal ? all.minimal : all.detours;
    const std::size_t begin = into.size();
    for (std::uint64_t attempt = 0; attempt < 2 * counted_ways; ++attempt) {
      const std::uint64_t draw = attempt == 0 ? path - first : mixed(path + (attempt << 32)) % count;
      healthy_->append_path(from, to, first + draw, into);
      if (alive(into, begin)) return;
      into.resize(begin);
    }
    append_route(from, to, into);
  }

  void append_message_rates(AdapterId from, AdapterId to, std::vector<LinkId>& into) const override {
    healthy_->append_message_rates(from, to, into);
  }
  const FabricRoutes& inside(NodeId node) const override { return healthy_->inside(node); }
  void append_inside(NodeId node, std::uint32_t from, std::uint32_t to, std::vector<LinkId>& into) const override {
    healthy_->append_inside(node, from, to, into);
  }
  bool share_fabric(NodeId a, NodeId b) const override { return healthy_->share_fabric(a, b); }
  void append_over_fabric(NodeId from, std::uint32_t element, NodeId to, std::uint32_t other,
                          std::vector<LinkId>& into) const override {
    healthy_->append_over_fabric(from, element, to, other, into);
  }
  std::uint32_t switches() const override { return healthy_->switches(); }
  std::string switch_name(std::uint32_t number) const override { return healthy_->switch_name(number); }
  std::string switch_words(std::uint32_t number) const override { return healthy_->switch_words(number); }
  std::string words(LinkId id) const override { return healthy_->words(id); }
  std::string words(LinkId id, const Platform& platform) const override { return healthy_->words(id, platform); }
  std::pair<std::uint32_t, std::uint32_t> ends(LinkId id) const override { return healthy_->ends(id); }

 private:
  LinkProperties changed(LinkId id, LinkProperties parameters) const {
    const auto found = faults_->links.find(id);
    if (found == faults_->links.end()) return parameters;
    parameters.bandwidth = parameters.bandwidth * found->second.bandwidth;
    parameters.latency += found->second.latency;
    return parameters;
  }

  bool alive(const std::vector<LinkId>& links, std::size_t first) const {
    return std::none_of(links.begin() + static_cast<std::ptrdiff_t>(first), links.end(),
                        [&](LinkId link) { return down(link); });
  }

  /// Numbers of the shortest ways, of the first `counted_ways`, that no dead link is on.
  std::vector<std::uint64_t> alive_ways(AdapterId from, AdapterId to) const {
    std::vector<std::uint64_t> left;
    std::vector<LinkId> links;
    const std::uint64_t count = std::min(counted_ways, healthy_->paths(from, to).minimal);
    for (std::uint64_t way = 0; way < count; ++way) {
      links.clear();
      healthy_->append_path(from, to, way, links);
      if (alive(links, 0)) left.push_back(way);
    }
    return left;
  }

  /// How many dead ways are numbered before one, so that those of several dead ways do not crowd on one.
  std::uint64_t dead_before(AdapterId from, AdapterId to, const std::vector<LinkId>& dead) const {
    std::uint64_t before = 0;
    std::vector<LinkId> links;
    const std::uint64_t count = std::min(counted_ways, healthy_->paths(from, to).minimal);
    for (std::uint64_t way = 0; way < count; ++way) {
      links.clear();
      healthy_->append_path(from, to, way, links);
      if (links == dead) return before;
      if (!alive(links, 0)) ++before;
    }
    return 0;
  }

  std::pair<std::uint32_t, std::uint32_t> switches_of(LinkId link) const {
    const auto [from, to] = healthy_->ends(link);
    return {from - adapters(), to - adapters()};
  }

  /// [switches] cables to go from each to `target`.
  const std::vector<std::uint32_t>& distances_to(std::uint32_t target) const {
    const std::lock_guard lock(guard_);
    std::vector<std::uint32_t>& distance = distances_[target];
    if (!distance.empty()) return distance;
    distance.assign(arriving_.size(), unreached);
    distance[target] = 0;
    std::vector<std::uint32_t> reached{target};
    for (std::size_t next = 0; next < reached.size(); ++next)
      for (const LinkId link : arriving_[reached[next]])
        if (const std::uint32_t from = switches_of(link).first; distance[from] == unreached) {
          distance[from] = distance[reached[next]] + 1;
          reached.push_back(from);
        }
    return distance;
  }

  /// The fewest links that are alive.
  void append_around(AdapterId from, AdapterId to, std::vector<LinkId>& into) const {
    const LinkId out{static_cast<std::uint32_t>(index(from))};
    const LinkId in{static_cast<std::uint32_t>(adapters() + index(to))};
    const std::uint32_t target = healthy_->ends(in).first - adapters();
    std::uint32_t at = healthy_->ends(out).second - adapters();
    const auto& distance = distances_to(target);
    if (down(out) || down(in) || distance[at] == unreached) refuse(from, to);
    const std::size_t first = into.size();
    into.push_back(out);
    while (at != target) {
      std::vector<LinkId> nearer;
      for (const LinkId link : leaving_[at])
        if (distance[switches_of(link).second] + 1 == distance[at]) nearer.push_back(link);
      into.push_back(nearer[index(to) % nearer.size()]);
      at = switches_of(into.back()).second;
    }
    into.push_back(in);
    healthy_->add_shared(first, into);
    if (!alive(into, first)) refuse(from, to);
  }

  [[noreturn]] void refuse(AdapterId from, AdapterId to) const {
    const auto dead = std::ranges::find_if(faults_->links, [](const auto& one) { return one.second.down; });
    const auto count = std::ranges::count_if(faults_->links, [](const auto& one) { return one.second.down; });
    throw InputError(
        "{}: network '{}' has no way from node {} to node {} ({} is down{}; messages between them cross it). Leave "
        "another way, or place no ranks there?",
        faults_->where, network_, index(node_of(from)), index(node_of(to)), healthy_->words(dead->first),
        count > 1 ? fmt::format(", and {} more links", count - 1) : "");
  }

  std::unique_ptr<Routes> healthy_;
  std::shared_ptr<const LinkFaults> faults_;
  std::string network_;
  bool any_down_;
  std::vector<std::vector<LinkId>> arriving_, leaving_;        ///< [switches] cables that are alive
  mutable std::vector<std::vector<std::uint32_t>> distances_;  ///< [switches] as far as they were asked for
  mutable std::mutex guard_;
};

}  // namespace

bool LinkFaults::any_down() const {
  return std::ranges::any_of(links, [](const auto& one) { return one.second.down; });
}

void LinkFaults::add(LinkId link, const LinkFault& fault) {
  LinkFault& all = links[link];
  all.bandwidth *= fault.bandwidth;
  all.latency += fault.latency;
  all.down = all.down || fault.down;
}

std::unique_ptr<Routes> with_faults(std::unique_ptr<Routes> healthy, const Network& network) {
  if (!network.faults || network.faults->links.empty()) return healthy;
  return std::make_unique<FaultyRoutes>(std::move(healthy), network);
}

}  // namespace orrery
