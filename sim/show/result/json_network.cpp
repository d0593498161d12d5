#include "sim/show/result/json_network.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sim/core/words.hpp"

namespace orrery::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr Word<NetworkForm> form_words[] = {
    {"levels", NetworkForm::levels}, {"circle", NetworkForm::circle}, {"torus", NetworkForm::torus}};

NetworkForm form_of(const std::string& name) {
  const auto form = meaning_of(form_words, name);
  if (!form) throw std::out_of_range("unknown form '" + name + "' of a network");
  return *form;
}

/// Four digits are more than a picture shows.
Json fractions_json(const std::vector<LinkLoad>& slots, float LinkLoad::*of) {
  Json all = Json::array();
  for (const auto& slot : slots) all.push_back(std::round(1e4 * static_cast<double>(slot.*of)) / 1e4);
  return all;
}

std::uint32_t below(const nlohmann::ordered_json& number, std::size_t count) {
  const auto value = number.get<std::uint32_t>();
  if (value >= count) throw std::out_of_range("a network's picture names a part that it does not have");
  return value;
}

}  // namespace

std::vector<SharedOutline> distinct_outlines(const ScenarioResult& result) {
  std::vector<SharedOutline> outlines;
  for (const auto& point : result.points)
    if (point.network_outline && std::ranges::find(outlines, point.network_outline) == outlines.end())
      outlines.push_back(point.network_outline);
  return outlines;
}

Json outline_json(const NetworkOutline& outline) {
  Json places = Json::array(), cables = Json::array(), cells = Json::array(), kinds = Json::array();
  for (const auto& place : outline.places) places.push_back({place.label, place.words, place.switches, place.level});
  for (const auto& one : outline.cables) cables.push_back({one.from, one.to, one.count, one.bandwidth.si()});
  for (const auto& cell : outline.cells)
    cells.push_back({cell.place, cell.first, cell.last, cell.count, cell.type, cell.adapters});
  for (const auto& kind : outline.kinds) kinds.push_back({kind.name, kind.words, kind.count});
  return {
      {"title", outline.title},      {"words", outline.words},           {"form", word_of(form_words, outline.form)},
      {"levels", outline.levels},    {"dimensions", outline.dimensions}, {"nic_B_per_s", outline.nic.si()},
      {"rails", outline.rails},      {"nodes", outline.nodes},           {"switches", outline.switches},
      {"places", std::move(places)}, {"cables", std::move(cables)},      {"cells", std::move(cells)},
      {"kinds", std::move(kinds)}};
}

Json network_loads_json(const PointResult& point, const std::vector<SharedOutline>& outlines) {
  Json loads = Json::array();
  for (const auto& of : point.network_loads)
    loads.push_back({{"phase", of.phase},
                     {"time_s", of.time.si()},
                     {"mean_fractions", fractions_json(of.slots, &LinkLoad::mean)},
                     {"most_fractions", fractions_json(of.slots, &LinkLoad::most)}});
  return {{"network", std::ranges::find(outlines, point.network_outline) - outlines.begin()},
          {"loads", std::move(loads)}};
}

SharedOutline outline_of(const nlohmann::ordered_json& json) {
  auto outline = std::make_shared<NetworkOutline>();
  json.at("title").get_to(outline->title);
  json.at("words").get_to(outline->words);
  outline->form = form_of(json.at("form").get<std::string>());
  json.at("levels").get_to(outline->levels);
  json.at("dimensions").get_to(outline->dimensions);
  outline->nic = BytesPerSecond(json.at("nic_B_per_s").get<double>());
  outline->rails = json.value("rails", 0u);  // absent in files of earlier versions, as are the adapters of cells
  json.at("nodes").get_to(outline->nodes);
  json.at("switches").get_to(outline->switches);
  for (const auto& row : json.at("places"))
    outline->places.push_back({row.at(0).get<std::string>(), row.at(1).get<std::string>(),
                               row.at(2).get<std::uint32_t>(), row.at(3).get<std::uint32_t>()});
  const std::size_t places = outline->places.size();
  for (const auto& place : outline->places)
    if (outline->form == NetworkForm::levels && place.level >= outline->levels.size())
      throw std::out_of_range("a network's picture names a level that it does not have");
  for (const auto& row : json.at("cables"))
    outline->cables.push_back({below(row.at(0), places), below(row.at(1), places), row.at(2).get<std::uint32_t>(),
                               BytesPerSecond(row.at(3).get<double>())});
  for (const auto& row : json.at("kinds"))
    outline->kinds.push_back(
        {row.at(0).get<std::string>(), row.at(1).get<std::string>(), row.at(2).get<std::uint32_t>()});
  for (const auto& row : json.at("cells"))
    outline->cells.push_back({below(row.at(0), places), row.at(1).get<std::uint32_t>(), row.at(2).get<std::uint32_t>(),
                              row.at(3).get<std::uint32_t>(), below(row.at(4), outline->kinds.size()),
                              row.at(row.size() > 5 ? 5 : 3).get<std::uint32_t>()});
  return outline;
}

void read_network_loads(const nlohmann::ordered_json& json, const std::vector<SharedOutline>& outlines,
                        PointResult& point) {
  point.network_outline = outlines.at(json.at("network").get<std::size_t>());
  for (const auto& row : json.at("loads")) {
    NetworkLoads loads{row.at("phase").get<std::string>(), Seconds(row.at("time_s").get<double>()), {}};
    const auto& mean = row.at("mean_fractions");
    const auto& most = row.at("most_fractions");
    for (std::size_t s = 0; s < point.network_outline->slots(); ++s)
      loads.slots.push_back({mean.at(s).get<float>(), most.at(s).get<float>()});
    point.network_loads.push_back(std::move(loads));
  }
}

}  // namespace orrery::report
