#include "sim/study/search/barrier_job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "kernels/collectives/algorithm.hpp"
#include "kernels/kernel.hpp"
#include "models/barrier/exhaustive.hpp"
#include "models/barrier/phase_pattern.hpp"
#include "sim/config/pattern_file.hpp"
#include "sim/core/error.hpp"
#include "sim/core/pattern_knowledge.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/version.hpp"
#include "sim/engine/batch.hpp"
#include "sim/study/play/progress.hpp"
#include "sim/study/search/barrier_machine.hpp"

namespace orrery::study {

namespace {

constexpr std::uint32_t library_ranks_max =
    1024;  ///< beyond, its patterns are not listed: the double ring has two stages a rank

/// After a barrier or an allreduce all start the next together; bcasts and reduces run ahead of each other.
std::uint32_t repetitions_of(PatternGoal goal) {
  return goal == PatternGoal::barrier || goal == PatternGoal::allreduce ? 4 : 1;
}

class NoWork final : public ComputeModel {
  std::string description() const override { return "no compute steps"; }
  Seconds compute_time(const Compute&, Rank) const override { return {}; }
};

using Words = std::vector<std::pair<std::string, std::string>>;

std::unique_ptr<Program> program_of(const char* kernel, const Words& words, std::uint32_t ranks, const Layout* layout,
                                    const StagePattern* pattern = nullptr) {
  const KernelEntry& entry = kernels().at(kernel, "barrier");
  KernelInput input{Parameters(entry.parameters), ranks, nullptr, nullptr, layout};
  for (const auto& [name, word] : words) input.parameters.set(name, word, "barrier");
  if (pattern != nullptr) input.pattern = std::make_shared<const StagePattern>(*pattern);
  return entry.make(input);
}

/// An algorithm of the catalogue as a pattern; none where it is another's in disguise or refuses so many ranks.
std::optional<StagePattern> library_pattern(const std::string& name, std::uint32_t ranks, const Layout* layout) {
  const auto program = program_of("collective", {{"operation", "barrier"}, {"algorithm", name}}, ranks, layout);
  for (const Phase& phase : build_phases(*program)) {
    if (phase.collectives.empty() || phase.collectives.front().call.algorithm != name) continue;
    return pattern_of(phase);
  }
  return std::nullopt;
}

Seconds simulated(const BarrierMachine& machine, const std::string& engine, const Program& program,
                  std::uint32_t repetitions) {
  const NoWork compute;
  const auto play = [&](const ReplayProgress& tell) {
    return make_engine(engine, "--engine")
        ->replay({.program = &program,
                  .platform = &machine.platform,
                  .network = machine.network,
                  .layout = &machine.layout,
                  .compute = &compute,
                  .options = {.load_bins = 1, .intervals_max = 0, .tight_precision = true, .progress = tell}});
  };
  const auto played = engine::play_all({.jobs = 1, .threads = make_engine(engine, "--engine")->reentrant()},
                                       {{"a barrier", play}}, [](const engine::BatchState&) { return !interrupted(); });
  return played.front().value().makespan / static_cast<double>(repetitions);
}

std::vector<std::uint32_t> renumbered(const std::vector<std::uint32_t>& ranks,
                                      const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> result;
  result.reserve(ranks.size());
  for (const std::uint32_t rank : ranks) result.push_back(order[rank]);
  return result;
}
Cluster renumbered(const Cluster& cluster, const std::vector<std::uint32_t>& order) {
  Cluster result{renumbered(cluster.members, order), {}};
  for (const Cluster& part : cluster.parts) result.parts.push_back(renumbered(part, order));
  return result;
}

/// Ranks of each innermost cluster.
std::vector<std::vector<std::uint32_t>> innermost(const Cluster& cluster) {
  if (cluster.parts.empty()) return {cluster.members};
  std::vector<std::vector<std::uint32_t>> all;
  for (const Cluster& part : cluster.parts)
    for (auto& members : innermost(part)) all.push_back(std::move(members));
  return all;
}

constexpr std::size_t parts_shown = 40;

/// "hybrid, 3 clusters; level 0: linear among 0-7 (12 us), ...".
std::string hybrid_note(const Hybrid& hybrid, std::size_t clusters) {
  std::string text = fmt::format("hybrid, {} cluster{}", clusters, clusters == 1 ? "" : "s");
  for (std::size_t i = 0; i < std::min(parts_shown, hybrid.parts.size()); ++i) {
    const HybridPart& part = hybrid.parts[i];
    const bool next = i == 0 || part.level != hybrid.parts[i - 1].level;
    text += next ? fmt::format("; level {}: ", part.level) : ", ";
    text += fmt::format("{} among {} ({})", part.algorithm, ranks_text(part.members), to_text(part.cost));
  }
  if (hybrid.parts.size() > parts_shown) text += fmt::format(" and {} more", hybrid.parts.size() - parts_shown);
  return text;
}

class Finder {
 public:
  Finder(const BarrierRequest& request, const BarrierMachine* machine, std::uint32_t ranks)
      : request_(request),
        machine_(machine),
        ranks_(ranks),
        goal_(meaning_of(pattern_goal_words, request.goal).value()),
        root_(collects_and_spreads() ? 0 : static_cast<std::uint32_t>(request.root)) {}

  BarrierAnswer answer(const std::optional<StagePattern>& given) {
    known();
    if (collects_and_spreads()) library();
    made();
    if (given) {
      add(request_.pattern, *given);
      answer_.chosen = answer_.patterns.size() - 1;
    }
    if (goal_ == PatternGoal::barrier && machine_ != nullptr && ranks_ <= exhaustive_ranks_max)
      add(fmt::format("cheapest of at most {} stages", exhaustive_stages_max(ranks_)),
          cheapest_pattern(machine_->costs).pattern);
    title();
    return std::move(answer_);
  }

 private:
  bool collects_and_spreads() const { return goal_ == PatternGoal::barrier || goal_ == PatternGoal::allreduce; }

  void add(const std::string& name, StagePattern pattern) {
    const char* goal = word_of(pattern_goal_words, collects_and_spreads() ? PatternGoal::barrier : goal_);
    add(name, std::move(pattern), "barrier",
        {{"algorithm", "pattern"}, {"pattern", name}, {"goal", goal}, {"root", std::to_string(root_)}});
  }
  void add(const std::string& name, StagePattern pattern, const char* kernel, Words words) {
    if (interrupted()) throw Interrupted("interrupted: {}", name);
    PointResult& point = answer_.result.points.emplace_back(
        PointResult{.settings = {{request_.goal, name}, {"ranks", std::to_string(ranks_)}},
                    .kernel = kernel,
                    .compared_phase = request_.goal});
    const auto refuted = first_ignorance(pattern, goal_, root_);
    if (refuted) point.failure = Refusal("{} does not know of {}", refuted->who, refuted->of);
    const auto twice = goal_ == PatternGoal::allreduce && !refuted ? first_double_count(pattern) : std::nullopt;
    if (twice)
      answer_.result.notes.push_back(fmt::format("{} is no sum: {} counts {} twice", name, twice->who, twice->of));
    point.metrics = {{"stages", static_cast<double>(pattern.stages.size()), ""},
                     {"signals", static_cast<double>(pattern.signals()), ""},
                     {proved(), refuted || twice ? 0.0 : 1.0, ""}};
    if (machine_ != nullptr) {
      point.platform = machine_->platform.name;
      point.network = machine_->network->name;
      point.layout_name = machine_->layout.name;
      point.layout = machine_->layout;
      point.predictions.push_back({.model = "barrier-matrix",
                                   .mode = machine_->costs.acknowledged ? "" : "acknowledgement=none",
                                   .time = pattern_cost_of(goal_, pattern, machine_->costs).total,
                                   .terms = {}});
    }
    if (machine_ != nullptr && request_.simulate && !refuted) {
      words.emplace_back("repetitions", std::to_string(repetitions_of(goal_)));
      const auto program = program_of(kernel, words, ranks_, &machine_->layout, &pattern);
      point.simulated = simulated(*machine_, request_.engine, *program, repetitions_of(goal_));
    }
    answer_.patterns.push_back(std::move(pattern));
  }
  /// What is proved of a pattern, in the words of the goal.
  const char* proved() const {
    return goal_ == PatternGoal::allreduce ? "sums all"
           : goal_ == PatternGoal::reduce  ? "root knows all"
           : goal_ == PatternGoal::bcast   ? "all know root"
                                           : "all know";
  }
  /// Half of the barrier about the root.
  StagePattern half(const StagePattern& barrier) const {
    const auto middle = barrier.stages.begin() + static_cast<std::ptrdiff_t>(barrier.stages.size() / 2);
    const bool first = goal_ == PatternGoal::reduce;
    const StagePattern some{barrier.ranks,
                            {first ? barrier.stages.begin() : middle, first ? middle : barrier.stages.end()}};
    return embedded(some, root_first(), ranks_);
  }
  /// All ranks, the root before the others.
  std::vector<std::uint32_t> root_first() const {
    std::vector<std::uint32_t> ranks(ranks_);
    std::iota(ranks.begin(), ranks.end(), 0u);
    std::rotate(ranks.begin(), ranks.begin() + root_, ranks.begin() + root_ + 1);
    return ranks;
  }
  void known() {
    if (!collects_and_spreads()) {
      add("linear", half(linear_pattern(ranks_)));
      for (const std::uint32_t degree : {2u, 3u, 4u})
        add(fmt::format("tree of degree {}", degree), half(tree_pattern(ranks_, degree)));
      return;
    }
    add("linear", linear_pattern(ranks_), "barrier", {{"algorithm", "linear"}});
    for (const char* degree : {"2", "3", "4"})
      add(fmt::format("tree of degree {}", degree),
          tree_pattern(ranks_, static_cast<std::uint32_t>(std::stoul(degree))), "barrier",
          {{"algorithm", "tree"}, {"degree", degree}});
    add("dissemination", dissemination_pattern(ranks_), "barrier", {{"algorithm", "dissemination"}});
  }
  void library() {
    if (ranks_ > library_ranks_max) {
      answer_.result.notes.push_back(
          fmt::format("the algorithms of MPI libraries are listed up to {} ranks", library_ranks_max));
      return;
    }
    if (ranks_ < 2) return;
    const Layout* layout = machine_ != nullptr ? &machine_->layout : nullptr;
    for (const auto& name : collectives::algorithms(Operation::barrier).names())
      if (auto pattern = library_pattern(name, ranks_, layout))
        add(name, std::move(*pattern), "collective", {{"operation", "barrier"}, {"algorithm", name}});
  }
  void made() {
    if (machine_ == nullptr) return;
    const auto order = root_first();  // the first is a pivot at every level
    const SignalCosts costs = root_ == 0 ? machine_->costs : restricted(machine_->costs, order);
    const Cluster clusters = clusters_of(costs, {.sparseness = request_.sparseness});
    Hybrid hybrid = hybrid_barrier(clusters, costs, goal_);
    hybrid.pattern = embedded(hybrid.pattern, order, ranks_);
    for (HybridPart& part : hybrid.parts) part.members = renumbered(part.members, order);
    answer_.clusters = innermost(renumbered(clusters, order));
    answer_.result.notes.push_back(hybrid_note(hybrid, answer_.clusters.size()));
    add("hybrid", std::move(hybrid.pattern));
    answer_.chosen = answer_.patterns.size() - 1;
  }
  void title() {
    answer_.result.name = "barrier", answer_.result.file = "command-line", answer_.result.version = version;
    if (request_.simulate) answer_.result.engine = request_.engine;
    answer_.result.title =
        fmt::format("{} of {} ranks", goal_ == PatternGoal::barrier ? "Barriers" : "Patterns", ranks_);
    if (goal_ != PatternGoal::barrier) answer_.result.title += " for " + request_.goal;
    if (!collects_and_spreads()) answer_.result.title += fmt::format(" about rank {}", root_);
    if (goal_ == PatternGoal::allreduce)
      answer_.result.notes.emplace_back(
          "sums all: partial sums travel along; a rank that would count another twice is named. For a maximum it is "
          "enough that all know");
    if (machine_ == nullptr) return;
    answer_.result.title += fmt::format(" on {}, {}", machine_->platform.name, machine_->network->name);
    answer_.result.notes.push_back(fmt::format("cost: equation 5.4 of Meyer 2012, its O and L from {}; signals {}",
                                               machine_->parameters.origin,
                                               machine_->costs.acknowledged ? "acknowledged" : "not acknowledged"));
    if (request_.simulate)
      answer_.result.notes.push_back(
          collects_and_spreads() ? fmt::format("simulated: 4 {}s back to back on engine {}, a fourth of their time",
                                               request_.goal, request_.engine)
                                 : fmt::format("simulated: one {} on engine {}", request_.goal, request_.engine));
    if (goal_ == PatternGoal::reduce)
      answer_.result.notes.emplace_back(
          "a reduce is costed as the bcast that it is backwards: the equation charges senders alone");
  }

  const BarrierRequest& request_;
  const BarrierMachine* machine_;
  std::uint32_t ranks_;
  PatternGoal goal_;
  std::uint32_t root_;
  BarrierAnswer answer_;
};

void require_sense(const BarrierRequest& request) {
  if (!(request.sparseness > 0.0 && request.sparseness < 1.0))
    throw InputError(
        "--sparseness: '{:g}' is not between 0 and 1 (a share of the diameter). Write "
        "'--sparseness 0.35'?",
        request.sparseness);
  if (request.layout.ranks < 0)
    throw InputError("--ranks: '{}' is no number of ranks (0: as many as fit). Write '--ranks 16'?",
                     request.layout.ranks);
  if (request.platform.empty() && (request.simulate || !request.matrices.empty() || !request.members.empty()))
    throw InputError("{}: no platform to do it on. Add '--platform NAME'?", request.simulate          ? "--simulate"
                                                                            : request.members.empty() ? "--matrices"
                                                                                                      : "--members");
  if (request.platform.empty() && request.pattern.empty() && request.layout.ranks < 1)
    throw InputError("--ranks: not given, and neither is --pattern nor --platform. Write '--ranks 16'?");
}

}  // namespace

std::string ranks_text(const std::vector<std::uint32_t>& ranks) {
  std::vector<std::string> runs;
  for (std::size_t first = 0; first < ranks.size();) {
    std::size_t last = first;
    const std::uint32_t step = first + 1 < ranks.size() ? ranks[first + 1] - ranks[first] : 1;
    while (last + 1 < ranks.size() && ranks[last + 1] > ranks[last] && ranks[last + 1] - ranks[last] == step) ++last;
    if (last - first < 2) last = first;  // two ranks are no run
    runs.push_back(last == first ? std::to_string(ranks[first])
                   : step == 1   ? fmt::format("{}-{}", ranks[first], ranks[last])
                                 : fmt::format("{}-{} by {}", ranks[first], ranks[last], step));
    first = last + 1;
  }
  return fmt::format("{}", fmt::join(runs, ", "));
}

std::vector<std::string> pattern_goals() { return words_of(pattern_goal_words); }

BarrierAnswer find_barriers(const BarrierRequest& request) {
  require_sense(request);
  std::optional<StagePattern> given;
  if (!request.pattern.empty()) given = config::read_pattern(request.pattern);
  std::unique_ptr<BarrierMachine> machine;
  if (!request.platform.empty()) machine = barrier_machine(request, given ? given->ranks : 0);
  const std::uint32_t ranks = machine                    ? machine->layout.ranks()
                              : request.layout.ranks > 0 ? static_cast<std::uint32_t>(request.layout.ranks)
                                                         : given->ranks;
  if (given && given->ranks != ranks)
    throw InputError(
        "--pattern: '{}' has {} ranks, the layout places {} (they must agree). Write '--ranks "
        "{}'?",
        request.pattern, given->ranks, ranks, given->ranks);
  if (request.root < 0 || static_cast<std::uint32_t>(request.root) >= ranks)
    throw InputError("--root: '{}' is no rank (0..{}). Write '--root 0'?", request.root, ranks - 1);
  return Finder(request, machine.get(), ranks).answer(given);
}

}  // namespace orrery::study
