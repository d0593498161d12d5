#include "sim/app/barrier/barrier_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "kernels/collectives/algorithm.hpp"
#include "kernels/kernel.hpp"
#include "models/barrier/cost_parameters.hpp"
#include "models/barrier/exhaustive.hpp"
#include "models/barrier/phase_pattern.hpp"
#include "models/matrices.hpp"
#include "sim/app/calibrate/calibrate.hpp"
#include "sim/app/calibrate/calibration_request.hpp"
#include "sim/app/run/progress.hpp"
#include "sim/config/parameter_file.hpp"
#include "sim/config/pattern_file.hpp"
#include "sim/core/error.hpp"
#include "sim/core/rank_list.hpp"
#include "sim/replay/batch.hpp"
#include "sim/scenario/load.hpp"
#include "sim/scenario/point.hpp"

namespace orrery::app {

namespace {

constexpr const char* model_name = "barrier-matrix";
constexpr std::uint32_t library_ranks_max =
    1024;  ///< beyond, its patterns are not listed: the double ring has two stages a rank
constexpr std::uint32_t repetitions = 4;

class NoCompute final : public ComputeModel {
  std::string description() const override { return "no compute steps"; }
  Seconds compute_time(const Compute&, Rank) const override { return {}; }
};

/// A platform with everything that costs are taken from. Costs refer to it.
struct Machine {
  Platform platform;
  const Network* network;
  Layout layout;
  ModelParameters parameters;
  SignalCosts costs;
};

Layout layout_of_flags(const BarrierRequest& request, const Platform& platform, std::uint32_t ranks_of_pattern) {
  LayoutSpec spec = layout_from(request.layout);
  if (!spec.own) return build_layout(platform, load_layouts_named(spec.table, spec.where).row(spec.row, spec.where));
  if (spec.own->spread && spec.own->spread->ranks == 0) spec.own->spread->ranks = ranks_of_pattern;
  return build_layout(platform, *spec.own);
}

/// The ranks of a communicator keep their places and are numbered anew.
Layout of_members(const Layout& all, const std::string& members) {
  if (members.empty()) return all;
  Layout some{all.name, {}};
  for (const std::uint32_t rank : members_listed(members, all.ranks())) some.placements.push_back(all.placements[rank]);
  return some;
}

ModelParameters parameters_for(const BarrierRequest& request, const Platform& platform, const Network& network) {
  const ModelEntry& entry = models().at(model_name, "barrier");
  if (request.matrices.empty())
    return calibrate(entry, platform, network, {.sizes = default_sizes()},
                     {.keep_going = [] { return !interrupted(); },
                      .engine = [&] { return make_engine(request.engine, "--engine"); }});
  for (auto& set : config::read_parameter_file(request.matrices)) {
    if (set.model != model_name || set.platform != platform.name || set.network != network.name) continue;
    check_matrices(entry, set, platform);
    return std::move(set);
  }
  throw InputError(
      fmt::format("--matrices: '{0}' has no parameters of model '{1}' for network '{2}' of platform '{3}'. "
                  "Make them with 'orrery calibrate --platform {3} --network {2} --model {1} -o FILE'?",
                  request.matrices, model_name, network.name, platform.name));
}

std::unique_ptr<Machine> machine_of(const BarrierRequest& request, std::uint32_t ranks_of_pattern) {
  auto machine = std::make_unique<Machine>();
  machine->platform = load_platform_named(request.platform, "--platform");
  machine->network = &network_named(machine->platform, request.network);
  machine->layout = of_members(layout_of_flags(request, machine->platform, ranks_of_pattern), request.members);
  machine->parameters = parameters_for(request, machine->platform, *machine->network);
  machine->costs = signal_costs(machine->parameters, machine->platform, machine->layout);
  machine->costs.acknowledged = request.acknowledgement == "counted";
  return machine;
}

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

Seconds simulated(const Machine& machine, const std::string& engine, const Program& program) {
  const NoCompute compute;
  const auto play = [&](const ReplayProgress& tell) {
    return make_engine(engine, "--engine")
        ->replay({.program = &program,
                  .platform = &machine.platform,
                  .network = machine.network,
                  .layout = &machine.layout,
                  .compute = &compute,
                  .options = {.load_bins = 1, .intervals_max = 0, .tight_precision = true, .progress = tell}});
  };
  const auto played = replay::play_all({.jobs = 1, .threads = make_engine(engine, "--engine")->reentrant()},
                                       {{"a barrier", play}}, [](const replay::BatchState&) { return !interrupted(); });
  return played.front().value().makespan / static_cast<double>(repetitions);
}

class Finder {
 public:
  Finder(const BarrierRequest& request, const Machine* machine, std::uint32_t ranks)
      : request_(request), machine_(machine), ranks_(ranks) {}

  BarrierAnswer answer(const std::optional<StagePattern>& given) {
    answer_.ranks = ranks_;
    answer_.goal = request_.goal;
    const bool barrier = request_.goal == "barrier" || request_.goal == "allreduce";
    if (barrier) {
      known();
      library();
      made();
    }
    if (given) {
      add(request_.pattern, *given, "barrier", {{"algorithm", "pattern"}});
      answer_.chosen = answer_.rows.size() - 1;
    }
    if (barrier && machine_ != nullptr && ranks_ <= exhaustive_ranks_max)
      add(fmt::format("cheapest of at most {} stages", exhaustive_stages_max(ranks_)),
          cheapest_pattern(machine_->costs).pattern, "barrier", {{"algorithm", "pattern"}});
    title();
    return std::move(answer_);
  }

 private:
  void add(const std::string& name, StagePattern pattern, const char* kernel, Words words) {
    const PatternGoal goal = request_.goal == "bcast"    ? PatternGoal::bcast
                             : request_.goal == "reduce" ? PatternGoal::reduce
                                                         : PatternGoal::barrier;
    if (interrupted()) throw Interrupted("interrupted: " + name);
    BarrierRow row{name, std::move(pattern), {}, {}, {}};
    row.refuted = first_ignorance(row.pattern, goal, static_cast<std::uint32_t>(request_.root));
    if (machine_ != nullptr) row.cost = pattern_cost(row.pattern, machine_->costs).total;
    if (machine_ != nullptr && request_.simulate) {
      words.emplace_back("repetitions", std::to_string(repetitions));
      const auto program = program_of(kernel, words, ranks_, &machine_->layout, &row.pattern);
      row.simulated = simulated(*machine_, request_.engine, *program);
    }
    answer_.rows.push_back(std::move(row));
  }
  void known() {
    add("linear", linear_pattern(ranks_), "barrier", {{"algorithm", "linear"}});
    for (const char* degree : {"2", "3", "4"})
      add(fmt::format("tree of degree {}", degree),
          tree_pattern(ranks_, static_cast<std::uint32_t>(std::stoul(degree))), "barrier",
          {{"algorithm", "tree"}, {"degree", degree}});
    add("dissemination", dissemination_pattern(ranks_), "barrier", {{"algorithm", "dissemination"}});
  }
  void library() {
    if (ranks_ > library_ranks_max) {
      answer_.notes.push_back(
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
    answer_.clusters = clusters_of(machine_->costs, {.sparseness = request_.sparseness});
    answer_.hybrid = hybrid_barrier(*answer_.clusters, machine_->costs);
    add("hybrid", answer_.hybrid->pattern, "barrier", {{"algorithm", "pattern"}});
    answer_.chosen = answer_.rows.size() - 1;
  }
  void title() {
    answer_.title = fmt::format("Barriers of {} ranks", ranks_);
    if (machine_ == nullptr) return;
    answer_.title += fmt::format(" on {}, {}", machine_->platform.name, machine_->network->name);
    answer_.notes.push_back(fmt::format("cost: equation 5.4 of Meyer 2012, its O and L from {}; signals {}",
                                        machine_->parameters.origin,
                                        machine_->costs.acknowledged ? "acknowledged" : "not acknowledged"));
    if (request_.simulate)
      answer_.notes.push_back(fmt::format("simulated: {} barriers back to back on engine {}, a fourth of their time",
                                          repetitions, request_.engine));
  }

  const BarrierRequest& request_;
  const Machine* machine_;
  std::uint32_t ranks_;
  BarrierAnswer answer_;
};

void require_sense(const BarrierRequest& request) {
  if (!(request.sparseness > 0.0 && request.sparseness < 1.0))
    throw InputError(
        fmt::format("--sparseness: '{:g}' is not between 0 and 1 (a share of the diameter). Write "
                    "'--sparseness 0.35'?",
                    request.sparseness));
  if (request.pattern.empty() && (request.goal == "bcast" || request.goal == "reduce"))
    throw InputError(fmt::format(
        "--goal: '{}' without a pattern to prove it of (none is made for it). Add '--pattern FILE'?", request.goal));
  if (request.platform.empty() && (request.simulate || !request.matrices.empty() || !request.members.empty()))
    throw InputError(fmt::format("{}: no platform to do it on. Add '--platform NAME'?", request.simulate ? "--simulate"
                                                                                        : request.members.empty()
                                                                                            ? "--matrices"
                                                                                            : "--members"));
  if (request.platform.empty() && request.pattern.empty() && request.layout.ranks < 1)
    throw InputError("--ranks: not given, and neither is --pattern nor --platform. Write '--ranks 16'?");
}

}  // namespace

std::vector<std::uint32_t> members_listed(std::string_view text, std::uint32_t ranks) {
  std::vector<std::uint32_t> members;
  for (const Rank rank : ranks_listed(text, ranks, "--members")) members.push_back(static_cast<std::uint32_t>(rank));
  return members;
}

std::vector<std::string> pattern_goals() { return {"barrier", "allreduce", "bcast", "reduce"}; }

BarrierAnswer find_barriers(const BarrierRequest& request) {
  require_sense(request);
  std::optional<StagePattern> given;
  if (!request.pattern.empty()) given = config::read_pattern(request.pattern);
  std::unique_ptr<Machine> machine;
  if (!request.platform.empty()) machine = machine_of(request, given ? given->ranks : 0);
  const std::uint32_t ranks = machine                    ? machine->layout.ranks()
                              : request.layout.ranks > 0 ? static_cast<std::uint32_t>(request.layout.ranks)
                                                         : given->ranks;
  if (given && given->ranks != ranks)
    throw InputError(
        fmt::format("--pattern: '{}' has {} ranks, the layout places {} (they must agree). Write '--ranks "
                    "{}'?",
                    request.pattern, given->ranks, ranks, given->ranks));
  if (request.root < 0 || static_cast<std::uint32_t>(request.root) >= ranks)
    throw InputError(fmt::format("--root: '{}' is no rank (0..{}). Write '--root 0'?", request.root, ranks - 1));
  return Finder(request, machine.get(), ranks).answer(given);
}

}  // namespace orrery::app
