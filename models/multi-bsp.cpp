/// Multi-BSP, Valiant's model for multi-core computing, of a cluster: cores in nodes, nodes on a network.
///
///   T = w + h_1 g_1 + L_1 + h_2 g_2 + L_2        level 1: the cores of a node; level 2: the nodes of the cluster
///
///   w    Seconds         s    longest computation of a rank, by the run's compute model
///   h_1  Bytes           B    most that a rank sends or receives; h_2  most that leaves or reaches a node
///   g_i  SecondsPerByte  s/B  between a part of level i - 1 and the memory that joins p_i of them
///   L_i  Seconds         s    of synchronising p_i parts: the ranks of the fullest node, the nodes
///
/// A level with one part, and one above which no message goes, costs nothing. L_i and g_i are the line through
/// h-relations (kernel h-relation) of p_i ranks on one node, and of one rank on each of p_i nodes.
///
/// Source   Valiant, Journal of Computer and System Sciences 77(1), 2011, section 2 (ESA 2008); named, without a
///          formula, by Meyer, doctoral thesis, NTNU, 2012, section 2.4
/// Valid    exchanges balanced over ranks and nodes, each ended by a synchronisation
/// Differs  memory m_i is not counted, as no phase says what it holds; h counts the greater of sent and received, in
///          bytes; a program that synchronises by its messages alone is charged L_i as well. Phases 'barrier' are L
/// Checked  tests/unit/models/multi_bsp_test.cpp, scenarios/meyer12-table8-2.yaml
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "models/superstep.hpp"
#include "sim/core/error.hpp"

namespace orrery::multi_bsp_model {

namespace {

constexpr const char* table_name = "level";
constexpr std::size_t levels = 2;
constexpr std::array level_names{"node", "network"};

using Job = std::vector<CorePlace>;

/// The ranks of the fullest node, and one of each node: what the parameters of the two levels are measured on.
std::array<Job, levels> jobs_of(const Job& ranks) {
  std::map<NodeId, Job> by_node;
  for (const CorePlace& place : ranks) by_node[place.node].push_back(place);
  std::array<Job, levels> jobs;
  for (const auto& [node, own] : by_node) {
    if (own.size() > jobs[0].size()) jobs[0] = own;
    jobs[1].push_back(own.front());
  }
  return jobs;
}

/// Node 0 whole, and a core of each of the first nodes, by halves down to a pair: where nobody says which runs are asked for.
std::vector<Job> usual_jobs(const Platform& platform, const Network& network) {
  constexpr std::size_t nodes_max = 16;
  Job node, nodes;
  for (std::uint32_t n = 0; n < platform.nodes() && nodes.size() < nodes_max; ++n) {
    const std::uint32_t type = platform.type_of(NodeId{n});
    if (!on_network(platform, network, type)) continue;
    nodes.push_back({NodeId{n}, 0});
    if (!node.empty()) continue;
    for (std::uint32_t core = 0; core < platform.node_types[type].cores(); ++core) node.push_back({NodeId{n}, core});
  }
  std::vector<Job> jobs;
  for (const Job& whole : {node, nodes})
    for (std::size_t size = whole.size(); size > 1; size = size == 3 ? 2 : size / 2)
      jobs.emplace_back(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
  return jobs;
}

std::string series_of(std::size_t level, std::size_t parts) {
  return fmt::format("h-relation/{}/{}", level_names[level], parts);
}

/// Of p words and more, by fours, up to 64 KiB for each of the others: whole messages, not their overheads alone.
std::vector<Bytes> relations(std::size_t parts) {
  std::vector<Bytes> sizes;
  for (double size = 8.0 * static_cast<double>(parts); size <= 65536.0 * static_cast<double>(parts - 1); size *= 4.0)
    sizes.emplace_back(size);
  return sizes;
}

/// [level][parts] what is to be measured, each once.
std::array<std::map<std::size_t, Job>, levels> measured_jobs(const Platform& platform, const Network& network,
                                                             const CalibrationRange& range) {
  std::array<std::map<std::size_t, Job>, levels> all;
  for (const Job& ranks : range.jobs.empty() ? usual_jobs(platform, network) : range.jobs) {
    const auto jobs = jobs_of(ranks);
    for (std::size_t level = 0; level < levels; ++level)
      if (jobs[level].size() > 1) all[level].emplace(jobs[level].size(), jobs[level]);
  }
  return all;
}

std::vector<Experiment> plan(const Platform& platform, const Network& network, const CalibrationRange& range) {
  std::vector<Experiment> experiments;
  const auto jobs = measured_jobs(platform, network, range);
  for (std::size_t level = 0; level < levels; ++level)
    for (const auto& [parts, job] : jobs[level])
      experiments.push_back({.id = series_of(level, parts),
                             .kernel = "h-relation",
                             .kernel_parameters = {{"sizes", sizes_text(relations(parts))}},
                             .placement = job});
  return experiments;
}

ModelParameters fit(const Platform& platform, const Network& network, const CalibrationRange& range,
                    const std::vector<Measurement>& measurements) {
  const Measurements measured(measurements);
  ModelParameters parameters{.model = "multi-bsp", .platform = platform.name, .network = network.name};
  const auto jobs = measured_jobs(platform, network, range);
  for (std::size_t level = 0; level < levels; ++level)
    for (const auto& [parts, job] : jobs[level]) {
      std::vector<stats::Point> points;
      for (const auto& [size, time] : measured.series(series_of(level, parts)))
        points.push_back({size.si(), time.si()});
      const stats::Line line = stats::fit_rising_line(points, stats::Deviations::relative);
      parameters.tables.push_back({.name = table_name,
                                   .labels = {{"level", level_names[level]}, {"parts", std::to_string(parts)}},
                                   .columns = {"gap_s_per_B", "latency_s"},
                                   .rows = {{line.slope, line.intercept}}});
    }
  return parameters;
}

struct Level {
  SecondsPerByte gap;
  Seconds latency;
};

std::uint32_t parts_of_table(const ParameterTable& table) {
  const auto found = table.labels.find("parts");
  std::uint32_t parts = 0;
  if (found != table.labels.end()) {
    const char* end = found->second.data() + found->second.size();
    const auto [rest, status] = std::from_chars(found->second.data(), end, parts);
    if (status == std::errc() && rest == end && parts > 1) return parts;
  }
  throw InputError("{}multi-bsp: a table '{}' has '{}' for label 'parts' (a whole number from 2). Correct it?",
                   table.origin(), table_name, found == table.labels.end() ? "nothing" : found->second);
}

class MultiBsp final : public PhaseModel {
 public:
  explicit MultiBsp(const ModelParameters& parameters) {
    for (const ParameterTable& table : parameters.tables) {
      if (table.name != table_name) continue;
      const auto level = table.labels.find("level");
      const auto known = std::ranges::find(level_names, level == table.labels.end() ? "" : level->second);
      if (known == level_names.end())
        throw InputError("{}multi-bsp: a table '{}' is of level '{}' (node, network). Correct it?", table.origin(),
                         table_name, level == table.labels.end() ? "" : level->second);
      levels_[static_cast<std::size_t>(known - level_names.begin())][parts_of_table(table)] = {
          SecondsPerByte(value_of(parameters, table, "gap_s_per_B")),
          Seconds(value_of(parameters, table, "latency_s"))};
    }
  }

  Seconds communication_time(const Phase& phase, const Layout& layout, std::vector<Explanation>* steps) const override {
    if (phase.messages.empty() || is_barrier(phase)) return {};
    std::vector<Bytes> sent(phase.ranks), received(phase.ranks);
    std::map<NodeId, Bytes> out, in;
    for (const Message& message : phase.messages) {
      sent[index(message.from)] += message.size;
      received[index(message.to)] += message.size;
      if (layout.same_node(message.from, message.to)) continue;
      out[layout.of(message.from).node] += message.size;
      in[layout.of(message.to).node] += message.size;
    }
    Bytes of_node;
    for (const auto* side : {&out, &in})
      for (const auto& [node, size] : *side) of_node = std::max(of_node, size);
    const auto parts = parts_of_layout(layout);
    Seconds time = level_time(0, parts[0], std::max(std::ranges::max(sent), std::ranges::max(received)), steps);
    if (!out.empty()) time += level_time(1, parts[1], of_node, steps);
    return time;
  }

  PhaseTime time(const Phase& phase, const PredictionInput& input, std::vector<Explanation>* steps) const override {
    std::vector<Seconds> busy(phase.ranks);
    for (const ComputeItem& item : phase.computes)
      busy[index(item.rank)] += static_cast<double>(item.repeat) * input.compute.compute_time(item.compute, item.rank);
    const Seconds most = busy.empty() ? Seconds{} : std::ranges::max(busy);
    if (steps != nullptr && most > Seconds{}) steps->push_back({"w: longest computation of a rank", most});
    return {.communication = communication_time(phase, input.layout, steps), .computation = most};
  }

  std::vector<std::string> notes(const PredictionInput& input) const override {
    std::vector<std::string> notes;
    const auto parts = parts_of_layout(input.layout);
    for (std::size_t level = 0; level < levels; ++level)
      if (parts[level] > 1 && !levels_[level].contains(parts[level]))
        notes.push_back(fmt::format("g and L of level '{}' were not measured for {} parts: between the nearest",
                                    level_names[level], parts[level]));
    return notes;
  }

  bool predicts_run() const override { return true; }

 private:
  using OfLevel = std::map<std::uint32_t, Level>;  ///< by parts

  static std::array<std::uint32_t, levels> parts_of_layout(const Layout& layout) {
    std::map<NodeId, std::uint32_t> ranks;
    for (const Placement& place : layout.placements) ++ranks[place.node];
    std::uint32_t most = 0;
    for (const auto& [node, number] : ranks) most = std::max(most, number);
    return {most, static_cast<std::uint32_t>(ranks.size())};
  }

  Seconds level_time(std::size_t level, std::uint32_t parts, Bytes h, std::vector<Explanation>* steps) const {
    if (parts < 2) return {};
    const Level own = at(level, parts);
    const int number = static_cast<int>(level) + 1;
    if (steps != nullptr) {
      steps->push_back({fmt::format("h_{} g_{}: {:g} B of a {}", number, number, h.si(), level == 0 ? "rank" : "node"),
                        h * own.gap});
      steps->push_back(
          {fmt::format("L_{}: {} {}", number, parts, level == 0 ? "ranks of a node" : "nodes"), own.latency});
    }
    return h * own.gap + own.latency;
  }

  /// Of so many parts, or the line between the nearest numbers that were measured.
  Level at(std::size_t level, std::uint32_t parts) const {
    const OfLevel& known = levels_[level];
    const auto above = known.lower_bound(parts);
    if (above != known.end() && above->first == parts) return above->second;
    if (above == known.begin() || above == known.end())
      throw DomainError(
          "multi-bsp: {} parts of level '{}' lie outside the measured {} (no extrapolation). "
          "Measure them too?",
          parts, level_names[level],
          known.empty() ? "none" : fmt::format("{}..{}", known.begin()->first, known.rbegin()->first));
    const auto& [low, first] = *std::prev(above);
    const auto& [high, last] = *above;
    const double share = static_cast<double>(parts - low) / (high - low);
    return {first.gap + share * (last.gap - first.gap), first.latency + share * (last.latency - first.latency)};
  }

  std::array<OfLevel, levels> levels_;
};

const bool entered = models().add(
    {.name = "multi-bsp",
     .summary = "Multi-BSP: supersteps of cores in nodes and of nodes on a network, each level with its g and L",
     .source = "Valiant, A bridging model for multi-core computing, J. Comput. Syst. Sci. 77(1), 2011",
     .page =
         "T = w + h_1 g_1 + L_1 + h_2 g_2 + L_2\n"
         "h_1: most bytes that a rank sends or receives; h_2: most bytes that leave or reach a node\n"
         "a level with one part, and one that no message crosses, costs nothing; phases 'barrier' are L themselves\n\n"
         "Parameters (table 'level', labels 'level' (node, network) and 'parts')\n"
         "  gap_s_per_B  s/B  g_i, between a part and the memory that joins p_i of them\n"
         "  latency_s    s    L_i, of synchronising p_i parts\n"
         "measured by the kernel h-relation on the ranks of one node, and on one rank of each node: the line through\n"
         "relations of p words up to 64 KiB for each other, deviations relative",
     .assumptions =
         {"every exchange ends with a synchronisation at each level that it crosses",
          "what ranks of a node send to other nodes shares one way out",
          "computation and communication never go on at once", "memories are large enough at every level",
          "L is where a line of least squares begins: with twice the bandwidth it may grow, and exchanges of few "
          "words be predicted up to 15 % slower"},
     .computation = "as the compute model has it, of the rank that takes longest",
     .needs = [](const PredictionInput& run) -> CalibrationNeeds {
       return {.concurrency = 1, .jobs = {cores_of_ranks(run.layout, run.platform)}};
     },
     .plan = plan,
     .fit = fit,
     .make = [](const ModelInput& input) -> std::unique_ptr<PhaseModel> {
       return std::make_unique<MultiBsp>(input.parameters);
     }});

}  // namespace

}  // namespace orrery::multi_bsp_model
