#include "sim/cli/chart_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "kernels/kernel.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/show/charts/paper_charts.hpp"

namespace orrery::cli {

namespace paper = show::paper;

namespace {

/// Charts whose names are taken get a number.
std::vector<paper::Chart> all_charts(const ChartOptions& options, const ScenarioResult& result) {
  std::vector<paper::ChartChoice> choices;
  for (const auto& text : options.charts) choices.push_back(paper::chart_choice(text));
  if (choices.empty()) choices = paper::usual_charts(result);
  std::vector<paper::Chart> charts;
  std::set<std::string> names;
  for (const auto& choice : choices)
    for (auto& chart : paper::charts_of(result, choice)) {
      const std::string name = chart.name;
      for (int n = 2; !names.insert(chart.name).second; ++n) chart.name = fmt::format("{}-{}", name, n);
      charts.push_back(std::move(chart));
    }
  return charts;
}

}  // namespace

void chart_options(CommandLine& line, ChartOptions& options) {
  line.path("--svg", options.svg, "write the charts for a paper as SVG into this folder");
  line.path("--pdf", options.pdf, "write the charts for a paper as PDF into this folder");
  line.path("--png", options.png, "write the charts for a paper as PNG (600 dpi) into this folder");
  line.option("--chart", options.charts,
              "chart to draw, as in x=ranks,y=makespan,series=network (repeatable; default: times and errors)");
}

void check_charts(const ChartOptions& options) {
  for (const auto& text : options.charts) paper::chart_choice(text);
  if (!options.charts.empty() && !options.any())
    throw InputError("--chart {}: there is no folder for it (--svg, --pdf, --png). Add '--pdf figures'?",
                     options.charts.front());
}

void check_charts(const ChartOptions& options, const Scenario& scenario) {
  if (options.charts.empty()) return;
  std::vector<show::SettingValues> axes;
  std::vector<std::set<std::string>> known;
  bool metrics = !scenario.speed_up_over.empty();
  for (const PointSpec& point : scenario.points) {
    metrics = metrics || kernels().at(point.kernel.name, point.kernel.where).metrics;
    axes.resize(point.settings.size());
    known.resize(point.settings.size());
    for (std::size_t a = 0; a < axes.size(); ++a) {
      const auto& [key, value] = point.settings[a];
      axes[a].key = key;
      if (known[a].insert(value).second) axes[a].values.push_back(value);
    }
  }
  for (const auto& text : options.charts) paper::require_axes(paper::chart_choice(text), axes, metrics);
}

void write_charts(const ChartOptions& options, const ScenarioResult& result, const std::string& subfolder) {
  if (!options.any()) return;
  const auto charts = all_charts(options, result);
  std::set<std::string> folders;
  for (const auto& chart : charts) {
    const paper::Drawing drawing = paper::draw(chart);
    const auto write = [&](const std::string& folder, const char* form, auto* text) {
      if (folder.empty()) return;
      const std::string path = subfolder.empty() ? folder : fmt::format("{}/{}", folder, subfolder);
      config::write_into(path, fmt::format("{}.{}", chart.name, form), text(drawing));
      folders.insert(path);
    };
    write(options.svg, "svg", paper::drawing_svg);
    write(options.pdf, "pdf", paper::drawing_pdf);
    write(options.png, "png", paper::drawing_png);
  }
  std::vector<std::string> names;
  names.reserve(charts.size());
  for (const auto& chart : charts) names.push_back(chart.name);
  constexpr std::size_t named_max = 8;
  const std::size_t more = names.size() > named_max ? names.size() - named_max : 0;
  names.resize(names.size() - more);
  tell("charts: {} in {}\n", fmt::join(names, ", "), fmt::join(folders, ", "));
  if (more > 0) tell("        and {} more\n", more);
  std::set<std::string> bars;
  for (const auto& chart : charts)
    if (const std::string words = paper::words_of_bars(chart); !words.empty() && bars.insert(words).second)
      tell("        {}\n", words);
}

}  // namespace orrery::cli
