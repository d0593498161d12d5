#include "sim/show/summary/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace orrery::show {

std::optional<Seconds> reference_time(const PointResult& point, const Prediction& prediction) {
  return point.measured && !prediction.of_run ? point.measured : simulated_time(point, prediction);
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

std::vector<std::string> prediction_notes(const ScenarioResult& result) {
  struct Note {
    std::string label, text;
    std::size_t points = 0;
  };
  std::vector<Note> notes;
  std::map<std::string, std::size_t> predicted;  // points by label
  for (const auto& point : result.points)
    for (const auto& prediction : point.predictions) {
      const std::string label = prediction.label();
      ++predicted[label];
      for (const auto& text : prediction.notes) {
        const auto same = [&](const Note& note) { return note.label == label && note.text == text; };
        auto known = std::ranges::find_if(notes, same);
        if (known == notes.end()) known = notes.insert(known, {label, text});
        ++known->points;
      }
    }
  // What holds of all points of several models is said once.
  for (auto& note : notes) {
    if (note.points < predicted[note.label]) {
      note.text += fmt::format(" ({} of {} points)", note.points, predicted[note.label]);
      continue;
    }
    const auto first = std::ranges::find(notes, note.text, &Note::text);
    if (&*first == &note) continue;
    first->label += ", " + note.label;
    note.text.clear();
  }
  std::vector<std::string> sentences;
  for (const auto& note : notes)
    if (!note.text.empty()) sentences.push_back(note.label + ": " + note.text);
  return sentences;
}

std::string kinds_sentence(const RunResult& run) {
  std::string sentence;
  if (run.makespan <= Seconds{}) return sentence;
  for (const auto& of_kind : run.kind_loads)
    sentence += fmt::format("{}{} {:.3g} %", sentence.empty() ? "" : ", ", resource_words(of_kind.kind).all,
                            100.0 * (of_kind.bytes / (of_kind.capacity * run.makespan)));
  return sentence;
}

std::string ranks_sentence(const RunResult& run, std::size_t ranks) {
  std::string sentence;
  if (run.makespan <= Seconds{}) return sentence;
  for (std::size_t a = 0; a < run.activity_times.size(); ++a) {
    Seconds all, least = run.makespan, most;
    for (std::size_t group = 0; group < run.activity_times[a].size(); ++group) {
      const Seconds sum = run.activity_times[a][group];
      const Seconds mean = sum / static_cast<double>(ranks_in_groups(run, ranks, group, group + 1));
      all += sum;
      least = std::min(least, mean);
      most = std::max(most, mean);
    }
    if (all <= Seconds{}) continue;
    const auto percent = [&](Seconds time) { return 100.0 * (time / run.makespan); };
    sentence += fmt::format("{}{} {:.3g} % ({:.3g}..{:.3g} %)", sentence.empty() ? "" : ", ",
                            activity_name(static_cast<Activity>(a)), percent(all / static_cast<double>(ranks)),
                            percent(least), percent(most));
  }
  return sentence;
}

std::size_t ranks_in_groups(const RunResult& run, std::size_t ranks, std::size_t first, std::size_t last) {
  const std::size_t begin = first * run.activity_group, end = last * run.activity_group;
  return std::max<std::size_t>(begin + 1, std::min(ranks, end)) - begin;
}

}  // namespace orrery::show
