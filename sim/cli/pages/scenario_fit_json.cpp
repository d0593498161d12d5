#include <nlohmann/json.hpp>

#include "sim/cli/pages/scenario_fit_page.hpp"

namespace orrery::cli {

using namespace study;

namespace {

using Json = nlohmann::ordered_json;

Json figure_json(const FittedFigure& figure) {
  const FoundFigure& found = figure.found;
  const char* unit = figure.figure->dimension == Dimension::time        ? "s"
                     : figure.figure->dimension == Dimension::bandwidth ? "B/s"
                     : figure.figure->dimension == Dimension::rate      ? "1/s"
                     : figure.figure->dimension == Dimension::speed     ? "flop/s"
                                                                        : "1";
  return {{"parameter", figure.figure->name},
          {"unit", unit},
          {"before", figure.before},
          {"fitted", figure.used ? found.value : figure.before},
          {"used", figure.used},
          {"determined", figure.used && found.determined},
          {"held_by", figure.held ? Json(figure.figure->not_below) : Json()},
          {"at_bound", found.at_most || found.at_least}};
}

}  // namespace

std::string scenario_fit_json(const ScenarioFit& fit) {
  Json figures = Json::array(), points = Json::array(), alike = Json::array();
  for (const auto& [one, other, how] : fit.alike)
    alike.push_back({{"parameters", {one->name, other->name}}, {"cosine", how}});
  for (const auto& figure : fit.figures) figures.push_back(figure_json(figure));
  for (const auto& point : fit.points)
    points.push_back({{"point", point.label},
                      {"measured_s", point.measured.si()},
                      {"before_s", point.before.si()},
                      {"fitted_s", point.fitted.si()},
                      {"held_out", point.held_out}});
  return Json{{"platform", fit.platform},         {"network", fit.network},    {"origin", fit.origin},
              {"error_before", fit.error_before}, {"error", fit.error},        {"simulations", fit.simulations},
              {"parameters", std::move(figures)}, {"alike", std::move(alike)}, {"points", std::move(points)}}
             .dump(2) +
         "\n";
}

}  // namespace orrery::cli
