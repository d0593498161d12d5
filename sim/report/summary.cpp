#include "sim/report/summary.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery::report {

std::optional<Seconds> reference_time(const PointResult& point) {
  return point.measured ? point.measured : point.simulated;
}

std::string reference_name(const PointResult& point) {
  return point.measured ? "measured" : point.simulated ? "simulated" : "";
}

std::string setting_of(const Settings& settings, const std::string& key) {
  for (const auto& [name, value] : settings)
    if (name == key) return value;
  return {};
}

std::vector<SettingValues> setting_values(const ScenarioResult& result) {
  std::vector<SettingValues> all;
  for (const auto& point : result.points)
    for (const auto& pair : point.settings)
      if (std::none_of(all.begin(), all.end(), [&](const auto& known) { return known.key == pair.first; }))
        all.push_back({pair.first, {}});
  for (auto& setting : all)
    for (const auto& point : result.points) {
      const auto value = setting_of(point.settings, setting.key);
      if (std::find(setting.values.begin(), setting.values.end(), value) == setting.values.end())
        setting.values.push_back(value);
    }
  return all;
}

std::string short_key(const std::string& key, const std::vector<SettingValues>& all) {
  const auto tail = [](const std::string& name) { return name.substr(name.rfind('.') + 1); };
  const auto same =
      std::count_if(all.begin(), all.end(), [&](const auto& other) { return tail(other.key) == tail(key); });
  return same > 1 ? key : tail(key);
}

std::string point_label(const PointResult& point) {
  std::string label;
  for (const auto& [key, value] : point.settings) {
    const bool number = !value.empty() && value.front() >= '0' && value.front() <= '9';  // "blocks 128", but "summa"
    label += (label.empty() ? "" : ", ") + (number ? key.substr(key.rfind('.') + 1) + " " : "") + value;
  }
  if (label.empty()) label = point.layout_name.empty() ? point.kernel : point.kernel + " on " + point.layout_name;
  return label.empty() ? point.id : label;
}

std::vector<std::string> prediction_labels(const ScenarioResult& result) {
  std::vector<std::string> labels;
  for (const auto& point : result.points)
    for (const auto& prediction : point.predictions)
      if (std::find(labels.begin(), labels.end(), prediction.label()) == labels.end())
        labels.push_back(prediction.label());
  return labels;
}

std::vector<std::string> binding_sentences(const ScenarioResult& result) {
  /// Points whose sentence names the same kind of resource: the words before " of ".
  struct Kind {
    std::string name;
    std::vector<const PointResult*> points;
  };
  std::vector<Kind> kinds;
  std::size_t with_sentence = 0;
  for (const auto& point : result.points) {
    if (point.binding.empty()) continue;
    ++with_sentence;
    const std::string name = point.binding.substr(0, point.binding.find(" of "));
    auto found = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& kind) { return kind.name == name; });
    if (found == kinds.end()) found = kinds.insert(kinds.end(), {name, {}});
    found->points.push_back(&point);
  }
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const Kind& a, const Kind& b) { return a.points.size() > b.points.size(); });
  std::vector<std::string> sentences;
  for (const auto& kind : kinds) {
    const PointResult& first = *kind.points.front();
    if (with_sentence == 1)
      sentences.push_back(first.binding);
    else if (kind.points.size() == 1)
      sentences.push_back(fmt::format("{}: {}", point_label(first), first.binding));
    else
      sentences.push_back(fmt::format("{} points: {} (e.g. {}: {})",
                                      kinds.size() == 1 ? fmt::format("all {}", with_sentence)
                                                        : fmt::format("{} of {}", kind.points.size(), with_sentence),
                                      kind.name, point_label(first), first.binding));
    if (sentences.size() == 3 && kinds.size() > 3) {
      sentences.push_back(fmt::format("and {} other kinds of resource", kinds.size() - 3));
      break;
    }
  }
  return sentences;
}

}  // namespace orrery::report
