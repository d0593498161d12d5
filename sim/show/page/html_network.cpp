#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/show/charts/network_drawing.hpp"
#include "sim/show/charts/network_notes.hpp"
#include "sim/show/page/html_parts.hpp"

namespace orrery::show {

namespace {

using Json = nlohmann::ordered_json;

/// A tenth of a pixel is as good as it looks.
double place(double x) { return std::round(10.0 * x) / 10.0; }

Json boxes_json(const std::vector<NetworkDrawing::Box>& boxes) {
  Json all = Json::array();
  for (const auto& box : boxes)
    all.push_back({place(box.x), place(box.y), place(box.width), place(box.height), box.of, box.text});
  return all;
}

Json drawing_json(const NetworkOutline& outline) {
  const NetworkDrawing drawing = draw_network(outline);
  Json lines = Json::array(), labels = Json::array(), places = Json::array(), cables = Json::array(),
       cells = Json::array();
  for (const auto& line : drawing.lines)
    lines.push_back({place(line.x), place(line.y), place(line.bend_x), place(line.bend_y), place(line.to_x),
                     place(line.to_y), line.cables});
  for (const auto& label : drawing.labels) labels.push_back({place(label.x), place(label.y), label.text, label.anchor});
  for (const auto& one : outline.places) places.push_back({one.words, one.level});
  for (const auto& one : outline.cables) cables.push_back({one.from, one.to, one.count, one.bandwidth.si()});
  for (const auto& cell : outline.cells)
    cells.push_back({cell_words(cell), cell.adapters, outline.kinds[cell.type].name});
  return {{"title", outline.title},
          {"words", outline.words},
          {"notes", drawing_notes(outline)},
          {"leveled", outline.form == NetworkForm::levels},
          {"nic_B_per_s", outline.nic.si()},
          {"width", place(drawing.width)},
          {"height", place(drawing.height)},
          {"places", std::move(places)},
          {"cables", std::move(cables)},
          {"cells", std::move(cells)},
          {"boxes", boxes_json(drawing.boxes)},
          {"cell_boxes", boxes_json(drawing.cells)},
          {"frames", boxes_json(drawing.frames)},
          {"lines", std::move(lines)},
          {"labels", std::move(labels)}};
}

std::int64_t per_mille(float share) { return std::lround(1000.0 * static_cast<double>(share)); }

Json loads_json(const NetworkOutline& outline, const NetworkLoads& loads) {
  Json mean = Json::array(), most = Json::array();
  for (std::size_t s = 0; s < loads.slots.size(); ++s) {
    const std::size_t number = s / 2, cables = outline.cables.size();
    mean.push_back(per_mille(loads.slots[s].mean));
    const std::uint32_t links =
        number < cables ? outline.cables[number].count : outline.cells[number - cables].adapters;
    if (links > 1) most.push_back(per_mille(loads.slots[s].most));
  }
  Json json = {
      {"phase", loads.phase}, {"time_s", loads.time.si()}, {"mean", std::move(mean)}, {"most", std::move(most)}};
  if (loads.what_if) json["what_if"] = true;
  return json;
}

}  // namespace

Json networks_json(const std::vector<const PointResult*>& shown, const HtmlLimits& limits, Json& points) {
  Json networks = Json::array();
  std::vector<std::shared_ptr<const NetworkOutline>> known;
  std::size_t left = limits.network_numbers_max;
  for (std::size_t p = 0; p < shown.size(); ++p) {
    const PointResult& point = *shown[p];
    const std::size_t numbers =
        point.network_outline ? point.network_loads.size() * 2 * point.network_outline->slots() : 0;
    if (numbers == 0 || numbers > left) continue;
    left -= numbers;
    auto at = std::ranges::find(known, point.network_outline);
    if (at == known.end()) {
      networks.push_back(drawing_json(*point.network_outline));
      at = known.insert(known.end(), point.network_outline);
    }
    Json loads = Json::array();
    for (const auto& of : point.network_loads) loads.push_back(loads_json(*point.network_outline, of));
    points[p]["picture"] = {{"drawing", at - known.begin()}, {"loads", std::move(loads)}};
  }
  return networks;
}

}  // namespace orrery::show
