#include "sim/show/result/json_network.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sim/show/result/json_reader.hpp"
#include "sim/show/result/point_fields.hpp"

namespace orrery::show {

namespace {

/// Four digits are more than a picture shows.
Json fractions_json(const std::vector<LinkLoad>& slots, float LinkLoad::*of) {
  Json all = Json::array();
  for (const auto& slot : slots) all.push_back(std::round(1e4 * static_cast<double>(slot.*of)) / 1e4);
  return all;
}

void require_below(std::size_t value, std::size_t count) {
  if (value >= count) throw std::out_of_range("a network's picture names a part that it does not have");
}

void check(const NetworkOutline& outline) {
  for (const auto& place : outline.places)
    if (outline.form == NetworkForm::levels && place.level >= outline.levels.size())
      throw std::out_of_range("a network's picture names a level that it does not have");
  for (const auto& cables : outline.cables) {
    require_below(cables.from, outline.places.size());
    require_below(cables.to, outline.places.size());
  }
  for (const auto& cell : outline.cells) {
    require_below(cell.place, outline.places.size());
    require_below(cell.type, outline.kinds.size());
  }
}

}  // namespace

std::vector<SharedOutline> distinct_outlines(const ScenarioResult& result) {
  std::vector<SharedOutline> outlines;
  for (const auto& point : result.points)
    if (point.network_outline && std::ranges::find(outlines, point.network_outline) == outlines.end())
      outlines.push_back(point.network_outline);
  return outlines;
}

SharedOutline outline_of(const Json& json) {
  auto outline = std::make_shared<NetworkOutline>();
  read_object(json, *outline);
  check(*outline);
  return outline;
}

Json network_loads_json(const PointResult& point, const std::vector<SharedOutline>& outlines) {
  Json loads = Json::array();
  for (const auto& of : point.network_loads) {
    loads.push_back({{"phase", of.phase},
                     {"time_s", of.time.si()},
                     {"mean_fractions", fractions_json(of.slots, &LinkLoad::mean)},
                     {"most_fractions", fractions_json(of.slots, &LinkLoad::most)}});
    if (of.what_if) loads.back()["what_if"] = true;
  }
  return {{"network", std::ranges::find(outlines, point.network_outline) - outlines.begin()},
          {"loads", std::move(loads)}};
}

void read_network_loads(const Json& json, const std::vector<SharedOutline>& outlines, PointResult& point) {
  point.network_outline = outlines.at(json.at("network").get<std::size_t>());
  for (const auto& row : json.at("loads")) {
    NetworkLoads loads{row.at("phase").get<std::string>(), Seconds(row.at("time_s").get<double>()), {}};
    loads.what_if = row.value("what_if", false);
    const auto& mean = row.at("mean_fractions");
    const auto& most = row.at("most_fractions");
    for (std::size_t s = 0; s < point.network_outline->slots(); ++s)
      loads.slots.push_back({mean.at(s).get<float>(), most.at(s).get<float>()});
    point.network_loads.push_back(std::move(loads));
  }
}

Json traffic_json(const PointResult& point) {
  Json rows = Json::array();
  for (std::size_t from = 0; from < point.traffic.size(); ++from)
    for (std::size_t to = 0; to < point.traffic[from].size(); ++to)
      if (const auto& traffic = point.traffic[from][to]; traffic.messages > 0)
        rows.push_back({from, to, traffic.messages, traffic.bytes.si()});
  return {{"groups", point.traffic.size()},
          {"ranks_per_group", point.traffic_group},
          {"columns", {"from", "to", "messages", "volume_B"}},
          {"rows", std::move(rows)}};
}

void read_traffic(const Json& json, PointResult& point) {
  const auto groups = json.at("groups").get<std::size_t>();
  point.traffic.assign(groups, std::vector<Traffic>(groups));
  for (const auto& row : json.at("rows"))
    point.traffic.at(row.at(0).get<std::size_t>()).at(row.at(1).get<std::size_t>()) = {row.at(2).get<std::uint64_t>(),
                                                                                       Bytes(row.at(3).get<double>())};
  point.traffic_group = json.at("ranks_per_group").get<std::uint32_t>();
}

}  // namespace orrery::show
