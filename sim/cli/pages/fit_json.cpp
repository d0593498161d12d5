#include <nlohmann/json.hpp>

#include "sim/cli/pages/fit_page.hpp"
#include "sim/study/fit/platform_parameters.hpp"

namespace orrery::cli {

using namespace study;

namespace {

using Json = nlohmann::ordered_json;

/// As a number where it is one; a curve over sizes in words, null where the platform states nothing.
Json value_json(const std::optional<double>& si, const std::string& text) {
  return si ? Json(*si) : text.empty() ? Json() : Json(text);
}

Json parameter_json(const FittedParameter& row) {
  return {{"parameter", row.name},
          {"unit", row.unit},
          {"before", value_json(row.before_si, row.before)},
          {"fitted", value_json(row.fitted_si, row.fitted)},
          {"used", row.used},
          {"determined", row.determined},
          {"held_by", row.held_by.empty() ? Json() : Json(row.held_by)},
          {"at_bound", row.at_bound}};
}

Json point_json(const FittedPoint& point) {
  return {{"point", point.label},
          {"measured_s", point.measured.si()},
          {"before_s", point.before ? Json(point.before->si()) : Json()},
          {"fitted_s", point.fitted.si()},
          {"held_out", point.held_out}};
}

}  // namespace

std::string fit_json(const PlatformFit& fit) {
  Json parameters = Json::array(), points = Json::array(), alike = Json::array();
  for (const auto& row : fit.parameters) parameters.push_back(parameter_json(row));
  for (const auto& point : fit.points) points.push_back(point_json(point));
  Json json{{"platform", fit.platform}, {"network", fit.network}, {"origin", fit.origin}};
  if (const auto& search = fit.search) {
    for (const auto& [one, other, how] : search->alike)
      alike.push_back({{"parameters", {one->name, other->name}}, {"cosine", how}});
    json["error_before"] = search->error_before;
    json["error"] = search->error;
    json["simulations"] = search->simulations;
  }
  json["parameters"] = std::move(parameters);
  if (fit.search) json["alike"] = std::move(alike);
  json["points"] = std::move(points);
  if (!fit.notes.empty()) json["notes"] = fit.notes;
  return json.dump(2) + "\n";
}

}  // namespace orrery::cli
