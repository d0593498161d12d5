// Two results side by side as a page: no script, one scale for all bars, so that lengths can be compared anywhere on
// it.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/show/charts/svg.hpp"
#include "sim/show/page/html_assets.hpp"
#include "sim/show/summary/binding.hpp"
#include "sim/show/summary/comparison.hpp"
#include "sim/show/summary/summary.hpp"
#include "sim/show/summary/time_format.hpp"
#include "sim/show/tables/metric_table.hpp"

namespace orrery::show {

namespace {

constexpr std::size_t charts_max = 9;  // the run and eight phases
constexpr std::size_t bars_max = 100;  // pairs per chart; the table has all

constexpr const char* styles = R"(
.page { display: block; } header { padding-bottom: 12px; } h1 { margin-right: 0; }
.pair { display: grid; grid-template-columns: minmax(7em, 22%) 1fr; gap: 0 12px; margin: 0 0 9px; align-items: center; }
.pair > div:first-child { text-align: right; font-size: 13.5px; overflow-wrap: anywhere; }
.lane { display: flex; align-items: center; gap: 8px; height: 17px; font-size: 12.5px; white-space: nowrap; }
.lane i { flex: none; width: calc((100% - 13em) * var(--share)); height: 12px; min-width: 1px; border: 1px solid var(--ink); box-sizing: border-box; }
.of-a i { background: var(--paper); } .of-b i { background: var(--c0); border-color: var(--c0); }
.swatch { display: inline-block; width: 22px; height: 11px; border: 1px solid var(--ink); vertical-align: -1px; margin-right: 6px; }
.swatch.b { background: var(--c0); border-color: var(--c0); }
dl.sides { display: grid; grid-template-columns: max-content 1fr; gap: 4px 12px; margin: 10px 0; } dl.sides dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 640px) { header { padding-top: 14px; } .pair { grid-template-columns: 1fr; } .pair > div:first-child { text-align: left; } }
)";

/// One time of all pairs.
struct Chart {
  const ComparedTime* first = nullptr;
  std::vector<std::pair<const ComparedPoint*, const ComparedTime*>> rows;
};

std::vector<Chart> charts_of(const Comparison& comparison) {
  std::vector<Chart> charts;
  std::map<std::string, std::size_t> known;
  for (const auto& point : comparison.points)
    for (const auto& time : point.times) {
      if (time.of == ComparedTime::Of::model || (!time.a && !time.b)) continue;
      const auto [at, fresh] = known.try_emplace(words_of(time), charts.size());
      if (fresh) charts.push_back({&time, {}});
      charts[at->second].rows.emplace_back(&point, &time);
    }
  return charts;
}

std::string label_of(const ComparedPoint& point) {
  PointResult named;
  named.settings = point.settings;
  named.kernel = point.paired() ? point.a->kernel : "";
  return point_label(named);
}

std::string lane(const char* side, const std::optional<Seconds>& time, double most_s, const TimeFormat& format,
                 const std::string& after) {
  if (!time) return fmt::format("<div class=\"lane {}\">-</div>", side);
  return fmt::format("<div class=\"lane {}\"><i style=\"--share:{:.5f}\"></i><span>{} {}{}</span></div>", side,
                     most_s > 0.0 ? time->si() / most_s : 0.0, format(time->si()), format.unit, after);
}

std::string chart_html(const Chart& chart, double most_s, const TimeFormat& format) {
  std::string html = fmt::format("<figure><figcaption>{}</figcaption>\n", xml_escape(words_of(*chart.first)));
  const std::size_t shown = std::min(bars_max, chart.rows.size());
  for (std::size_t r = 0; r < shown; ++r) {
    const auto& [point, time] = chart.rows[r];
    const auto ratio = time->ratio();
    html += fmt::format("<div class=\"pair\"><div>{}</div><div>{}{}</div></div>\n", xml_escape(label_of(*point)),
                        lane("of-a", time->a, most_s, format, ""),
                        lane("of-b", time->b, most_s, format, ratio ? fmt::format(" = {:.3f} A", *ratio) : ""));
  }
  if (shown < chart.rows.size())
    html += fmt::format("<p class=\"hint\">The other {} points are in the table.</p>", chart.rows.size() - shown);
  return html + "</figure>\n";
}

std::string table_html(const Comparison& comparison, const TimeFormat& format) {
  std::string html = fmt::format(
      "<div class=\"tablebox\"><table><thead><tr><th>point</th><th>time of</th><th class=\"n\">A ({0})</th>"
      "<th class=\"n\">B ({0})</th><th class=\"n\">B - A</th><th class=\"n\">B / A</th><th>binds in A</th>"
      "<th>binds in B</th></tr></thead><tbody>\n",
      format.unit);
  for (const auto& point : comparison.points)
    for (const auto& time : point.times) {
      const auto ratio = time.ratio();
      const auto difference = time.difference();
      html += fmt::format(
          "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
          "<td class=\"n\">{}</td><td>{}</td><td>{}</td></tr>\n",
          xml_escape(label_of(point)), xml_escape(words_of(time)), format(time.a), format(time.b),
          difference ? (difference->si() > 0.0 ? "+" : "") + format(difference->si()) : "-",
          ratio ? fmt::format("{:.3f}", *ratio) : "-", xml_escape(time.binds_a), xml_escape(time.binds_b));
    }
  return html + "</tbody></table></div>\n";
}

std::string metrics_html(const Comparison& comparison) {
  std::string rows;
  const auto value = [](const ComparedMetric& metric, const std::optional<double>& of) {
    return of ? xml_escape(metric_with_unit({metric.name, *of, metric.unit})) : "-";
  };
  for (const auto& point : comparison.points)
    for (const auto& metric : point.metrics)
      rows += fmt::format(
          "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
          xml_escape(label_of(point)), xml_escape(metric.name), value(metric, metric.a), value(metric, metric.b),
          metric.ratio() ? fmt::format("{:.3f}", *metric.ratio()) : "-");
  if (rows.empty()) return {};
  return "<section><h2>Metrics</h2><div class=\"tablebox\"><table><thead><tr><th>point</th><th>metric</th>"
         "<th class=\"n\">A</th><th class=\"n\">B</th><th class=\"n\">B / A</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div></section>\n";
}

std::string bindings_html(const Comparison& comparison) {
  std::string html;
  for (const auto& [side, result] : {std::pair{"A", comparison.a.result}, std::pair{"B", comparison.b.result}})
    for (const auto& sentence : binding_sentences(*result))
      html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", side, xml_escape(sentence));
  for (const auto& point : comparison.points)
    for (const auto& [side, of] : {std::pair{"A", point.a}, std::pair{"B", point.b}})
      if (of != nullptr && !of->failure.empty())
        html += fmt::format("<dt>{} failed</dt><dd>{}: {}</dd>\n", side, xml_escape(point_label(*of)),
                            xml_escape(of->failure.text()));
  if (html.empty()) return html;
  return "<section><h2>What binds</h2><dl class=\"sides\">" + html + "</dl></section>\n";
}

std::string side_html(const char* side, const char* swatch, const ComparedSide& of) {
  const ScenarioResult& result = *of.result;
  return fmt::format("<dt><span class=\"swatch {}\"></span>{}</dt><dd><b>{}</b>: {}; {}; engine {}; Orrery {}</dd>\n",
                     swatch, side, xml_escape(of.name), xml_escape(title_of(of)), xml_escape(result.platform_summary),
                     xml_escape(result.engine), xml_escape(result.version));
}

std::string summary_html(const Comparison& comparison) {
  std::string html = fmt::format("<section><p class=\"binds\"><b>{}</b></p><dl class=\"sides\">{}{}</dl>\n",
                                 xml_escape(comparison_sentence(comparison)), side_html("A", "a", comparison.a),
                                 side_html("B", "b", comparison.b));
  if (!comparison.differences.empty()) {
    html += "<ul>";
    for (const auto& difference : comparison.differences) html += "<li>" + xml_escape(difference) + "</li>";
    html += "</ul>";
  }
  for (const auto& note : comparison.notes) html += "<p class=\"alert\">" + xml_escape(note) + "</p>";
  return html + "</section>\n";
}

}  // namespace

std::string comparison_html(const Comparison& comparison) {
  const auto charts = charts_of(comparison);
  std::vector<double> times_s;
  for (const auto& chart : charts)
    for (const auto& [point, time] : chart.rows)
      for (const auto& side : {time->a, time->b})
        if (side) times_s.push_back(side->si());
  const TimeFormat format = time_format(times_s);
  const double most_s = times_s.empty() ? 0.0 : *std::ranges::max_element(times_s);
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{0} - "
      "Orrery</title>\n<style>{1}{2}</style>\n</head>\n"
      "<body>\n<header><p class=\"brand\">Orrery comparison</p><h1>{0}</h1></header>\n<main class=\"page\">\n",
      xml_escape(fmt::format("A: {}, B: {}", comparison.a.name, comparison.b.name)), std::string(assets::report_css),
      styles);
  html += summary_html(comparison);
  html +=
      "<section><h2>Times</h2><p class=\"hint\">All bars of this page have one scale. A phase takes as long as its "
      "slowest rank, from that rank's own start, summed over iterations; phases may overlap.</p>\n";
  for (std::size_t c = 0; c < std::min(charts_max, charts.size()); ++c) html += chart_html(charts[c], most_s, format);
  if (charts.size() > charts_max)
    html += fmt::format("<p class=\"hint\">The other {} phases are in the table.</p>", charts.size() - charts_max);
  html += "</section>\n" + bindings_html(comparison);
  html += metrics_html(comparison);
  html += "<section><h2>All times</h2>" + table_html(comparison, format) + "</section>\n";
  return html + "</main>\n</body>\n</html>\n";
}

}  // namespace orrery::show
