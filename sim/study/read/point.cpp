#include "sim/study/read/point.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kernels/dividing.hpp"
#include "models/compute/catalogue.hpp"
#include "models/compute/local_work.hpp"
#include "models/compute/slowed.hpp"
#include "models/partition/partitioner.hpp"
#include "platforms/energy.hpp"
#include "platforms/gpu_parameters.hpp"
#include "platforms/node_choice.hpp"
#include "sim/config/dist2.hpp"
#include "sim/config/files.hpp"
#include "sim/config/pattern_file.hpp"
#include "sim/config/traces/trace_file.hpp"
#include "sim/core/elapsed.hpp"
#include "sim/core/error.hpp"
#include "sim/core/fingerprint.hpp"
#include "sim/core/trace_of.hpp"
#include "sim/core/trace_streams.hpp"
#include "sim/core/version.hpp"
#include "sim/study/read/compute.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/read/keys_detail.hpp"
#include "sim/study/read/load.hpp"
#include "sim/study/read/memory.hpp"
#include "sim/study/read/partition_problem.hpp"
#include "sim/study/read/processor_facts.hpp"

namespace orrery {

namespace {

/// Of a sweep over parameters of a platform, each of which has a platform of its own.
constexpr std::size_t platforms_max = 64;

/// Of a point's inputs, part by part.
class Hash {
 public:
  Hash& operator<<(std::string_view text) {
    parts_.add(text).add(std::uint64_t{0xff});  // parts do not run together
    return *this;
  }
  std::string text() const { return fmt::format("{:016x}", parts_.value()); }

 private:
  Fingerprint parts_;
};

/// `weights: speeds`: a kernel that takes shares as numbers gets the speeds of its ranks.
NamedSpec with_speeds(NamedSpec spec, const KernelEntry& kernel, const LoadedPoint& point) {
  for (auto& setting : spec.settings)
    if (setting.name.starts_with("weights") && setting.value == "speeds") {
      auto speeds = process_speeds(*point.compute, point.layout, typical_work(kernel.works.front()));
      for (double& speed : speeds) speed /= 1e9;
      setting.value = fmt::format("{:.6g}", fmt::join(speeds, " "));
    }
  return spec;
}

/// Of the setting that a refusal is about, else of one that it would have changed; of the whole where there is none.
std::string place_of(const Refusal& refusal, const NamedSpec& spec) {
  std::vector<std::string> about = refusal.named;
  about.insert(about.end(), refusal.instead.begin(), refusal.instead.end());
  for (const std::string& word : about)
    for (const auto& [name, value, where] : spec.settings)
      if (!word.empty() && (word == name || word == value || word.starts_with(name + ":"))) return where;
  return spec.where;
}

/// Kernels do not know where their parameters stand: the place of what they refuse is their name.
std::unique_ptr<Program> made(const KernelEntry& kernel, const KernelInput& input, const NamedSpec& spec) {
  try {
    return kernel.make(input);
  } catch (const InputError& refusal) {
    const Refusal& what = refusal.refusal();
    if (what.place != kernel.name && !what.place.starts_with(kernel.name + ":")) throw;
    throw InputError(what.at(place_of(what, spec)));
  }
}

/// Whether another seed would place the ranks elsewhere, or in another order.
bool nodes_are_drawn(const LayoutRow& row, const Platform& platform) {
  return row.spread && row.spread->nodes.order == NodeOrder::random && platform.nodes() > 1;
}

/// A rank that does several things at once is as many ranks, each where the layout places it.
void place_streams(const Trace& trace, Layout& layout, const std::string& where) {
  const std::vector<std::uint32_t> streams = streams_of(trace);
  if (streams.empty()) return;
  if (layout.ranks() != streams.size())
    throw InputError(
        "{}: '{}' has {} ranks, the layout places {} (they must agree; cpus of a rank are on its host). Write "
        "'--ranks {}'?",
        where, trace.file, streams.size(), layout.ranks(), streams.size());
  std::vector<Placement> placements;
  for (std::uint32_t rank = 0; rank < layout.ranks(); ++rank)
    placements.insert(placements.end(), streams[rank], layout.placements[rank]);
  layout.placements = std::move(placements);
}

}  // namespace

std::vector<std::string> node_names(const Platform& platform, const Layout& layout) {
  std::uint32_t count = 0;
  for (const Placement& placement : layout.placements)
    count = std::max(count, static_cast<std::uint32_t>(placement.node) + 1);
  std::vector<std::string> names;
  for (std::uint32_t n = 0; n < count; ++n) names.push_back(platform.node_name(NodeId{n}));
  return names;
}

Parameters parameters_of(const std::vector<Key>& schema, const NamedSpec& spec) {
  Parameters parameters(schema);
  for (const auto& [name, value, where] : spec.settings) parameters.set(name, value, where);
  return parameters;
}

ReplayInput LoadedPoint::replay_input(const ReplayOptions& options) const {
  ReplayInput input{program.get(), played_platform().get(), &played_network(), &layout, compute.get(), options};
  input.options.seed = compute_seed;
  input.jobs = jobs;
  return input;
}

PredictionInput LoadedPoint::prediction_input(std::span<const Phase> phases) const {
  return {phases, compared_phase, layout, *platform, *network, *compute, kernel, parameters, settings};
}

LoadedPoint PointLoader::placed(const PointSpec& spec) {
  if (!spec.jobs.empty()) return load_jobs(spec);
  LoadedPoint point;
  const LayoutRow row = place(spec, point);
  require_joined(*point.platform, *point.network, point.layout, row.where);
  return point;
}

LoadedPoint PointLoader::load(const PointSpec& spec) {
  LoadedPoint point = placed(spec);
  if (spec.jobs.empty()) complete(spec, point);
  if (auto capped = slowed_by_caps(*point.platform, point.layout); !capped.empty())  // by ranks of all jobs
    point.compute = std::make_unique<SlowedTime>(std::move(point.compute), std::move(capped));
  return point;
}

LayoutRow PointLoader::place(const PointSpec& spec, LoadedPoint& point) {
  point.platform = platform(spec).platform;
  point.network = &point.platform->network(spec.network, spec.network_where);
  const auto& kernel = kernels().at(spec.kernel.name, spec.kernel.where);
  if (kernel.plays_trace) point.trace = trace(parameters_of(kernel.parameters, spec.kernel), spec.kernel);
  LayoutRow row = layout_row(spec.layout, point.trace ? placed_ranks(*point.trace) : 0);
  point.layout = build_layout(*point.platform, row);
  if (point.trace) place_streams(*point.trace, point.layout, spec.kernel.where);
  if (point.layout.name.empty()) point.layout.name = spec.layout.row;
  if (nodes_are_drawn(row, *point.platform)) point.placement_seed = row.spread->nodes.seed;
  return row;
}

void PointLoader::complete(const PointSpec& spec, LoadedPoint& point) {
  const auto& kernel = kernels().at(spec.kernel.name, spec.kernel.where);
  point.layout.gpus = gpu_parameters(*point.platform, *point.network, point.layout);
  point.layout.gpus_missing = gpus_missing(*point.platform, point.layout);
  auto compute = make_compute({spec.compute, spec.compute_rows, folder_}, *point.platform, point.layout);
  const auto varies = [](const ChannelProperties& channel) { return channel.overhead_variation > 0.0; };
  point.compute_varies =
      compute.varies || point.platform->start_skew > Seconds{} || varies(point.network->protocol) ||
      std::ranges::any_of(point.platform->node_types, [&](const NodeType& type) { return varies(type.shared_memory); });
  point.compute_assumed = compute.assumed;
  point.compute_seed = compute.seed;
  point.compute = with_elapsed(with_local_work(std::move(compute.model), *point.platform, point.layout));
  point.compute_identity = std::move(compute.identity);
  point.kernel = spec.kernel.name;
  point.parameters = parameters_of(kernel.parameters, with_speeds(spec.kernel, kernel, point));
  point.settings = spec.flat;
  point.staging_in_compute_model = spec.staging_in_compute_model;
  point.compared_phase = point.trace ? communication_phase(*point.trace) : kernel.communication_phase;
  if (kernel.grid) point.partition = partition(spec, kernel, point);
  if (kernel.plays_pattern) point.pattern = pattern(point.parameters, spec.kernel);
  point.program =
      made(kernel, {point.parameters, point.layout.ranks(), point.partition, point.trace, &point.layout, point.pattern},
           spec.kernel);
  if (spec.partition && spec.partition->measuring_played)
    point.program = dividing(kernel, point.parameters, point.layout, point.rounds, std::move(point.program));
  point.what_if = faulted(spec.what_if, *point.platform, *point.network, point.layout);
  if (!point.what_if.factors.empty())
    point.compute = std::make_unique<SlowedTime>(std::move(point.compute), point.what_if.factors);
  if (!ignore_memory_) require_memory(point, spec.kernel.where);
  point.id = id_of(spec, point, point.parameters);
}

const PointLoader::KnownPlatform& PointLoader::platform(const PointSpec& spec) {
  if (all_on_.platform) return all_on_;
  const std::string name = spec.platform.name + spec.platform.label();
  if (const auto known = platforms_.find(name); known != platforms_.end()) return known->second;
  if (platforms_.size() >= platforms_max) platforms_.clear();
  auto read = std::make_shared<const Platform>(load_changed_platform(
      data_path("platforms", spec.platform.name, "yaml", spec.platform.where, folder_), spec.platform));
  Hash hash;
  hash << config::read_file(read->file) + spec.platform.label();
  return platforms_.emplace(name, KnownPlatform{std::move(read), hash.text()}).first->second;
}

namespace {

/// Where the file says so, for messages.
std::string where_of(const NamedSpec& spec, const std::string& name) {
  const auto setting = std::ranges::find(spec.settings, name, &NamedSpec::Setting::name);
  return setting == spec.settings.end() ? spec.where : setting->where;
}

}  // namespace

std::shared_ptr<const StagePattern> PointLoader::pattern(const Parameters& kernel, const NamedSpec& spec) const {
  const std::string& file = kernel.text("pattern");
  if (file.empty()) return nullptr;
  const std::string path = data_path("scenarios/patterns", file, "txt", where_of(spec, "pattern"), folder_);
  return std::make_shared<const StagePattern>(config::read_pattern(path));
}

std::shared_ptr<const Trace> PointLoader::trace(const Parameters& kernel, const NamedSpec& spec) {
  const std::string& file = kernel.text("file");
  if (file.empty()) return nullptr;
  const std::string path = data_path("scenarios/traces", file, "ti", where_of(spec, "file"), folder_);
  auto& known = traces_[path];
  if (!known) known = std::make_shared<const Trace>(config::read_trace(path));
  return known;
}

LayoutRow PointLoader::layout_row(const LayoutSpec& spec, std::uint32_t ranks) {
  LayoutRow row;
  if (spec.own) {
    row = *spec.own;
    if (row.spread && row.spread->ranks == 0 && ranks > 0) row.spread->ranks = ranks;
  } else {
    auto known = tables_.find(spec.table);
    if (known == tables_.end())
      known = tables_.emplace(spec.table, load_layouts_named(spec.table, spec.where, folder_)).first;
    row = known->second.row(spec.row, spec.where);
  }
  if (spec.seed && row.spread) row.spread->nodes.seed = *spec.seed;
  return row;
}

namespace {

/// A partitioner of one's own may leave out a part of the grid, or give one to two ranks.
std::shared_ptr<const Partition> tiled(Partition made, const PartitionProblem& problem, const PartitionSpec& spec) {
  std::string defect =
      made.ranks() == problem.ranks() && made.columns == problem.grid.columns && made.rows == problem.grid.rows
          ? tiling_defect(made)
          : fmt::format("it has {} ranks and {} x {} blocks, for {} and {} x {}", made.ranks(), made.columns, made.rows,
                        problem.ranks(), problem.grid.columns, problem.grid.rows);
  if (defect.empty()) return std::make_shared<const Partition>(std::move(made));
  throw InputError(
      "{}: partitioner '{}' does not divide the grid: {} (each block belongs to one rank). "
      "Correct it?",
      spec.where, spec.algorithm, defect);
}

}  // namespace

std::shared_ptr<const Partition> PointLoader::partition(const PointSpec& of_point, const KernelEntry& kernel,
                                                        LoadedPoint& point) {
  const PartitionSpec& spec = *of_point.partition;
  if (spec.file.empty()) {
    PartitionProblem problem = partition_problem(point, of_point, time_);
    const auto& partitioner = partitioners().at(spec.algorithm, spec.where);
    if (partitioner.asks_processors())
      problem.processors = processor_facts(point, spec.processors, spec.processors_where, folder_);
    problem.watch = [&](PartitionRound round) { point.rounds.push_back(std::move(round)); };
    if (problem.ranks() != point.layout.ranks())
      throw InputError("{}: 'speeds' has {} numbers, but the layout places {} ranks. Write one for each?", spec.where,
                       problem.ranks(), point.layout.ranks());
    problem.tell = [&](std::string note) { point.partition_notes.push_back(std::move(note)); };
    if (!partitioner.asks_time()) return tiled(partitioner.make(problem), problem, spec);
    // Points are loaded more than once in a run; candidates are timed once.
    auto& timed = timed_[id_of(of_point, point, point.parameters) +
                         config::identity_of(scenario_detail::partition_fields(), spec)];
    if (!timed.partition) {
      timed.partition = tiled(partitioner.make(problem), problem, spec);
      timed.notes = point.partition_notes;
    }
    point.partition_notes = timed.notes;
    return timed.partition;
  }
  const GridSize grid = kernel.grid(point.parameters);
  const std::string path = data_path("scenarios/partitions", spec.file, "2dist", spec.where, folder_);
  const config::Dist2 dist2 = config::read_dist2(path);
  const auto& keys = kernel.parameters;
  const std::int64_t block =
      std::ranges::find(keys, "block", &Key::name) == keys.end() ? 0 : point.parameters.integer("block");
  const bool says_block = dist2.has_block && dist2.block > 1;  // a file of whole blocks says 1
  if (says_block && block > 0 && block != dist2.block)
    throw InputError(
        "{}: '{}' is for blocks of {} elements ('#kb'), but kernel '{}' has blocks of {}. Write "
        "'block={}'?",
        spec.where, spec.file, dist2.block, kernel.name, block, dist2.block);
  auto read = std::make_shared<const Partition>(dist2.partition);
  if (read->columns != grid.columns || read->rows != grid.rows)
    throw InputError("{}: '{}' partitions {} x {}, but kernel '{}' has a grid of {} x {}. Change its size?", spec.where,
                     spec.file, read->columns, read->rows, kernel.name, grid.columns, grid.rows);
  if (read->ranks() != point.layout.ranks())
    throw InputError("{}: '{}' has {} ranks, but the layout places {}. Choose another layout?", spec.where, spec.file,
                     read->ranks(), point.layout.ranks());
  return read;
}

std::string PointLoader::id_of(const PointSpec& spec, const LoadedPoint& point, const Parameters& kernel) {
  Hash hash;
  const std::string staging = spec.staging_in_compute_model ? "" : ", staged messages";
  hash << version << engine_ + staging << platform(spec).hash << spec.network << spec.kernel.name
       << point.compute_identity;
  for (const auto& [name, value] : kernel.rendered()) hash << name << value;
  for (const WhatIf& what : spec.what_if) hash << what.text;
  if (spec.failures) hash << config::identity_of(scenario_detail::failure_fields(), *spec.failures);
  if (spec.partition && spec.partition->measuring_played)
    hash << config::identity_of(scenario_detail::partition_fields(), *spec.partition);
  if (point.trace) hash << fmt::format("{:016x}", point.trace->fingerprint());
  if (point.pattern) hash << config::pattern_text(*point.pattern);
  for (const auto& place : point.layout.placements)
    hash << fmt::format("{} {} {} {}", index(place.node), index(place.host), place.cores, place.gpu);
  if (point.partition)
    for (const auto& r : point.partition->rectangles) hash << fmt::format("{} {} {} {}", r.x, r.y, r.width, r.height);
  return hash.text();
}

}  // namespace orrery
