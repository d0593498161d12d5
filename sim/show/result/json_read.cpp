#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sim/core/error.hpp"
#include "sim/show/result/json.hpp"
#include "sim/show/result/json_network.hpp"
#include "sim/show/result/json_reader.hpp"
#include "sim/show/result/json_text.hpp"
#include "sim/show/result/point_fields.hpp"

namespace orrery::show {

namespace {

void check(const PathTotals& totals, std::size_t resources) {
  for (const auto& [resource, time] : totals.resources)
    if (resource >= resources) throw std::out_of_range("critical_path names no such resource");
}

/// What the types of the fields do not say.
void check(const RunResult& run) {
  const std::size_t resources = run.critical_path.resources.size();
  check(run.critical_path.run, resources);
  for (const PathTotals& totals : run.critical_path.phases) check(totals, resources);
  for (const PathSegment& segment : run.critical_path.segments)
    if (segment.held_by >= resources && segment.held_by != held_by_none && segment.held_by != held_by_cap)
      throw std::out_of_range("critical_path names no such resource");
  for (const auto& groups : run.activity_times)
    if (groups.size() != run.activity_times.front().size() || run.activity_group == 0)
      throw std::out_of_range("activity_times holds another number of groups for each activity");
}

PointResult point_of(const Json& json, const std::vector<SharedOutline>& outlines) {
  PointResult point;
  read_object(json, point);
  check(point.run);
  if (json.contains("traffic")) read_traffic(json.at("traffic"), point);
  if (json.contains("network_loads")) read_network_loads(json.at("network_loads"), outlines, point);
  return point;
}

class ResultReader : public json_codec_detail::ObjectReader {
 public:
  using ObjectReader::ObjectReader;

  void points(std::vector<PointResult>& points) {
    std::vector<SharedOutline> outlines;
    if (json_.contains("networks"))  // earlier versions have none
      for (const auto& outline : json_.at("networks")) outlines.push_back(outline_of(outline));
    for (const auto& point : json_.at("points")) points.push_back(point_of(point, outlines));
  }
};

}  // namespace

ScenarioResult from_json(std::string_view text, const std::string& where) {
  const Json json = read_json(text, where, "a result.json of 'orrery run'");
  if (!json.is_object() || !json.contains("schema") || !json.at("schema").is_number_integer())
    throw InputError("{}: has no key 'schema' (a result.json of 'orrery run' opens with it). Is it another file?",
                     where);
  if (const auto schema = json.at("schema").get<long>(); schema != json_schema)
    throw InputError("{}: has schema {}, but this version reads schema {}. Run the scenario again?", where, schema,
                     json_schema);
  const auto incomplete = [&where](const std::string& problem) {
    return InputError("{}: is not a complete result: {} (a result.json of 'orrery run'). Run it again?", where,
                      problem);
  };
  try {
    ScenarioResult result;
    ResultReader reader(json);
    fields(reader, result);
    return result;
  } catch (const nlohmann::json::exception& e) {
    throw incomplete(problem_of(e));
  } catch (const std::out_of_range& e) {
    throw incomplete(e.what());
  }
}

}  // namespace orrery::show
