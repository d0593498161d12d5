// The critical path as a result: totals, names and the first segments. history.hpp says how it is kept.
#include <algorithm>

#include "sim/replay/history.hpp"
#include "sim/replay/resources.hpp"

namespace orrery::replay {

namespace {

constexpr std::size_t segments_max = 1000, named_max = 16;

template <class Item, class Make>
std::vector<Item> longest(const std::unordered_map<std::uint32_t, double>& times, Make make) {
  std::vector<std::pair<double, std::uint32_t>> sorted;
  for (const auto& [what, time] : times) sorted.emplace_back(-time, what);
  std::ranges::sort(sorted);
  if (sorted.size() > named_max) sorted.resize(named_max);
  std::vector<Item> items;
  for (const auto& [time, what] : sorted) items.push_back(make(what, Seconds{-time}));
  return items;
}

}  // namespace

void History::add_to_run(const Node& node, double begin) {
  add(run_, no_phase, node, begin, node.end);
  run_.time += node.end - begin;
  ++segments_in_all_;
  if (segments_.size() < segments_max)
    segments_.push_back({node.kind, node.rank, node.peer, Seconds{begin}, Seconds{node.end}, node.held});
}

/// Resources by their ids still.
PathTotals History::totals(const Sum& sum, const std::string& phase) {
  PathTotals totals{.phase = phase,
                    .time = Seconds{sum.time},
                    .left_out = Seconds{sum.left_out},
                    .own_limit = Seconds{sum.own_limit},
                    .late = Seconds{sum.late}};
  for (std::size_t k = 0; k < path_kinds; ++k) totals.kinds[k] = Seconds{sum.kinds[k]};
  totals.resources = longest<PathTotals::OfResource>(sum.held, [](std::uint32_t id, Seconds time) {
    return PathTotals::OfResource{id, time};
  });
  totals.computing = longest<PathTotals::OfRank>(sum.computing, [](std::uint32_t rank, Seconds time) {
    return PathTotals::OfRank{Rank{rank}, time};
  });
  return totals;
}

CriticalPath History::result(const Resources& resources, const std::vector<std::string>& names,
                             const std::vector<PhaseRecord>& phases) {
  for (Record& record : records_) fold(record);
  chain_.clear();
  for (Index n = last_; n != none; n = nodes_[n].parent) chain_.push_back(n);
  for (std::size_t k = chain_.size(); k-- > 1;) add_to_run(nodes_[chain_[k - 1]], nodes_[chain_[k]].end);

  CriticalPath path{.kept = true};
  std::unordered_map<std::uint32_t, std::uint32_t> numbers;  // in the result, of the resources named
  const auto number_of = [&](std::uint32_t id) {
    const auto [at, fresh] = numbers.try_emplace(id, static_cast<std::uint32_t>(path.resources.size()));
    if (fresh) path.resources.push_back({resources.name(ResourceId{id}), resources.kind(ResourceId{id})});
    return at->second;
  };
  const auto named = [&](const Sum& sum, const std::string& phase) {
    PathTotals of = totals(sum, phase);
    for (const auto& [id, time] : sum.held)
      of.saturated[static_cast<std::size_t>(resources.kind(ResourceId{id}))] += Seconds{time};
    for (auto& item : of.resources) item.resource = number_of(item.resource);
    return of;
  };
  path.run = named(run_, "");
  for (const PhaseRecord& record : phases) {
    const auto name = static_cast<std::size_t>(std::ranges::find(names, record.phase) - names.begin());
    const bool known = std::ranges::any_of(path.phases, [&](const auto& of) { return of.phase == record.phase; });
    if (!known && name < phases_.size()) path.phases.push_back(named(phases_[name], record.phase));
  }
  path.segments = std::move(segments_);
  for (PathSegment& segment : path.segments)
    if (segment.held_by < held_by_cap) segment.held_by = number_of(segment.held_by);
  path.segments_in_all = segments_in_all_;
  return path;
}

}  // namespace orrery::replay
