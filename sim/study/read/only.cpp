#include "sim/study/read/only.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <set>

#include "kernels/kernel.hpp"
#include "platforms/layouts.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/read/keys_detail.hpp"
#include "sim/study/read/load.hpp"

namespace orrery {

namespace {

constexpr const char* divides = "divides ";

struct Rule {
  std::string path;  ///< what the ranks divide; empty: they are a power of two
  std::string where;
};

Rule read_rule(const config::Value& value) {
  const std::string text = value.text();
  if (text == "power-of-two") return {"", value.where()};
  if (!text.starts_with(divides) || text.size() == std::string(divides).size())
    throw InputError(
        "{}: '{}' is no rule for ranks (power-of-two, divides PATH). Write 'divides "
        "kernel.points'?",
        value.where(), text);
  return {text.substr(std::string(divides).size()), value.where()};
}

bool holds(const Rule& rule, std::uint64_t ranks, const PointSpec& point) {
  if (rule.path.empty()) return std::has_single_bit(ranks);
  const auto found = point.flat.find(rule.path);
  const auto number = found == point.flat.end() ? ParsedQuantity{} : parse_quantity(found->second, Dimension::scalar);
  if (!number.si)
    throw InputError(
        "{}: points have no number '{}' that ranks could divide. Write 'divides "
        "kernel.points'?",
        rule.where, rule.path);
  return std::fmod(*number.si, static_cast<double>(ranks)) == 0.0;
}

/// What the program of a point is told: its settings, a partition only where its kernel divides a grid.
std::string told(const PointSpec& point) {
  const bool divides_grid = static_cast<bool>(kernels().at(point.kernel.name, point.kernel.where).grid);
  std::string text;
  for (const auto& [path, value] : point.flat)
    if (divides_grid || !path.starts_with("partition")) text += fmt::format("{}={}\n", path, value);
  return text;
}

/// How many ranks points have; a platform is read once.
class RanksOf {
 public:
  explicit RanksOf(const std::string& folder) : folder_(folder) {}

  std::uint64_t operator()(const PointSpec& point) {
    auto platform = platforms_.find(point.platform.name);
    if (platform == platforms_.end())
      platform =
          platforms_
              .emplace(point.platform.name, load_platform_named(point.platform.name, point.platform.where, folder_))
              .first;
    const LayoutSpec& layout = point.layout;
    const LayoutRow row = layout.own
                              ? *layout.own
                              : load_layouts_named(layout.table, layout.where, folder_).row(layout.row, layout.where);
    return build_layout(platform->second, row).ranks();
  }

 private:
  const std::string& folder_;
  std::map<std::string, Platform> platforms_;
};

}  // namespace

Points only_some(Points points, const config::Section& only, const std::string& folder) {
  OnlySpec spec;
  config::read_fields(only, scenario_detail::only_fields(), spec);
  only.finish();
  std::vector<Rule> rules;
  for (const auto& item : spec.ranks) rules.push_back(read_rule(item));
  RanksOf ranks_of(folder);
  std::set<std::string> seen;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const PointSpec point = points[i];
    if (spec.distinct && !seen.insert(told(point)).second) continue;
    const std::uint64_t ranks = rules.empty() ? 0 : ranks_of(point);
    if (std::ranges::all_of(rules, [&](const Rule& rule) { return holds(rule, ranks, point); })) kept.push_back(i);
  }
  if (kept.empty()) throw InputError("{}: 'only' leaves no point of {}. Ask for less?", only.where(), points.size());
  const auto from = std::make_shared<const Points>(std::move(points));
  const auto which = std::make_shared<const std::vector<std::size_t>>(std::move(kept));
  return {which->size(), [from, which](std::size_t point) { return (*from)[(*which)[point]]; },
          [from, which](std::size_t point) { return from->settings((*which)[point]); }};
}

}  // namespace orrery
