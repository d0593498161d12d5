#include "sim/scenario/only.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <map>
#include <memory>

#include "platforms/layouts.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/scenario/data_path.hpp"
#include "sim/scenario/load.hpp"

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
        fmt::format("{}: '{}' is no rule for ranks (power-of-two, divides PATH). Write 'divides "
                    "kernel.points'?",
                    value.where(), text));
  return {text.substr(std::string(divides).size()), value.where()};
}

bool holds(const Rule& rule, std::uint64_t ranks, const PointSpec& point) {
  if (rule.path.empty()) return std::has_single_bit(ranks);
  const auto found = point.flat.find(rule.path);
  const auto number = found == point.flat.end() ? ParsedQuantity{} : parse_quantity(found->second, Dimension::scalar);
  if (!number.si)
    throw InputError(
        fmt::format("{}: points have no number '{}' that ranks could divide. Write 'divides "
                    "kernel.points'?",
                    rule.where, rule.path));
  return std::fmod(*number.si, static_cast<double>(ranks)) == 0.0;
}

}  // namespace

Points only_some(Points points, const config::Section& only, const std::string& folder) {
  std::vector<Rule> rules;
  for (const auto& item : only.optional_list("ranks")) rules.push_back(read_rule(item));
  only.finish();
  std::map<std::string, Platform> platforms;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const PointSpec point = points[i];
    auto platform = platforms.find(point.platform.name);
    if (platform == platforms.end())
      platform =
          platforms.emplace(point.platform.name, load_platform_named(point.platform.name, point.platform.where, folder))
              .first;
    const LayoutSpec& layout = point.layout;
    const LayoutRow row =
        layout.own ? *layout.own : load_layouts_named(layout.table, layout.where, folder).row(layout.row, layout.where);
    const std::uint64_t ranks = build_layout(platform->second, row).ranks();
    bool all = true;
    for (const Rule& rule : rules) all = all && holds(rule, ranks, point);
    if (all) kept.push_back(i);
  }
  if (kept.empty())
    throw InputError(fmt::format("{}: 'only' leaves no point of {}. Ask for less?", only.where(), points.size()));
  const auto from = std::make_shared<const Points>(std::move(points));
  const auto which = std::make_shared<const std::vector<std::size_t>>(std::move(kept));
  return {which->size(), [from, which](std::size_t point) { return (*from)[(*which)[point]]; },
          [from, which](std::size_t point) { return from->settings((*which)[point]); }};
}

}  // namespace orrery
