#include "sim/show/result/json_rounds.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace orrery::report {

using Json = nlohmann::ordered_json;

Json rounds_json(const std::vector<PartitionRound>& rounds) {
  Json all = Json::array();
  for (const auto& round : rounds) {
    Json shares = Json::array(), times = Json::array(), known = Json::array();
    for (const auto& share : round.shares) shares.push_back({share.columns, share.rows});
    for (const Seconds time : round.run.times) times.push_back(time.si());
    for (const auto& of_rank : round.known) {
      Json& points = known.emplace_back(Json::array());
      for (const auto& point : of_rank) points.push_back({point.size, point.speed});
    }
    Json json{{"shares_blocks", std::move(shares)},  {"times_s", std::move(times)},  {"cost_s", round.run.cost.si()},
              {"predicted_s", round.predicted.si()}, {"imbalance", round.imbalance}, {"outer", round.outer}};
    if (std::isfinite(round.cut_off.si())) json["cut_off_s"] = round.cut_off.si();
    json["known"] = std::move(known);
    all.push_back(std::move(json));
  }
  return all;
}

std::vector<PartitionRound> rounds_of(const Json& json) {
  std::vector<PartitionRound> rounds;
  for (const auto& one : json) {
    PartitionRound& round = rounds.emplace_back();
    for (const auto& share : one.at("shares_blocks"))
      round.shares.push_back({share.at(0).get<double>(), share.at(1).get<double>()});
    for (const auto& time : one.at("times_s")) round.run.times.push_back(Seconds(time.get<double>()));
    round.run.cost = Seconds(one.at("cost_s").get<double>());
    round.predicted = Seconds(one.at("predicted_s").get<double>());
    round.imbalance = one.at("imbalance").get<double>();
    round.outer = one.at("outer").get<std::uint32_t>();
    if (one.contains("cut_off_s")) round.cut_off = Seconds(one.at("cut_off_s").get<double>());
    for (const auto& of_rank : one.at("known")) {
      auto& points = round.known.emplace_back();
      for (const auto& point : of_rank) points.push_back({point.at(0).get<double>(), point.at(1).get<double>()});
    }
  }
  return rounds;
}

}  // namespace orrery::report
