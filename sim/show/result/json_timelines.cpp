#include "sim/show/result/json_timelines.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace orrery::report {

using Json = nlohmann::ordered_json;

namespace {

Activity activity_of(const std::string& name) {
  for (std::size_t activity = 0; activity < activities; ++activity)
    if (name == activity_name(static_cast<Activity>(activity))) return static_cast<Activity>(activity);
  throw std::out_of_range("unknown activity '" + name + "'");
}

Operation operation_of(const std::string& name) {
  const auto operation = find_operation(name);
  if (!operation) throw std::out_of_range("unknown operation '" + name + "'");
  return *operation;
}

Rank rank_of(const Json& json) { return json.is_null() ? any_rank : Rank{json.get<std::uint32_t>()}; }
Seconds seconds_of(const Json& json) { return Seconds(json.get<double>()); }
Bytes bytes_of(const Json& json) { return Bytes(json.get<double>()); }

std::vector<Interval> timeline_of(const Json& rows) {
  std::vector<Interval> timeline;
  for (const auto& row : rows)
    timeline.push_back({activity_of(row.at(0).get<std::string>()), seconds_of(row.at(1)), seconds_of(row.at(2)),
                        rank_of(row.at(3)), bytes_of(row.at(4)), row.at(5).get<std::uint32_t>()});
  return timeline;
}

}  // namespace

void add_timelines(const RunResult& run, Json& json) {
  Json ranks = Json::array(), deliveries = Json::array(), spans = Json::array();
  for (const auto& timeline : run.timelines) {
    Json rows = Json::array();
    for (const auto& interval : timeline)
      rows.push_back({activity_name(interval.activity), interval.begin.si(), interval.end.si(),
                      interval.peer == any_rank ? Json(nullptr) : Json(index(interval.peer)), interval.message.si(),
                      interval.phase});
    ranks.push_back(std::move(rows));
  }
  for (const auto& d : run.deliveries)
    deliveries.push_back({index(d.from), index(d.to), d.sent.si(), d.received.si(), d.message.si()});
  for (const auto& s : run.collective_spans)
    spans.push_back({index(s.rank), operation_name(s.operation), s.algorithm, s.bytes.si(), s.begin.si(), s.end.si()});
  json["timelines"] = {{"columns", {"activity", "begin_s", "end_s", "peer_rank", "message_B", "phase_row"}},
                       {"ranks", std::move(ranks)}};
  json["deliveries"] = {{"columns", {"from", "to", "sent_s", "received_s", "message_B"}},
                        {"rows", std::move(deliveries)}};
  json["collective_spans"] = {{"columns", {"rank", "operation", "algorithm", "size_B", "begin_s", "end_s"}},
                              {"rows", std::move(spans)}};
}

void read_timelines(const Json& json, RunResult& run) {
  if (json.contains("timelines"))
    for (const auto& rank : json.at("timelines").at("ranks")) run.timelines.push_back(timeline_of(rank));
  if (json.contains("deliveries"))
    for (const auto& row : json.at("deliveries").at("rows"))
      run.deliveries.push_back(
          {rank_of(row.at(0)), rank_of(row.at(1)), seconds_of(row.at(2)), seconds_of(row.at(3)), bytes_of(row.at(4))});
  if (json.contains("collective_spans"))
    for (const auto& row : json.at("collective_spans").at("rows"))
      run.collective_spans.push_back({rank_of(row.at(0)), operation_of(row.at(1).get<std::string>()),
                                      row.at(2).get<std::string>(), bytes_of(row.at(3)), seconds_of(row.at(4)),
                                      seconds_of(row.at(5))});
}

}  // namespace orrery::report
