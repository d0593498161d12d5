#include "sim/show/charts/partition_svg.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/partitions.hpp"

using namespace orrery;

namespace {

Layout on_nodes(const std::vector<std::uint32_t>& nodes) {
  Layout layout{"test", {}};
  for (const std::uint32_t node : nodes) layout.placements.push_back({.node = NodeId{node}});
  return layout;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_SUITE("report/partition svg") {
  TEST_CASE("A partition is drawn with one rectangle per rank filled by its node and a legend of nodes") {
    const std::string svg = show::partition_svg(test::fig8(), on_nodes({0, 0, 0, 1, 1, 1}),
                                                {.title = "Figure 8", .node_names = {"n0", "n1"}, .side = 256});
    CHECK(count(svg, "<pattern id=") == 2);
    CHECK(count(svg, "fill=\"url(#node0)\"") == 4);  // three ranks and the legend
    CHECK(count(svg, "fill=\"url(#node1)\"") == 4);
    CHECK(svg.find("<title>rank 3 on n1: 35 x 152 blocks at column 221, row 0</title>") != std::string::npos);
    CHECK(svg.find("x=\"237\" y=\"34\" width=\"35\" height=\"152\"") != std::string::npos);
    CHECK(count(svg, "3 ranks") == 2);
    CHECK(svg.ends_with("</svg>\n"));
  }

  TEST_CASE("Up to forty-two nodes differ in colour or in pattern") {
    std::vector<std::uint32_t> nodes;
    Partition partition{42, 1, {}};
    for (std::uint32_t n = 0; n < 42; ++n) {
      nodes.push_back(n);
      partition.rectangles.push_back({n, 0, 1, 1});
    }
    const std::string svg = show::partition_svg(partition, on_nodes(nodes), {.title = "many", .node_names = {}});
    std::vector<std::string> looks;
    for (std::uint32_t n = 0; n < 42; ++n) {
      const auto from = svg.find("<rect", svg.find(fmt::format("<pattern id=\"node{}\"", n)));
      looks.push_back(svg.substr(from, svg.find("</pattern>", from) - from));
    }
    for (std::size_t a = 0; a < looks.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) CHECK(looks[a] != looks[b]);
  }

  TEST_CASE("Rows of a matrix are drawn as bars 0.3 times as wide as the whole is high") {
    const Partition partition{1, 1000, {{0, 0, 1, 250}, {0, 250, 1, 750}}};
    const std::string svg = show::partition_svg(partition, on_nodes({0, 1}), {.title = "rows", .side = 400});
    CHECK(svg.find("x=\"16\" y=\"34\" width=\"120\" height=\"100\"") != std::string::npos);
    CHECK(svg.find("x=\"16\" y=\"134\" width=\"120\" height=\"300\"") != std::string::npos);
    CHECK(svg.find("<title>rank 1 on node 1: 1 x 750 blocks at column 0, row 250</title>") != std::string::npos);
  }

  TEST_CASE("A rank without blocks is not drawn and names are made safe for XML") {
    const Partition partition{2, 2, {{0, 0, 2, 2}, {0, 0, 0, 0}}};
    const std::string svg =
        show::partition_svg(partition, on_nodes({0, 1}), {.title = "a < b", .node_names = {"x&y", "z"}});
    CHECK(svg.find("rank 1") == std::string::npos);
    CHECK(svg.find("a &lt; b") != std::string::npos);
    CHECK(svg.find("x&amp;y") != std::string::npos);
  }
}
