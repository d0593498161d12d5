#include "validation/commands/campaign.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

#include "models/channel/channel_fit.hpp"
#include "sim/config/files.hpp"
#include "sim/config/folders.hpp"
#include "sim/config/yaml_text.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/core/version.hpp"
#include "sim/study/fit/calibrate.hpp"
#include "sim/study/fit/calibration_request.hpp"
#include "sim/study/read/point.hpp"
#include "sim/system/system.hpp"
#include "validation/cluster/cluster.hpp"
#include "validation/cluster/namespace.hpp"
#include "validation/commands/mpi_here.hpp"
#include "validation/mpi/experiments.hpp"
#include "validation/programs/require.hpp"

namespace orrery::cli {

using namespace study;

namespace {

namespace fs = std::filesystem;
constexpr int skipped = 77;

/// The platform and network of the scenario's first point: a campaign is of one cluster.
struct Subject {
  Scenario scenario;
  std::shared_ptr<const Platform> platform;
  const Network* network = nullptr;
  std::uint32_t ranks = 0;
};

/// `real`: ranks compute the results of its points.
Subject subject_of(const std::string& file, bool real = false) {
  Subject subject{.scenario = read_scenario(file, {}), .platform = {}};
  PointLoader loader(subject.scenario.folder(), subject.scenario.engine, subject.scenario.ignore_memory);
  for (const PointSpec& spec : subject.scenario.points) {
    const LoadedPoint point = loader.load(spec);
    if (subject.platform == nullptr) {
      subject.platform = point.platform;
      subject.network = point.network;
    }
    if (point.platform->name != subject.platform->name || point.network->name != subject.network->name)
      throw InputError(
          "{}: points on '{}' and on '{}' (a campaign is of one cluster and one network). "
          "Measure them apart?",
          file, subject.platform->name, point.platform->name);
    subject.ranks = std::max(subject.ranks, point.layout.ranks());
    if (real) programs::require_computable(point.kernel, point.parameters, point.layout.ranks());
  }
  return subject;
}

/// All cores of all nodes, so that ranks are counted along the nodes.
std::uint32_t slots_of(const Platform& platform) {
  std::uint32_t slots = 0;
  for (std::size_t type = 0; type < platform.node_types.size(); ++type)
    slots += platform.node_counts[type] * platform.node_types[type].cores();
  return slots;
}

std::vector<Experiment> plan_for(const Subject& subject, const std::vector<Bytes>& sizes) {
  std::vector<Experiment> plan = channel_plan(*subject.platform, *subject.network, sizes);
  CalibrationRange range{.sizes = sizes, .concurrency = 1};
  for (const auto& type : subject.platform->node_types) range.concurrency = std::max(range.concurrency, type.cores());
  std::vector<std::string> names;
  for (const auto& model : subject.scenario.models) names.push_back(model.name);
  std::vector<const ModelEntry*> measured;
  for (const auto& name : names)
    if (const auto known = models().entries().find(name);
        known != models().entries().end() && known->second.calibrated())
      measured.push_back(&known->second);
  for (auto& experiment : plan_of(measured, *subject.platform, *subject.network, range)) {
    const auto same = std::ranges::find(plan, experiment.id, &Experiment::id);
    if (same == plan.end())
      plan.push_back(std::move(experiment));
    else
      *same = std::move(experiment);  // a model's plan of the ring has more in it
  }
  return plan;
}

std::string beside_program(const std::string& name) {
  return (fs::path(system::program_path()).parent_path() / name).string();
}

/// orrery-mpi's command lines, run in the folder.
std::vector<std::vector<std::string>> commands_of(const MeasureRequest& request, const std::string& program) {
  const std::vector<std::string> often{"--repeat", std::to_string(request.repeat), "--warm-up",
                                       std::to_string(request.warm_up)};
  std::vector<std::vector<std::string>> commands{{program, "--benchmarks", "experiments.txt", "-o", "benchmarks.csv"}};
  if (request.points) commands.push_back({program, request.scenario, "--compute", request.compute, "-o", "points.csv"});
  for (auto& command : commands) command.insert(command.end(), often.begin(), often.end());
  return commands;
}

std::vector<std::string> with_mpirun(std::vector<std::string> command, std::uint32_t ranks) {
  command.insert(command.begin(), {"mpirun", "-n", std::to_string(ranks)});
  return command;
}

void require_success(int code, const std::vector<std::string>& command) {
  if (code == 130) throw Interrupted("interrupted: the campaign is not complete");
  if (code != 0)
    throw ReplayError("measure: '{}' ended with code {}. What does it say above?", fmt::join(command, " "), code);
}

class InFolder {
 public:
  explicit InFolder(const std::string& folder) : before_(config::working_folder()) {
    std::error_code failed;
    fs::current_path(folder, failed);
    if (failed) throw InputError("{}: cannot be entered ({}). Choose another?", folder, failed.message());
  }
  ~InFolder() {
    std::error_code ignored;
    fs::current_path(before_, ignored);
  }
  InFolder(const InFolder&) = delete;
  InFolder& operator=(const InFolder&) = delete;

 private:
  fs::path before_;
};

int run_here(const std::vector<std::string>& command) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const auto& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    system::end_with_parent(SIGTERM);  // what we start ends with us
    ::execvp(words[0], words.data());
    tell("orrery: '{}' cannot be run (is an MPI there?)\n", command.front());
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void measure_on_cluster(const MeasureRequest& request, const Subject& subject) {
  auto plan = cluster::plan_of(*subject.platform, *subject.network);
  plan.name = fmt::format("{}-{}", plan.name, ::getpid());
  const system::Urgent urgent;  // ranks and switch
  const auto up = cluster::up(plan, true);
  const InFolder inside(request.folder);
  int code = 0;
  std::vector<std::string> command;
  for (const auto& one : commands_of(request, beside_program("orrery-mpi"))) {
    command = with_mpirun(one, slots_of(*subject.platform));
    code = cluster::run_on(up, command, beside_program("orrery"));
    if (code != 0) break;
  }
  cluster::down(up);
  require_success(code, command);
}

void measure_here(const MeasureRequest& request, const Subject& subject) {
  const InFolder inside(request.folder);
  for (const auto& one : commands_of(request, beside_program("orrery-mpi"))) {
    const auto command = with_mpirun(one, subject.ranks);
    require_success(run_here(command), command);
  }
}

std::string slurm_job(const MeasureRequest& request, const Subject& subject) {
  std::uint32_t most = 1;
  for (const auto& type : subject.platform->node_types) most = std::max(most, type.cores());
  std::string text = fmt::format(
      "#!/bin/bash\n# Measures {} on {}: send it with 'sbatch job.sh' from this folder, then\n#   orrery measure {} "
      "--out "
      "{} --read\n#SBATCH --job-name=orrery-{}\n#SBATCH --nodes={}\n#SBATCH --ntasks-per-node={}\n#SBATCH --exclusive\n"
      "#SBATCH --output=job.log\nset -euo pipefail\n",
      subject.scenario.name, subject.platform->name, request.scenario, request.folder, subject.scenario.name,
      subject.platform->nodes(), most);
  MeasureRequest inside = request;
  inside.scenario = "scenario.yaml";
  for (const auto& command : commands_of(inside, "orrery-mpi"))
    text += fmt::format("srun {}\n", fmt::join(command, " "));
  return text;
}

std::string first_lines(const std::string& file) {
  std::string text = config::read_file(file), lines;
  for (std::size_t at = 0; at < text.size() && text[at] == '#';) {
    const auto end = std::min(text.find('\n', at), text.size());
    lines += "    " + text.substr(at + 1, end - at - 1) + "\n";
    at = end + 1;
  }
  return lines;
}

}  // namespace

std::vector<Bytes> benchmark_sizes() {
  std::vector<Bytes> sizes;
  for (const double size : {1.0, 256.0, 512.0, 1024.0, 1448.0, 2048.0, 3072.0, 4096.0, 6144.0, 8192.0, 12288.0, 16384.0,
                            24576.0, 32768.0, 49152.0, 65536.0, 98304.0, 131072.0, 262144.0})
    sizes.emplace_back(size);
  return sizes;
}

std::string missing_of(const std::string& folder, bool points) {
  for (const char* file : {"benchmarks.csv", "points.csv"})
    if ((points || std::string(file) == "benchmarks.csv") && !config::is_there(fs::path(folder) / file)) return file;
  return {};
}

void complete_campaign(const MeasureRequest& request) {
  const Subject subject = subject_of(request.scenario);
  const fs::path folder(request.folder);
  std::string readme = fmt::format(
      "# {}\n\nMeasured with orrery {} on {:%Y-%m-%d}, as the platform `{}`, network `{}`: {} points, {} repetitions "
      "each.\n\n",
      subject.scenario.name, version, fmt::gmtime(std::time(nullptr)), subject.platform->name, subject.network->name,
      subject.scenario.points.size(), request.repeat);
  readme += "Micro-benchmarks (`benchmarks.csv`, what to calibrate from):\n\n" +
            first_lines((folder / "benchmarks.csv").string());
  if (request.points) readme += "\nPoints (`points.csv`):\n\n" + first_lines((folder / "points.csv").string());
  readme +=
      "\n    orrery fit . --platform PLATFORM -o fitted.yaml --plots fit.svg\n"
      "    orrery run compare.yaml\n";
  config::write_into(folder.string(), "README.md", readme);
  if (!request.points) return;
  const auto document = config::read_yaml(request.scenario).with("measured", "points.csv", "measure");
  const auto platform = config::absolute_path(subject.platform->file);
  config::write_into(folder.string(), "compare.yaml",
                     config::yaml_text(document.with("platform", '"' + platform.string() + '"', "measure")));
}

int measure_campaign(const MeasureRequest& asked) {
  const Subject subject = subject_of(asked.scenario, asked.points && asked.compute == "real");
  MeasureRequest request = asked;
  request.scenario = config::absolute_path(asked.scenario).string();
  if (request.sizes.empty()) request.sizes = benchmark_sizes();
  const auto plan = plan_for(subject, request.sizes);
  if (request.on == MeasureOn::cluster) {
    cluster::plan_of(*subject.platform, *subject.network);  // refuses what cannot be emulated
    if (const std::string reason = cluster::why_not_permitted(); !reason.empty()) {
      tell("SKIP: {}\n", reason);
      return skipped;
    }
  }
  if (request.on == MeasureOn::here) prepare_mpi_here(subject.ranks);
  std::error_code failed;
  fs::create_directories(request.folder, failed);
  const fs::path folder(request.folder);
  config::write_into(folder.string(), "experiments.txt", mpi::experiments_text(plan));
  config::write_into(folder.string(), "scenario.yaml", config::read_file(request.scenario));
  if (request.on == MeasureOn::slurm) {
    config::write_into(folder.string(), "job.sh", slurm_job(request, subject));
    return 0;
  }
  if (request.on == MeasureOn::cluster)
    measure_on_cluster(request, subject);
  else
    measure_here(request, subject);
  complete_campaign(request);
  return 0;
}

}  // namespace orrery::cli
