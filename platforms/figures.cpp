#include "platforms/figures.hpp"

#include <utility>

#include "platforms/keys.hpp"
#include "sim/core/error.hpp"

namespace orrery {

using config::Section;
using config::Value;

namespace {

std::string stated_source(const Value& source) {
  if (source.text().empty()) source.refuse("(a datasheet, paper or campaign expected). Who says so?");
  return source.text();
}

/// `source: "..."`, `assumed: true` or `assumed: "why"` of a section; "" when it names neither.
std::string source_of(const Section& section) {
  const auto source = section.optional("source");
  const auto assumed = section.optional("assumed");
  if (source && assumed)
    section.refuse("assumed",
                   "'" + section.name() + "' has both a source and 'assumed' (only one is allowed). Remove one?");
  if (source) return stated_source(*source);
  if (!assumed) return "";
  const std::string reason = assumed->text();
  if (reason == "true" || reason == "yes") return "assumed";
  if (reason.empty() || reason == "false" || reason == "no")
    assumed->refuse("(true or the reason). Name a source instead?");
  return "assumed: " + reason;
}

/// As written, for the table of sources.
std::string as_text(const Value& value) {
  if (value.is_scalar()) return value.written();
  std::string text;
  if (value.is_list()) {
    for (const Value& item : value.list()) text += (text.empty() ? "" : ", ") + as_text(item);
    return "[" + text + "]";
  }
  if (value.is_section()) {
    for (const auto& [key, item] : value.section().items())
      text += (text.empty() ? "" : ", ") + key + " " + as_text(item);
    return text;
  }
  return "";
}

/// Breakpoints of a piecewise function must ascend, or looking one up means nothing.
void require_ascending(const std::vector<std::pair<double, double>>& points, const Value& from) {
  if (points.size() > 1 && points[points.size() - 2].first >= points.back().first)
    from.refuse("not above the breakpoint before it (breakpoints increase). Sort the list?");
}

}  // namespace

Figures::Figures(const Section& section, std::vector<Provenance>& provenance)
    : Figures(section, "", stated_source(section.value("source")), provenance) {}

Figures::Figures(const Section& section, std::string path, std::string source, std::vector<Provenance>& provenance)
    : section_(section), path_(std::move(path)), source_(std::move(source)), provenance_(&provenance) {}

Figures Figures::inside(const Value& value) const {
  const Section inner = value.section();
  const std::string source = source_of(inner);
  return Figures(inner, path_ + value.name() + ".", source.empty() ? source_ : source, *provenance_);
}

Figures Figures::inside(std::string_view key) const { return inside(section_.value(key)); }

Value Figures::figure(std::string_view key) const {
  Value value = section_.value(key);
  if (!section_.has(key)) return value;  // the default
  std::string source = source_;
  if (value.is_section()) {
    const Section own = value.section(figure_keys());
    value = own.value("value").as(value);
    if (std::string named = source_of(own); !named.empty()) source = std::move(named);
    own.finish();
  }
  if (source.empty())
    throw InputError(value.where() + ": '" + std::string(key) +
                     "' has no source (every figure names one, or 'assumed'). Write '" + std::string(key) +
                     ": {value: ..., source: \"...\"}'?");
  provenance_->push_back({path_ + std::string(key), as_text(value), std::move(source)});
  return value;
}

std::vector<std::uint32_t> Figures::counts(std::string_view key) const {
  std::vector<std::uint32_t> result;
  for (const Value& item : figure(key).list()) result.push_back(static_cast<std::uint32_t>(item.integer()));
  return result;
}

PiecewiseLinear Figures::overhead(std::string_view key) const {
  const Value value = figure(key);
  if (!value.is_list()) return PiecewiseLinear(value.seconds().si());
  std::vector<std::pair<double, double>> points;
  double slope_after = 0.0;
  const auto items = value.list();
  for (const Value& item : items) {
    const Section point = item.section();
    const Value from = point.value("from");
    points.emplace_back(from.bytes().si(), point.seconds("time").si());
    require_ascending(points, from);
    if (const auto slope = point.optional("then-per-byte")) {
      slope_after = slope->time_per_byte().si();
      if (points.size() != items.size())
        slope->refuse("before the last breakpoint (it comes after the last). Move it?");
    }
    point.finish();
  }
  if (points.empty()) value.refuse("without breakpoints. Write '[{from: 0B, time: 0.5us}]'?");
  return PiecewiseLinear(std::move(points), slope_after);
}

PiecewiseLinear Figures::overhead_or(std::string_view key, const PiecewiseLinear& fallback) const {
  return has(key) ? overhead(key) : fallback;
}

PiecewiseFactor Figures::factor(std::string_view key) const {
  if (!has(key)) return {};
  const Value value = figure(key);
  if (!value.is_list()) return PiecewiseFactor({{0.0, value.number()}});
  std::vector<std::pair<double, double>> steps;
  for (const Value& item : value.list()) {
    const Section step = item.section();
    const Value from = step.value("from");
    steps.emplace_back(from.bytes().si(), step.number("factor"));
    require_ascending(steps, from);
    step.finish();
  }
  return PiecewiseFactor(std::move(steps));
}

}  // namespace orrery
