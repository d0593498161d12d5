#include "platforms/layouts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "platforms/keys.hpp"
#include "platforms/loader.hpp"
#include "sim/config/reader.hpp"
#include "sim/core/error.hpp"

using namespace orrery;

namespace {

const Platform& fermi() {
  static const Platform platform = load_platform(ORRERY_SOURCE_DIR "/platforms/fermi.yaml");
  return platform;
}

LayoutTable table1() { return load_layouts(ORRERY_SOURCE_DIR "/scenarios/layouts/rico-gallego16-table1.yaml"); }

/// "node/socket:cores" or "node/gpu<n>" of each rank.
std::string as_text(const Layout& layout) {
  std::string text;
  for (const auto& at : layout.placements)
    text += (text.empty() ? "" : " ") + std::to_string(index(at.node)) + "/" +
            (at.gpu ? "gpu" + std::to_string(at.socket_of_node)
                    : std::to_string(at.socket_of_node) + ":" + std::to_string(at.cores));
  return text;
}

Layout build(const std::string& row) {
  return build_layout(fermi(), load_layout_row(config::parse_yaml(row, "l.yaml").root(layout_row_keys()), "R"));
}

std::string refusal(const std::string& row) {
  try {
    build(row);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("platforms/layouts") {
  TEST_CASE("All sixteen layouts of Table 1 are feasible and amount to its numbers") {
    // Ranks, processes of 6, 5, 4, 3 and 2 cores, and GPU processes, as the paper prints them.
    const std::map<std::string, std::vector<std::int64_t>> printed{
        {"M1", {2, 2, 0, 0, 0, 0, 0}},     {"M2", {5, 3, 1, 0, 0, 0, 1}},      {"M3", {7, 3, 1, 2, 0, 0, 1}},
        {"M4", {11, 4, 1, 3, 0, 0, 3}},    {"M5", {14, 4, 1, 4, 1, 0, 4}},     {"M6", {18, 4, 1, 5, 1, 1, 6}},
        {"M7", {20, 6, 1, 5, 1, 1, 6}},    {"M8", {23, 11, 3, 2, 0, 0, 7}},    {"M9", {27, 12, 3, 3, 0, 0, 9}},
        {"M10", {29, 12, 3, 5, 0, 0, 9}},  {"M11", {32, 12, 3, 6, 1, 0, 10}},  {"M12", {36, 12, 3, 7, 1, 1, 12}},
        {"M13", {38, 12, 3, 9, 1, 1, 12}}, {"M14", {41, 12, 3, 10, 2, 1, 13}}, {"M15", {45, 12, 3, 11, 2, 2, 15}},
        {"M16", {47, 12, 3, 13, 2, 2, 15}}};
    const auto table = table1();
    CHECK(table.rows.size() == printed.size());
    for (const auto& row : table.rows) {
      CAPTURE(row.name);
      const Layout layout = build_layout(fermi(), row);
      std::vector<std::int64_t> counted{std::int64_t{layout.ranks()}};
      for (const std::uint32_t cores : {6u, 5u, 4u, 3u, 2u})
        counted.push_back(std::ranges::count_if(layout.placements,
                                                [&](const Placement& at) { return !at.gpu && at.cores == cores; }));
      counted.push_back(std::ranges::count_if(layout.placements, &Placement::gpu));
      CHECK(counted == printed.at(row.name));
    }
  }
  TEST_CASE("No layout of Table 1 uses a core or a GPU twice") {
    const auto table = table1();
    for (const auto& row : table.rows) {
      CAPTURE(row.name);
      const Layout layout = build_layout(fermi(), row);
      std::map<NodeId, std::uint32_t> cores;
      std::map<std::pair<NodeId, std::uint32_t>, std::uint32_t> of_socket;
      std::set<HostId> gpus;
      for (const auto& at : layout.placements) {
        cores[at.node] += at.cores;
        if (at.gpu) CHECK(gpus.insert(at.host).second);
        if (!at.gpu) of_socket[{at.node, at.socket_of_node}] += at.cores;
        CHECK(at.node_type == fermi().type_of(at.node));
      }
      for (const auto& [node, used] : cores) CHECK(used == fermi().node_types[fermi().type_of(node)].cores());
      for (const auto& [socket, used] : of_socket)
        CHECK(used <= fermi().node_types[fermi().type_of(socket.first)].cores_per_socket);
    }
  }
  TEST_CASE("Ranks of M6 are numbered node by node with GPU processes last") {
    CHECK(as_text(build_layout(fermi(), table1().row("M6", "t"))) ==
          "0/0:6 0/1:6 1/0:6 1/1:5 1/gpu0 2/0:6 2/1:4 2/gpu0 2/gpu1 "
          "9/0:4 9/1:4 10/0:4 10/1:3 10/gpu0 11/0:4 11/1:2 11/gpu0 11/gpu1");
  }
  TEST_CASE("Hosts are numbered node by node with sockets before GPUs") {
    CHECK(host_of(fermi(), NodeId{0}, false, 1) == HostId{1});
    CHECK(host_of(fermi(), NodeId{0}, true, 0) == HostId{2});
    CHECK(host_of(fermi(), NodeId{1}, false, 0) == HostId{4});
    CHECK(host_of(fermi(), NodeId{9}, true, 1) == HostId{39});
  }
  TEST_CASE("A row may place processes node by node") {
    CHECK(as_text(build("place: [{type: xeon8, nodes: 2, processes: [3, 2, 1], gpus: 1}, {type: xeon12, gpus: 2}]")) ==
          "9/0:3 9/1:2 9/0:1 9/gpu0 10/0:3 10/1:2 10/0:1 10/gpu0 0/gpu0 0/gpu1");
  }
  TEST_CASE("A row may spread ranks over the nodes") {
    CHECK(as_text(build("{ranks: 3, per-node: 1}")) == "0/0:1 1/0:1 2/0:1");
    CHECK(as_text(build("{ranks: 4, per-node: 3, cores: 4}")) == "0/0:4 0/1:4 0/0:4 1/0:4");
    CHECK(build("{per-node: 16}").ranks() == 256);
    CHECK(as_text(build("{ranks: 4, per-node: 3, cores: 4, sockets: alternate}")) == "0/0:4 0/1:4 0/0:4 1/0:4");
    CHECK(as_text(build("{ranks: 4, sockets: alternate}")) == "0/0:1 0/1:1 0/0:1 0/1:1");
    CHECK(as_text(build("{ranks: 4, sockets: fill}")) == "0/0:1 0/0:1 0/0:1 0/0:1");
    CHECK(build("{ranks: 5}").same_node(Rank{0}, Rank{4}));
    const Layout full = spread_layout(fermi(), {}, "t");
    CHECK(full.ranks() == 9 * 12 + 7 * 8);
    CHECK(full.of(Rank{11}).socket_of_node == 1);
    CHECK(full.of(Rank{12}).node == NodeId{1});
  }
  TEST_CASE("Round robin deals consecutive ranks out to as many nodes as they would fill") {
    CHECK(as_text(build("{ranks: 5, per-node: 2, order: round-robin}")) == "0/0:1 1/0:1 2/0:1 0/0:1 1/0:1");
    CHECK(as_text(build("{ranks: 5, per-node: 2, order: node-by-node}")) == "0/0:1 0/0:1 1/0:1 1/0:1 2/0:1");
    CHECK(as_text(build("{ranks: 3, per-node: 4, order: round-robin}")) == "0/0:1 0/0:1 0/0:1");
    const Layout sixty = build("{ranks: 60, per-node: 8, order: round-robin}");
    for (std::uint32_t r = 0; r < 60; ++r) CHECK(sixty.of(Rank{r}).node == NodeId{r % 8});
    const Layout uneven =
        build("{ranks: 164, order: round-robin}");  // nodes of 12 cores, then of 8: full ones are passed over
    CHECK(uneven.of(Rank{127}).node == NodeId{15});
    CHECK(uneven.of(Rank{128}).node == NodeId{0});
    CHECK(uneven.of(Rank{137}).node == NodeId{0});
    CHECK(refusal("{gpus: 1, order: round-robin}") ==
          "l.yaml:1:18: 'order: round-robin' deals out ranks on cores ('gpus' is 0). Remove 'gpus'?");
  }
  TEST_CASE("A row may spread ranks over the GPUs of the nodes alone or beside ranks on cores") {
    CHECK(as_text(build("{gpus: 2, ranks: 5}")) == "0/gpu0 0/gpu1 1/gpu0 1/gpu1 2/gpu0");
    CHECK(as_text(build("{gpus: 1, per-node: 2, ranks: 5}")) == "0/0:1 0/0:1 0/gpu0 1/0:1 1/0:1");
    CHECK(build("{gpus: 2}").ranks() == 32);
    CHECK(as_text(build("{gpus: 2, per-gpu: 2, ranks: 6}")) == "0/gpu0 0/gpu0 0/gpu1 0/gpu1 1/gpu0 1/gpu0");
    CHECK(build("{gpus: 2, per-gpu: 3}").ranks() == 96);
    CHECK(refusal("{per-gpu: 2}") == "l.yaml:1:11: 'per-gpu' is of ranks on GPUs ('gpus' is 0). Add 'gpus'?");
    CHECK(build("{gpus: 1, per-node: 12, sockets: alternate}").ranks() == 13 * 16);
    Platform partly = fermi();
    partly.node_types.back().gpus.clear();
    CHECK(spread_layout(partly, {.gpus = 2}, "t").ranks() == 18);
    CHECK(refusal("{gpus: 3}") ==
          "l.yaml:1:1: 3 GPU ranks to a node, but no node of 'fermi' has more than 2 GPUs. Use fewer?");
    CHECK(refusal("{gpus: 2, ranks: 33}") ==
          "l.yaml:1:1: 33 ranks, 2 on GPUs to a node, are more than the 16 nodes of 'fermi' hold (32 ranks). Put more on a "
          "node with 'per-node'?");
    for (auto& type : partly.node_types) type.gpus.clear();
    CHECK_THROWS_WITH_AS(spread_layout(partly, {.gpus = 1}, "--gpus"),
                         "--gpus: 1 GPU ranks to a node, but no node of 'fermi' has more than 0 GPUs. Use ranks on "
                         "cores?",
                         InputError);
  }
  TEST_CASE("A spread of ranks is called by what it fills") {
    CHECK(LayoutRow::Spread{.ranks = 64, .gpus = 4}.name() == "64 ranks");
    CHECK(LayoutRow::Spread{}.name() == "all cores");
    CHECK(LayoutRow::Spread{.gpus = 4}.name() == "4 GPU ranks to a node");
    CHECK(LayoutRow::Spread{.per_node = 8, .gpus = 4}.name() == "4 GPU ranks and 8 others to a node");
  }
  TEST_CASE("Rows that the platform cannot hold are refused") {
    CHECK(refusal("place: [{type: xeon12, nodes: 10, processes: [6]}]") ==
          "l.yaml:1:9: row 'R' takes 10 nodes of 'xeon12', but 9 of 9 are free. Take fewer?");
    CHECK(refusal("place: [{type: xeon11}]") ==
          "l.yaml:1:9: platform 'fermi' has no node type 'xeon11' (known: xeon12, xeon8). Did you mean 'xeon12'?");
    CHECK(refusal("place: [{type: xeon8, processes: [5]}]") ==
          "l.yaml:1:9: row 'R' puts processes of 5 cores and 0 GPU processes on a node of 'xeon8' (2 sockets of 4 "
          "cores; "
          "a process stays in one socket, a GPU process holds a core). Use fewer cores?");
    CHECK(refusal("place: [{type: xeon8, gpus: 3}]") ==
          "l.yaml:1:9: row 'R' puts 3 GPU processes on a node of 'xeon8', which has 2 GPUs. Use fewer?");
    CHECK(refusal("{place: [{type: xeon12, processes: [6, 6]}], ranks: 3}") ==
          "l.yaml:1:1: row 'R' says 3 ranks, but its nodes give 2 (they must agree). Correct 'ranks'?");
    CHECK(refusal("{place: [{type: xeon8, processes: [4]}], cores: 2}") ==
          "l.yaml:1:49: 'cores' is of ranks that are spread; this row places them itself. Remove it?");
    CHECK(refusal("{place: [{type: xeon8, processes: [4]}], order: round-robin}") ==
          "l.yaml:1:49: 'order' is of ranks that are spread; this row places them itself. Remove it?");
    CHECK(refusal("place: [{type: xeon12}]") == "l.yaml:1:1: row 'R' places no rank (at least one). Add nodes?");
    CHECK(refusal("{ranks: 4, sockets: alternating}") ==
          "l.yaml:1:21: 'sockets' is 'alternating' (known: alternate, fill). Did you mean 'alternate'?");
    CHECK(refusal("{ranks: 17, per-node: 1}") ==
          "l.yaml:1:1: 17 ranks, 1 to a node, are more than the 16 nodes of 'fermi' hold (16 ranks). Put more on a node with "
          "'per-node'?");
    CHECK(refusal("{cores: 5}") ==
          "l.yaml:1:1: a rank takes 5 cores, but a socket of 'xeon8' has 4 (1..4). Use fewer?");
    CHECK(refusal("{place: []}") ==
          "l.yaml:1:9: row 'R' has 'place' without a node type (at least one). Add one, or remove 'place'?");
    CHECK_THROWS_WITH_AS(table1().row("M17", "f:1:1"),
                         "f:1:1: layout 'rico-gallego16-table1' has no row 'M17' (known: M1, M10, M11, M12, M13, M14, "
                         "M15, M16, M2, M3, M4, M5, M6, M7, M8, M9). Did you mean 'M1'?",
                         InputError);
  }

  TEST_CASE("More ranks than memory could hold are refused before they are placed") {
    Platform huge = fermi();
    huge.node_counts.front() = 1u << 20;
    CHECK_THROWS_WITH_AS(spread_layout(huge, {0, 100}, "s.yaml:4:9"),
                         "s.yaml:4:9: 104858300 ranks are more than 16777216 (the limit). Take fewer nodes or ranks?",
                         InputError);
  }
}
