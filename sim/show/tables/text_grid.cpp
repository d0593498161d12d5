#include "sim/show/tables/text_grid.hpp"

#include <algorithm>

#include "sim/core/printable.hpp"

namespace orrery::show {

namespace {

constexpr std::size_t gutter = 2;

const char* escape_of(Tint tint) {
  switch (tint) {
    case Tint::good:
      return "\033[32m";
    case Tint::fair:
      return "\033[33m";
    case Tint::poor:
      return "\033[31m";
    case Tint::faint:
      return "\033[2m";
    case Tint::plain:
      break;
  }
  return "";
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string blanks(width - std::min(width, text_width(text)), ' ');
  return right ? blanks + text : text + blanks;
}

std::size_t width_of(const Column& column) {
  std::size_t width = text_width(column.header);
  for (const auto& cell : column.cells) width = std::max(width, text_width(visible(cell.text)));
  return width;
}

std::vector<std::size_t> widths_of(const std::vector<Column>& columns) {
  std::vector<std::size_t> widths(columns.size());
  std::transform(columns.begin(), columns.end(), widths.begin(), width_of);
  return widths;
}

/// [first, last) of one group, or one column without a group.
struct Group {
  std::size_t first, last, width;
};

std::vector<Group> groups_of(const std::vector<Column>& columns, std::size_t from, std::vector<std::size_t>& widths) {
  std::vector<Group> groups;
  for (std::size_t c = from; c < columns.size();) {
    Group group{c, c + 1, widths[c]};
    while (!columns[c].group.empty() && group.last < columns.size() && columns[group.last].group == columns[c].group)
      group.width += gutter + widths[group.last++];
    // A group's heading wider than its columns widens the first of them.
    const std::size_t heading = text_width(columns[c].group);
    if (heading > group.width) widths[c] += heading - group.width, group.width = heading;
    groups.push_back(group);
    c = group.last;
  }
  return groups;
}

/// The cells that open row r in words, with the header of those that are numbers: "ranks 8, ethernet".
std::string row_label(const std::vector<Column>& columns, std::size_t repeated, std::size_t r) {
  std::string label;
  for (std::size_t c = 0; c < repeated; ++c) {
    const std::string& text = columns[c].cells[r].text;
    const bool number = !text.empty() && text.front() >= '0' && text.front() <= '9';
    label += (label.empty() ? "" : ", ") + (number ? columns[c].header + " " : "") + text;
  }
  return label;
}

Cell cell_of(const std::vector<Column>& columns, std::size_t repeated, const std::string& group,
             const std::string& header, std::size_t r) {
  for (std::size_t c = repeated; c < columns.size(); ++c)
    if (columns[c].group == group && columns[c].header == header) return columns[c].cells[r];
  return {};
}

/// Width of the repeated columns with the widest group beside them: what no wrapping makes narrower.
std::size_t widest_block(const std::vector<Column>& columns, std::size_t repeated) {
  std::vector<std::size_t> widths = widths_of(columns);
  std::size_t widest = 0, opening = 0;
  for (const auto& group : groups_of(columns, repeated, widths)) widest = std::max(widest, group.width);
  for (std::size_t c = 0; c < repeated; ++c) opening += widths[c] + gutter;
  return opening + widest;
}

std::string trimmed(std::string line) {
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line + "\n";
}

std::string block(const std::vector<Column>& columns, const std::vector<std::size_t>& shown,
                  const std::vector<std::size_t>& widths, bool color) {
  std::string heading, header, rule, body;
  for (std::size_t i = 0; i < shown.size();) {
    std::size_t end = i + 1, width = widths[shown[i]];
    const std::string& group = columns[shown[i]].group;
    while (!group.empty() && end < shown.size() && columns[shown[end]].group == group)
      width += gutter + widths[shown[end++]];
    heading += (i == 0 ? "" : std::string(gutter, ' ')) + padded(group, width, true);
    i = end;
  }
  std::size_t rows = 0;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const auto& column = columns[shown[i]];
    header += (i == 0 ? "" : std::string(gutter, ' ')) + padded(column.header, widths[shown[i]], column.right);
    for (std::size_t dash = 0; dash < widths[shown[i]] + (i == 0 ? 0 : gutter); ++dash) rule += "─";
    rows = std::max(rows, column.cells.size());
  }
  for (std::size_t r = 0; r < rows; ++r) {
    std::string line;
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const auto& column = columns[shown[i]];
      const Cell cell = r < column.cells.size() ? column.cells[r] : Cell{};
      const std::string text = padded(visible(cell.text), widths[shown[i]], column.right);
      line += i == 0 ? "" : std::string(gutter, ' ');
      line += color && cell.tint != Tint::plain ? escape_of(cell.tint) + text + "\033[0m" : text;
    }
    body += trimmed(line);
  }
  const bool grouped = heading.find_first_not_of(' ') != std::string::npos;
  return (grouped ? bold(trimmed(heading), color) : "") + bold(trimmed(header), color) + rule + "\n" + body;
}

}  // namespace

std::size_t text_width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

std::string bold(const std::string& text, bool color) {
  if (!color || text.empty()) return text;
  const bool line = text.back() == '\n';
  return "\033[1m" + visible(text.substr(0, text.size() - line)) + "\033[0m" + (line ? "\n" : "");
}

std::string wrapped(const std::string& text, std::size_t width, const std::string& indent) {
  const std::size_t limit = width == unlimited_width ? width : std::min(width, prose_width_max);
  const std::size_t start = std::min(text.find_first_not_of(' '), text.size());
  std::string out, line = text.substr(0, start);
  bool empty = true;
  for (std::size_t at = start; at < text.size();) {
    const std::size_t blank = std::min(text.find(' ', at), text.size());
    const std::string word = visible(text.substr(at, blank - at));
    at = blank + 1;
    if (!empty && text_width(line) + 1 + text_width(word) > limit) {
      out += line + "\n";
      line = indent;
      empty = true;
    }
    line += (empty ? "" : " ") + word;
    empty = false;
  }
  return out + line + "\n";
}

std::size_t total_width(const std::vector<Column>& columns) {
  std::vector<std::size_t> widths = widths_of(columns);
  std::size_t total = 0;
  for (const auto& group : groups_of(columns, 0, widths)) total += group.width + gutter;
  return total == 0 ? 0 : total - gutter;
}

std::string render(const std::vector<Column>& columns, std::size_t repeated, std::size_t width, bool color) {
  std::vector<std::size_t> widths = widths_of(columns);
  std::vector<std::size_t> leading;
  std::size_t opening = 0;
  for (std::size_t c = 0; c < repeated; ++c) {
    leading.push_back(c);
    opening += widths[c] + gutter;
  }
  std::string out;
  std::vector<std::size_t> shown = leading;
  std::size_t used = opening;
  for (const auto& group : groups_of(columns, repeated, widths)) {
    if (shown.size() > leading.size() && used + group.width > width) {
      out += block(columns, shown, widths, color) + "\n";
      shown = leading;
      used = opening;
    }
    for (std::size_t c = group.first; c < group.last; ++c) shown.push_back(c);
    used += group.width + gutter;
  }
  return out + block(columns, shown, widths, color);
}

std::vector<Column> transposed(const std::vector<Column>& columns, std::size_t repeated) {
  std::vector<std::string> groups, headers;
  std::size_t rows = 0;
  for (std::size_t c = repeated; c < columns.size(); ++c) {
    if (std::ranges::find(groups, columns[c].group) == groups.end()) groups.push_back(columns[c].group);
    if (std::ranges::find(headers, columns[c].header) == headers.end()) headers.push_back(columns[c].header);
    rows = std::max(rows, columns[c].cells.size());
  }
  std::vector<Column> turned{{"", "", false, {}}};
  for (const auto& group : groups) turned[0].cells.push_back({group});
  for (std::size_t r = 0; r < rows; ++r)
    for (const auto& header : headers) {
      Column column{row_label(columns, repeated, r), header, true, {}};
      for (const auto& group : groups) column.cells.push_back(cell_of(columns, repeated, group, header, r));
      const bool bare = std::ranges::all_of(column.cells, [](const Cell& cell) { return cell.text.empty(); });
      if (!bare) turned.push_back(std::move(column));
    }
  return turned;
}

std::string fitted(const std::vector<Column>& columns, std::size_t repeated, std::size_t width, bool color) {
  const std::string below = render(columns, repeated, width, color);
  if (total_width(columns) <= width) return below;
  const auto turned = transposed(columns, repeated);
  const std::string across = render(turned, 1, width, color);
  const auto lines = [](const std::string& text) { return std::ranges::count(text, '\n'); };
  return lines(across) < lines(below) && widest_block(turned, 1) <= width ? across : below;
}

}  // namespace orrery::show
