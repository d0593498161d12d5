#include "sim/show/charts/network_drawing.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "platforms/network_outline.hpp"
#include "sim/show/charts/network_notes.hpp"
#include "sim/show/charts/network_svg.hpp"
#include "tests/support/plain_platform.hpp"

using namespace orrery;
using namespace orrery::show;

namespace {

NetworkOutline outline(std::uint32_t nodes, Topology topology) {
  const Platform platform = test::platform_of(nodes, std::move(topology));
  return outline_of(platform, platform.networks[0], *build_routes(platform, platform.networks[0])).outline;
}

const std::vector<NetworkOutline>& outlines() {
  static const std::vector<NetworkOutline> all{outline(1, StarTopology{}),
                                               outline(16, StarTopology{}),
                                               outline(5000, StarTopology{}),
                                               outline(512, FatTreeTopology{{16, 32}, {1, 16}, {1, 1}}),
                                               outline(8192, FatTreeTopology{{32, 16, 16}, {1, 16, 16}, {1, 1, 1}}),
                                               outline(72, DragonflyTopology{9, 4, 2, 2}),
                                               outline(4224, DragonflyTopology{33, 16, 8, 4}),
                                               outline(12, TorusTopology{{12}}),
                                               outline(64, TorusTopology{{8, 8}}),
                                               outline(500, TorusTopology{{8, 8, 8}}),
                                               outline(4096, TorusTopology{{16, 16, 16}}),
                                               outline(1024, TorusTopology{{4, 4, 4, 4, 4}})};
  return all;
}

bool overlap(const NetworkDrawing::Box& a, const NetworkDrawing::Box& b) {
  return a.x < b.x + b.width - 0.1 && b.x < a.x + a.width - 0.1 && a.y < b.y + b.height - 0.1 &&
         b.y < a.y + a.height - 0.1;
}

std::size_t overlapping(const std::vector<NetworkDrawing::Box>& boxes) {
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t k = i + 1; k < boxes.size(); ++k) pairs += overlap(boxes[i], boxes[k]) ? 1 : 0;
  return pairs;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_SUITE("report/network drawing") {
  TEST_CASE("Switches and nodes of every topology lie beside each other and inside the picture") {
    for (const auto& network : outlines()) {
      const NetworkDrawing drawing = draw_network(network);
      CAPTURE(network.words);
      CHECK(drawing.boxes.size() == network.places.size());
      CHECK(drawing.cells.size() == network.cells.size());
      CHECK(overlapping(drawing.boxes) == 0);
      CHECK(overlapping(drawing.cells) == 0);
      const auto inside = [&](double x, double y) {
        return x >= -0.1 && y >= -0.1 && x <= drawing.width + 0.1 && y <= drawing.height + 0.1;
      };
      for (const auto* boxes : {&drawing.boxes, &drawing.cells, &drawing.frames})
        for (const auto& box : *boxes) CHECK((inside(box.x, box.y) && inside(box.x + box.width, box.y + box.height)));
      for (const auto& line : drawing.lines) CHECK((inside(line.x, line.y) && inside(line.to_x, line.to_y)));
      for (const auto& label : drawing.labels) CHECK(inside(label.x, label.y));
      CHECK(drawing.width < 1400.0);
    }
  }

  TEST_CASE("Every cable between two places is drawn and one round the edge of a torus at both ends") {
    for (const auto& network : outlines()) {
      const NetworkDrawing drawing = draw_network(network);
      std::set<std::uint32_t> drawn;
      for (const auto& line : drawing.lines) drawn.insert(line.cables);
      const auto between = std::ranges::count_if(
          network.cables, [](const NetworkOutline::Cables& cables) { return cables.from != cables.to; });
      CHECK(drawn.size() == static_cast<std::size_t>(between));
    }
    const NetworkDrawing torus = draw_network(outline(64, TorusTopology{{8, 8}}));
    CHECK(torus.lines.size() == 2 * 64 + 16);  // a cable per router and dimension; 16 go round the edge
  }

  TEST_CASE("Five hundred nodes are a picture of some thousand elements whose labels can be read") {
    const NetworkOutline tree = outline(512, FatTreeTopology{{16, 32}, {1, 16}, {1, 1}});
    const std::string svg = network_svg(tree);
    CHECK(count(svg, "<") < 6000);
    CHECK(svg.size() < 300'000);
    CHECK(count(svg, "<title>node ") == 512);
    CHECK(count(svg, "<title>leaf switch 18 - spine switch 3: 1 cable, 5 GB/s each way</title>") == 1);
    const NetworkDrawing drawing = draw_network(tree);
    for (const auto& box : drawing.boxes) CHECK(box.text == tree.places[box.of].label);
    CHECK(count(svg, "test &lt;platform&gt;, net") == 2);
  }

  TEST_CASE("The notes of a picture say what squares and boxes and lines are") {
    const auto first_note = [](const NetworkOutline& of) { return drawing_notes(of).front(); };
    CHECK(drawing_notes(outline(16, StarTopology{})) == std::vector<std::string>{"a square is a node"});
    CHECK(first_note(outline(5000, StarTopology{})) == "a square stands for up to 8 nodes");
    CHECK(drawing_notes(outline(512, FatTreeTopology{{16, 32}, {1, 16}, {1, 2}}))[1] ==
          "a line is 2 cables of 5 GB/s each way");
    const auto torus = drawing_notes(outline(4096, TorusTopology{{16, 16, 16}}));
    REQUIRE(torus.size() == 4);
    CHECK(torus[0] == "a square stands for up to 4 nodes");
    CHECK(torus[1] == "a box is 8 neighbouring routers, its squares are their nodes");
    NetworkOutline two = outline(4, StarTopology{});
    for (auto& cell : two.cells) cell.adapters = 2;
    CHECK(first_note(two) == "a square is a node with its 2 adapters");
    two.cells.front().count = 2;
    two.cells.front().adapters = 4;
    CHECK(first_note(two) ==
          "a square stands for up to 2 nodes, with 2 adapters each; one with adapters on several switches is drawn at "
          "each");
    two.rails = 2;
    CHECK(
        first_note(two) ==
        "a square stands for up to 2 nodes, with 2 of their 2 adapters; a node is drawn under the leaf switches of all "
        "its rails");
  }

  TEST_CASE("The nodes below leaves of several rails are numbered once for all of them") {
    Platform platform = test::platform_of(127, FatTreeTopology{{32, 32}, {1, 16}, {1, 2}});
    platform.networks[0].adapters.at = {std::vector<std::uint32_t>(8, 0)};
    platform.networks[0].adapters.rail_leaves = true;
    const NetworkDrawing drawing =
        draw_network(outline_of(platform, platform.networks[0], *build_routes(platform, platform.networks[0])).outline);
    for (const char* nodes : {"0-31", "32-63", "64-95", "96-126"})
      CHECK(std::ranges::count(drawing.labels, nodes, &NetworkDrawing::Label::text) == 1);
    CHECK(drawing.boxes[9].text == "r1");
    CHECK(drawing.width < 1400.0);
  }

  TEST_CASE("A name that does not fit its box is cut between characters and a range keeps its beginning") {
    NetworkOutline network = outline(16, StarTopology{});
    network.places[0].label = std::string(100, 'x') + "é";
    CHECK(draw_network(network).boxes[0].text.ends_with("x…"));
    network.cells[0] = {.place = 0, .first = 3, .last = 40, .count = 8, .type = 0};
    CHECK(cell_words(network.cells[0]) == "8 nodes from 3 to 40");
    network.cells[0].count = 38;
    CHECK(cell_words(network.cells[0]) == "nodes 3 to 40");
    const auto grouped = draw_network(outline(8192, FatTreeTopology{{32, 16, 16}, {1, 16, 16}, {1, 1, 1}}));
    CHECK(grouped.boxes[1].text == "8");
    CHECK(grouped.boxes[31].text == "248");
  }
}
