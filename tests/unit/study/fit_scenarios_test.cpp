// Parameters of a platform are found again in times that were simulated with them.
#include "sim/study/fit/fit_scenarios.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "platforms/loader.hpp"
#include "sim/cli/pages/fit_page.hpp"
#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::study;
using test::near;

namespace {

namespace fs = std::filesystem;

constexpr const char* platform_text = R"(name: four
source: "a test"
node-types:
  node:
    assumed: "a test"
    count: 4
    sockets: 1
    cores-per-socket: 2
    core-speed: 5 Gflop/s
    memory: 4GiB
    memory-bandwidth: 50GB/s
    copy-bandwidth: 4GB/s
    local-work: {reduction: 4GB/s, cache: 1MiB, cached-reduction: 8GB/s, fresh-memory: 8GB/s}
    shared-memory: {latency: 1us, send-overhead: 1us, receive-overhead: 1us, eager: 64KiB, handshake: 1, copies: [1, 1]}
networks:
  wire:
    bandwidth: 10GB/s
    latency: 2us
    protocol:
      assumed: "a test"
      send-overhead: [{from: 0B, time: 0.5us}, {from: 8191B, time: 1.5us}, {from: 8KiB, time: 0.5us}]
      receive-overhead: 0.4us
      eager: 8KiB
      handshake: 2
      copies: [0, 0]
    topology: {kind: star}
)";

constexpr const char* scenario_text = R"(source: "a test"
platform: four.yaml
network: wire
engine: flow
layout: {ranks: 4, per-node: 1}
kernel: {name: collective, operation: allreduce, element: 4B}
sweep: {kernel.algorithm: [rdb, lr], kernel.message: [64B, 4KiB, 64KiB, 512KiB, 8MiB]}
)";

constexpr const char* gpu_platform_text = R"(name: g
source: "a test"
node-types:
  node:
    assumed: "a test"
    count: 2
    sockets: 1
    cores-per-socket: 4
    core-speed: 5 Gflop/s
    memory: 4GiB
    memory-bandwidth: 50GB/s
    copy-bandwidth: 4GB/s
    shared-memory: {latency: 1us, send-overhead: 1us, receive-overhead: 1us, eager: 64KiB, handshake: 1, copies: [1, 1]}
    gpus: [{count: 4, model: G, speed: 1Tflop/s, memory: 6GB, memory-bandwidth: 1TB/s, link-bandwidth: 10GB/s, link-latency: 1us}]
    fabric: [{link: nvlink, between: [gpus, nvswitch], bandwidth: 100GB/s, latency: 0.2us}]
    gpu-messages: {latency: 1us, send-overhead: 1us, receive-overhead: 1us, eager: 4KiB, handshake: 1, copies: [0, 0], wire-efficiency: 0.8, hop-latency: {simple: 1us}}
networks:
  wire:
    assumed: "a test"
    bandwidth: 10GB/s
    latency: 1us
    topology: {kind: star}
    protocol: {send-overhead: 1us, receive-overhead: 1us, eager: 12KiB, handshake: 1, copies: [0, 0]}
)";
constexpr const char* gpu_scenario_text = R"(source: "a test"
platform: g.yaml
network: wire
engine: flow
layout: {gpus: 4, ranks: 4}
kernel: {name: collective, operation: allreduce, element: 4B, algorithm: nccl_ring}
sweep: {kernel.message: [64MiB, 256MiB]}
)";

class Folder {
 public:
  Folder() { fs::create_directories(path_); }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { config::write_file(file(name), text); }

 private:
  fs::path path_ = fs::temp_directory_path() / fmt::format("orrery-fit-scenarios-{}", ::getpid());
};

/// Files of a machine and of what was measured on it: simulated with other parameters than its platform says.
class Measured : public Folder {
 public:
  explicit Measured(const std::map<std::string, double>& really) {
    write("four.yaml", platform_text);
    write("guess.csv", "kernel.algorithm,kernel.message,time_s\nrdb,*,1\nlr,*,1\n");
    write("rows.yaml", scenario_text + std::string("measured: guess.csv\n"));
    auto rows = read_measured({file("rows.yaml")}, "", "");
    const auto document = changed_platform(rows.platform_file, rows.platform);
    const Platform platform = load_platform(document, rows.platform_file);
    FittedMachine machine{&platform, &platform.network("wire", "test"), &platform.node_types[0]};
    see_points(rows, platform, *machine.network);
    std::vector<const PlatformParameter*> parameters;
    std::vector<double> values;
    std::vector<std::size_t> all;
    for (const auto& [name, value] : really) {
      parameters.push_back(&platform_parameter(name, "test"));
      values.push_back(value);
    }
    for (std::size_t p = 0; p < rows.points.size(); ++p) all.push_back(p);
    MeasuredSimulator simulator(rows, document, machine, parameters, 1);
    const auto times = simulator.times(all, values);
    std::string csv = "kernel.algorithm,kernel.message,time_s\n";
    for (const std::size_t p : all)
      csv += fmt::format("{},{},{:.12g}\n", rows.points[p].spec.flat.at("kernel.algorithm"),
                         rows.points[p].spec.flat.at("kernel.message"), times[p].si());
    write("times.csv", csv);
    write("rows.yaml", scenario_text + std::string("measured: times.csv\n"));
  }
};

const FittedParameter& of(const PlatformFit& fit, const std::string& name) {
  const auto found = std::ranges::find(fit.parameters, name, &FittedParameter::name);
  REQUIRE(found != fit.parameters.end());
  return *found;
}

void refuses(const ScenarioFitRequest& request, const std::string& message) {
  CHECK_THROWS_WITH_AS(fit_scenarios(request), message.c_str(), InputError);
}

}  // namespace

TEST_SUITE("app/fit scenarios") {
  TEST_CASE("Parameters of a machine are found again in times that were simulated with them") {
    const Measured machine({{"latency", 1.3e-6}, {"wire-efficiency", 0.7}, {"reduction", 7e9}});
    const auto fit = fit_scenarios({.scenarios = {machine.file("rows.yaml")},
                                    .parameters = {"latency", "wire-efficiency", "reduction"},
                                    .hold_out = "20%"});
    CHECK(fit.search->error < 0.01);
    CHECK(fit.search->error < 0.1 * fit.search->error_before);
    // To the last steps of the search.
    CHECK(*of(fit, "latency").fitted_si == near(1.3e-6, 0.08));
    CHECK(*of(fit, "wire-efficiency").fitted_si == near(0.7, 0.04));
    CHECK(*of(fit, "reduction").fitted_si == near(7e9, 0.08));
    CHECK(std::ranges::count(fit.points, true, &FittedPoint::held_out) == 2);
    const std::string text = cli::fit_text(fit);
    CHECK(text.find("latency                        2 us") != std::string::npos);
    CHECK(text.find("held out                           2") != std::string::npos);
    // What is written is a platform, with the points as the source of what was found.
    machine.write("fitted.yaml", fit.file_text);
    const Platform fitted = load_platform(machine.file("fitted.yaml"));
    const Network& wire = fitted.network("wire", "test");
    CHECK(wire.latency == near(Seconds(*of(fit, "latency").fitted_si), 1e-3));
    CHECK(wire.protocol.send_overhead(Bytes{}) == near(0.5e-6));
    CHECK(fit.file_text.find("source: \"fitted to 8 points of ") != std::string::npos);
  }

  TEST_CASE("A parameter that no point depends on stays what it was and is said to") {
    const Measured machine({{"latency", 1.3e-6}});
    const auto fit =
        fit_scenarios({.scenarios = {machine.file("rows.yaml")}, .parameters = {"latency", "copy-bandwidth"}});
    CHECK(*of(fit, "latency").fitted_si == near(1.3e-6, 0.04));
    CHECK_FALSE(of(fit, "copy-bandwidth").used);
    CHECK(*of(fit, "copy-bandwidth").fitted_si == 4e9);
    CHECK(
        cli::fit_text(fit).find(
            "copy-bandwidth               4 GB/s       4 GB/s              -              -   no point depends on it: "
            "stays\n") != std::string::npos);
    CHECK(fit.notes == std::vector<std::string>{"not searched for, as no point depends on them: copy-bandwidth"});
    refuses({.scenarios = {machine.file("rows.yaml")}, .parameters = {"copy-bandwidth", "inside-latency"}},
            "--parameters: no point depends on copy-bandwidth, inside-latency (what its messages and its work do not "
            "meet cannot be fitted). Name others: 'orrery fit --list' has all?");
    CHECK(fit.file_text.find("copy-bandwidth: 4GB/s") != std::string::npos);
  }

  TEST_CASE("Parameters of GPUs are found again and those of MPI are left out where NCCL's kernels send alone") {
    Folder folder;
    folder.write("g.yaml", gpu_platform_text);
    folder.write("rows.yaml", gpu_scenario_text + std::string("measured: times.csv\n"));
    // A ring of four: 2 p - 2 hops of m / p each, p channels; 6 / 4 m over a link of 0.5 * 100 GB/s.
    folder.write("times.csv", "kernel.message,time_s\n64MiB,2.0238e-3\n256MiB,8.0637e-3\n");
    const auto fit = fit_scenarios({.scenarios = {folder.file("rows.yaml")}});
    CHECK(*of(fit, "gpu-wire-efficiency").fitted_si == near(0.5, 0.02));
    CHECK(of(fit, "gpu-wire-efficiency").used);
    CHECK_FALSE(of(fit, "latency").used);
    CHECK_FALSE(of(fit, "send-overhead").used);
    REQUIRE(fit.notes.size() == 1);
    CHECK(
        fit.notes[0].starts_with("not searched for, as no point depends on them (all messages are of GPUs: over "
                                 "their links, or by NCCL's kernels): latency, "));
    CHECK(fit.file_text.find("wire-efficiency: {value: 0.") != std::string::npos);
    refuses({.scenarios = {folder.file("rows.yaml")}, .parameters = {"gpu-hop-ll"}},
            "--parameters: node type 'node' of 'g' has no gpu-hop-ll (a parameter is searched for from a value on). "
            "Write 'gpu-hop-ll=0.6us'?");
  }

  TEST_CASE("Work in caches is never fitted slower than outside of them and the table says so") {
    const Measured machine({{"reduction", 4e9}, {"cached-reduction", 2e9}});
    const auto fit =
        fit_scenarios({.scenarios = {machine.file("rows.yaml")}, .parameters = {"reduction", "cached-reduction"}});
    CHECK(of(fit, "cached-reduction").held_by == "reduction");
    CHECK(*of(fit, "cached-reduction").fitted_si == *of(fit, "reduction").fitted_si);
    CHECK(of(fit, "reduction").held_by.empty());
    CHECK(cli::fit_text(fit).find("limited by 'reduction' (its lower bound)\n") != std::string::npos);
  }

  TEST_CASE("Parameters that the points do not tell apart are named with what would") {
    const Measured machine({{"latency", 1.3e-6}, {"wire-efficiency", 0.7}});
    const auto fit = fit_scenarios(
        {.scenarios = {machine.file("rows.yaml")}, .parameters = {"latency", "bandwidth", "wire-efficiency"}});
    REQUIRE(fit.search->alike.size() == 1);
    CHECK(fit.search->alike[0].one->name == "bandwidth");
    CHECK(fit.search->alike[0].other->name == "wire-efficiency");
    CHECK(fit.search->alike[0].alike == near(1.0, 1e-3));  // long messages tell their product
    const std::string text = cli::fit_text(fit);
    CHECK(text.find("bandwidth and wire-efficiency change the points alike (cosine 1.00)") != std::string::npos);
    CHECK(
        text.find("  Measure a ping-pong of long messages, several ranks to a node for the first, a ping-pong of long "
                  "messages for the second.\n") != std::string::npos);
  }

  TEST_CASE("A fit of parameters to scenarios refuses what it cannot be asked") {
    const Measured machine({{"latency", 1.3e-6}});
    const std::string rows = machine.file("rows.yaml");
    refuses(
        {.scenarios = {rows}, .parameters = {"latensy"}},
        "--parameters: unknown parameter 'latensy' (known: bandwidth, bandwidth-factor, cached-copy, cached-reduction, "
        "copy, "
        "copy-bandwidth, count, datatype, datatype-block, fresh-memory, gpu-hop-ll, gpu-hop-ll128, gpu-hop-simple, "
        "gpu-wire-efficiency, heap-memory, hop-gap, hop-rendezvous, inside-latency, "
        "inside-receive-overhead, "
        "inside-send-overhead, "
        "latency, latency-factor, link-latency, memory-bandwidth, message-rate, multicast-efficiency, multicast-latency, "
        "multicast-staging, pair-bandwidth, receive-copy, "
        "receive-overhead, reduction, registration, "
        "rendezvous-overhead, send-copy, send-overhead, start-skew, wire-efficiency). Did you mean 'latency'?");
    refuses({.scenarios = {rows}, .parameters = {"pair-bandwidth"}},
            "--parameters: network 'wire' of 'four' has no pair-bandwidth (a parameter is searched for from a value "
            "on). Write "
            "'pair-bandwidth=25GB/s'?");
    refuses({.scenarios = {rows}, .parameters = {"copy"}},
            "--parameters: node type 'node' of 'four' has no copy (a parameter is searched for from a value on). Write "
            "'copy=10GB/s'?");
    refuses({.scenarios = {rows}, .parameters = {"start-skew"}},
            "--parameters: platform 'four' has no start-skew (a parameter is searched for from a value on). Write "
            "'start-skew=2us'?");
    refuses({.scenarios = {rows}, .parameters = {"latency=3"}},
            "--parameters: 'latency' is '3' without a unit (ns, us, ms, s, min, h). Write '3us'?");
    refuses({.scenarios = {rows}, .parameters = {"latency=3s"}},
            "--parameters: 'latency' is '3s', outside 10 ns..100 ms. Begin inside?");
    refuses({.scenarios = {rows}, .hold_out = "all"},
            "--hold-out: 'all' is no share and no number of points. Write '20%' or '5'?");
    refuses({.scenarios = {rows}, .hold_out = "100%"},
            "--hold-out: 10 of 10 points leave none to fit to (at least 1). Hold out fewer?");
    machine.write("bare.yaml", scenario_text);
    refuses({.scenarios = {machine.file("bare.yaml")}},
            machine.file("bare.yaml") +
                ": no measured times (parameters are fitted to them). Name them: 'measured: points.csv'?");
    machine.write("zero.csv", "kernel.algorithm,kernel.message,time_s\nrdb,64B,0\n");
    machine.write("zero.yaml", scenario_text + std::string("measured: zero.csv\n"));
    refuses({.scenarios = {machine.file("zero.yaml")}},
            machine.file("zero.csv") +
                ":2: a measured time of 0 s (a fit compares ratios: 1e-12 s or more). Leave the row out?");
    machine.write("zero.csv", "kernel.algorithm,kernel.message,time_s\nrdb,64B,1e-320\n");
    refuses({.scenarios = {machine.file("zero.yaml")}},
            machine.file("zero.csv") +
                ":2: a measured time of 1e-320 s (a fit compares ratios: 1e-12 s or more). Leave the row out?");
    machine.write("alone.yaml",
                  "source: a test\nplatform: four.yaml\nnetwork: wire\nengine: flow\nlayout: {ranks: 1}\n"
                  "kernel: {name: collective, operation: allreduce}\nmeasured: alone.csv\n");
    machine.write("alone.csv", "time_s\n1e-5\n");
    refuses({.scenarios = {machine.file("alone.yaml")}},
            "--parameters: no point depends on latency, wire-efficiency, send-overhead, receive-overhead, send-copy, "
            "rendezvous-overhead, reduction, cached-reduction, fresh-memory, inside-latency, inside-send-overhead, "
            "inside-receive-overhead, copy-bandwidth, memory-bandwidth (what its messages and its work do not meet cannot "
            "be fitted). Name others: 'orrery fit --list' has all?");
    machine.write("none.csv", "kernel.algorithm,kernel.message,time_s\nrdb,65B,1\n");
    machine.write("none.yaml", scenario_text + std::string("measured: none.csv\n"));
    refuses({.scenarios = {machine.file("none.yaml")}},
            machine.file("none.csv") +
                ":2: 'kernel.message' is '65B', which no point has (points have 64B, 4KiB, 64KiB, 512KiB, 8MiB). "
                "Correct it, or add it to the sweep?");
    machine.write("none.csv", "kernel.algorithm,kernel.message,phase,time_s\nrdb,64B,synchronisation,1e-5\n");
    refuses(
        {.scenarios = {machine.file("none.yaml")}},
        machine.file("none.yaml") +
            ": 'none.csv' has no time of the compared phase or the run for any of the 10 points (a fit is to these). "
            "Are its times of another phase?");
    machine.write("other.yaml",
                  "source: a test\nplatform: lab\nnetwork: ethernet\nengine: flow\nlayout: {ranks: 4}\n"
                  "kernel: {name: barrier}\nmeasured: other.csv\n");
    machine.write("other.csv", "time_s\n1\n");
    refuses({.scenarios = {rows, machine.file("other.yaml")}},
            machine.file("other.yaml") +
                ": a point on 'lab', network 'ethernet', beside others on 'four.yaml', network 'wire' (parameters are "
                "those "
                "of one platform and one network). Fit them apart?");
  }

  TEST_CASE("A fit that is told to stop is interrupted") {
    const Measured machine({{"latency", 1.3e-6}});
    CHECK_THROWS_AS(fit_scenarios({.scenarios = {machine.file("rows.yaml")}, .keep_going = [] { return false; }}),
                    Interrupted);
  }

  TEST_CASE("A fit is interrupted where all of its points are remembered too") {
    const Measured machine({{"latency", 1.3e-6}});
    int asked = 0;
    const ScenarioFitRequest request{.scenarios = {machine.file("rows.yaml")},
                                     .parameters = {"latency"},
                                     .keep_going = [] { return true; },
                                     .tell = [&](const std::string&) { ++asked; }};
    fit_scenarios(request);
    REQUIRE(asked > 2);
    int left = asked - 1;
    CHECK_THROWS_AS(fit_scenarios({.scenarios = request.scenarios,
                                   .parameters = request.parameters,
                                   .keep_going = [&] { return left > 0; },
                                   .tell = [&](const std::string&) { --left; }}),
                    Interrupted);
  }
}
