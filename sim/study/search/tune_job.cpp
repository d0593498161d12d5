#include "sim/study/search/tune_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "kernels/kernel.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/suggest.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/fit/calibration_request.hpp"
#include "sim/study/play/candidate_time.hpp"
#include "sim/study/play/progress.hpp"
#include "sim/study/read/load.hpp"
#include "sim/study/read/point.hpp"

namespace orrery::app {

namespace {

const Key& parameter_of(const KernelEntry& kernel, const std::string& over) {
  std::vector<std::string> known;
  for (const auto& parameter : kernel.parameters) {
    if (parameter.kind != KeyKind::integer) continue;
    if (parameter.name == over) return parameter;
    known.push_back(parameter.name);
  }
  throw InputError(
      fmt::format("--over: kernel '{}' has no integer parameter '{}'{}", kernel.name, over, known_names(over, known)));
}

std::int64_t whole_number(const std::string& text, const std::string& all) {
  std::int64_t number = 0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc() || rest != text.data() + text.size())
    throw InputError(fmt::format(
        "--values: '{}' is not a whole number, in '{}' (a list, or a range). Write '8,16,32' or '1..50'?", text, all));
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
      throw InputError(fmt::format("--values: '{}' is empty (from the lesser to the greater). Write '{}..{}'?", text,
                                   range.greatest, range.least));
    const ValueRange may_be = range_of(parameter);
    if (range.least > may_be.greatest || range.greatest < may_be.least)
      throw InputError(fmt::format("--values: '{}' lies outside {:g}..{:g} (what '{}' may be). Choose a range inside?",
                                   text, parameter.least, parameter.most, parameter.name));
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
  if (chosen || !flags.layout.empty() || flags.ranks > 0 || flags.gpus > 0) return layout_from(flags);
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
        fmt::format("{}: '{}' of '{}' is no whole number for {} {} (a product that stays the same). Choose one "
                    "that it divides?",
                    setting.where, setting.value, setting.name, over, value));
  return std::to_string(number / value);
}

/// One value after another, loaded once each.
class Tuning {
 public:
  Tuning(const TuneRequest& request, PointSpec point, Scenario scenario)
      : request_(request),
        point_(std::move(point)),
        scenario_(std::move(scenario)),
        loader_("", request.engine),
        time_(scenario_, 1) {}

  std::optional<Seconds> predicted(std::int64_t value) {
    return timed(value,
                 [&](const LoadedPoint& loaded, const PointSpec&) { return time_.predicted(loaded, request_.model); });
  }
  std::optional<Seconds> played(std::int64_t value) {
    throw_if_interrupted("nothing is kept");
    tell("playing {} {} on {}\n", request_.over, value, request_.engine);
    return timed(value, [&](const LoadedPoint& loaded, const PointSpec& spec) {
      return time_.played(loaded, spec, request_.engine);
    });
  }
  const std::map<std::int64_t, std::string>& refused() const { return refused_; }

 private:
  template <class Time>
  std::optional<Seconds> timed(std::int64_t value, const Time& time) {
    PointSpec spec = point_;
    try {
      for (auto& setting : spec.kernel.settings) setting.value = tied(setting, request_.over, value);
      spec.kernel.settings.push_back({request_.over, std::to_string(value), "--over"});
      const LoadedPoint loaded = loader_.load(spec);
      return time(loaded, spec);
    } catch (const InputError& error) {
      refused_.emplace(value, error.what());
    } catch (const DomainError& error) {
      refused_.emplace(value, error.what());
    }
    return {};
  }

  const TuneRequest& request_;
  PointSpec point_;
  Scenario scenario_;
  PointLoader loader_;
  CandidateTime time_;
  std::map<std::int64_t, std::string> refused_;
};

}  // namespace

TuneAnswer tune(const TuneRequest& request) {
  const KernelEntry& kernel = kernels().at(request.kernel, "--kernel");
  if (models().at(model_from(request.model, "--model").name, "--model").fitted_to_runs())
    throw InputError(
        fmt::format("--model: '{}' is fitted to runs, and none are there to fit it to (models of phases "
                    "propose). Use 'bsp-matrix'?",
                    request.model));
  const Key& parameter = parameter_of(kernel, request.over);
  const Platform platform = load_platform_named(request.platform, "--platform");
  const Network& network = network_named(platform, request.network);
  ValueRange range = range_of(parameter);
  range.least = std::max<std::int64_t>(1, range.least);
  const auto values = read_values(request.values, parameter, range);
  auto settings = settings_from(request.parameters, "--param");
  std::erase_if(settings, [&](const auto& setting) { return setting.name == request.over; });
  PointSpec point{
      .platform = {.name = request.platform, .where = "--platform", .changes = {}},
      .network = network.name,
      .network_where = "--network",
      .layout = layout_of(request.layout, platform),
      .kernel = {request.kernel, "--kernel", std::move(settings)},
      .compute = {request.compute, "--compute", settings_from(request.compute_parameters, "--compute-param")}};
  point.partition = PartitionSpec{request.partition, "", "--partition"};
  Scenario scenario{.name = request.kernel, .file = "command-line", .engine = request.engine};
  Tuning tuning(request, std::move(point), std::move(scenario));
  TuneAnswer answer{.title = fmt::format("{} on {}, {}", request.kernel, platform.name, network.name),
                    .over = request.over,
                    .model = request.model,
                    .engine = request.engine};
  answer.predicted = predicted_times(values, range, [&](std::int64_t value) { return tuning.predicted(value); });
  if (answer.predicted.empty() && tuning.refused().empty())
    throw InputError(
        fmt::format("--values: '{}' names no value (a list, or a range). Write '8,16,32' or '1..50'?", request.values));
  if (answer.predicted.empty()) throw InputError(tuning.refused().begin()->second);
  if (request.confirm > 0)
    answer.simulated = confirmed_times(answer.predicted, static_cast<std::size_t>(request.confirm),
                                       [&](std::int64_t value) { return tuning.played(value); });
  answer.refused = tuning.refused();
  return answer;
}

}  // namespace orrery::app
