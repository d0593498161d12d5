/// BSP with scalar parameters: a superstep computes, synchronises, communicates, synchronises.
///
///   T = w / r + l  +  h g + l        (the first l where the program computes at all)
///   h = max{h_s, h_r}                most words that a rank sends or receives in the phase
///
///   p  1                   ranks                     w  Flops           flop  most work of a rank in the phase
///   r  FlopsPerSecond      flop/s  DAXPY rate        g  Seconds         s     per word of an h-relation
///   l  Seconds             s       of synchronising  h  1               1     words of 8 B
///
/// g and l depend on p and on how many nodes its ranks lie: kernel h-relation is played for h in 0..255, and the line
/// of least squares through h >= p has slope g and intercept l. r is the slope of the times of DAXPYs of 1 to 1024
/// elements, asked of the run's compute model.
///
/// Source   Valiant, CACM 33(8), 1990, in the form of Meyer, doctoral thesis, NTNU, 2012, equations 3.1 to 3.3;
/// bspbench
///          of BSPedupack: Bisseling, Parallel Scientific Computation, 2004
/// Valid    work that runs at the speed of a DAXPY in cache; exchanges balanced over all ranks
/// Differs  phases called 'barrier' cost nothing, as l is the synchronisation; a computation that nothing follows is
/// not
///          synchronised, as in equation 3.7. g and l are kept in seconds, bspbench prints them in flops (times r);
///          both are read. 16 values of h are played, bspbench has 257: the engines have no noise
/// Checked  tests/unit/models/bsp_test.cpp, scenarios/meyer12-inner-product.yaml, scenarios/meyer12-fig3-2.yaml
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "models/calibration.hpp"
#include "models/superstep.hpp"
#include "models/variant.hpp"
#include "sim/core/error.hpp"

namespace orrery {

namespace {

constexpr Bytes word(8.0);
constexpr std::uint32_t h_max = 255;
constexpr const char* table_name = "bspbench";

struct Size {
  std::uint32_t ranks = 0, nodes = 0;
  auto operator<=>(const Size&) const = default;
};

/// What bspbench prints, in seconds.
struct Machine {
  std::optional<FlopsPerSecond> rate;  ///< empty: that of the run's compute model
  Seconds gap, latency, misfit;
};

// --- measuring

std::uint32_t nodes_used(const std::vector<CorePlace>& job) {
  std::set<NodeId> nodes;
  for (const auto& place : job) nodes.insert(place.node);
  return static_cast<std::uint32_t>(nodes.size());
}

std::string series_of(const std::vector<CorePlace>& job) {
  return fmt::format("h-relation/{}/{}", job.size(), nodes_used(job));
}

/// Whole nodes, as many as make 64 ranks and no more than 8, and two ranks of one node: Table 3.1 has one to eight.
std::vector<std::vector<CorePlace>> whole_nodes(const Platform& platform) {
  constexpr std::size_t ranks_max = 64;
  constexpr std::uint32_t nodes_max = 8;
  std::vector<std::vector<CorePlace>> jobs;
  std::vector<CorePlace> job;
  for (std::uint32_t node = 0; node < std::min(platform.nodes(), nodes_max); ++node) {
    for (std::uint32_t core = 0; core < platform.node_types[platform.type_of(NodeId{node})].cores(); ++core) {
      job.push_back({NodeId{node}, core});
      if (jobs.empty() && job.size() == 2) jobs.push_back(job);
    }
    if (job.size() > ranks_max && node > 0) break;
    if (jobs.empty() || job != jobs.back()) jobs.push_back(job);
  }
  return jobs;
}

const std::vector<std::vector<CorePlace>>& jobs_of(const CalibrationRange& range, const Platform& platform,
                                                   std::vector<std::vector<CorePlace>>& own) {
  if (!range.jobs.empty()) return range.jobs;
  return own = whole_nodes(platform);
}

/// h = 0 .. 255 in equal steps, as many as keep the benchmark of many ranks below half a million messages; two at
/// least.
std::vector<Bytes> relations(std::size_t ranks) {
  constexpr double messages_max = 4e5, most = 16;
  const double each = static_cast<double>(ranks) * static_cast<double>(std::min<std::size_t>(ranks, h_max));
  const auto count = static_cast<std::uint32_t>(std::clamp(messages_max / each, 2.0, most));
  std::vector<Bytes> sizes;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t words = i * h_max / (count - 1);
    sizes.push_back(static_cast<double>(words) * word);
  }
  return sizes;
}

std::vector<Experiment> plan(const Platform& platform, const Network&, const CalibrationRange& range) {
  std::vector<Experiment> experiments;
  std::vector<std::vector<CorePlace>> own;
  for (const auto& job : jobs_of(range, platform, own)) {
    Experiment experiment{.id = series_of(job),
                          .kernel = "h-relation",
                          .kernel_parameters = {{"sizes", sizes_text(relations(job.size()))}},
                          .placement = job};
    if (std::ranges::find(experiments, experiment.id, &Experiment::id) == experiments.end())
      experiments.push_back(std::move(experiment));
  }
  return experiments;
}

/// Plain least squares through h >= p, as bspbench has it; through all where fewer than two are left.
Machine machine_of(const std::vector<std::pair<Bytes, Seconds>>& times, std::size_t ranks) {
  std::vector<std::pair<double, double>> all, points;
  for (const auto& [size, time] : times) all.emplace_back(size / word, time.si());
  std::ranges::copy_if(all, std::back_inserter(points),
                       [&](const auto& point) { return point.first >= static_cast<double>(ranks); });
  const Line line = least_squares(points.size() < 2 ? all : points);
  Machine machine{.rate = {}, .gap = Seconds(line.slope), .latency = Seconds(line.intercept), .misfit = {}};
  for (const auto& [h, t] : all)
    machine.misfit = std::max(machine.misfit, Seconds(std::abs(t - line.intercept - h * line.slope)));
  return machine;
}

ModelParameters fit(const Platform& platform, const Network& network, const CalibrationRange& range,
                    const std::vector<Measurement>& measurements) {
  const Measurements measured(measurements);
  ModelParameters parameters{.model = "bsp", .platform = platform.name, .network = network.name};
  std::vector<std::vector<CorePlace>> own;
  std::set<Size> known;
  for (const auto& job : jobs_of(range, platform, own)) {
    const Size size{static_cast<std::uint32_t>(job.size()), nodes_used(job)};
    if (!known.insert(size).second) continue;
    const Machine machine = machine_of(measured.series(series_of(job)), job.size());
    parameters.tables.push_back(
        {.name = table_name,
         .labels = {{"ranks", std::to_string(size.ranks)}, {"nodes", std::to_string(size.nodes)}},
         .columns = {"gap_s", "latency_s", "misfit_s"},
         .rows = {{machine.gap.si(), machine.latency.si(), machine.misfit.si()}}});
  }
  return parameters;
}

CalibrationNeeds needs(const PredictionInput& run) {
  return {.concurrency = 1, .jobs = {cores_of_ranks(run.layout, run.platform)}};
}

// --- predicting

std::uint32_t label_of(const ParameterTable& table, const std::string& name) {
  const auto found = table.labels.find(name);
  std::uint32_t number = 0;
  if (found != table.labels.end()) {
    const char* end = found->second.data() + found->second.size();
    const auto [rest, status] = std::from_chars(found->second.data(), end, number);
    if (status == std::errc() && rest == end && number > 0) return number;
  }
  throw InputError(fmt::format("bsp: table '{}' has '{}' for label '{}' (a whole number from 1). Correct it?",
                               table_name, found == table.labels.end() ? "nothing" : found->second, name));
}

Machine read_machine(const ModelParameters& parameters, const ParameterTable& table) {
  const auto has = [&](const char* column) { return std::ranges::find(table.columns, column) != table.columns.end(); };
  Machine machine;
  if (has("rate_flop_per_s")) {
    const double rate = value_of(parameters, table, "rate_flop_per_s");
    if (!(rate > 0.0)) throw InputError(fmt::format("bsp: 'rate_flop_per_s' is {:g} (more than 0). Correct it?", rate));
    machine.rate = FlopsPerSecond(rate);
  }
  const auto time = [&](const char* seconds, const char* flops) {
    if (!has(flops)) return Seconds(value_of(parameters, table, seconds));
    if (!machine.rate)
      throw InputError(
          fmt::format("bsp: '{}' without 'rate_flop_per_s' is no time (flops are divided by it). Add it?", flops));
    return Flops(value_of(parameters, table, flops)) / *machine.rate;
  };
  machine.gap = time("gap_s", "gap_flop");
  machine.latency = time("latency_s", "latency_flop");
  if (has("misfit_s")) machine.misfit = Seconds(value_of(parameters, table, "misfit_s"));
  return machine;
}

class Bsp final : public PhaseModel {
 public:
  Bsp(const ModelParameters& parameters, const std::string& variant)
      : of_pair_(parts_of(models().at("bsp", "bsp"), variant).options.at("h") == "pair") {
    for (const auto& table : parameters.tables)
      if (table.name == table_name)
        machines_[{label_of(table, "ranks"), label_of(table, "nodes")}] = read_machine(parameters, table);
    if (machines_.empty())
      throw InputError(
          fmt::format("bsp: the parameters have no table '{}'. Calibrate it on this platform?", table_name));
  }

  Seconds communication_time(const Phase& phase, const Layout& layout, std::vector<Explanation>* steps) const override {
    if (phase.messages.empty() || is_barrier(phase)) return {};
    const Machine machine = at(layout);
    const double h = relation(phase);
    if (steps != nullptr) {
      steps->push_back({fmt::format("h g: {:g} words at {:.4g} s", h, machine.gap.si()), h * machine.gap});
      steps->push_back({"l after communicating", machine.latency});
    }
    return h * machine.gap + machine.latency;
  }

  PhaseTime time(const Phase& phase, const PredictionInput& input, std::vector<Explanation>* steps) const override {
    const Seconds work = longest_work(phase, input, steps);
    Seconds communication = communication_time(phase, input.layout, steps);
    const bool computes = std::ranges::any_of(input.phases, [](const Phase& one) { return !one.computes.empty(); });
    if (computes && communication > Seconds{}) {
      communication += at(input.layout).latency;
      if (steps != nullptr) steps->push_back({"l after computing", at(input.layout).latency});
    }
    return {.communication = communication, .computation = work};
  }

  std::vector<std::string> notes(const PredictionInput& input) const override {
    const Size size = size_of(input.layout);
    const Machine machine = at(input.layout);
    std::vector<std::string> notes;
    if (!machines_.contains(size))
      notes.push_back(fmt::format(
          "g and l were not measured for {} ranks on {} node{}: taken from the nearest numbers of ranks, then of nodes",
          size.ranks, size.nodes, size.nodes == 1 ? "" : "s"));
    if (machine.misfit > 0.1 * machine.latency)
      notes.push_back("h-relations do not lie on a line: some are measured more than l / 10 off it");
    return notes;
  }

  bool predicts_run() const override { return true; }

 private:
  /// Equation 3.1; or the most words of one pair, as equation 3.5 counts an exchange of single words.
  double relation(const Phase& phase) const {
    std::map<std::pair<Rank, Rank>, Bytes> pairs;
    std::vector<Bytes> sent(phase.ranks), received(phase.ranks);
    for (const Message& message : phase.messages) {
      if (of_pair_) pairs[{message.from, message.to}] += message.size;
      sent[index(message.from)] += message.size;
      received[index(message.to)] += message.size;
    }
    Bytes most = of_pair_ ? Bytes{} : std::max(std::ranges::max(sent), std::ranges::max(received));
    for (const auto& [pair, size] : pairs) most = std::max(most, size);
    return std::ceil(most / word);
  }

  /// w / r of the rank with most work.
  Seconds longest_work(const Phase& phase, const PredictionInput& input, std::vector<Explanation>* steps) const {
    if (phase.computes.empty()) return {};
    const FlopsPerSecond rate = at(input.layout).rate.value_or(daxpy_rate(input));
    std::vector<Seconds> busy(phase.ranks);
    for (const ComputeItem& item : phase.computes)
      busy[index(item.rank)] +=
          static_cast<double>(item.repeat) * (item.compute.work == Work::elapsed
                                                  ? input.compute.compute_time(item.compute, item.rank)
                                                  : item.compute.flops / rate);
    const Seconds most = std::ranges::max(busy);
    if (steps != nullptr)
      steps->push_back({fmt::format("w / r: {:.4g} flop at {:.4g} flop/s", (most * rate).si(), rate.si()), most});
    return most;
  }

  /// Of the rows of so many ranks the one whose number of nodes is nearest.
  const Machine& row_of(std::uint32_t ranks, std::uint32_t nodes) const {
    const auto far = [&](const auto& row) { return std::abs(std::int64_t{row.first.nodes} - std::int64_t{nodes}); };
    auto nearest = machines_.lower_bound({ranks, 0});
    for (auto row = nearest; row != machines_.end() && row->first.ranks == ranks; ++row)
      if (far(*row) < far(*nearest)) nearest = row;
    return nearest->second;
  }

  /// The row of so many ranks on so many nodes, or on the nearest number of them; else the line between the nearest
  /// numbers of ranks.
  Machine at(const Layout& layout) const {
    const Size size = size_of(layout);
    if (const auto exact = machines_.find(size); exact != machines_.end()) return exact->second;
    const auto above = machines_.lower_bound({size.ranks, 0});
    if (above != machines_.end() && above->first.ranks == size.ranks) return row_of(size.ranks, size.nodes);
    if (above == machines_.begin() || above == machines_.end())
      throw DomainError(
          fmt::format("bsp: {} ranks lie outside the measured {}..{} (no extrapolation). Measure them too?", size.ranks,
                      machines_.begin()->first.ranks, machines_.rbegin()->first.ranks));
    const std::uint32_t low = std::prev(above)->first.ranks, high = above->first.ranks;
    const Machine &first = row_of(low, size.nodes), &last = row_of(high, size.nodes);
    const double share = static_cast<double>(size.ranks - low) / (high - low);
    const auto between = [&](auto a, auto b) { return a + share * (b - a); };
    Machine machine{.rate = {},
                    .gap = between(first.gap, last.gap),
                    .latency = between(first.latency, last.latency),
                    .misfit = between(first.misfit, last.misfit)};
    if (first.rate && last.rate) machine.rate = between(*first.rate, *last.rate);
    return machine;
  }

  static Size size_of(const Layout& layout) {
    std::set<NodeId> nodes;
    for (const auto& place : layout.placements) nodes.insert(place.node);
    return {layout.ranks(), static_cast<std::uint32_t>(nodes.size())};
  }

  bool of_pair_;
  std::map<Size, Machine> machines_;
};

const bool entered = models().add(
    {.name = "bsp",
     .summary = "classic BSP: p, r, g and l as bspbench measures them",
     .source = "Valiant, CACM 33(8), 1990; Meyer, doctoral thesis, NTNU, 2012, equations 3.1 to 3.3; bspbench: "
               "Bisseling, 2004",
     .page =
         "T = w / r + l + h g + l, h = max{words sent, words received} of a rank, a word is 8 B\n"
         "a phase with messages is a superstep: synchronised before and after; phases 'barrier' are l themselves\n\n"
         "Parameters, for p ranks on n nodes (table 'bspbench', labels 'ranks' and 'nodes')\n"
         "  gap_s            s       g, per word of an h-relation        or gap_flop: g r, as bspbench prints it\n"
         "  latency_s        s       l, of synchronising                 or latency_flop: l r\n"
         "  rate_flop_per_s  flop/s  r; without it DAXPYs of 1 to 1024 elements on the run's compute model\n"
         "  misfit_s         s       greatest deviation of a measured h-relation from l + h g\n"
         "measured by the kernel h-relation: the line of least squares through p <= h <= 255\n"
         "h: pair counts the words between two ranks instead, as equation 3.5 has it",
     .assumptions = {"all work runs at the rate of a DAXPY in cache, on every rank alike",
                     "an exchange costs as many words as its busiest rank sends or receives, whoever they are for",
                     "synchronising costs the same after computing and after communicating",
                     "computation and communication never go on at once"},
     .options = {{.name = "h",
                  .summary = "what a relation counts: the words of a rank (equation 3.1) or of a pair (equation 3.5)",
                  .values = {"rank", "pair"}}},
     .needs = needs,
     .plan = plan,
     .fit = fit,
     .make = [](const ModelInput& input) -> std::unique_ptr<PhaseModel> {
       return std::make_unique<Bsp>(input.parameters, input.variant);
     }});

}  // namespace

}  // namespace orrery
