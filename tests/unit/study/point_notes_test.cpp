// Notes on what was done instead of what a scenario says.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "models/model.hpp"
#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/study/fit/calibrate.hpp"
#include "sim/study/play/peak_assumed.hpp"
#include "sim/study/play/run_scenario.hpp"
#include "sim/study/read/load.hpp"
#include "sim/study/read/scenario.hpp"

using namespace orrery;
using namespace orrery::literals;

namespace {

std::vector<std::string> notes_of(const std::string& text) {
  const Scenario scenario =
      parse_scenario(config::parse_yaml("source: test\nengine: flow\n" + text, "s.yaml"), "s.yaml", {});
  return study::run_scenario(scenario, {.jobs = 1, .progress = false}).result.notes;
}

const std::string fermi =
    "platform: " + std::string(ORRERY_SOURCE_DIR) + "/platforms/fermi.yaml\nnetwork: infiniband\n";
const std::string allreduce = fermi + "layout: {ranks: 16, per-node: 1}\n";

}  // namespace

TEST_SUITE("app/point notes") {
  TEST_CASE("An algorithm that cannot do what is asked is replaced and the run says by which") {
    const std::string kernel = allreduce + "kernel: {name: collective, operation: allreduce, algorithm: lr, message: ";
    CHECK(
        notes_of(kernel + "8B}\n") ==
        std::vector<std::string>{"'algorithm' is 'lr', but an allreduce of 8 B on 16 ranks was played as 'rdb', which "
                                 "does what 'lr' cannot do there"});
    CHECK(
        notes_of(kernel + "8B}\nsweep: {kernel.message: [8B, 1KiB, 4B]}\n") ==
        std::vector<std::string>{"'algorithm' is 'lr', but an allreduce of 8 B on 16 ranks was played as 'rdb', which "
                                 "does what 'lr' cannot do there (message 8B; 2 of 3 points)",
                                 "a message of 4 B is played as 8 B: collectives are of whole elements, and 'element' "
                                 "is 8 B (message 4B; 1 of 3 points)"});
    CHECK(notes_of(kernel + "1KiB}\n").empty());
    // A library chooses by its rules: nothing is replaced.
    CHECK(notes_of(allreduce + "kernel: {name: collective, operation: allreduce, algorithm: openmpi, message: 8B}\n")
              .empty());
  }

  TEST_CASE("Collectives that the tables of coll tuned choose on nodes of several ranks are a note") {
    const auto notes = [](const std::string& layout, const std::string& how) {
      return notes_of(fermi + "layout: {ranks: 16, " + layout + "}\nkernel: {name: collective, operation: allreduce, " +
                      how + "}\n");
    };
    CHECK(notes("per-node: 4", "message: 8B") ==
          std::vector<std::string>{"'openmpi' stands for the tables of Open MPI's component 'tuned', which do not look "
                                   "at nodes: allreduce of 8 "
                                   "B on 16 ranks was played as 'rdb'. Open MPI 5 (han), hcoll, UCC and Intel MPI have "
                                   "node-aware ones, and may "
                                   "take a fraction of the time. 'smp_rdb' is of that kind"});
    CHECK(notes("per-node: 1", "message: 8B").empty());                    // no node to look at
    for (const std::string& note : notes("per-node: 4", "message: 4MiB"))  // libraries are alike
      CHECK_FALSE(note.starts_with("'openmpi'"));
    CHECK(notes("per-node: 4", "message: 8B, algorithm: smp_rdb").empty());
    CHECK(notes("per-node: 4", "message: 8B, algorithm: mpich").empty());
  }

  TEST_CASE("What was changed in the file of a program is a note of its result") {
    const auto file = (std::filesystem::temp_directory_path() / "orrery-noted.goal").string();
    config::write_file(file, "num_ranks 2\nrank 0 {\nsend 8b to 1 nic 1\n}\nrank 1 {\nrecv 8b from 0\n}\n");
    CHECK(notes_of(fermi + "layout: {per-node: 1}\nkernel: {name: trace, file: " + file + "}\n") ==
          std::vector<std::string>{
              file + ": 1 messages on a nic other than 0: they take the adapter that the platform gives their rank"});
  }

  TEST_CASE("A power cap that slows computation is a note with by how much for each cap") {
    const std::string eight =
        "network: infiniband\nlayout: {ranks: 16, gpus: 8}\nkernel: {name: collective, operation: barrier}\n"
        "platform: {name: dgx-h100, node-types: {dgx-h100: {power-cap: ";
    const auto slowed = notes_of(eight + "6kW}}}\n");
    REQUIRE(slowed.size() == 1);
    CHECK(slowed[0].starts_with("the power cap of 'dgx-h100', 6 kW, makes computation take 1."));
    CHECK(slowed[0].ends_with(" times as long"));
    auto swept = notes_of(eight + "9kW}}}\nsweep: {platform.node-types.dgx-h100.power-cap: [20kW, 6kW, 5kW]}\n");
    std::erase_if(swept, [](const std::string& note) { return !note.starts_with("the power cap"); });
    REQUIRE(swept.size() == 2);
    CHECK(swept[0].starts_with("the power cap of 'dgx-h100', 5 kW, "));
    CHECK(swept[1].starts_with(slowed[0] + " ("));
    CHECK(notes_of(eight + "20kW}}}\n").empty());  // more than it draws
  }

  TEST_CASE("Work that is divided by speed though nobody asked for it is a note") {
    const std::string mixed = fermi +
                              "layout: {place: [{type: xeon12, nodes: 1, processes: [6]}, {type: xeon8, nodes: 1, "
                              "processes: [1]}]}\ncompute: {model: roofline}\n"
                              "kernel: {name: wave2d, points: 64, iterations: 2}\n";
    const auto notes = notes_of(mixed);
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].starts_with(
        "the work is divided by the speeds of the ranks (beaumont-columns, as no partitioner is named): rank 0 has "));
    CHECK(notes[0].ends_with(" times the work of rank 1. For equal parts: even-grid"));
    CHECK(notes_of(mixed + "partition: {algorithm: beaumont-columns}\n").empty());
    CHECK(notes_of(mixed + "partition: {algorithm: even-grid}\n").empty());
  }

  TEST_CASE("Groups of ranks whose routes never meet cannot slow each other and the run says so") {
    const std::string rows =
        allreduce + "kernel: {name: collective, operation: alltoall, message: 64KiB, communicator: ";
    CHECK(notes_of(rows + "rows, width: 8}\n") ==
          std::vector<std::string>{
              "ranks talk in 2 groups that share no node and no link: none of them can slow another"});
    CHECK(notes_of(rows + "world}\n").empty());
    // A bus is a link of all of them; a switch is none.
    const auto of_beowulf = [](const std::string& network) {
      return notes_of(
          "platform: " + std::string(ORRERY_SOURCE_DIR) + "/platforms/beowulf.yaml\nnetwork: " + network +
          "\nlayout: {ranks: 4, per-node: 1}\nkernel: {name: collective, operation: alltoall, message: 64KiB, "
          "communicator: rows, width: 2}\n");
    };
    CHECK(of_beowulf("bus").empty());
    CHECK(of_beowulf("full-duplex-switch").empty());  // its backbone
    CHECK(of_beowulf("half-duplex-switch") ==
          std::vector<std::string>{
              "ranks talk in 2 groups that share no node and no link: none of them can slow another"});
    // Nodes of several adapters: whichever a rank takes.
    const std::string eight = "platform: " + std::string(ORRERY_SOURCE_DIR) +
                              "/platforms/dgx-h100.yaml\nnetwork: infiniband\nlayout: {ranks: 4, gpus: 1}\n";
    const auto apart = notes_of(eight +
                                "kernel: {name: collective, operation: alltoall, message: 64KiB, "
                                "communicator: rows, width: 2}\n");
    CHECK(std::ranges::find(apart,
                            "ranks talk in 2 groups that share no node and no link: none of them can slow "
                            "another") != apart.end());
    CHECK(notes_of(fermi + "layout: {ranks: 16, per-node: 2}\nkernel: {name: collective, operation: alltoall, message: "
                           "64KiB, communicator: columns, width: 2}\n")
              .empty());
  }

  TEST_CASE("More ranks than cores take turns and the run says where") {
    const auto on_one_node = [](const char* ranks) {
      return notes_of(fermi + "layout: {ranks: " + ranks + ", per-node: " + ranks +
                      "}\nkernel: {name: collective, operation: bcast, message: 8B}\n");
    };
    CHECK(on_one_node("12").empty());  // two sockets of six
    CHECK(on_one_node("24") ==
          std::vector<std::string>{"ranks outnumber cores: those on socket 0 of xeon12-0 ask for 12 cores, and it has "
                                   "6. They take turns"});
  }

  TEST_CASE("Cores to a rank have no effect where all ranks are on GPUs and the run says so") {
    const auto notes = notes_of(fermi +
                                "layout: {ranks: 2, gpus: 2, cores: 4}\nkernel: {name: collective, operation: bcast, "
                                "message: 8B}\n");
    CHECK(notes == std::vector<std::string>{"'cores' is 4 and has no effect: all ranks are on GPUs"});
  }

  TEST_CASE("A message that is no whole number of elements is rounded and the run says to what") {
    const std::string kernel = allreduce + "kernel: {name: collective, operation: alltoall, algorithm: pair, message: ";
    CHECK(notes_of(kernel + "1B}\n") ==
          std::vector<std::string>{
              "a message of 1 B is played as 0 B: collectives are of whole elements, and 'element' is 8 B"});
    CHECK(notes_of(kernel + "1B, element: 1B}\n").empty());
    CHECK(notes_of(kernel + "24B}\n").empty());
  }

  TEST_CASE("A segment that changes no message has no effect and the run says of which algorithm") {
    const auto with = [](const char* operation, const char* algorithm, const char* segment) {
      auto notes = notes_of(allreduce + "kernel: {name: collective, operation: " + operation +
                            ", algorithm: " + algorithm + ", message: 64KiB, segment: " + segment + "}\n");
      std::erase_if(notes, [](const std::string& note) { return note.starts_with("reducing takes no time"); });
      return notes;
    };
    CHECK(with("allreduce", "rdb", "1KiB") ==
          std::vector<std::string>{"'segment' is 1 KiB and has no effect: 'rdb' sends the same messages without it"});
    CHECK(with("allreduce", "rdb", "0B").empty());
    CHECK(with("allreduce", "ompi_ring_segmented", "1KiB").empty());
    CHECK(with("bcast", "ompi_pipeline", "1KiB").empty());
  }

  TEST_CASE("Staging of GPU messages is told where there is any and else that it has no effect") {
    const std::string bcast = "kernel: {name: collective, operation: bcast, message: 8B}\ngpu-staging: messages\n";
    const auto none = std::vector<std::string>{
        "'gpu-staging: messages' has no effect: no rank is on a GPU whose messages are copied to its host first"};
    CHECK(notes_of(allreduce + bcast) == none);
    CHECK(notes_of(fermi + "layout: {ranks: 2, gpus: 2}\n" + bcast) ==
          std::vector<std::string>{"the simulation adds PCIe transfers to the messages of GPU processes"});
  }

  TEST_CASE("Work that memory holds up and that plays at peak speed is the first of all notes") {
    const std::string wave = fermi +
                             "layout: {ranks: 4, per-node: 4}\nkernel: {name: wave2d, points: 512, "
                             "iterations: 2}\n";
    const auto notes = notes_of(wave);
    REQUIRE(!notes.empty());
    CHECK(
        notes[0].starts_with("computation is assumed to run at peak speed: no compute model is named. It would take "));
    CHECK(
        notes[0].ends_with(" times as long at the memory bandwidth of 'fermi' without caches. Name one ('--compute "
                           "roofline' or 'compute: {model: roofline}')?"));
    for (const char* named :
         {"compute: {model: roofline}\n", "compute: {model: constant}\n", "compute: {stencil-efficiency: 0.1}\n"})
      for (const auto& note : notes_of(wave + named)) CHECK(note.find("peak speed") == std::string::npos);
    CHECK(notes_of(wave + "compute: {noise: 0.01}\n")[0] == notes[0]);
  }

  TEST_CASE("What a file of measured times says of itself stands under the table") {
    const std::string file = "/tmp/orrery-measured-notes.csv", scenario = "/tmp/orrery-measured-notes.yaml";
    config::write_file(file,
                       "# by a test\n# note: rank 3 runs on machine 'b', where the layout 'x' has ranks of another "
                       "node\ntime_s\n1.0\n");
    config::write_file(scenario, "source: test\nengine: flow\n" + allreduce +
                                     "kernel: {name: collective, operation: bcast, message: 8B}\nmeasured: " + file +
                                     "\n");
    CHECK(study::run_scenario(read_scenario(scenario, {}), {.jobs = 1, .progress = false}).result.notes ==
          std::vector<std::string>{file +
                                   ": rank 3 runs on machine 'b', where the layout 'x' has ranks of another node"});
    for (const auto& written : {file, scenario}) std::filesystem::remove(written);
  }

  TEST_CASE("Two models that plan different experiments under one id are refused with both names") {
    const Platform platform = load_platform_named("fermi", "test");
    const Network& network = platform.networks[0];
    const CalibrationRange range{.sizes = {1_B, 1000_B}, .concurrency = 1};
    const ModelEntry& hockney = models().at("hockney", "test");
    ModelEntry other = hockney;
    other.name = "mine";
    const auto plan = [&] { return study::plan_of({&hockney, &other}, platform, network, range); };
    CHECK(plan().size() == hockney.plan(platform, network, range).size());
    const Experiment first = hockney.plan(platform, network, range).front();
    other.plan = [first](const Platform&, const Network&, const CalibrationRange&) {
      Experiment changed = first;
      changed.kernel_parameters = {{"sizes", "5B"}};
      return std::vector{changed};
    };
    std::string parameters;
    for (const auto& [name, value] : first.kernel_parameters) parameters += ", " + name + " " + value;
    CHECK_THROWS_WITH_AS(plan(),
                         ("calibration: models 'hockney' and 'mine' plan different experiments under the id '" +
                          first.id + "' (kernel " + first.kernel + " on 2 ranks" + parameters + "; kernel " +
                          first.kernel + " on 2 ranks, sizes 5B). Give that of 'mine' an id of its own?")
                             .c_str(),
                         InputError);
  }

  TEST_CASE("Every two models of the catalogue agree on what stands under an id") {
    const Platform platform = load_platform_named("fermi", "test");
    std::vector<const ModelEntry*> calibrated;
    for (const auto& [name, entry] : models().entries())
      if (entry.calibrated()) calibrated.push_back(&entry);
    for (const Network& network : platform.networks)
      CHECK(!study::plan_of(calibrated, platform, network, {.sizes = {1_B, 1000_B}, .concurrency = 2}).empty());
  }
}
