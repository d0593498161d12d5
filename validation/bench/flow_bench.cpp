/// How many messages per CPU second the engines play, whole programs included, and in how much memory.
///
///   flow_bench [--case NAME]... [--engine flow|simgrid] [--approximate EPS] [--runs N] [--list]
///
/// Every run is a process of its own. CPU time is that of the run from making the engine to its result (routes,
/// generators, matching, protocol, overheads, sharing, records); memory is the peak of the process beyond what it had
/// before. Prints medians and spread, the table of README.md; a million ranks are played
/// once.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "platforms/layouts.hpp"
#include "sim/core/error.hpp"
#include "sim/engine/engine.hpp"
#include "sim/engine/isolate.hpp"

namespace orrery {

namespace {

/// A number in [0, 1) for each `x`: splitmix64.
double uniform(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

/// 100 us and up to 10 % more, another draw at each step.
class Jitter final : public ComputeModel {
 public:
  std::string description() const override { return "100 us and up to 10 %"; }
  Seconds compute_time(const Compute&, Rank) const override { return Seconds{1.05e-4}; }
  Seconds sampled_time(const Compute&, Rank rank, std::uint64_t step) const override {
    return Seconds{1e-4 * (1.0 + 0.1 * uniform(index(rank) * 1000003u + step))};
  }
};

struct Case {
  std::string name;
  std::uint32_t ranks, per_node = 1;
  Topology topology = StarTopology{};
  std::function<Generator<Step>(Rank)> steps;
  double overhead_s = 5e-7;      ///< of a non-blocking send
  double links_slower_by = 1.0;  ///< than adapters: those between switches
};

Platform cluster(const Case& c) {
  NodeType type;
  type.name = "node";
  type.cores_per_socket = c.per_node;
  type.core_speed = FlopsPerSecond{1e9};
  type.memory_bandwidth = 40_GBps;
  type.copy_bandwidth = 8_GBps;
  type.shared_memory_latency = Seconds{3e-7};
  type.shared_memory.eager = type.shared_memory.detach = 4096_B;
  type.shared_memory.copies = {1, 0};
  type.shared_memory.isend_overhead = type.shared_memory.receive_overhead = PiecewiseLinear(2e-7);
  Network network;
  network.name = "net";
  network.bandwidth = 12.5_GBps;
  network.link_bandwidth = network.bandwidth / c.links_slower_by;
  network.latency = 1_us;
  network.protocol.eager = network.protocol.detach = 65536_B;
  network.protocol.handshake = 1;
  network.protocol.copies = {0, 0};
  network.protocol.isend_overhead = PiecewiseLinear(c.overhead_s);
  network.protocol.receive_overhead = PiecewiseLinear(5e-7);
  network.topology = c.topology;
  Platform platform;
  platform.name = "bench";
  platform.node_types = {type};
  platform.node_counts = {(c.ranks + c.per_node - 1) / c.per_node};
  platform.networks = {network};
  return platform;
}

std::uint32_t number(Rank rank) { return static_cast<std::uint32_t>(rank); }

/// Five-point halo exchange on a torus of width x height ranks.
std::function<Generator<Step>(Rank)> halo(std::uint32_t width, std::uint32_t height, std::uint32_t iterations) {
  return [=](Rank me) -> Generator<Step> {
    const std::uint32_t x = number(me) % width, y = number(me) / width;
    const Rank peers[] = {Rank{(x + 1) % width + y * width}, Rank{(x + width - 1) % width + y * width},
                          Rank{x + (y + 1) % height * width}, Rank{x + (y + height - 1) % height * width}};
    for (std::uint32_t k = 0; k < iterations; ++k) {
      co_yield iteration(k);
      co_yield compute(Work::stencil, Flops{1e5});
      for (std::uint32_t d = 0; d < 4; ++d) co_yield irecv(peers[d], 65536_B, Tag{d ^ 1}, RequestId{d});
      for (std::uint32_t d = 0; d < 4; ++d) co_yield isend(peers[d], 65536_B, Tag{d}, RequestId{4 + d});
      co_yield wait_all();
    }
  };
}

std::function<Generator<Step>(Rank)> pairwise(std::uint32_t ranks, double spread) {
  return [=](Rank me) -> Generator<Step> {
    co_yield compute(Work::generic, Flops{1e5});
    for (std::uint32_t k = 1; k < ranks; ++k) {
      const Rank to{(number(me) + k) % ranks}, from{(number(me) + ranks - k) % ranks};
      const double bytes = 65536.0 * (1.0 + spread * uniform(number(me) * std::uint64_t{ranks} + k));
      const double back = 65536.0 * (1.0 + spread * uniform(number(from) * std::uint64_t{ranks} + k));
      co_yield irecv(from, Bytes{back}, Tag{0}, RequestId{0});
      co_yield isend(to, Bytes{bytes}, Tag{0}, RequestId{1});
      co_yield wait_all();
    }
  };
}

std::function<Generator<Step>(Rank)> linear(std::uint32_t ranks, double spread, double least = 65536.0) {
  return [=](Rank me) -> Generator<Step> {
    for (std::uint32_t k = 1; k < ranks; ++k)
      co_yield irecv(Rank{(number(me) + k) % ranks}, Bytes{least}, Tag{0}, RequestId{k});
    for (std::uint32_t k = 1; k < ranks; ++k) {
      const double bytes = least * (1.0 + spread * uniform(number(me) * std::uint64_t{ranks} + k));
      co_yield isend(Rank{(number(me) + ranks - k) % ranks}, Bytes{bytes}, Tag{0}, RequestId{ranks + k});
    }
    co_yield wait_all();
  };
}

/// Everybody sends once to rank 0, of different sizes.
std::function<Generator<Step>(Rank)> incast(std::uint32_t ranks) {
  return [=](Rank me) -> Generator<Step> {
    if (number(me) > 0) {
      co_yield compute(Work::generic, Flops{1e5});
      co_yield send(Rank{0}, Bytes{65536.0 * (1.0 + 15.0 * uniform(number(me)))}, Tag{0});
    } else {
      for (std::uint32_t k = 1; k < ranks; ++k) co_yield irecv(Rank{k}, Bytes{1048576.0}, Tag{0}, RequestId{k});
      co_yield wait_all();
    }
  };
}

/// Each rank sends `flows` messages of 64 KiB to 1 MiB to random others, `rounds` times, and receives what comes.
std::function<Generator<Step>(Rank)> random_traffic(std::uint32_t ranks, std::uint32_t flows, std::uint32_t rounds) {
  const auto target = [=](std::uint32_t from, std::uint32_t round, std::uint32_t k) {
    const auto drawn =
        static_cast<std::uint32_t>(uniform((std::uint64_t{round} * ranks + from) * flows + k) * (ranks - 1));
    return drawn + (drawn >= from ? 1 : 0);
  };
  std::vector<std::uint32_t> expected(std::size_t{ranks} * rounds, 0);
  for (std::uint32_t round = 0; round < rounds; ++round)
    for (std::uint32_t from = 0; from < ranks; ++from)
      for (std::uint32_t k = 0; k < flows; ++k) ++expected[std::size_t{round} * ranks + target(from, round, k)];
  return [=](Rank me) -> Generator<Step> {
    for (std::uint32_t round = 0; round < rounds; ++round) {
      const std::uint32_t receives = expected[std::size_t{round} * ranks + number(me)];
      for (std::uint32_t k = 0; k < receives; ++k) co_yield irecv(any_rank, 1048576_B, Tag{round}, RequestId{k});
      for (std::uint32_t k = 0; k < flows; ++k) {
        const double bytes = 65536.0 * (1.0 + 15.0 * uniform((number(me) * 8191u + k) * 31u + round));
        co_yield isend(Rank{target(number(me), round, k)}, Bytes{bytes}, Tag{round}, RequestId{receives + k});
      }
      co_yield wait_all();
    }
  };
}

Topology fat_tree(std::uint32_t leaf, std::uint32_t leaves, std::uint32_t spines) {
  return FatTreeTopology{{leaf, leaves}, {1, spines}, {1, 1}};
}

std::vector<Case> cases() {
  std::vector<Case> all;
  all.push_back({"halo-1024-star", 1024, 1, StarTopology{}, halo(32, 32, 100)});
  all.push_back({"halo-1024-16-per-node", 1024, 16, StarTopology{}, halo(32, 32, 100)});
  all.push_back({"halo-1024-fat-tree", 1024, 1, fat_tree(32, 32, 16), halo(32, 32, 100)});
  all.push_back({"halo-64", 64, 1, StarTopology{}, halo(8, 8, 1600)});
  all.push_back({"halo-4096", 4096, 1, StarTopology{}, halo(64, 64, 25)});
  all.push_back({"halo-16384", 16384, 1, StarTopology{}, halo(128, 128, 12)});
  all.push_back({"halo-65536", 65536, 1, StarTopology{}, halo(256, 256, 10)});
  all.push_back({"halo-65536-fat-tree-16", 65536, 16, fat_tree(64, 64, 32), halo(256, 256, 10)});
  all.push_back({"pairwise-1024", 1024, 1, StarTopology{}, pairwise(1024, 0.0)});
  all.push_back({"pairwise-1024-unequal", 1024, 1, StarTopology{}, pairwise(1024, 0.1)});
  all.push_back({"linear-1024-at-once", 1024, 1, StarTopology{}, linear(1024, 0.0), 0.0});
  all.push_back({"linear-1024-by-overhead", 1024, 1, StarTopology{}, linear(1024, 0.0)});
  all.push_back({"linear-256-unequal", 256, 1, StarTopology{}, linear(256, 0.1)});
  all.push_back({"linear-64-torus", 64, 1, TorusTopology{{4, 4, 4}}, linear(64, 0.0, 8388608.0), 5e-7, 6.0});
  all.push_back({"linear-216-torus", 216, 1, TorusTopology{{6, 6, 6}}, linear(216, 0.0, 8388608.0), 5e-7, 6.0});
  all.push_back({"linear-512-torus", 512, 1, TorusTopology{{8, 8, 8}}, linear(512, 0.0, 8388608.0), 5e-7, 6.0});
  all.push_back({"incast-1024", 1024, 1, StarTopology{}, incast(1024)});
  all.push_back({"incast-65536", 65536, 1, StarTopology{}, incast(65536)});
  all.push_back({"random-1024-4", 1024, 1, StarTopology{}, random_traffic(1024, 4, 20)});
  all.push_back({"random-1024-8", 1024, 1, StarTopology{}, random_traffic(1024, 8, 10)});
  all.push_back({"halo-1048576", 1048576, 1, StarTopology{}, halo(1024, 1024, 10)});
  return all;
}

constexpr std::uint32_t once_from = 1000000;  // ranks from which a case is played once: it takes minutes

struct Sample {
  double cpu = 0.0, simulated = 0.0;
  std::uint64_t messages = 0;
  long peak_kib = 0;
};

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

long peak_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

Sample run(const Case& c, const std::string& engine, const ReplayOptions& options) {
  const std::string bytes = engine::run_isolated(c.name, [&] {
    const long before = peak_kib();
    const double began = cpu_seconds();
    const Platform platform = cluster(c);
    const Layout layout = spread_layout(platform, {c.ranks, c.per_node}, "bench");
    const FunctionProgram program(c.name, c.ranks, c.steps);
    const Jitter jitter;
    const ReplayInput input{&program, &platform, &platform.networks.front(), &layout, &jitter, options};
    const RunResult result = make_engine(engine, "bench")->replay(input);
    const Sample sample{cpu_seconds() - began, result.makespan.si(), result.messages, peak_kib() - before};
    return std::string(reinterpret_cast<const char*>(&sample), sizeof sample);
  });
  Sample sample;
  std::memcpy(&sample, bytes.data(), sizeof sample);
  return sample;
}

void print_row(const Case& c, const std::string& engine, std::vector<Sample> samples) {
  std::ranges::sort(samples, {}, &Sample::cpu);
  const Sample& median = samples[samples.size() / 2];
  const auto per_second = [](const Sample& s) { return static_cast<double>(s.messages) / s.cpu; };
  fmt::print("| {} | {} | {} | {:.6g} | {:.3f} ({:.3f}..{:.3f}) | {:.0f} | {:.0f} | {:.2f} |\n", c.name, engine,
             median.messages, median.simulated, median.cpu, samples.front().cpu, samples.back().cpu,
             1e9 / per_second(median), per_second(median) / 1e3, static_cast<double>(median.peak_kib) / c.ranks);
  std::fflush(stdout);
}

double number_above_zero(const std::string& word, const char* option, const char* example) {
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (*end != '\0' || !(value > 0.0 && value < 1e6))
    throw InputError("flow_bench: {} {} (a number above 0). Write '{} {}'?", option, word, option, example);
  return value;
}

int main_of(const std::vector<std::string>& words) {
  std::vector<std::string> wanted;
  std::string engine = "flow";
  std::size_t runs = 3;
  ReplayOptions options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool more = i + 1 < words.size();
    if (words[i] == "--case" && more)
      wanted.push_back(words[++i]);
    else if (words[i] == "--engine" && more)
      engine = words[++i];
    else if (words[i] == "--runs" && more)
      runs = static_cast<std::size_t>(std::max(1.0, number_above_zero(words[++i], "--runs", "5")));
    else if (words[i] == "--approximate" && more)
      options.approximate = number_above_zero(words[++i], "--approximate", "0.01");
    else if (words[i] == "--critical-path")
      options.critical_path = true;
    else if (words[i] == "--list") {
      for (const Case& c : cases()) fmt::print("{}\n", c.name);
      return 0;
    } else {
      throw InputError(
          "flow_bench: '{}' (known: --case NAME, --engine NAME, --approximate EPS, --critical-path, --runs N, --list)",
          words[i]);
    }
  }
  const std::vector<Case> all = cases();
  for (const std::string& name : wanted)
    if (std::ranges::find(all, name, &Case::name) == all.end())
      throw InputError("flow_bench: --case {} (no such case). Choose from those of --list?", name);
  fmt::print(
      "| case | engine | messages | simulated s | CPU s (least..most) | ns per message | 1000 messages/s | KiB per "
      "rank |\n");
  fmt::print("|---|---|---|---|---|---|---|---|\n");
  for (const Case& c : all) {
    if (!wanted.empty() && std::ranges::find(wanted, c.name) == wanted.end()) continue;
    std::vector<Sample> samples;
    samples.resize(c.ranks < once_from ? runs : 1);
    for (Sample& sample : samples) sample = run(c, engine, options);
    print_row(c, engine, std::move(samples));
  }
  return 0;
}

}  // namespace

}  // namespace orrery

int main(int count, char** words) {
  try {
    return orrery::main_of({words + 1, words + count});
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
