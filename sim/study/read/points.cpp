#include "sim/study/read/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

namespace orrery {

using config::Document;
using config::Value;

namespace {

bool is_name(const std::string& key) { return key == "name" || key == "model" || key == "kind"; }

/// Of a section within another, as a file has it: "{node: 1, index: 7}"; one that only names something is that name.
std::string inner_label(const Value& value) {
  if (!value.is_section()) return value_label(value);
  const auto items = value.section().items();
  if (items.size() == 1 && is_name(items.front().first)) return value_label(items.front().second);
  std::string label;
  for (const auto& [key, item] : items)
    label += fmt::format("{}{}: {}", label.empty() ? "" : ", ", key, inner_label(item));
  return "{" + label + "}";
}

}  // namespace

std::string value_label(const Value& value) {
  if (value.is_scalar()) return value.written();
  std::string label;
  if (value.is_list()) {
    for (const auto& item : value.list()) label += (label.empty() ? "[" : ", ") + value_label(item);
    return label + "]";
  }
  for (const auto& [key, item] : value.section().items()) {
    if (!label.empty()) label += " ";
    const bool of_sections = item.is_list() && std::ranges::any_of(item.list(), &Value::is_section);
    const std::string text = of_sections ? fmt::format("{}", item.list().size()) : inner_label(item);
    label += is_name(key) ? text : fmt::format("{}={}", key, text);
  }
  return label.empty() ? "{}" : label;
}

namespace {

/// The file with the axes' values of one point after the other. Points are mostly asked for in their order, so the
/// file as it is with the values of all axes but the last is kept: a point costs one copy of it.
class Sweep {
 public:
  Sweep(Document document, std::vector<Axis> axes)
      : axes_(std::move(axes)), independent_(independent_axes(axes_)), opened_{std::move(document)} {
    for (std::size_t a = 0; a < axes_.size(); ++a)
      if (independent_[a] == lengths_.size()) lengths_.push_back(axes_[a].values.size());
    for (const Axis& axis : axes_) {
      auto& labels = labels_.emplace_back();
      for (const Value& value : axis.values) labels.push_back(value_label(value));
    }
  }

  std::size_t size() const {
    std::size_t points = 1;
    for (const std::size_t length : lengths_) points *= length;
    return points;
  }

  Settings settings(std::size_t point) const {
    Settings settings;
    const auto values = values_of(point);
    for (std::size_t a = 0; a < axes_.size(); ++a) settings.emplace_back(axes_[a].path, labels_[a][values[a]]);
    return settings;
  }

  PointSpec make(std::size_t point) {
    const auto values = values_of(point);
    const std::lock_guard lock(guard_);
    std::size_t same = 0;  // axes whose values are those of the point before
    while (same < opened_with_.size() && opened_with_[same] == values[same]) ++same;
    opened_.erase(opened_.begin() + static_cast<std::ptrdiff_t>(same) + 1, opened_.end());
    opened_with_.resize(same);
    for (std::size_t a = same; a + 1 < axes_.size(); ++a) {
      opened_.push_back(with(opened_.back(), a, values[a]));
      opened_with_.push_back(values[a]);
    }
    return read_point(with(opened_.back(), axes_.size() - 1, values.back()), settings(point));
  }

 private:
  /// [axes] which of its values the point has.
  std::vector<std::size_t> values_of(std::size_t point) const {
    std::vector<std::size_t> digits(lengths_.size());
    for (std::size_t d = lengths_.size(); d-- > 0;) {
      digits[d] = point % lengths_[d];
      point /= lengths_[d];
    }
    std::vector<std::size_t> values;
    for (const std::size_t of : independent_) values.push_back(digits[of]);
    return values;
  }

  Document with(const Document& document, std::size_t axis, std::size_t value) const {
    return opened_for(axes_[axis].path, document).with(axes_[axis].path, axes_[axis].values[value]);
  }

  std::vector<Axis> axes_;
  std::vector<std::size_t> independent_;          ///< [axes] as independent_axes tells
  std::vector<std::size_t> lengths_;              ///< [independent axes]
  std::vector<std::vector<std::string>> labels_;  ///< [axes][values]
  std::mutex guard_;                              ///< of the documents below
  std::vector<Document> opened_;          ///< with the values of no axis, of the first one, of the first two ...
  std::vector<std::size_t> opened_with_;  ///< those values
};

}  // namespace

Points::Points(std::vector<PointSpec> made) : size_(made.size()) {
  const auto points = std::make_shared<const std::vector<PointSpec>>(std::move(made));
  make_ = [points](std::size_t point) { return (*points)[point]; };
  settings_ = [points](std::size_t point) { return (*points)[point].settings; };
}

Points swept(const Document& document, std::vector<Axis> axes) {
  if (axes.empty()) return Points({read_point(document, {})});
  const auto sweep = std::make_shared<Sweep>(document, std::move(axes));
  return {sweep->size(), [sweep](std::size_t point) { return sweep->make(point); },
          [sweep](std::size_t point) { return sweep->settings(point); }};
}

}  // namespace orrery
