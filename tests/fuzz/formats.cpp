#include "tests/fuzz/formats.hpp"

#include <memory>
#include <stdexcept>
#include <string_view>

#include "kernels/kernel.hpp"
#include "models/compute/catalogue.hpp"
#include "models/model.hpp"
#include "models/taulop/expression.hpp"
#include "platforms/host_files.hpp"
#include "platforms/layouts.hpp"
#include "platforms/loader.hpp"
#include "platforms/routes.hpp"
#include "platforms/simgrid_import.hpp"
#include "sim/config/csv.hpp"
#include "sim/config/dist2.hpp"
#include "sim/config/files.hpp"
#include "sim/config/formats/known_formats.hpp"
#include "sim/config/hpl_dat.hpp"
#include "sim/config/own_predictions.hpp"
#include "sim/config/parameter_file.hpp"
#include "sim/config/pattern_file.hpp"
#include "sim/config/reader.hpp"
#include "sim/config/taulop_tables.hpp"
#include "sim/config/traces/trace_file.hpp"
#include "sim/core/error.hpp"
#include "sim/core/pattern_knowledge.hpp"
#include "sim/core/suggest.hpp"
#include "sim/show/result/json.hpp"
#include "sim/study/fit/calibrate.hpp"
#include "sim/study/read/point.hpp"
#include "sim/study/read/scenario.hpp"
#include "tests/support/hpl_dat.hpp"
#include "tests/support/recorder.hpp"
#include "tests/unit/show/sample_result.hpp"

namespace orrery::fuzz {

namespace {

std::string shipped(const std::string& path) { return config::read_file(ORRERY_SOURCE_DIR "/" + path); }

const Platform& fermi() {
  static const Platform platform = load_platform(ORRERY_SOURCE_DIR "/platforms/fermi.yaml");
  return platform;
}

/// A platform, and a route on each of its networks.
void read_platform(const std::string& text) {
  const Platform platform = load_platform(config::parse_yaml(text, "p.yaml"), "p.yaml");
  if (platform.nodes() > 100'000) return;  // right, and long to route
  for (const auto& network : platform.networks) {
    const auto routes = build_routes(platform, network);
    if (platform.nodes() > 1) routes->bandwidth(NodeId{0}, NodeId{platform.nodes() - 1});
  }
}

void read_layouts(const std::string& text) {
  for (const auto& row : load_layouts(config::parse_yaml(text, "l.yaml")).rows) {
    try {
      build_layout(fermi(), row);
    } catch (const InputError&) {  // a row that Fermi cannot hold
    }
  }
}

void read_scenario_text(const std::string& text) {
  const std::string path = ORRERY_SOURCE_DIR "/scenarios/fuzzed.yaml";  // names of shipped files are found beside it
  const Scenario scenario = parse_scenario(config::parse_yaml(text, path), path, {});
  PointLoader loader(scenario.folder(), scenario.engine);
  std::size_t points = 0;
  for (const auto& point : scenario.points)
    if (++points <= 20) loader.load(point);
}

/// Parameters of models, and what each of these models says of one message with them.
void read_parameters(const std::string& text) {
  for (const ModelParameters& set : config::parse_parameter_file(text, "parameters.yaml")) {
    if (!models().contains(set.model) || !models().at(set.model, "fuzz").make) continue;
    const ModelEntry& entry = models().at(set.model, "fuzz");
    const std::string variant;
    entry.make({fermi(), fermi().networks.front(), variant, set});
  }
}

/// A compute model of parameters, asked for the speed of a rank.
void read_compute_table(const std::string& text) {
  const DataTable table = config::parse_csv(text, "parameters.csv");
  Layout layout{"one", {{.node = NodeId{0}}}};
  for (const auto& [name, entry] : compute_models().entries()) {
    if (entry.table == ComputeModelEntry::Table::none) continue;
    try {
      const auto model = make_compute_model(entry, {fermi(), layout, Parameters(compute_parameters(entry)), &table});
      process_speeds(*model, layout, typical_work(Work::dgemm));
    } catch (const InputError&) {  // parameters of another model
    } catch (const DomainError&) {
    }
  }
}

/// A pattern, and the proof of what it does.
void read_pattern_text(const std::string& text) {
  const StagePattern pattern = config::parse_pattern(text, "pattern.txt");
  if (pattern.ranks <= 256) first_ignorance(pattern);
}

/// Times of a sweep of two networks and two sizes, and what they say of each point.
void read_times(const std::string& text, OwnPredictions::Covers covers) {
  std::vector<std::map<std::string, std::string>> points;
  for (const char* network : {"infiniband", "ethernet"})
    for (const char* message : {"64KiB", "1MiB"}) points.push_back({{"network", network}, {"kernel.message", message}});
  const auto settings = [](const auto& point) { return Settings(point.begin(), point.end()); };
  const OwnPredictions times(
      config::parse_csv(text, "mine.csv"),
      [&](const auto& see) {
        for (const auto& point : points) see({point, settings(point)});
      },
      covers);
  for (const auto& point : points) times.times({point, settings(point)});
}

std::vector<std::string> shipped_all(const std::vector<std::string>& paths) {
  std::vector<std::string> texts;
  for (const auto& path : paths) texts.push_back(shipped(path));
  return texts;
}

constexpr const char* simgrid_xml = R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="all" routing="Full">
    <zone id="two" routing="Floyd">
      <host id="a" speed="1Gf" core="4"/><host id="b" speed="1Gf"/>
      <link id="l" bandwidth="125MBps" latency="50us" sharing_policy="SPLITDUPLEX"/>
      <route src="a" dst="b"><link_ctn id="l_UP"/></route>
    </zone>
  </zone>
</platform>
)";

constexpr const char* simgrid_tree = R"(<platform version="4.1">
  <cluster id="x" prefix="x" suffix="" radical="0-11" speed="1Gf" bw="1GBps" lat="1us" topology="FAT_TREE"
           topo_parameters="2;4,3;1,2;1,2" loopback_bw="10GBps" loopback_lat="0.1us" sharing_policy="SHARED"/>
</platform>
)";

/// Small enough to be played.
std::string small_hpl_dat() {
  std::string text = test::hpl_dat;
  const auto put = [&](std::string_view line, std::string_view by) { text.replace(text.find(line), line.size(), by); };
  put("50000        Ns", "29           Ns");
  put("128          NBs", "4            NBs");
  put("32           Ps", "2            Ps");
  put("16           Qs", "2            Qs");
  return text;
}

constexpr const char* parameters = R"(platform: fermi
network: infiniband
models:
  hockney:
    origin: "simgrid 3.32"
    tables:
      - name: pair
        labels: {channel: network, types: "xeon12,xeon8"}
        columns: [alpha_s, beta_s_per_B, message_min_B, message_max_B]
        rows:
          - [1.7e-06, 2.73e-10, 1, 4194304]
      - name: pair
        labels: {channel: shared-memory, types: "xeon12"}
        columns: [alpha_s, beta_s_per_B, message_min_B, message_max_B]
        rows:
          - [4.0e-07, 3.1e-10, 1, 4194304]
)";

constexpr const char* measured = "id,message_B,time_s\npingpong xeon12,1,1.7e-06\npingpong xeon12,65536,2.0e-05\n";

std::vector<Format> make_formats() {
  using namespace config;
  return {
      {"platform",
       shipped_all({"platforms/fermi.yaml", "platforms/dahu.yaml", "platforms/ampere40.yaml",
                    "validation/engines/contended.yaml"}),
       read_platform},
      {"layout", {shipped("scenarios/layouts/rico-gallego16-table1.yaml")}, read_layouts},
      {"scenario",
       shipped_all({"scenarios/rico-gallego16-m10.yaml", "scenarios/hpl-small.yaml", "scenarios/compute-models.yaml",
                    "scenarios/fft-hybrid.yaml", "scenarios/recorded-programs.yaml"}),
       read_scenario_text},
      {"parameters", {parameters}, read_parameters},
      {"compute-table", shipped_all({"platforms/compute/dahu.csv", "platforms/compute/dahu-hot.csv"}),
       read_compute_table},
      {"pattern",
       {shipped("scenarios/patterns/ntnu-8x2x4-60.txt"), "0 0 0\n1 0 0\n1 0 0\n\n0 1 1\n0 0 0\n0 0 0\n"},
       read_pattern_text},
      {"predictions",
       {"network,kernel.message,phase,time\ninfiniband,64KiB,communication,85.2ms\ninfiniband,1MiB,communication,1s\n"
        "ethernet,*,communication,0.4s\ninfiniband,*,run,1min\nethernet,*,run,2min\n"},
       [](const std::string& text) { read_times(text, OwnPredictions::Covers::every_point); }},
      {"measured-times",
       {"# Open MPI "
        "4.1.4\nnetwork,kernel.message,time_s,low_s,high_s,repetitions\ninfiniband,65536B,1e-3,9e-4,2e-3,11\n"},
       [](const std::string& text) { read_times(text, OwnPredictions::Covers::some_points); }},
      {"2dist", shipped_all({"scenarios/partitions/rico-gallego16-fig8.2dist"}),
       [](const std::string& text) { parse_dist2(text, "p.2dist"); }},
      {"ti", {shipped("scenarios/traces/jacobi.ti")}, [](const std::string& text) { parse_ti(text, "t.ti"); }},
      {"goal",
       {shipped("scenarios/traces/binomial.goal")},
       [](const std::string& text) { parse_goal(text, "t.goal"); }},
      {"simgrid-xml",
       {simgrid_xml, simgrid_tree},
       [](const std::string& text) {
         const auto imported = parse_simgrid_xml(text, "p.xml");
         try {
           read_platform(imported.yaml);
         } catch (const InputError& error) {
           throw std::logic_error(std::string("an import wrote what cannot be read: ") + error.what());
         }
       }},
      {"any-format",
       {measured, simgrid_xml, shipped("scenarios/traces/jacobi.ti"), shipped("scenarios/hpl-small.yaml"),
        "# OSU MPI Bcast Latency Test v7.2\n# Size  Avg Latency(us)\n8   6.20\n", "[1,0]<stdout>:# size count type redop\n",
        "{\"schema\": 1, \"nodes\": []}", "\x07\x0a\x05" "0.0.4", "rank 0=n1 slot=0:0\n"},
       [](const std::string& text) { require_format(text, "any", "a trace", {"ti", "csv", "scenario", "simgrid-xml"}); }},
      {"host-list",
       {"nid[001-004,7],gpu[1-2]\n", "n1 slots=2 max_slots=4\nme@n2:3\n", "rank 0=n1 slot=0:0-3\nrank 1=n2 slot=5\n",
        "n1 16 n2 16\n", "4\n5 slots=2\n"},
       [](const std::string& text) {
         if (text.size() > 200) return;  // each name may stand for millions
         NodeChoice choice;
         choice.of_ranks = true;
         add_hosts_of_file(text, "hosts", choice);
       }},
      {"hpl-dat", {small_hpl_dat()}, [](const std::string& text) { parse_hpl_dat(text, "HPL.dat"); }},
      {"taulop-table", shipped_all({"docs/models/taulop-example/SHM.txt", "docs/models/taulop-example/IB.txt"}),
       [](const std::string& text) { parse_taulop_table(text, "IB.txt"); }},
      {"taulop-expression",
       {"T(0,65536) + T(1,262144) ; T(1,64KiB,2) >> T(1,1097728,1,1,1,0,4,1)"},
       [](const std::string& text) { taulop::parse(text); }},
      {"measured-csv", {measured}, [](const std::string& text) { study::parse_measured_csv(text, "measured.csv"); }},
      {"result-json",
       {show::to_json(show::sample::small_result())},
       [](const std::string& text) { show::from_json(text, "result.json"); }},
  };
}

}  // namespace

const std::vector<Format>& formats() {
  static const std::vector<Format> all = make_formats();
  return all;
}

const Format& format_named(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& format : formats()) {
    if (format.name == name) return format;
    names.push_back(format.name);
  }
  throw InputError("unknown format '{}'{}", name, known_names(name, names));
}

bool accepts(const Format& format, const std::string& text) {
  try {
    format.read(text);
    return true;
  } catch (const InputError& error) {
    if (std::string_view(error.what()).find(": ") == std::string_view::npos)
      throw std::logic_error(std::string("an error without a place: ") + error.what());
    return false;
  } catch (const DomainError&) {
    return false;
  }
}

}  // namespace orrery::fuzz
