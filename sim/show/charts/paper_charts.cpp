#include "sim/show/charts/paper_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/suggest.hpp"
#include "sim/show/charts/chart_data.hpp"
#include "sim/core/setting_quantity.hpp"
#include "sim/show/summary/numeric_settings.hpp"
#include "sim/show/summary/short_labels.hpp"
#include "sim/show/summary/summary.hpp"
#include "sim/show/summary/time_format.hpp"

namespace orrery::show::paper {

namespace {

constexpr const char* flag = chart_flag;
constexpr std::string_view series_word = "name.";

/// Axes that the data differ in, in the order of the sweep; 'model' last.
std::vector<SettingValues> axes_of(const Data& data) {
  std::vector<SettingValues> axes;
  for (const auto& datum : data.all)
    for (const auto& [key, value] : datum.settings) {
      auto axis = std::ranges::find(axes, key, &SettingValues::key);
      if (axis == axes.end()) axis = axes.insert(axes.end(), {key, {}});
      if (std::ranges::find(axis->values, value) == axis->values.end()) axis->values.push_back(value);
    }
  return axes;
}

/// The numbers of an axis in SI when all its values are of one dimension.
struct Numbers {
  Dimension dimension{};
  std::map<std::string, double> values;
};

std::optional<Numbers> numbers_of(const SettingValues& axis) {
  for (const auto dimension :
       {Dimension::scalar, Dimension::data, Dimension::time, Dimension::bandwidth, Dimension::speed, Dimension::work}) {
    Numbers numbers{dimension, {}};
    for (const auto& value : axis.values)
      if (const auto parsed = parse_quantity(value, dimension); parsed.si) numbers.values[value] = *parsed.si;
    if (numbers.values.size() == axis.values.size()) return numbers;
  }
  return std::nullopt;
}

/// "64KiB" as "64 KiB".
std::string spaced(const std::string& quantity) {
  const auto unit = quantity.find_first_not_of("0123456789.e+-");
  if (unit == std::string::npos || unit == 0 || quantity[unit] == ' ') return quantity;
  return quantity.substr(0, unit) + " " + quantity.substr(unit);
}

std::string resolved(const std::string& wanted, const char* role, const std::vector<SettingValues>& axes) {
  std::vector<std::string> known;
  for (const auto& axis : axes) {
    if (axis.key == wanted || short_key(axis.key, axes) == wanted) return axis.key;
    known.push_back(axis.key);
  }
  throw InputError("{}: {} '{}' is no axis of the sweep{}", flag, role, wanted, known_names(wanted, known));
}

/// As the points write it: "1024B" is "1KiB".
std::string value_in_points(const std::string& key, const std::string& value, const std::vector<std::string>& values) {
  if (std::ranges::find(values, value) != values.end()) return value;
  const auto number = quantity_of(value);
  const auto same = [&](const std::string& one) { return number && quantity_of(one) == number; };
  if (const auto found = std::ranges::find_if(values, same); found != values.end()) return *found;
  throw InputError("{}: {} '{}' is in no point{}", flag, key, value, known_names(value, values));
}

/// Only what the choice asks for; the axes that are left.
std::vector<SettingValues> filter(Data& data, const ChartChoice& choice) {
  auto axes = axes_of(data);
  for (const auto& [wanted, value] : choice.where) {
    const std::string key = resolved(wanted, "setting", axes);
    const auto& values = std::ranges::find(axes, key, &SettingValues::key)->values;
    const std::string kept = value_in_points(key, value, values);
    std::erase_if(data.all, [&](const Datum& datum) { return setting_of(datum.settings, key) != kept; });
    axes = axes_of(data);
  }
  if (data.all.empty()) throw InputError("{} '{}': no point has such a value. Choose another y?", flag, choice.text);
  return axes;
}

/// The axis with the most values, numbers before words.
std::string widest(const std::vector<SettingValues>& axes, const std::string& taken) {
  const SettingValues* best = nullptr;
  const auto rank = [](const SettingValues& axis) {
    return std::pair(numbers_of(axis).has_value(), axis.values.size());
  };
  for (const auto& axis : axes)
    if (axis.key != model_key && axis.key != taken && axis.values.size() > 1 && (!best || rank(axis) > rank(*best)))
      best = &axis;
  return best ? best->key : "";
}

struct Roles {
  std::string x, series;            ///< an empty series: one without a name
  std::vector<std::string> panels;  ///< a chart for each combination of their values
};

/// Whether the values of the other axes say that of this one: an axis that goes along with another, as a sweep of 'zip'
/// has it, or what is best of a size.
bool follows_from(const std::vector<std::string>& others, const std::string& key, const Data& data) {
  std::map<std::vector<std::string>, std::string> known;
  return std::ranges::all_of(data.all, [&](const Datum& datum) {
    std::vector<std::string> values;
    for (const auto& other : others) values.push_back(setting_of(datum.settings, other));
    const std::string own = setting_of(datum.settings, key);
    return known.try_emplace(values, own).first->second == own;
  });
}

Roles roles_of(const std::vector<SettingValues>& axes, const ChartChoice& choice, const Data& data) {
  const auto several = [&](const std::string& key) {
    const auto axis = std::ranges::find(axes, key, &SettingValues::key);
    return axis != axes.end() && axis->values.size() > 1;
  };
  Roles roles;
  const std::string series = choice.series.empty() ? "" : resolved(choice.series, "series", axes);
  roles.x = choice.x.empty() ? widest(axes, series) : resolved(choice.x, "x", axes);
  if (roles.x.empty()) roles.x = model_key;
  roles.series = !series.empty()                              ? series
                 : several(model_key) && roles.x != model_key ? model_key
                                                              : widest(axes, roles.x);
  std::vector<std::string> taken{roles.x, roles.series};
  for (const auto& axis : axes) {
    if (axis.values.size() < 2 || std::ranges::find(taken, axis.key) != taken.end()) continue;
    if (follows_from(taken, axis.key, data)) continue;
    roles.panels.push_back(axis.key);
    taken.push_back(axis.key);
  }
  return roles;
}

std::string file_word(const std::string& text) {
  std::string word;
  for (const char c : text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.';
    if (plain)
      word += c;
    else if (!word.empty() && word.back() != '-')
      word += '-';
  }
  while (!word.empty() && word.back() == '-') word.pop_back();
  return word;
}

/// Fills one chart after the other; finds the one of a datum by the values of its panels.
class Builder {
 public:
  Builder(const ScenarioResult& result, const ChartChoice& choice, const Data& data,
          const std::vector<SettingValues>& axes)
      : result_(result), choice_(choice), data_(data), axes_(axes), roles_(roles_of(axes, choice, data)) {
    const auto& x_axis = *std::ranges::find(axes_, roles_.x, &SettingValues::key);
    numbers_ = numbers_of(x_axis);
    if (!numbers_) categories_ = x_axis.values;
    std::vector<double> times_s;
    for (const auto& datum : data.all) times_s.push_back(datum.y);
    if (data.seconds) format_ = time_format(times_s);
  }

  std::vector<Chart> charts() {
    for (const auto& datum : data_.all) add(datum);
    for (auto& chart : charts_)
      for (auto& series : chart.series) std::ranges::stable_sort(series.points, {}, &ChartPoint::x);
    name_series();
    ScaleWish scale = choice_.scale;
    scale.least_y = data_.least;
    scale_together(charts_, scale);
    if (numbers_ && numbers_->dimension != Dimension::scalar) label_quantities();
    const auto labels = short_labels(categories_);
    for (auto& chart : charts_) chart.categories = labels;
    return std::move(charts_);
  }

 private:
  void add(const Datum& datum) {
    const std::string value = setting_of(datum.settings, roles_.x);
    if (value.empty()) return;
    ChartPoint point{.y = datum.y / format_.unit_s};
    point.x = numbers_ ? numbers_->values.at(value)
                       : static_cast<double>(std::ranges::find(categories_, value) - categories_.begin());
    Chart& chart = chart_of(datum);
    if (datum.bar) {
      point.bar = Bar{datum.bar->least / format_.unit_s, datum.bar->most / format_.unit_s};
      if (std::ranges::find(chart.bars, datum.bars) == chart.bars.end()) chart.bars.push_back(datum.bars);
    }
    const std::string name = roles_.series.empty() ? "" : series_name(setting_of(datum.settings, roles_.series));
    auto series = std::ranges::find(chart.series, name, &ChartSeries::name);
    if (series == chart.series.end()) series = chart.series.insert(chart.series.end(), {name, {}});
    series->points.push_back(point);
  }

  Chart& chart_of(const Datum& datum) {
    std::vector<std::string> values;
    for (const auto& key : roles_.panels) values.push_back(setting_of(datum.settings, key));
    const auto [at, fresh] = index_.try_emplace(values, charts_.size());
    if (!fresh) return charts_[at->second];
    std::string name = choice_.name.empty() ? file_word(choice_.y) : choice_.name;
    std::string title = fmt::format("{}: {}", result_.title.empty() ? result_.name : result_.title, data_.title);
    for (const auto& value : values) {
      name += "-" + file_word(value);
      title += ", " + value;
    }
    std::string unit = data_.seconds ? format_.unit : data_.unit;
    if (unit == "us") unit = "μs";
    return charts_.emplace_back(Chart{.name = name,
                                      .title = title,
                                      .x = ChartAxis{.title = x_title()},
                                      .y = ChartAxis{.title = y_title(unit)},
                                      .series = {},
                                      .width = choice_.width});
  }

  /// As the choice has them; a name that no series has is refused with those there are.
  void name_series() {
    std::vector<std::string> known;
    for (const auto& chart : charts_)
      for (const auto& series : chart.series)
        if (std::ranges::find(known, series.name) == known.end()) known.push_back(series.name);
    for (const auto& [name, words] : choice_.series_names) {
      if (std::ranges::find(known, name) == known.end())
        throw InputError("{}: '{}{}' is no series of the chart{}", flag, series_word, name, known_names(name, known));
      for (auto& chart : charts_)
        for (auto& series : chart.series)
          if (series.name == name) series.name = words;
    }
  }

  std::string x_title() const {
    if (!choice_.x_name.empty()) return choice_.x_name;
    return roles_.x == model_key ? "" : short_key(roles_.x, axes_);
  }
  std::string y_title(const std::string& unit) const {
    const std::string& words = choice_.y_name.empty() ? data_.title : choice_.y_name;
    return unit.empty() ? words : fmt::format("{} ({})", words, unit);
  }

  /// "64 ranks" needs its key, "ethernet" does not.
  std::string series_name(const std::string& value) const {
    const bool number = roles_.series != model_key && !value.empty() && value.front() >= '0' && value.front() <= '9';
    return number ? short_key(roles_.series, axes_) + " " + spaced(value) : value;
  }

  /// Sizes and bandwidths as the scenario writes them.
  void label_quantities() {
    for (auto& chart : charts_) {
      chart.x.ticks.clear();
      for (const auto& [text, value] : numbers_->values) chart.x.ticks.push_back({value, spaced(text)});
      std::ranges::sort(chart.x.ticks, {}, &Tick::value);
    }
  }

  const ScenarioResult& result_;
  const ChartChoice& choice_;
  const Data& data_;
  const std::vector<SettingValues>& axes_;
  Roles roles_;
  std::optional<Numbers> numbers_;
  std::vector<std::string> categories_;
  TimeFormat format_{1.0, "", 3};
  std::map<std::vector<std::string>, std::size_t> index_;
  std::vector<Chart> charts_;
};

}  // namespace

ChartChoice chart_choice(const std::string& text) {
  ChartChoice choice{.text = text};
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto comma = std::min(text.find(',', begin), text.size());
    const std::string item = text.substr(begin, comma - begin);
    begin = comma + 1;
    const auto equal = item.find('=');
    if (equal == 0 || equal == std::string::npos || equal + 1 == item.size())
      throw InputError("{}: '{}' is not 'key=value'. Write 'x=ranks,y=makespan'?", flag, item);
    const std::string key = item.substr(0, equal), value = item.substr(equal + 1);
    const auto one_of = [&](const std::vector<std::string>& known) {
      if (std::ranges::find(known, value) == known.end())
        throw InputError("{}: unknown {} '{}'{}", flag, key, value, known_names(value, known));
    };
    if (key == "x") {
      choice.x = value;
    } else if (key == "y") {
      choice.y = value;
    } else if (key == "series") {
      choice.series = value;
    } else if (key == "x-name") {
      choice.x_name = value;
    } else if (key == "y-name") {
      choice.y_name = value;
    } else if (key.starts_with(series_word) && key.size() > series_word.size()) {
      choice.series_names.emplace_back(key.substr(series_word.size()), value);
    } else if (key == "name") {
      choice.name = file_word(value);
    } else if (key == "log") {
      one_of({"x", "y", "xy", "none"});
      choice.scale = {value.starts_with('x'), value.ends_with('y')};
    } else if (key == "width") {
      one_of({"single", "double"});
      choice.width = value == "double" ? double_column : single_column;
    } else {
      choice.where.emplace_back(key, value);
    }
  }
  return choice;
}

void require_axes(const ChartChoice& choice, std::vector<SettingValues> axes, bool metrics) {
  axes.push_back({model_key, {}});
  if (!choice.x.empty()) resolved(choice.x, "x", axes);
  if (!choice.series.empty()) resolved(choice.series, "series", axes);
  for (const auto& [wanted, value] : choice.where) {
    const std::string key = resolved(wanted, "setting", axes);
    const auto& values = std::ranges::find(axes, key, &SettingValues::key)->values;
    if (key != model_key) value_in_points(key, value, values);
  }
  const std::vector<std::string> known{"time", "makespan", "mu", "error", "phase:NAME"};
  if (!metrics && !choice.y.starts_with("phase:") && std::ranges::find(known, choice.y) == known.end())
    throw InputError("{}: unknown y '{}'{}", flag, choice.y, known_names(choice.y, known));
}

std::vector<ChartChoice> usual_charts(const ScenarioResult& result) {
  std::vector<ChartChoice> choices;
  const auto choose = [&](const char* y) {
    ChartChoice choice{.text = fmt::format("y={}", y)};
    choice.y = y;
    choices.push_back(std::move(choice));
  };
  const auto any = [&](const auto& of) { return std::ranges::any_of(result.points, of); };
  const bool predicted =
      any([](const auto& p) { return std::ranges::any_of(p.predictions, std::not_fn(&Prediction::of_run)); });
  const bool whole = any([](const auto& p) { return std::ranges::any_of(p.predictions, &Prediction::of_run); });
  const bool compared = any([](const auto& p) { return p.measured || p.published_time_s; });
  if (predicted || compared) choose("time");
  if (any([](const auto& p) { return !p.run.engine.empty(); }) && (whole || !(predicted || compared)))
    choose("makespan");
  if (has_errors(result)) choose("mu");
  return choices;
}

std::vector<Chart> charts_of(const ScenarioResult& result, const ChartChoice& choice) {
  Data data = data_of(result, choice);
  const auto axes = filter(data, choice);
  return Builder(result, choice, data, axes).charts();
}

}  // namespace orrery::show::paper
