#include "sim/core/suggest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace orrery {

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view wrong, std::span<const std::string> known) {
  const auto distance = [&](const std::string& name) { return edit_distance(wrong, name); };
  const auto best = std::ranges::min_element(known, {}, distance);
  if (best == known.end() || distance(*best) > std::max<std::size_t>(2, wrong.size() / 3)) return std::nullopt;
  return *best;
}

std::string known_names(std::string_view wrong, std::span<const std::string> known) {
  if (known.empty()) return " (there are none).";
  std::vector<std::string> sorted(known.begin(), known.end());
  std::ranges::sort(sorted);
  std::string text = fmt::format(" (known: {}).", fmt::join(sorted, ", "));
  if (const auto nearest = nearest_name(wrong, known)) text += fmt::format(" Did you mean '{}'?", *nearest);
  return text;
}

}  // namespace orrery
