#include "sim/study/shard/shards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <numeric>
#include <queue>
#include <string_view>
#include <utility>

#include "sim/core/error.hpp"

namespace orrery::study {

namespace {

/// 0 for what is no number of a shard.
std::uint32_t number_in(std::string_view text) {
  std::uint32_t number = 0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  return status == std::errc() && rest == text.data() + text.size() && number <= shards_max ? number : 0;
}

}  // namespace

std::string ShardNumber::text() const { return fmt::format("{}/{}", number, of); }

ShardNumber shard_number(const std::string& text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const std::string_view whole(text);
  const ShardNumber shard{number_in(whole.substr(0, slash)), number_in(whole.substr(std::min(slash + 1, text.size())))};
  if (shard.number == 0 || shard.of == 0 || shard.number > shard.of)
    throw InputError("--shard: '{}' is no shard (K/N: the K-th of N, 1 to N of at most {}). Write '3/20'?", text,
                     shards_max);
  return shard;
}

std::vector<std::vector<std::size_t>> packed(std::span<const std::uint64_t> costs, std::uint32_t shards) {
  std::vector<std::size_t> longest_first(costs.size());
  std::iota(longest_first.begin(), longest_first.end(), std::size_t{0});
  std::ranges::stable_sort(longest_first, std::greater{}, [&](std::size_t point) { return costs[point]; });
  // What each has to do, how many points it has, and its number; the least first.
  struct Load {
    std::uint64_t cost;
    std::size_t points;
    std::uint32_t shard;
    auto operator<=>(const Load&) const = default;
  };
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (std::uint32_t shard = 0; shard < shards; ++shard) loads.push({0, 0, shard});
  std::vector<std::vector<std::size_t>> all(shards);
  for (const std::size_t point : longest_first) {
    Load least = loads.top();
    loads.pop();
    all[least.shard].push_back(point);
    loads.push({least.cost + costs[point], least.points + 1, least.shard});
  }
  return all;
}

}  // namespace orrery::study
