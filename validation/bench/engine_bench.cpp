/// Both engines beside `smpirun -replay`: same program, platform and semantics; simulated and wall-clock times.
///
///   engine_bench [--runs N] [--ranks 64,1024] [--iterations T] [--keep FOLDER]
///
/// Program: wave2d on an even grid, one rank per node of a star, no overheads, no copies; with and without a compute
/// step that differs between ranks (ranks then drift apart). Prints the table of README.md: medians and spread of N
/// runs, taken in turns. Every run is a process of its own. SMPI's time is what it says its simulation took, ours that
/// of `replay`, so that nobody pays for setting up.
#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "kernels/grid.hpp"
#include "kernels/kernel.hpp"
#include "models/stats/sample.hpp"
#include "platforms/layouts.hpp"
#include "sim/core/error.hpp"
#include "sim/core/trace_of.hpp"
#include "sim/engine/engine.hpp"
#include "sim/engine/isolate.hpp"
#include "sim/engine/wire_format.hpp"
#include "sim/study/play/smpi_export.hpp"

namespace orrery {

namespace {

struct Options {
  int runs = 5;
  std::vector<std::uint32_t> ranks = {64, 1024};
  std::uint32_t iterations = 20;
  std::filesystem::path folder = "/tmp/orrery-engine-bench";
};

/// Ranks differ by up to 10 % when they drift; nobody computes otherwise.
class Jitter final : public ComputeModel {
 public:
  explicit Jitter(bool drift) : drift_(drift) {}
  std::string description() const override { return "100 us and up to 10 %, by rank"; }
  Seconds compute_time(const Compute&, Rank rank) const override {
    if (!drift_) return Seconds{1e-4};
    return Seconds{1e-4 * (1.0 + 0.1 * static_cast<double>((index(rank) * 2654435761u) % 1000u) / 1000.0)};
  }

 private:
  bool drift_;
};

Platform star(std::uint32_t nodes) {
  NodeType type;
  type.name = "node";
  type.core_speed = FlopsPerSecond{1e9};
  type.memory_bandwidth = 20_GBps;
  type.copy_bandwidth = 8_GBps;
  type.shared_memory_latency = 1_us;
  Network network;
  network.name = "net";
  network.bandwidth = 12.5_GBps;
  network.latency = 2_us;
  network.protocol.eager = network.protocol.detach = 65536_B;
  network.protocol.handshake = 0;
  network.protocol.copies = {0, 0};
  Platform platform;
  platform.name = "star";
  platform.node_types = {type};
  platform.node_counts = {nodes};
  platform.networks = {network};
  return platform;
}

struct Case {
  std::uint32_t ranks;
  bool drift;
  std::uint32_t points;  ///< edge of the mesh
  Platform platform;
  Layout layout;
  std::unique_ptr<Program> program;
};

Partition even(std::uint32_t side, std::uint32_t points) {
  Partition partition{points, points, {}};
  const std::uint32_t width = points / side;
  for (std::uint32_t r = 0; r < side * side; ++r)
    partition.rectangles.push_back({(r % side) * width, (r / side) * width, width, width});
  return partition;
}

Case make_case(std::uint32_t ranks, bool drift, const Options& options) {
  const auto side = static_cast<std::uint32_t>(std::lround(std::sqrt(ranks)));
  Case result{ranks, drift, 2048 * side, star(ranks), {}, nullptr};  // halos of 16 KiB
  result.layout = spread_layout(result.platform, {ranks, 1}, "bench");
  const KernelEntry& entry = kernels().at("wave2d", "bench");
  Parameters parameters(entry.parameters);
  parameters.set("points", std::to_string(result.points), "bench");
  parameters.set("iterations", std::to_string(options.iterations), "bench");
  parameters.set("barrier", "none", "bench");  // SMPI has no barrier without cost
  result.program = entry.make({parameters, ranks, std::make_shared<Partition>(even(side, result.points))});
  return result;
}

struct Sample {
  double simulated = 0.0, wall = 0.0;
  std::uint64_t messages = 0;
};

Sample ours(const Case& c, const std::string& engine) {
  const Jitter compute(c.drift);
  const std::string bytes = engine::run_isolated("bench", [&] {
    ReplayInput input{c.program.get(), &c.platform, &c.platform.networks.front(), &c.layout, &compute, {}};
    input.options.load_bins = 0;
    input.options.intervals_max = 0;
    return engine::to_bytes(make_engine(engine, "engine_bench")->replay(input));
  });
  const RunResult result = engine::from_bytes(bytes);
  return {result.makespan.si(), result.wall_s, result.messages};
}

/// Runs a shell command; its output and its wall-clock time.
std::pair<std::string, double> shell(const std::string& command) {
  const auto begin = std::chrono::steady_clock::now();
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw Skipped("bench: cannot run '{}'", command);
  std::string output;
  char buffer[4096];
  while (const std::size_t n = fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, n);
  const int status = pclose(pipe);
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (status != 0) throw Skipped("bench: '{}' failed:\n{}", command, output);
  return {output, wall};
}

Sample smpi(const Case& c, const std::filesystem::path& folder) {
  const std::string command = fmt::format(
      "smpirun -no-privatize -np {0} -platform {1}/platform.xml -hostfile {1}/hostfile.txt {2} "
      "--cfg=network/optim:Lazy --cfg=smpi/display-timing:yes --log=root.fmt:%m%n -replay {1}/index.txt",  // its faster
      c.ranks, folder.string(), study::smpi_options(c.platform.networks.front()));
  const auto [output, wall] = shell(command);
  const auto at = output.find("Simulated time: ");
  if (at == std::string::npos) throw Skipped("bench: no simulated time in smpirun's output:\n{}", output);
  Sample sample{std::stod(output.substr(at + 16)), wall, 0};
  const auto took = output.find("The simulation took ");
  if (took != std::string::npos) sample.wall = std::stod(output.substr(took + 20));
  return sample;
}

struct Spread {
  double median, least, most;
};
Spread spread(const std::vector<double>& values) {
  return {stats::median(values), std::ranges::min(values), std::ranges::max(values)};
}

void run_case(const Case& c, const Options& options) {
  const auto folder = options.folder / fmt::format("{}-{}", c.ranks, c.drift ? "drift" : "step");
  study::write_smpi_export(folder.string(), trace_of(*c.program, Jitter(c.drift), "engine_bench"), c.layout, c.platform,
                           c.platform.networks.front());
  std::vector<double> walls[3];
  Sample last[3];
  for (int i = 0; i < options.runs; ++i) {  // in turns, so that all see the same disturbances
    last[0] = ours(c, "flow");
    last[1] = ours(c, "simgrid");
    last[2] = smpi(c, folder);
    for (int k = 0; k < 3; ++k) walls[k].push_back(last[k].wall);
  }
  const Spread flow = spread(walls[0]), simgrid = spread(walls[1]), smpirun = spread(walls[2]);
  const auto seconds = [](const Spread& s) {
    return fmt::format("{:.4f} ({:.4f}..{:.4f})", s.median, s.least, s.most);
  };
  const auto apart = [](const Sample& a, const Sample& b) { return std::abs(a.simulated / b.simulated - 1.0); };
  fmt::print("| {} | {} | {} | {:.9g} | {:.1e} | {:.1e} | {} | {} | {} | {:.0f} | {:.0f} |\n", c.ranks,
             c.drift ? "10 %" : "none", last[0].messages, last[0].simulated, apart(last[0], last[1]),
             apart(last[0], last[2]), seconds(flow), seconds(simgrid), seconds(smpirun), simgrid.median / flow.median,
             smpirun.median / flow.median);
  std::fflush(stdout);
}

int bench(const Options& options) {
  fmt::print(
      "| ranks | drift | messages | simulated s | flow to simgrid | flow to smpi | wall s flow | simgrid | smpirun | "
      "simgrid / flow | smpirun / flow |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const std::uint32_t ranks : options.ranks)
    for (const bool drift : {false, true}) run_case(make_case(ranks, drift, options), options);
  return 0;
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i], value = argv[i + 1];
    if (name == "--runs") options.runs = std::stoi(value);
    if (name == "--iterations") options.iterations = static_cast<std::uint32_t>(std::stoul(value));
    if (name == "--keep") options.folder = value;
    if (name == "--ranks") {
      options.ranks.clear();
      std::stringstream list(value);
      for (std::string item; std::getline(list, item, ',');)
        options.ranks.push_back(static_cast<std::uint32_t>(std::stoul(item)));
    }
  }
  return options;
}

}  // namespace

}  // namespace orrery

int main(int argc, char** argv) {
  try {
    return orrery::bench(orrery::parse(argc, argv));
  } catch (const orrery::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return error.exit_code();
  }
}
