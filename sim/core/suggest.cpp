#include "sim/core/suggest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace orrery {

namespace {

/// Two neighbours exchanged are one slip (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before.swap(row);
    row.swap(next);
  }
  return row.back();
}

/// Columns of one quantity in two units, "time_us" and "time_s": its numbers are wrong under the other name.
bool differ_in_unit(std::string_view a, std::string_view b) {
  constexpr std::string_view units[] = {"s",    "ms",  "us", "ns",  "min",  "h",     "B",     "kB",
                                        "KB",   "KiB", "MB", "MiB", "GB",   "GiB",   "TB",    "bit",
                                        "bits", "W",   "kW", "MW",  "flop", "Mflop", "Gflop", "Tflop"};
  if (a.find('_') == a.npos) return false;
  bool differ = false;
  while (!a.empty() || !b.empty()) {
    const std::string_view one = a.substr(0, a.find('_')), other = b.substr(0, b.find('_'));
    if (one != other && (std::ranges::count(units, one) == 0 || std::ranges::count(units, other) == 0)) return false;
    differ = differ || one != other;
    a.remove_prefix(std::min(a.size(), one.size() + 1));
    b.remove_prefix(std::min(b.size(), other.size() + 1));
  }
  return differ;
}

}  // namespace

std::string shown(std::string_view text) {
  constexpr std::size_t length_max = 60;
  std::string result(text.substr(0, length_max));
  for (char& c : result)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return text.size() > length_max ? result + "..." : result;
}

std::optional<std::string> nearest_name(std::string_view wrong, std::span<const std::string> known) {
  const auto lower = [](std::string_view text) {
    std::string small(text);
    for (char& c : small)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return small;
  };
  const auto same = [&, small = lower(wrong)](const std::string& name) { return lower(name) == small; };
  if (const auto found = std::ranges::find_if(known, same); found != known.end()) return *found;
  const auto distance = [&](const std::string& name) { return edit_distance(wrong, name); };
  const auto best = std::ranges::min_element(known, {}, distance);
  if (best == known.end() || distance(*best) > std::max<std::size_t>(2, wrong.size() / 3)) return std::nullopt;
  return *best;
}

namespace {

constexpr std::size_t listed_max = 64, near_listed = 8;

/// Of very many those nearest to what was written; of equally near ones those that begin alike.
std::string nearest_names(std::string_view wrong, std::span<const std::string> known) {
  std::vector<std::tuple<std::size_t, std::ptrdiff_t, std::string>> near;
  for (const std::string& name : known)
    near.emplace_back(edit_distance(wrong, name), wrong.begin() - std::ranges::mismatch(wrong, name).in1, name);
  std::ranges::sort(near);
  std::string text = fmt::format("{} are known, among them ", known.size());
  for (std::size_t i = 0; i < near_listed; ++i) text += (i > 0 ? ", " : "") + std::get<2>(near[i]);
  return text;
}

}  // namespace

Advice known_names(std::string_view wrong, std::span<const std::string> known) {
  if (known.empty()) return {"there are none", "", {}};
  std::vector<std::string> sorted(known.begin(), known.end());
  std::ranges::sort(sorted);
  std::string rule =
      known.size() > listed_max ? nearest_names(wrong, known) : fmt::format("known: {}", fmt::join(sorted, ", "));
  const auto nearest = nearest_name(wrong, known);
  if (!nearest) return {std::move(rule), "", {}};
  if (differ_in_unit(wrong, *nearest))
    return {std::move(rule), fmt::format("Convert its numbers to '{}'?", *nearest), {}};
  return {std::move(rule), fmt::format("Did you mean '{}'?", *nearest), {*nearest}};
}

Advice present_names(std::string_view missing, std::span<const std::string> present) {
  if (present.empty()) return {"there are none", "Add it?", {}};
  std::string rule = fmt::format("there are {}", fmt::join(present, ", "));
  const auto nearest = nearest_name(missing, present);
  if (!nearest) return {std::move(rule), "Add it?", {}};
  if (differ_in_unit(missing, *nearest))
    return {std::move(rule), fmt::format("Convert the numbers of '{}'?", *nearest), {}};
  return {std::move(rule), fmt::format("Rename '{}'?", *nearest), {}};
}

}  // namespace orrery
