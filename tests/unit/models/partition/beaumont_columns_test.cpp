#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>

#include "models/partition/columns.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;

namespace {

Partition columns_of(std::uint32_t columns, std::uint32_t rows, const std::vector<double>& speeds) {
  return partitioners().at("beaumont-columns", "test").make({{columns, rows}, speeds});
}

/// Sum of half-perimeters of the unrounded rectangles when the ranks stand in these columns.
double half_perimeters(const std::vector<std::vector<double>>& columns, double n, double m, double total) {
  double sum = 0.0;
  for (const auto& column : columns)
    if (!column.empty())
      sum += static_cast<double>(column.size()) * n * std::accumulate(column.begin(), column.end(), 0.0) / total + m;
  return sum;
}

/// The least over all ways to put the ranks into columns (every set partition), without any theory.
double least_half_perimeters(const std::vector<double>& speeds, std::size_t rank,
                             std::vector<std::vector<double>>& columns, double n, double m, double total) {
  if (rank == speeds.size()) return half_perimeters(columns, n, m, total);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c <= columns.size(); ++c) {
    if (c == columns.size()) columns.emplace_back();
    columns[c].push_back(speeds[rank]);
    least = std::min(least, least_half_perimeters(speeds, rank + 1, columns, n, m, total));
    columns[c].pop_back();
    if (columns.back().empty()) {
      columns.pop_back();
      break;
    }
  }
  return least;
}

std::vector<std::vector<double>> columns_in(const Partition& partition, const std::vector<double>& speeds) {
  std::map<std::uint32_t, std::vector<double>> by_x;
  for (std::size_t r = 0; r < speeds.size(); ++r) by_x[partition.rectangles[r].x].push_back(speeds[r]);
  std::vector<std::vector<double>> columns;
  for (auto& [x, members] : by_x) columns.push_back(members);
  return columns;
}

}  // namespace

TEST_SUITE("models/partition/beaumont-columns") {
  TEST_CASE("The areas of figure 8 as speeds give exactly the rectangles of figure 8") {
    const Partition wanted = test::fig8();
    std::vector<double> speeds;
    for (const auto& rectangle : wanted.rectangles) speeds.push_back(static_cast<double>(rectangle.area()));
    const Partition made = columns_of(256, 256, speeds);
    for (std::size_t r = 0; r < 6; ++r) {
      INFO(fmt::format("rank {}", r));
      CHECK(made.rectangles[r].x == wanted.rectangles[r].x);
      CHECK(made.rectangles[r].y == wanted.rectangles[r].y);
      CHECK(made.rectangles[r].width == wanted.rectangles[r].width);
      CHECK(made.rectangles[r].height == wanted.rectangles[r].height);
    }
  }

  TEST_CASE("No way to put up to seven ranks into columns has a smaller sum of half-perimeters") {
    std::mt19937 random(7);
    for (std::size_t ranks = 1; ranks <= 7; ++ranks)
      for (int draw = 0; draw < 20; ++draw) {
        std::vector<double> speeds;
        for (std::size_t r = 0; r < ranks; ++r) speeds.push_back(1.0 + static_cast<double>(random() % 40));
        const double n = draw % 2 == 0 ? 2000 : 500, m = 2000;
        const double total = std::accumulate(speeds.begin(), speeds.end(), 0.0);
        std::vector<std::vector<double>> scratch;
        const double least = least_half_perimeters(speeds, 0, scratch, n, m, total);
        const Partition made = columns_of(static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(m), speeds);
        CHECK(half_perimeters(columns_in(made, speeds), n, m, total) == near(least, 1e-12));
      }
  }

  TEST_CASE("Sixteen equal ranks stand in a square of four by four") {
    const Partition made = columns_of(24, 24, std::vector<double>(16, 1.0));
    for (std::uint32_t r = 0; r < 16; ++r) {
      CHECK(made.rectangles[r].width == 6);
      CHECK(made.rectangles[r].height == 6);
      CHECK(made.rectangles[r].x == 6 * (r / 4));
      CHECK(made.rectangles[r].y == 6 * (r % 4));
    }
  }

  TEST_CASE("Areas follow the speeds up to one row and one column of blocks") {
    std::mt19937 random(3);
    for (const std::size_t ranks : {2u, 5u, 14u, 29u, 47u}) {
      std::vector<double> speeds;
      for (std::size_t r = 0; r < ranks; ++r) speeds.push_back(10.0 + static_cast<double>(random() % 300));
      const double total = std::accumulate(speeds.begin(), speeds.end(), 0.0);
      const Partition made = columns_of(256, 256, speeds);
      for (std::size_t r = 0; r < ranks; ++r) {
        const auto& mine = made.rectangles[r];
        const double ideal = 65536.0 * speeds[r] / total;
        CHECK(std::abs(static_cast<double>(mine.area()) - ideal) <= mine.width + mine.height + 1.0);
      }
    }
  }

  TEST_CASE("With more ranks than blocks the slowest ranks get empty rectangles") {
    const Partition made = columns_of(2, 2, {5, 1, 4, 3, 2});
    CHECK(tiling_defect(made) == "");
    CHECK(made.rectangles[1].area() == 0);
    for (const std::size_t r : {0u, 2u, 3u, 4u}) CHECK(made.rectangles[r].area() == 1);
  }

  TEST_CASE("The best of exactly so many columns has them all and no column has more ranks than rows") {
    const std::vector<double> speeds{5, 1, 4, 3, 2, 9, 2};
    const ColumnArrangements arrangements({10, 3}, speeds);
    CHECK(arrangements.best_of(2).empty());  // seven ranks do not fit into two columns of three rows
    for (std::uint32_t columns = 3; columns <= 7; ++columns) {
      const auto sizes = arrangements.best_of(columns);
      CHECK(sizes.size() == columns);
      for (const std::size_t size : sizes) CHECK((size >= 1 && size <= 3));
      CHECK(tiling_defect(arrangements.partition(sizes)) == "");
    }
    CHECK(arrangements.best_of(8).empty());
    CHECK(arrangements.best_of(0).empty());
  }
}
