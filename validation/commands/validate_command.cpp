/// `orrery validate`: a scenario measured on its platform, emulated here, which is calibrated from part of that.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <thread>

#include "sim/cli/command_line.hpp"
#include "sim/cli/pages/calibration_files.hpp"
#include "sim/cli/pages/fit_page.hpp"
#include "sim/cli/run_output.hpp"
#include "sim/config/files.hpp"
#include "sim/config/folders.hpp"
#include "sim/config/parameter_file.hpp"
#include "sim/config/yaml_text.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/show/page/html.hpp"
#include "sim/show/result/json.hpp"
#include "sim/show/tables/csv.hpp"
#include "sim/study/fit/calibrate.hpp"
#include "sim/study/fit/fit_campaign.hpp"
#include "sim/study/judge/validation.hpp"
#include "sim/study/play/run_scenario.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/read/load.hpp"
#include "sim/study/read/point.hpp"
#include "sim/study/store/output_folder.hpp"
#include "validation/commands/campaign.hpp"

namespace orrery::cli::validate_command {

namespace {

namespace fs = std::filesystem;

struct Options {
  std::string scenario, out = "out", campaign;
  int jobs = 0;
};

/// A difference of two measured times may fall below 0 where they scatter; a model takes no time below 0.
std::size_t raise_negative(std::vector<ModelParameters>& sets) {
  std::size_t raised = 0;
  for (auto& set : sets)
    for (auto& table : set.tables)
      for (auto& row : table.rows)
        for (double& value : row)
          if (value < 0.0) {
            value = 0.0;
            ++raised;
          }
  return raised;
}

/// What the campaign says of the platform and of the models, as files beside it.
void calibrate_from(const std::string& folder, const Scenario& scenario, const Platform& platform,
                    const Network& network, const std::vector<Bytes>& sizes, bool measured_here) {
  const std::string csv = folder + "/benchmarks.csv";
  Measured measured = parse_measured_csv(config::read_file(csv), csv);
  const PlatformFit fitted = fit_campaign(platform, network, measured.series, "measured: " + csv,
                                          measured_here ? std::thread::hardware_concurrency() : 0);
  say("{}", fit_text(fitted));
  config::write_into(folder, "platform.yaml", fitted.file_text);
  config::write_into(folder, "calibration.svg", fit_svg(fitted));
  CalibrationRange range{.sizes = sizes, .concurrency = 1};
  for (const auto& type : platform.node_types) range.concurrency = std::max(range.concurrency, type.cores());
  std::vector<const ModelEntry*> entries;
  for (const auto& model : scenario.models)
    if (const auto& entry = models().at(model.name, scenario.file); entry.calibrated()) entries.push_back(&entry);
  if (entries.empty()) return;
  if (add_unmeasurable(measured, plan_of(entries, platform, network, range), platform, network) > 0)
    tell("note: two ranks inside a node of one core cannot be measured: for models they are simulated\n");
  auto sets = fit(entries, platform, network, range, measured);
  if (const std::size_t raised = raise_negative(sets); raised > 0)
    tell("note: {} parameters of models below 0, by scatter of what was measured, were raised to it\n", raised);
  config::write_into(folder, "parameters.yaml", config::parameter_file_text(sets, parameter_comment(sets, range)));
}

/// The scenario on the calibrated platform, with what was measured beside it.
std::string calibrated_scenario(const std::string& file, const std::string& folder) {
  auto document =
      config::read_yaml(file).with("platform", "platform.yaml", "validate").with("measured", "points.csv", "validate");
  if (config::is_there(folder + "/parameters.yaml"))
    document = document.with("calibrate", "{files: [parameters.yaml]}", "validate");
  config::write_into(folder, "compare.yaml", config::yaml_text(document));
  return folder + "/compare.yaml";
}

void write_report(const std::string& folder, const ScenarioRun& run) {
  OutputSet files(folder);
  files.write("result.json", show::to_json(run.result, {.full = false}));
  files.write("table.csv", show::to_csv(run.result));
  files.write("report.html", show::to_html(run.result));
  files.swap_in();
}

int run(const Options& options) {
  const std::string file = data_path("scenarios", options.scenario, "yaml", "orrery validate");
  const Scenario scenario = read_scenario(file, {});
  if (scenario.validate.where.empty())
    throw InputError("{}: no 'validate' (what is to hold). Add 'validate: {{median: 3%, each: 10%}}'?", file);
  const PointSpec first = scenario.points.front();
  const Platform platform = load_platform_named(first.platform.name, first.platform.where, scenario.folder());
  const Network& network = platform.network(first.network, first.network_where);
  require_writable(options.out);
  const std::string folder = options.campaign.empty() ? options.out + "/campaign" : options.campaign;
  const auto sizes = scenario.validate.sizes.empty() ? benchmark_sizes() : scenario.validate.sizes;
  if (options.campaign.empty()) {
    const int code = measure_campaign({.scenario = file,
                                       .folder = folder,
                                       .sizes = sizes,
                                       .repeat = static_cast<int>(scenario.validate.repeat),
                                       .warm_up = 2});
    if (code != 0) return code;
  }
  calibrate_from(folder, scenario, platform, network, sizes, options.campaign.empty());
  const Scenario compared = read_scenario(calibrated_scenario(file, folder), {});
  const ScenarioRun played =
      run_scenario(compared, {.jobs = jobs_of(options.jobs), .repeat = static_cast<unsigned>(scenario.validate.seeds)});
  print_result(played.result, "table");
  write_report(options.out, played);
  say("\n{}", error_table(error_rows(played.result)));
  const auto broken = broken_bounds(played.result, compared.validate, spreads_of(folder + "/points.csv"));
  tell("\nreport: {}/report.html, measured in {}\n", options.out, folder);
  for (const auto& sentence : broken) tell("{}\n", sentence);
  if (!broken.empty())
    throw BoundError("{} of the bounds {} broken (see above)", broken.size(), broken.size() == 1 ? "is" : "are");
  return 0;
}

const bool entered = commands().add({
    .name = "validate",
    .summary = "measure a scenario on its emulated platform; calibrate, predict, simulate and compare",
    .example = "orrery validate emulated-cluster --out out/validate",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.path("SCENARIO", options->scenario, "scenario (file or name) with a 'validate' section");
          line.path("--out", options->out, "folder of the report; measurements go into its campaign/");
          line.path("--campaign", options->campaign, "use this campaign of 'orrery measure' instead of measuring");
          line.option("--jobs", options->jobs, "points to simulate in parallel (0: one per core)");
          line.run([options] { return run(*options); });
        },
});

}  // namespace

}  // namespace orrery::cli::validate_command
