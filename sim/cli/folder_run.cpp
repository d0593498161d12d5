#include "sim/cli/folder_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "sim/cli/run_output.hpp"
#include "sim/cli/typed_command.hpp"
#include "sim/config/parameter_file.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/show/charts/paper_charts.hpp"
#include "sim/show/page/chrome_trace.hpp"
#include "sim/show/page/html.hpp"
#include "sim/show/result/json.hpp"
#include "sim/show/summary/short_labels.hpp"
#include "sim/show/summary/summary.hpp"
#include "sim/show/tables/csv.hpp"
#include "sim/study/store/output_folder.hpp"

namespace orrery::cli {

using namespace study;

namespace {

/// The point whose time line trace.json shows: the first one that finished.
const PointResult* traced_point(const ScenarioResult& result) {
  for (const auto& point : result.points)
    if (!point.run.phases.empty()) return &point;
  return nullptr;
}

/// A changed platform is called by its changes, which no file name need hold whole.
std::string file_name(const std::string& name) {
  std::string safe = name.substr(0, 100);
  for (char& c : safe)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.') c = '-';
  return safe;
}

/// One parameter file for each platform and network; a name that is taken gets a number.
void write_parameters(OutputSet& files, const ScenarioRun& run) {
  std::map<std::pair<std::string, std::string>, std::vector<ModelParameters>> sets_of;
  for (const auto& set : run.parameters) sets_of[{set.platform, set.network}].push_back(set);
  std::set<std::string> names;
  for (const auto& [of, sets] : sets_of) {
    const std::string wanted = fmt::format("parameters-{}-{}", file_name(of.first), of.second);
    std::string name = wanted;
    for (int n = 2; !names.insert(name).second; ++n) name = fmt::format("{}-{}", wanted, n);
    files.write(name + ".yaml", config::parameter_file_text(sets, {parameters_comment}));
  }
}

/// Phases beyond those that any kept interval lies in would be most of a long run's trace.
constexpr std::size_t traced_phases_max = 20'000;

void write_results(OutputSet& files, const ScenarioRun& run, bool full) {
  files.write("result.json", [&](const TextSink& write) { show::write_json(run.result, {.full = full}, write); });
  files.write("table.csv", show::to_csv(run.result));
  if (const std::string collectives = show::collectives_csv(run.result); !collectives.empty())
    files.write("collectives.csv", collectives);
  if (const std::string jobs = show::jobs_csv(run.result); !jobs.empty()) files.write("jobs.csv", jobs);
  files.write("report.html", show::to_html(run.result));
  if (const auto* point = traced_point(run.result)) {
    PointResult traced = *point;
    if (!full && traced.run.phases.size() > traced_phases_max) traced.run.phases.resize(traced_phases_max);
    files.write("trace.json", show::to_chrome_trace(traced));
  }
  write_parameters(files, run);
}

/// The models' choices, or the configurations that ask nobody beside the last model's.
void write_choice_charts(OutputSet& files, ScenarioResult table, bool of_models) {
  std::string last;  // model
  for (const auto& label : show::prediction_labels(table))
    if (!asks_nobody(label)) last = label;
  const auto shown = [&](const Prediction& choice) {
    return of_models ? !asks_nobody(choice.model) : asks_nobody(choice.model) || choice.model == last;
  };
  for (auto& point : table.points) {
    std::erase_if(point.predictions, std::not_fn(shown));
    point.settings.pop_back();  // what is best is no axis
  }
  const auto labels = show::prediction_labels(table);
  auto shorter = show::short_labels(labels);  // "(n-t" of "np-t (n-t extrapolate=true)"
  for (std::size_t k = 0; k < labels.size(); ++k)
    if (!asks_nobody(labels[k]) && shorter[k].starts_with('(')) shorter[k].erase(0, 1);
  for (auto& point : table.points)
    for (auto& choice : point.predictions)
      choice.model = shorter[static_cast<std::size_t>(std::ranges::find(labels, choice.model) - labels.begin())];
  const auto write = [&](const std::string& y, const std::string& name, const std::string& words) {
    const show::paper::ChartChoice choice{
        .y = y, .name = name, .y_name = words, .width = show::paper::double_column, .where = {}, .text = name};
    for (const auto& chart : show::paper::charts_of(table, choice))
      files.write(chart.name + ".svg", show::paper::drawing_svg(show::paper::draw(chart)));
  };
  const std::string which = of_models ? "choices" : "choices-fixed";
  if (labels.empty()) return;
  write("time", which + "-time", "");
  write("error", which + "-epsilon", "epsilon");
  if (of_models) write("delta of " + last, which + "-delta", "delta");
}

void write_choices(OutputSet& files, const ScenarioRun& run, const Scenario& scenario) {
  files.write("choices.csv", show::to_csv(run.choices.table));
  files.write("choices.json", show::to_json(run.choices.table));
  write_choice_charts(files, run.choices.table, true);
  write_choice_charts(files, run.choices.table, false);
  if (const std::string times = times_csv(run.result, scenario); !times.empty())
    files.write("configurations.csv", times);
}

/// What a store has to say, each once.
class Notices {
 public:
  explicit Notices(const ResultStore& store) : store_(store) {}
  void tell() {
    for (; told_ < store_.notices().size(); ++told_) orrery::tell("{}\n", store_.notices()[told_]);
  }

 private:
  const ResultStore& store_;
  std::size_t told_ = 0;
};

}  // namespace

ScenarioResult run_into(const std::string& folder, const Scenario& scenario, const RunOptions& options,
                        const std::string& format, ResultStore& store, Play play) {
  Notices notices(store);
  notices.tell();
  try {
    ScenarioRun played = play(scenario, options, store);
    notices.tell();
    print_result(played.result, format, options.full);  // first: it needs no disk
    const bool chosen = !played.choices.table.points.empty();
    if (chosen && format == "table") say("\n"), print_result(played.choices.table, format);
    OutputSet files(folder);
    write_results(files, played, options.full);
    if (chosen) write_choices(files, played, scenario);
    store.end(played.ids, [&] { files.swap_in(); });
    const auto calls = [](const PointResult& point) { return !point.run.collectives.empty(); };
    const auto jobs = [](const PointResult& point) { return !point.run.jobs.empty(); };
    if (!scenario.changes.empty()) tell("\nchanged by --set: {}", scenario.changes);
    tell("\nreport: {}/report.html  (also result.json, table.csv{}{}{}{}; {:.1f} s)\n", folder,
         std::ranges::any_of(played.result.points, calls) ? ", collectives.csv" : "",
         std::ranges::any_of(played.result.points, jobs) ? ", jobs.csv" : "",
         traced_point(played.result) != nullptr ? ", trace.json" : "",
         played.parameters.empty() ? "" : ", parameters-*.yaml", played.result.wall_s);
    return std::move(played.result);
  } catch (const Stopped&) {
    notices.tell();
    throw;
  }
}

Refusal go_on_later(Refusal kept) {
  kept.remedy = "Go on with:\n  " + typed_command_with("--resume");
  return kept;
}

void tell_how_to_resume(const Stopped& stop, const Scenario& scenario, const ResultStore& store) {
  const Refusal nothing("No point of {} was finished. Run the same command again?", scenario.file);
  const Refusal benchmarks("No point of {} was finished; {} benchmarks of its models are kept in {}", scenario.file,
                           stop.benchmarks, store.file());
  const Refusal points("{} of {} points of {} are kept in {}", stop.finished, stop.points, scenario.file, store.file());
  throw Interrupted(stop.refusal().then(stop.finished > 0     ? go_on_later(points)
                                        : stop.benchmarks > 0 ? go_on_later(benchmarks)
                                                              : nothing));
}

void Verdict::see(const ScenarioResult& result) {
  for (const auto& point : result.points)
    if (!point.failure.empty()) {
      ++failed_;
      tell("{}\n", point.failure.text());
    }
  broken_.insert(broken_.end(), result.broken_tolerances.begin(), result.broken_tolerances.end());
}

void Verdict::conclude(bool check) const {
  for (const auto& sentence : broken_) tell("{}\n", sentence);
  if (failed_ > 0)
    throw ReplayError("{} {} could not finish (see above); the others are in the report", failed_,
                      failed_ == 1 ? "point" : "points");
  if (check && !broken_.empty())
    throw BoundError("{} of the stated tolerances {} broken (see above)", broken_.size(),
                     broken_.size() == 1 ? "is" : "are");
}

}  // namespace orrery::cli
