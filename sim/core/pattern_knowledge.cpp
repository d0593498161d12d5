#include "sim/core/pattern_knowledge.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

namespace orrery {

namespace {

constexpr std::uint32_t words = 8;  ///< of 64 ranks each: one line of the cache
using Known = std::array<std::uint64_t, words>;

/// What every rank knows of ranks first .. first + 511 when the pattern is over.  [ranks]
class KnownOf {
 public:
  explicit KnownOf(const StagePattern& pattern) : pattern_(pattern), known_(pattern.ranks), news_(pattern.ranks) {}

  const std::vector<Known>& ranks_from(std::uint32_t first) {
    std::ranges::fill(known_, Known{});
    const std::uint32_t count = std::min(words * 64, pattern_.ranks - first);
    for (std::uint32_t i = 0; i < count; ++i) known_[first + i][i / 64] |= std::uint64_t{1} << (i % 64);
    for (const PatternStage& stage : pattern_.stages) run(stage);
    return known_;
  }

 private:
  /// Signals of a stage tell what was known before it.
  void run(const PatternStage& stage) {
    const auto signals = stage.signals_by_receiver();
    for (std::size_t i = 0; i < signals.size();) {
      const std::uint32_t to = signals[i].to;
      Known sum = known_[to];
      for (; i < signals.size() && signals[i].to == to; ++i)
        for (std::uint32_t w = 0; w < words; ++w) sum[w] |= known_[signals[i].from][w];
      news_[to] = sum;
    }
    std::uint32_t last = pattern_.ranks;
    for (const Signal& signal : signals) {
      if (signal.to != last) known_[signal.to] = news_[signal.to];
      last = signal.to;
    }
  }

  const StagePattern& pattern_;
  std::vector<Known> known_, news_;
};

}  // namespace

std::optional<Ignorance> first_ignorance(const StagePattern& pattern, PatternGoal goal, std::uint32_t root) {
  assert(goal == PatternGoal::barrier || root < pattern.ranks);
  KnownOf known_of(pattern);
  const bool of_root = goal == PatternGoal::bcast;
  for (std::uint32_t first = of_root ? root : 0; first < pattern.ranks; first += words * 64) {
    const auto& known = known_of.ranks_from(first);
    const std::uint32_t count = of_root ? 1 : std::min(words * 64, pattern.ranks - first);
    std::optional<Ignorance> found;
    for (std::uint32_t who = 0; who < pattern.ranks; ++who) {
      if (goal == PatternGoal::reduce && who != root) continue;
      for (std::uint32_t w = 0; w * 64 < count; ++w) {
        const std::uint64_t wanted =
            count - w * 64 >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (count - w * 64)) - 1;
        const std::uint64_t missing = wanted & ~known[who][w];
        if (missing == 0) continue;
        const std::uint32_t of = first + w * 64 + static_cast<std::uint32_t>(std::countr_zero(missing));
        if (!found || of < found->of) found = Ignorance{who, of};
        break;
      }
    }
    if (found || of_root) return found;
  }
  return std::nullopt;
}

}  // namespace orrery
