#include "sim/show/tables/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/show/summary/binding.hpp"
#include "sim/show/summary/bottleneck.hpp"
#include "sim/show/summary/summary.hpp"
#include "sim/show/summary/time_format.hpp"
#include "sim/show/tables/metric_table.hpp"
#include "sim/show/tables/part_tables.hpp"
#include "sim/show/tables/text_grid.hpp"

namespace orrery::show {

namespace {

std::string error_text(double rho) {
  if (!std::isfinite(rho)) return "-";
  return rho < 9.995 ? fmt::format("{:.1f}%", 100.0 * rho) : fmt::format("{:.0f}x", rho);
}

Cell mu_cell(double mu) {
  if (!std::isfinite(mu)) return {"-", Tint::faint};
  return {fmt::format("{:.2f}", mu), mu < 1.25 ? Tint::good : mu < 2.0 ? Tint::fair : Tint::poor};
}

/// "1.90 slower": mu, and whether the simulated time is the longer one; "1.00" where they agree.
Cell sided_cell(Seconds simulated, Seconds measured) {
  Cell cell = mu_cell(proportional_error(simulated, measured));
  if (cell.text != "-" && cell.text != "1.00") cell.text += simulated > measured ? " slower" : " faster";
  return cell;
}

/// A longer table that must wrap leaves the relative errors out: mu says the same in fewer columns.
constexpr std::size_t rows_wrapped_max = 20;

struct PointTable {
  const ScenarioResult& result;
  std::size_t rows;
  std::vector<SettingValues> settings;
  std::vector<Column> columns;
  std::size_t repeated = 0;
  TimeFormat time;

  template <class Value>
  void add(const std::string& group, const std::string& header, bool right, Value value) {
    Column column{group, header, right, {}};
    for (std::size_t r = 0; r < rows; ++r) column.cells.push_back(value(result.points[r]));
    columns.push_back(std::move(column));
  }

  bool any(bool (*has)(const PointResult&)) const {
    return std::any_of(result.points.begin(), result.points.end(), has);
  }
};

bool predicts_runs(const ScenarioResult& result) {
  return std::ranges::any_of(result.points, [](const PointResult& point) {
    return std::ranges::any_of(point.predictions, &Prediction::of_run);
  });
}

/// The whole run is shown beside the compared phase where a model predicts it, and where no model predicts anything:
/// then nothing is compared with communication alone.
bool shows_makespans(const ScenarioResult& result) {
  if (predicts_runs(result))
    return std::ranges::any_of(result.points, [](const PointResult& point) { return point.simulated.has_value(); });
  return prediction_labels(result).empty() && std::ranges::any_of(result.points, [](const PointResult& point) {
           return point.simulated && !point.measured && !point.published_time_s &&
                  point.run.makespan.si() > 1.001 * point.simulated->si();
         });
}

/// What the column of the compared phase is called: by its name beside the makespan, if all points have the same phase;
/// else it is what predictions of that phase are held against.
std::string simulated_column(const ScenarioResult& result) {
  if (result.points.empty() || !shows_makespans(result)) return "simulated";
  const std::string& phase = result.points.front().compared_phase;
  const bool same =
      std::ranges::all_of(result.points, [&](const PointResult& point) { return point.compared_phase == phase; });
  return same && !phase.empty() ? phase : "simulated";
}

std::vector<double> all_times(const ScenarioResult& result) {
  std::vector<double> times_s;
  for (const auto& point : result.points) {
    if (point.simulated) times_s.push_back(point.simulated->si());
    if (point.simulated && shows_makespans(result)) times_s.push_back(point.run.makespan.si());
    if (point.measured) times_s.push_back(point.measured->si());
    for (const auto& prediction : point.predictions) times_s.push_back(prediction.time.si());
  }
  return times_s;
}

void add_settings(PointTable& table) {
  for (const auto& setting : table.settings)
    if (setting.values.size() > 1)
      table.add("", short_key(setting.key, table.settings), false,
                [&](const PointResult& point) { return Cell{setting_of(point.settings, setting.key)}; });
  if (table.columns.empty())
    table.add("", "layout", false, [](const PointResult& point) { return Cell{point.layout_name}; });
  table.repeated = table.columns.size();
}

/// The only metric there is, and what a paper says of it.
void add_metric(PointTable& table, const std::string& name) {
  const auto played =
      std::ranges::find_if(table.result.points, [](const auto& point) { return !point.metrics.empty(); });
  const std::string unit = played->metrics.front().unit;
  const bool in_table = !unit.empty() && unit != "s" && unit != name;  // times say theirs themselves
  table.add(in_table ? name : "", in_table ? unit : name, true, [](const PointResult& point) {
    return point.metrics.empty() ? Cell{"-", Tint::faint} : Cell{metric_text(point.metrics.front())};
  });
  const auto stated = [](const PointResult& point) {
    return !point.metrics.empty() && point.metrics.front().published.has_value();
  };
  if (!table.any(stated)) return;
  table.add("published", name, true, [stated](const PointResult& point) {
    if (!stated(point)) return Cell{"-", Tint::faint};
    const Metric& metric = point.metrics.front();
    return Cell{metric_text({metric.name, *metric.published, metric.unit})};
  });
  table.add(name + "/published", "error", true, [stated](const PointResult& point) {
    if (!stated(point)) return Cell{"-", Tint::faint};
    const Metric& metric = point.metrics.front();
    return Cell{fmt::format("{:+.1f}%", 100.0 * (metric.value / *metric.published - 1.0))};
  });
}

/// Of the phase or, for an empty name, of the whole run.
std::string with_spread(const PointResult& point, const std::string& phase, const std::string& text,
                        const TimeFormat& time) {
  const RepeatedTime* repeated = point.repeats ? point.repeats->of_phase(phase) : nullptr;
  return repeated == nullptr ? text
                             : fmt::format("{} ({} .. {})", text, time(repeated->low.si()), time(repeated->high.si()));
}

void add_simulated(PointTable& table) {
  const auto& time = table.time;
  const bool repeated = table.any([](const PointResult& point) { return point.repeats.has_value(); });
  const std::string unit = repeated ? fmt::format("{} (5 .. 95 %)", time.unit) : time.unit;
  if (table.any([](const PointResult& point) { return point.simulated || !point.failure.empty(); }))
    table.add(simulated_column(table.result), unit, true, [&](const PointResult& point) {
      if (!point.failure.empty()) return Cell{"failed", Tint::poor};
      return Cell{with_spread(point, point.compared_phase, time(point.simulated), time)};
    });
  if (shows_makespans(table.result))
    table.add("makespan", unit, true, [&](const PointResult& point) {
      if (!point.failure.empty() || !point.simulated) return Cell{"-", Tint::faint};
      return Cell{with_spread(point, "", time(point.run.makespan.si()), time)};
    });
}

void add_times(PointTable& table) {
  const auto& time = table.time;
  const std::string unit = time.unit;
  add_simulated(table);
  if (const auto metric = common_metric(table.result); !metric.empty()) add_metric(table, metric);
  if (table.any([](const PointResult& point) { return point.measured.has_value(); })) {
    table.add("measured", unit, true, [&](const PointResult& point) { return Cell{time(point.measured)}; });
    table.add("simulated/measured", "mu", true, [](const PointResult& point) {
      if (!point.measured || !point.simulated) return Cell{"-", Tint::faint};
      return sided_cell(*point.simulated, *point.measured);
    });
  }
  if (table.any([](const PointResult& point) { return point.published_time_s.has_value(); }))
    table.add("published", unit, true, [&](const PointResult& point) {
      if (!point.published_time_s) return Cell{"-", Tint::faint};
      const auto& spread = point.published_spread;
      return Cell{time(*point.published_time_s) +
                  (spread ? fmt::format(" ({} .. {})", time(spread->least_s), time(spread->most_s)) : "")};
    });
  if (table.any([](const PointResult& point) { return point.published_time_s && point.simulated; }))
    table.add("simulated/published", "error", true, [](const PointResult& point) {
      if (!point.published_time_s || !point.simulated) return Cell{"-", Tint::faint};
      const double published_s = *point.published_time_s;
      return Cell{fmt::format("{:+.1f}%", 100.0 * (point.simulated->si() - published_s) / published_s)};
    });
}

void add_predictions(PointTable& table) {
  for (const auto& label : prediction_labels(table.result)) {
    const auto find = [label](const PointResult& point) -> const Prediction* {
      for (const auto& prediction : point.predictions)
        if (prediction.label() == label) return &prediction;
      return nullptr;
    };
    table.add(label, table.time.unit, true, [&](const PointResult& point) {
      const auto* prediction = find(point);
      return prediction ? Cell{table.time(prediction->time.si())} : Cell{"-", Tint::faint};
    });
    const bool judged = std::ranges::any_of(table.result.points, [&](const PointResult& point) {
      const auto* prediction = find(point);
      return prediction && reference_time(point, *prediction);
    });
    if (!judged) continue;  // 'orrery predict' has nothing to hold a prediction against
    table.add(label, "error", true, [&](const PointResult& point) {
      const auto* prediction = find(point);
      const auto real = prediction ? reference_time(point, *prediction) : std::nullopt;
      return real ? Cell{error_text(relative_error(prediction->time, *real))} : Cell{"-", Tint::faint};
    });
    table.add(label, "mu", true, [&](const PointResult& point) {
      const auto* prediction = find(point);
      if (prediction && prediction->fitted) return Cell{"fitted", Tint::faint};
      const auto real = prediction ? reference_time(point, *prediction) : std::nullopt;
      return real ? mu_cell(proportional_error(prediction->time, *real)) : Cell{"-", Tint::faint};
    });
  }
}

std::string heading(const ScenarioResult& result, const std::vector<SettingValues>& settings, const TableStyle& style) {
  std::string out = bold(wrapped(result.title.empty() ? result.name : result.title, style.width), style.color);
  if (!result.source.empty()) out += wrapped("source: " + result.source, style.width, "  ");
  std::string same;
  for (const auto& setting : settings)
    if (setting.values.size() == 1)
      same += (same.empty() ? "" : ", ") + short_key(setting.key, settings) + " " + setting.values.front();
  if (!same.empty()) out += wrapped("all points: " + same, style.width, "  ");
  if (!result.engine.empty()) out += wrapped("engine: " + result.engine, style.width, "  ");
  if (!result.compute_description.empty())
    out += wrapped("compute model: " + result.compute_description, style.width, "  ");
  if (shows_makespans(result)) {
    const std::string column = simulated_column(result);
    out += wrapped((column == "simulated" ? "simulated: the compared phase" : column + ": this phase") +
                       ", longest over the ranks, summed over iterations; makespan: the whole run",
                   style.width, "  ");
  }
  bool measured = false, simulated = false;
  for (const auto& point : result.points) {
    measured = measured || reference_name(point) == "measured";
    simulated = simulated || reference_name(point) == "simulated";
  }
  const std::string against = measured && simulated ? "the measured time where there is one, else the simulated one"
                              : measured            ? "the measured time"
                                                    : "the simulated time";
  if (!prediction_labels(result).empty() && (measured || simulated))
    out +=
        wrapped("errors are relative to " + against + (predicts_runs(result) ? ", of whole runs to the makespan" : "") +
                    "; mu = max/min of the two times",
                style.width, "  ");
  return out;
}

/// "5", or "1..5" where a model that was fitted to some points averages over the others alone.
std::string averaged_points(const ScenarioResult& result, const Settings& settings) {
  std::set<std::size_t> counts;
  for (const auto& row : result.averages)
    if (row.settings == settings) counts.insert(row.points);
  return counts.size() == 1 ? fmt::format("{}", *counts.begin())
                            : fmt::format("{}..{}", *counts.begin(), *counts.rbegin());
}

std::string averages_table(const ScenarioResult& result, const TableStyle& style) {
  std::vector<Settings> cells;
  std::vector<std::string> labels;
  const auto label_of = [](const AverageRow& row) {
    return row.mode.empty() ? row.model : row.model + " (" + row.mode + ")";
  };
  for (const auto& row : result.averages) {
    if (std::find(cells.begin(), cells.end(), row.settings) == cells.end()) cells.push_back(row.settings);
    if (std::find(labels.begin(), labels.end(), label_of(row)) == labels.end()) labels.push_back(label_of(row));
  }
  std::vector<SettingValues> keys;
  for (const auto& cell : cells)
    for (const auto& pair : cell)
      if (std::none_of(keys.begin(), keys.end(), [&](const auto& known) { return known.key == pair.first; }))
        keys.push_back({pair.first, {}});
  std::vector<Column> columns;
  for (const auto& key : keys) {
    columns.push_back({"", short_key(key.key, keys), false, {}});
    for (const auto& cell : cells) columns.back().cells.push_back({setting_of(cell, key.key)});
  }
  columns.push_back({"", "points", true, {}});
  for (const auto& cell : cells) columns.back().cells.push_back({averaged_points(result, cell)});
  const std::size_t repeated = columns.size();
  for (const auto& label : labels) {
    Column mu{label, "mu", true, {}}, published{label, "published", true, {}};
    for (std::size_t c = 0; c < cells.size(); ++c) {
      mu.cells.push_back({"-", Tint::faint});
      published.cells.push_back({"-", Tint::faint});
      for (const auto& row : result.averages) {
        if (row.settings != cells[c] || label_of(row) != label) continue;
        mu.cells.back() = mu_cell(row.mu);
        if (row.published_mu) published.cells.back() = {fmt::format("{:.2f}", *row.published_mu)};
      }
    }
    const bool any = std::any_of(published.cells.begin(), published.cells.end(),
                                 [](const Cell& cell) { return cell.tint == Tint::plain; });
    columns.push_back(std::move(mu));
    if (any) columns.push_back(std::move(published));
  }
  return bold("Average proportional error mu\n", style.color) + fitted(columns, repeated, style.width, style.color);
}

/// Where load and time went, of a single run: a sweep would repeat it for each point.
std::string sums(const ScenarioResult& result, const TableStyle& style) {
  if (result.points.size() != 1) return {};
  const PointResult& point = result.points.front();
  std::string out;
  if (const auto kinds = kinds_sentence(point.run); !kinds.empty())
    out += wrapped("loads over the run: " + kinds, style.width, "  ");
  if (const auto ranks = ranks_sentence(point.run, point.layout.ranks()); !ranks.empty())
    out += wrapped("ranks over the run: " + ranks, style.width, "  ");
  const CriticalPath& path = point.run.critical_path;
  const PathTotals& totals = path.of_phase(point.compared_phase);
  if (const auto causes = path_sentence(path, totals); !causes.empty())
    out += wrapped("critical path of " + path_subject(totals) + ": " + causes, style.width, "  ");
  return out;
}

std::string closing(const ScenarioResult& result, const TableStyle& style) {
  std::string out = sums(result, style);
  for (const auto& point : result.points)
    if (!point.failure.empty())
      out += wrapped("failed: " + point_label(point) + ": " + point.failure.text(), style.width, "  ");
  for (const auto& note : result.notes) out += wrapped("note: " + note, style.width, "  ");
  for (const auto& note : prediction_notes(result)) out += wrapped("note: " + note, style.width, "  ");
  if (!result.tolerances.empty()) {
    const auto broken = std::ranges::count_if(result.tolerances, &ToleranceCheck::broken);
    const auto kept = static_cast<std::ptrdiff_t>(result.tolerances.size()) - broken;
    out += broken == 0 ? fmt::format("tolerances: {} kept\n", kept)
                       : fmt::format("tolerances: {} kept, {} broken\n", kept, broken);
  }
  for (const auto& broken : result.broken_tolerances) out += wrapped("tolerance broken: " + broken, style.width, "  ");
  const auto sentences = binding_sentences(result);
  if (sentences.size() == 1) {
    const std::string opening = "bottleneck:";  // made bold after wrapping: escapes take no column
    out += bold(opening, style.color) +
           wrapped(opening + " " + sentences.front(), style.width, "  ").substr(opening.size());
  } else if (!sentences.empty()) {
    out += bold("bottlenecks:\n", style.color);
    for (const auto& sentence : sentences) out += wrapped("  " + sentence, style.width, "    ");
  }
  return out.empty() ? out : "\n" + out;
}

}  // namespace

std::string to_text_table(const ScenarioResult& result, const TableStyle& style) {
  const auto settings = setting_values(result);
  std::string out = heading(result, settings, style);
  if (!result.points.empty()) {
    PointTable table{
        result, std::min(style.rows_max, result.points.size()), settings, {}, 0, time_format(all_times(result))};
    add_settings(table);
    add_times(table);
    add_predictions(table);
    const bool crowded = table.rows > rows_wrapped_max && total_width(table.columns) > style.width;
    if (crowded) std::erase_if(table.columns, [](const Column& column) { return column.header == "error"; });
    const bool times = table.columns.size() > table.repeated || metric_table(result, style.width, false).empty();
    if (times) out += "\n" + fitted(table.columns, table.repeated, style.width, style.color);
    if (crowded) out += "relative errors: in table.csv, or on a wider terminal\n";
    if (table.rows < result.points.size())
      out += fmt::format("... and {} more points in table.csv\n", result.points.size() - table.rows);
  }
  if (const auto metrics = metric_table(result, style.width, style.color); !metrics.empty()) out += "\n" + metrics;
  if (const auto jobs = jobs_table(result, style.width, style.color); !jobs.empty()) out += "\n" + jobs;
  if (const auto phases = phases_table(result, style.width, style.color); !phases.empty()) out += "\n" + phases;
  if (const auto faults = what_if_table(result, style.width, style.color); !faults.empty()) out += "\n" + faults;
  if (const auto repeats = repeats_table(result, style.width, style.color); !repeats.empty()) out += "\n" + repeats;
  if (!result.averages.empty()) out += "\n" + averages_table(result, style);
  if (const auto engines = engine_table(result, style.width, style.color); !engines.empty()) out += "\n" + engines;
  const auto collectives = collectives_table(result, style.width, style.color, style.rows_max);
  if (!collectives.empty()) out += "\n" + collectives;
  return out + closing(result, style);
}

}  // namespace orrery::show
