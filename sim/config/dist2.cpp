#include "sim/config/dist2.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <sstream>

#include "sim/config/files.hpp"
#include "sim/config/formats/known_formats.hpp"
#include "sim/core/error.hpp"

namespace orrery::config {

namespace {

constexpr const char* columns_line = "#host rank_intra i j x y w h w*h mem time";
constexpr std::uint64_t grid_max = 100'000'000;

std::vector<std::string> fields_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> fields;
  for (std::string field; in >> field;) fields.push_back(field);
  return fields;
}

class Dist2Parser {
 public:
  Dist2Parser(const std::string& text, std::string file) : text_(text), file_(std::move(file)) {}

  Dist2 parse() {
    std::istringstream in(text_);
    for (std::string line; std::getline(in, line);) {
      ++line_;
      const auto fields = fields_of(line);
      if (fields.empty()) continue;
      if (fields[0].starts_with('#'))
        header(fields);
      else
        process(fields);
    }
    check_whole();
    return std::move(dist2_);
  }

 private:
  [[noreturn]] void refuse(std::size_t line, const Refusal& what) const {
    throw InputError("{}:{}: {}", file_, std::max<std::size_t>(line, 1), what);
  }

  std::uint32_t whole(const std::string& field, const char* name, std::uint64_t minimum) const {
    std::uint64_t value = 0;
    const auto [rest, status] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (status != std::errc() || rest != field.data() + field.size() || value < minimum || value > grid_max)
      refuse(line_, Refusal("'{}' is '{}' (a whole number from {} to {}). Correct the number?", name, field, minimum,
                            grid_max));
    return static_cast<std::uint32_t>(value);
  }

  double number(const std::string& field, const char* name) const {
    double value = 0.0;
    const auto [rest, status] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (status != std::errc() || rest != field.data() + field.size() || !std::isfinite(value) || value < 0.0)
      refuse(line_, Refusal("'{}' is '{}' (a number, 0 or more). Write '0'?", name, field));
    return value;
  }

  void header(const std::vector<std::string>& fields) {
    const bool counts = fields[0] == "#size" || fields[0] == "#N" || fields[0] == "#kb";
    if (counts && !headers_.try_emplace(fields[0], line_).second)
      refuse(line_, Refusal("'{}' is given twice (first in line {}). Remove one?", fields[0], headers_.at(fields[0])));
    if (fields.size() >= 2 && fields[0] == "#size") size_ = whole(fields[1], "#size", 1);
    if (fields.size() >= 2 && fields[0] == "#kb") dist2_.block = whole(fields[1], "#kb", 1), dist2_.has_block = true;
    if (fields.size() < 2 || fields[0] != "#N") return;
    dist2_.partition.columns = whole(fields[1], "#N", 1);
    dist2_.partition.rows = fields.size() > 2 ? whole(fields[2], "#N", 1) : dist2_.partition.columns;
  }

  void process(const std::vector<std::string>& fields) {
    if (size_ == 0) refuse(line_, "no '#size' line before the first rank (the number of ranks). Write '#size 6'?");
    if (dist2_.partition.columns == 0)
      refuse(line_, "no '#N' line before the first rank (blocks along a side). Write '#N 256'?");
    if (fields.size() != 11)
      refuse(line_,
             Refusal("{} fields (11: host rank_intra i j x y w h w*h mem time). Add the missing ones?", fields.size()));
    if (lines_.size() == size_)
      refuse(line_, Refusal("rank {} is one too many ('#size' is {}). Write '#size {}'?", size_, size_, size_ + 1));
    const Rectangle mine{whole(fields[4], "x", 0), whole(fields[5], "y", 0), whole(fields[6], "w", 0),
                         whole(fields[7], "h", 0)};
    if (number(fields[8], "w*h") != static_cast<double>(mine.area()))
      refuse(line_, Refusal("'w*h' is '{}' where w is {} and h is {} (their product). Write '{}'?", fields[8],
                            mine.width, mine.height, mine.area()));
    check_place(mine);
    lines_.push_back(line_);
    dist2_.partition.rectangles.push_back(mine);
    dist2_.processes.push_back(
        {fields[0], whole(fields[1], "rank_intra", 0), number(fields[9], "mem"), number(fields[10], "time")});
  }

  void check_place(const Rectangle& mine) const {
    const Partition& partition = dist2_.partition;
    const std::uint32_t rank = partition.ranks();
    if (mine.right() > partition.columns || mine.bottom() > partition.rows)
      refuse(line_, Refusal("rank {} reaches column {} and row {} (the grid is {} x {}). Correct its x, y, w or h?",
                            rank, mine.right(), mine.bottom(), partition.columns, partition.rows));
    for (std::uint32_t other = 0; other < rank; ++other) {
      const Rectangle& theirs = partition.rectangles[other];
      if (shared_rows(mine, theirs) > 0 && shared_columns(mine, theirs) > 0)
        refuse(line_, Refusal("rank {} overlaps rank {} (line {}) at column {}, row {} (rectangles are disjoint). "
                              "Correct one of them?",
                              rank, other, lines_[other], std::max(mine.x, theirs.x), std::max(mine.y, theirs.y)));
    }
  }

  /// First block in reading order that no rectangle covers.
  std::pair<std::uint32_t, std::uint32_t> first_gap() const {
    std::vector<std::uint32_t> tops{0};
    for (const auto& rectangle : dist2_.partition.rectangles) tops.push_back(rectangle.bottom());
    std::ranges::sort(tops);
    for (const std::uint32_t row : tops) {
      std::uint32_t column = 0;
      for (bool moved = true; moved;) {
        moved = false;
        for (const auto& rectangle : dist2_.partition.rectangles)
          if (rectangle.has_row(row) && rectangle.has_column(column)) {
            column = rectangle.right();
            moved = true;
          }
      }
      if (row < dist2_.partition.rows && column < dist2_.partition.columns) return {column, row};
    }
    return {0, 0};
  }

  void check_whole() const {
    if (size_ == 0) refuse(line_, "no '#size' line (the number of ranks). Write '#size 6'?");
    if (lines_.size() < size_)
      refuse(line_, Refusal("rank {} is missing ('#size' is {}, {} ranks follow). Add its line, or write "
                            "'#size {}'?",
                            lines_.size(), size_, lines_.size(), lines_.size()));
    const Partition& partition = dist2_.partition;
    std::uint64_t covered = 0;
    for (const auto& rectangle : partition.rectangles) covered += rectangle.area();
    const std::uint64_t wanted = std::uint64_t{partition.columns} * partition.rows;
    if (covered == wanted) return;
    const auto [column, row] = first_gap();
    refuse(lines_.back(), Refusal("nobody owns the block at column {}, row {} ({} of {} blocks are owned). Enlarge "
                                  "a rectangle?",
                                  column, row, covered, wanted));
  }

  const std::string& text_;
  std::string file_;
  std::size_t line_ = 0;
  std::uint32_t size_ = 0;
  std::map<std::string, std::size_t> headers_;  ///< where each stands
  std::vector<std::size_t> lines_;              ///< [ranks] where each stands in the file
  Dist2 dist2_;
};

/// j: number of the rank's column from the left; i: its place in the column from the top.
std::vector<std::pair<std::size_t, std::size_t>> places(const Partition& partition) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> columns;
  for (std::uint32_t r = 0; r < partition.ranks(); ++r) columns[partition.rectangles[r].x].push_back(r);
  std::vector<std::pair<std::size_t, std::size_t>> result(partition.ranks());
  std::size_t j = 0;
  for (auto& [x, ranks] : columns) {
    std::ranges::stable_sort(ranks, {}, [&](std::uint32_t r) { return partition.rectangles[r].y; });
    for (std::size_t i = 0; i < ranks.size(); ++i) result[ranks[i]] = {i, j};
    ++j;
  }
  return result;
}

}  // namespace

Dist2 read_dist2(const std::string& file) {
  const std::string text = read_file(file);
  refuse_other_format(text, file, "a partition (.2dist)", {"2dist"});
  return parse_dist2(text, file);
}

Dist2 parse_dist2(const std::string& text, const std::string& file) { return Dist2Parser(text, file).parse(); }

std::string dist2_text(const Dist2& dist2) {
  const Partition& partition = dist2.partition;
  std::string text = fmt::format("#size {}\n#N {}", partition.ranks(), partition.columns);
  if (partition.rows != partition.columns) text += fmt::format(" {}", partition.rows);
  text += fmt::format("\n#kb {}\n{}\n", dist2.block, columns_line);
  const auto place = places(partition);
  for (std::uint32_t r = 0; r < partition.ranks(); ++r) {
    const Rectangle& mine = partition.rectangles[r];
    const Dist2Process process = r < dist2.processes.size() ? dist2.processes[r] : Dist2Process{"-", r};
    text += fmt::format("{} {} {} {} {} {} {} {} {} {} {}\n", process.host, process.rank_on_host, place[r].first,
                        place[r].second, mine.x, mine.y, mine.width, mine.height, mine.area(), process.memory_B,
                        process.time_s);
  }
  return text;
}

}  // namespace orrery::config
