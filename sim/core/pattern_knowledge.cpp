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

  /// See: called with each signal's own and the sender's knowledge before they are joined, stage by stage, by receiver.
  template <class See>
  const std::vector<Known>& ranks_from(std::uint32_t first, const See& see) {
    std::ranges::fill(known_, Known{});
    const std::uint32_t count = std::min(words * 64, pattern_.ranks - first);
    for (std::uint32_t i = 0; i < count; ++i) known_[first + i][i / 64] |= std::uint64_t{1} << (i % 64);
    for (const PatternStage& stage : pattern_.stages) run(stage, see);
    return known_;
  }

 private:
  /// Signals of a stage tell what was known before it.
  template <class See>
  void run(const PatternStage& stage, const See& see) {
    const auto signals = stage.signals_by_receiver();
    for (std::size_t i = 0; i < signals.size();) {
      const std::uint32_t to = signals[i].to;
      Known sum = known_[to];
      for (; i < signals.size() && signals[i].to == to; ++i) {
        const Known& told = known_[signals[i].from];
        see(sum, told);
        for (std::uint32_t w = 0; w < words; ++w) sum[w] |= told[w];
      }
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

namespace {

/// How what a receiver knows and what it is told lie to each other.
struct Meeting {
  bool own = false, told = false;  ///< somebody is known to one alone
  std::optional<std::uint32_t> both;
};

void look(Meeting& meeting, const Known& own, const Known& told, std::uint32_t first) {
  for (std::uint32_t w = 0; w < words; ++w) {
    meeting.own = meeting.own || (own[w] & ~told[w]) != 0;
    meeting.told = meeting.told || (told[w] & ~own[w]) != 0;
    if (const std::uint64_t both = own[w] & told[w]; both != 0 && !meeting.both)
      meeting.both = first + w * 64 + static_cast<std::uint32_t>(std::countr_zero(both));
  }
}

}  // namespace

std::optional<Ignorance> first_double_count(const StagePattern& pattern) {
  std::vector<Meeting> meetings(pattern.signals());
  KnownOf known_of(pattern);
  for (std::uint32_t first = 0; first < pattern.ranks; first += words * 64) {
    std::size_t next = 0;
    known_of.ranks_from(first, [&](const Known& own, const Known& told) { look(meetings[next++], own, told, first); });
  }
  std::size_t next = 0;
  for (const PatternStage& stage : pattern.stages)
    for (const Signal& signal : stage.signals_by_receiver())
      if (const Meeting& meeting = meetings[next++]; meeting.own && meeting.told && meeting.both)
        return Ignorance{signal.to, *meeting.both};
  return std::nullopt;
}

std::optional<Ignorance> first_ignorance(const StagePattern& pattern, PatternGoal goal, std::uint32_t root) {
  assert(goal == PatternGoal::barrier || goal == PatternGoal::allreduce || root < pattern.ranks);
  KnownOf known_of(pattern);
  const bool of_root = goal == PatternGoal::bcast;
  for (std::uint32_t first = of_root ? root : 0; first < pattern.ranks; first += words * 64) {
    const auto& known = known_of.ranks_from(first, [](const Known&, const Known&) {});
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
