#include "sim/study/play/what_if_harm.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "platforms/routes.hpp"
#include "sim/show/summary/what_if.hpp"

namespace orrery::study {

void WhatIfHarm::see(const LoadedPoint& point, NetworkOutlines& outlines) {
  auto& slots = slots_.emplace_back();
  if (point.what_if.effects.empty()) return;
  const auto network = outlines.of(point.platform, *point.network);
  const auto routes = build_routes(*point.platform, *point.network);
  const auto add = [&](LinkId link) {
    if (index(link) < network->slot_of_link.size()) slots.push_back(network->slot_of_link[index(link)]);
  };
  for (const Faulted::Effect& effect : point.what_if.effects) {
    std::ranges::for_each(effect.links, add);
    for (const Rank rank : effect.slower) {
      const NodeId node = point.layout.of(rank).node;
      for (std::uint32_t k = 0; k < point.network->adapters.of_type(point.platform->type_of(node)); ++k) {
        const auto adapter = static_cast<std::uint32_t>(index(routes->adapter(node, k)));
        add(LinkId{adapter});
        add(LinkId{routes->adapters() + adapter});
      }
    }
  }
  std::ranges::sort(slots);
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
}

void WhatIfHarm::conclude(ScenarioResult& result) const {
  constexpr double cannot_run = 1.0;  // all of the scale
  std::map<std::size_t, NetworkLoads> pictures;
  const auto rows = show::what_if_rows(result);
  for (const show::WhatIfRow& row : rows) {
    const std::string metric = row.job.empty() ? "slowdown" : "slowdown of " + row.job + " by the fault";
    if (std::isfinite(row.slowdown)) result.points[row.point].metrics.push_back({metric, row.slowdown, ""});
    const PointResult& base = result.points[row.base];
    if (!base.network_outline) continue;
    const auto [picture, fresh] = pictures.try_emplace(row.base);
    if (fresh) picture->second = {"", base.run.makespan, std::vector<LinkLoad>(base.network_outline->slots()), true};
    const double longer = std::isfinite(row.slowdown) ? std::max(0.0, row.slowdown - 1.0) : cannot_run;
    for (const std::uint32_t slot : slots_[row.point]) {
      LinkLoad& there = picture->second.slots[slot];
      there.mean = there.most = std::max(there.most, static_cast<float>(longer));
    }
  }
  for (auto& [base, picture] : pictures) result.points[base].network_loads.push_back(std::move(picture));
  if (rows.size() > 1) result.notes.push_back(show::what_if_sentence(result));
}

}  // namespace orrery::study
