#include "sim/core/bound_text.hpp"
#include "sim/study/search/tune_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <map>
#include <set>

#include "kernels/kernel.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/suggest.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/fit/calibration_request.hpp"
#include "sim/study/play/candidate_time.hpp"
#include "sim/study/play/progress.hpp"
#include "sim/study/play/run_scenario.hpp"
#include "sim/study/read/load.hpp"
#include "sim/study/read/point.hpp"
#include "sim/study/search/tune.hpp"

namespace orrery::study {

namespace {

const Key& parameter_of(const KernelEntry& kernel, const std::string& over) {
  std::vector<std::string> known;
  for (const auto& parameter : kernel.parameters) {
    if (parameter.kind != KeyKind::integer) continue;
    if (parameter.name == over) return parameter;
    known.push_back(parameter.name);
  }
  throw InputError("--over: kernel '{}' has no integer parameter '{}'{}", kernel.name, over, known_names(over, known));
}

std::int64_t whole_number(const std::string& text, const std::string& all) {
  std::int64_t number = 0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc() || rest != text.data() + text.size())
    throw InputError("--values: '{}' is not a whole number, in '{}' (a list, or a range). Write '8,16,32' or '1..50'?",
                     text, all);
  return number;
}

/// What the parameter may be.
ValueRange range_of(const Key& parameter) {
  constexpr double huge = 1e18;
  return {static_cast<std::int64_t>(std::clamp(parameter.least, -huge, huge)),
          static_cast<std::int64_t>(std::clamp(parameter.most, -huge, huge))};
}

/// A list, or nothing and the part of the range that the parameter may be.
std::vector<std::int64_t> read_values(const std::string& text, const Key& parameter, ValueRange& range) {
  if (const auto dots = text.find(".."); dots != std::string::npos) {
    range = {whole_number(text.substr(0, dots), text), whole_number(text.substr(dots + 2), text)};
    if (range.least > range.greatest)
      throw InputError("--values: '{}' is empty (from the lesser to the greater). Write '{}..{}'?", text,
                       range.greatest, range.least);
    const ValueRange may_be = range_of(parameter);
    if (range.least > may_be.greatest || range.greatest < may_be.least)
      throw InputError("--values: '{}' lies outside {}..{} (what '{}' may be). Choose a range inside?", text,
                       bound_text(parameter.least), bound_text(parameter.most), parameter.name);
    range = {std::max(range.least, may_be.least), std::min(range.greatest, may_be.greatest)};
    return {};
  }
  std::vector<std::int64_t> values;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    values.push_back(whole_number(text.substr(at, end - at), text));
    at = end + 1;
  }
  return values;
}

LayoutSpec layout_of(const LayoutFlags& flags, const Platform& platform) {
  const bool chosen = !flags.type.empty() || !flags.node_list.empty() || flags.nodes > 0;
  if (chosen || !flags.layout.empty() || flags.ranks != 0 || flags.gpus != 0) return layout_from(flags);
  const std::int64_t cores = std::max(1, flags.cores);
  std::int64_t ranks = 0;
  for (std::size_t type = 0; type < platform.node_types.size(); ++type) {
    const auto& node = platform.node_types[type];
    ranks += std::int64_t{platform.node_counts[type]} * node.sockets * (node.cores_per_socket / cores);
  }
  LayoutFlags all = flags;
  all.ranks = static_cast<int>(std::min<std::int64_t>(ranks, std::numeric_limits<int>::max()));
  return layout_from(all);
}

/// "4096/block": what else changes with the value. Anything else stays as it is. Throws InputError where it does not
/// divide.
std::string tied(const NamedSpec::Setting& setting, const std::string& over, std::int64_t value) {
  const auto slash = setting.value.find('/');
  if (slash == std::string::npos || setting.value.substr(slash + 1) != over) return setting.value;
  const std::string dividend = setting.value.substr(0, slash);
  std::int64_t number = 0;
  const auto [rest, status] = std::from_chars(dividend.data(), dividend.data() + dividend.size(), number);
  const bool whole = status == std::errc() && rest == dividend.data() + dividend.size();
  if (!whole || value == 0 || number % value != 0)
    throw InputError(
        "{}: '{}' of '{}' is no whole number for {} {} (a product that stays the same). Choose one "
        "that it divides?",
        setting.where, setting.value, setting.name, over, value);
  return std::to_string(number / value);
}

/// Values whose time is within a hundredth of the least, as "21 to 30".
std::string flat_range(const TimesByValue& times) {
  const Seconds least = times.at(best_of(times));
  std::set<std::int64_t> flat;
  for (const auto& [value, time] : times)
    if (time <= 1.01 * least) flat.insert(value);
  return flat.size() < 2 ? "" : fmt::format("; {} to {} are within 1 %", *flat.begin(), *flat.rbegin());
}

/// The points of a tuning, a value each: predicted one after another, then some of them played.
class Tuning {
 public:
  Tuning(const TuneRequest& request, PointSpec point, const std::string& title)
      : request_(request),
        point_(std::move(point)),
        scenario_{.name = request.kernel, .title = title, .file = "command-line", .engine = request.engine},
        loader_("", request.engine),
        time_(scenario_, 1) {}

  void predict(const std::vector<std::int64_t>& values, const ValueRange& range) {
    predicted_ = predicted_times(values, range, [&](std::int64_t value) { return predicted(value); });
  }
  const TimesByValue& predictions() const { return predicted_; }
  const std::map<std::int64_t, Refusal>& refused() const { return refused_; }

  ScenarioResult confirmed() {
    std::vector<PointSpec> points;
    for (const auto& [value, time] : predicted_) points.push_back(spec_of(value));
    scenario_.points = Points(points);
    ResultStore store(ResultStore::in_memory);
    RunOptions options{.jobs = 1, .progress = false, .simulate = request_.confirm > 0, .all_points = points.size()};
    if (options.simulate) {
      simulated_ = confirmed_times(predicted_, static_cast<std::size_t>(request_.confirm),
                                   [&](std::int64_t value) { return played(value, options, store); });
      options.merged = options.resume = true;
      options.only.emplace();
      for (const auto& [value, time] : simulated_) options.only->insert(number_of(value));
    }
    ScenarioResult result = run_scenario(scenario_, options, store).result;
    add_times(result);
    add_notes(result.notes);
    return result;
  }

 private:
  PointSpec spec_of(std::int64_t value) const {
    PointSpec spec = point_;
    for (auto& setting : spec.kernel.settings) setting.value = tied(setting, request_.over, value);
    spec.kernel.settings.push_back({request_.over, std::to_string(value), "--over"});
    spec.settings = {{"kernel." + request_.over, std::to_string(value)}};
    return spec;
  }
  std::size_t number_of(std::int64_t value) const {
    return static_cast<std::size_t>(std::distance(predicted_.begin(), predicted_.find(value)));
  }

  std::optional<Seconds> predicted(std::int64_t value) {
    throw_if_interrupted("nothing is kept");
    try {
      return time_.predicted(loader_.load(spec_of(value)), request_.model);
    } catch (const InputError& error) {
      refused_.emplace(value, error.refusal());
    } catch (const DomainError& error) {
      refused_.emplace(value, error.refusal());
    }
    return {};
  }
  std::optional<Seconds> played(std::int64_t value, const RunOptions& options, ResultStore& store) const {
    tell("playing {} {} on {}\n", request_.over, value, request_.engine);
    Scenario one = scenario_;
    one.points = Points({spec_of(value)});
    return run_scenario(one, options, store).result.points.front().run.makespan;
  }

  void add_times(ScenarioResult& result) const {
    const ModelSpec model = model_from(request_.model, "--model");
    for (const auto& [value, time] : predicted_) {
      PointResult& point = result.points[number_of(value)];
      point.predictions.push_back(
          {.model = model.name, .mode = model.variant, .time = time, .of_run = true, .terms = {}});
      if (const auto its = simulated_.find(value); its != simulated_.end())
        point.metrics.push_back({"behind", 100.0 * (its->second / simulated_.at(best_of(simulated_)) - 1.0), "%"});
    }
  }

  void add_notes(std::vector<std::string>& notes) const {
    const std::int64_t proposed = best_of(predicted_);
    std::vector<std::string> own{fmt::format("{} proposes {} {} ({}){}", request_.model, request_.over, proposed,
                                             to_text(predicted_.at(proposed)), flat_range(predicted_))};
    if (!simulated_.empty()) {
      const std::int64_t best = best_of(simulated_);
      const Seconds least = simulated_.at(best);
      own.push_back(fmt::format("{}: {} {} is the best of {} played ({}){}", request_.engine, request_.over, best,
                                simulated_.size(), to_text(least), flat_range(simulated_)));
      if (const auto there = simulated_.find(proposed); best != proposed && there != simulated_.end())
        own.back() += fmt::format("; the proposal takes {:.2f} % longer there", 100.0 * (there->second / least - 1.0));
    }
    if (!refused_.empty())
      own.push_back(fmt::format("refused: {} {}{}, as {}", request_.over, refused_.begin()->first,
                                refused_.size() > 1 ? fmt::format(" and {} more", refused_.size() - 1) : "",
                                refused_.begin()->second));
    notes.insert(notes.begin(), own.begin(), own.end());
  }

  const TuneRequest& request_;
  PointSpec point_;
  Scenario scenario_;
  PointLoader loader_;
  CandidateTime time_;
  TimesByValue predicted_, simulated_;
  std::map<std::int64_t, Refusal> refused_;
};

}  // namespace

ScenarioResult tune(const TuneRequest& request) {
  const KernelEntry& kernel = kernels().at(request.kernel, "--kernel");
  if (model_from(request.model, "--model").fitted_to_runs())
    throw InputError(
        "--model: '{}' is fitted to runs, and none are there to fit it to (models of phases "
        "propose). Use 'bsp-matrix'?",
        request.model);
  const Key& parameter = parameter_of(kernel, request.over);
  const Platform platform = load_platform_named(request.platform, "--platform");
  const Network& network = network_named(platform, request.network);
  ValueRange range = range_of(parameter);
  range.least = std::max<std::int64_t>(1, range.least);
  const auto values = read_values(request.values, parameter, range);
  auto settings = settings_from(request.parameters, "--param");
  std::erase_if(settings, [&](const auto& setting) { return setting.name == request.over; });
  PointSpec point{
      .platform = PlatformSpec{.name = request.platform, .where = "--platform", .changes = {}},
      .network = network.name,
      .network_where = "--network",
      .layout = layout_of(request.layout, platform),
      .kernel = NamedSpec{request.kernel, "--kernel", std::move(settings)},
      .compute = NamedSpec{request.compute, "--compute", settings_from(request.compute_parameters, "--compute-param")}};
  point.partition = PartitionSpec{request.partition, "", "--partition"};
  Tuning tuning(request, std::move(point),
                fmt::format("{} on {}, {}: time by {}", request.kernel, platform.name, network.name, request.over));
  tuning.predict(values, range);
  if (tuning.predictions().empty() && tuning.refused().empty())
    throw InputError("--values: '{}' names no value (a list, or a range). Write '8,16,32' or '1..50'?", request.values);
  if (tuning.predictions().empty()) throw InputError(tuning.refused().begin()->second);
  return tuning.confirmed();
}

}  // namespace orrery::study
