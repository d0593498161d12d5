#include "sim/study/fit/fit_scenarios.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <random>

#include "models/stats/total_estimates.hpp"
#include "platforms/loader.hpp"
#include "sim/config/yaml_text.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"
#include "sim/study/fit/compute_speeds.hpp"
#include "sim/study/fit/subplex_search.hpp"
#include "sim/study/judge/measured_factor.hpp"
#include "sim/study/read/measured_times.hpp"
#include "sim/study/read/platform_changes.hpp"

namespace orrery::study {

namespace {

using config::Document;

/// A parameter that is fitted.
struct BegunParameter {
  const PlatformParameter* parameter = nullptr;
  double before = 0.0;  ///< where the search begins
  bool stated = true;   ///< by the platform, with this value
};

struct NamedParameter {
  const PlatformParameter* parameter = nullptr;
  std::optional<double> start;
};

/// "reduction=8GB/s"
NamedParameter named(const std::string& text) {
  const auto equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const auto& parameter = platform_parameter(name, "--parameters");
  if (equals == std::string::npos) return {&parameter, {}};
  const std::string value = text.substr(equals + 1);
  const ParsedQuantity parsed = parse_quantity(value, parameter.dimension);
  if (!parsed.si) throw InputError("--parameters: '{}' is '{}' {}", parameter.name, value, parsed.problem);
  if (*parsed.si < parameter.least || *parsed.si > parameter.most)
    throw InputError("--parameters: '{}' is '{}', outside {}..{}. Begin inside?", parameter.name, value,
                     parameter_text(parameter, parameter.least), parameter_text(parameter, parameter.most));
  return {&parameter, parsed.si};
}

/// The search begins at the value given, or at the platform's own.
std::optional<BegunParameter> begun(const NamedParameter& asked, const FittedMachine& machine, bool by_name) {
  const auto& parameter = *asked.parameter;
  if (parameter.of_node && machine.type == nullptr) {
    if (!by_name) return std::nullopt;
    throw InputError(
        "--parameters: '{}' is of one type of node, and the points have ranks on several or on GPUs alone. "
        "Leave it out?",
        parameter.name);
  }
  if (parameter.of_gpus && machine.gpus == nullptr) {
    if (!by_name) return std::nullopt;
    throw InputError(
        "--parameters: '{}' is of GPUs of one type of node, and the points have ranks on cores "
        "or on several types. Leave it out?",
        parameter.name);
  }
  const auto stated = parameter.stated(machine);
  if (!stated && is_speed(parameter.name))
    throw InputError("--parameters: '{}' is no speed of the compute table of '{}'{}", parameter.name,
                     machine.platform->name, known_names(parameter.name, speeds_known(*machine.platform)));
  if (!stated && !asked.start) {
    if (!by_name) return std::nullopt;
    const std::string of = fmt::format(" of '{}'", machine.platform->name);
    const std::string owner = parameter.of_gpus   ? fmt::format("node type '{}'{}", machine.gpus->name, of)
                              : parameter.of_node ? fmt::format("node type '{}'{}", machine.type->name, of)
                              : parameter.name == "start-skew"
                                  ? fmt::format("platform '{}'", machine.platform->name)
                                  : fmt::format("network '{}'{}", machine.network->name, of);
    throw InputError("--parameters: {} has no {} (a parameter is searched for from a value on). Write '{}={}'?", owner,
                     parameter.name, parameter.name, parameter.example);
  }
  const double before = asked.start.value_or(stated.value_or(0.0));
  return BegunParameter{.parameter = &parameter,
                        .before = before > parameter.origin ? before : parameter.least,  // searched by its logarithm
                        .stated = stated && before == *stated};
}

std::vector<BegunParameter> begun(const ScenarioFitRequest& request, const FittedMachine& machine) {
  std::vector<BegunParameter> all;
  for (const auto& text : request.parameters)
    if (auto parameter = begun(named(text), machine, true);
        std::ranges::find(all, parameter->parameter, &BegunParameter::parameter) == all.end())
      all.push_back(*parameter);
  if (!all.empty()) return all;
  for (const auto& parameter : platform_parameters())
    if (auto one = parameter.unasked ? begun({&parameter, {}}, machine, false) : std::nullopt) all.push_back(*one);
  return all;
}

/// [points] whether it is held out: drawn alike each time.
std::vector<bool> held_out(const std::string& asked, std::size_t points) {
  std::vector<bool> out(points, false);
  if (asked.empty()) return out;
  const bool share = asked.ends_with('%');
  double number = -1.0;
  const char* end = asked.data() + asked.size() - (share ? 1 : 0);
  const auto [rest, status] = std::from_chars(asked.data(), end, number);
  if (status != std::errc() || rest != end || !(number >= 0.0) || (!share && number != std::floor(number)))
    throw InputError("--hold-out: '{}' is no share and no number of points. Write '20%' or '5'?", asked);
  const double count = std::round(share ? number / 100.0 * static_cast<double>(points) : number);
  if (count > static_cast<double>(points) - 1.0)
    throw InputError("--hold-out: {} of {} points leave none to fit to (at least 1). Hold out fewer?", count, points);
  std::vector<std::size_t> order(points);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 draw(1);
  for (std::size_t i = points - 1; i > 0; --i) std::swap(order[i], order[draw() % (i + 1)]);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) out[order[i]] = true;
  return out;
}

std::vector<double> starts_of(const std::vector<BegunParameter>& parameters) {
  std::vector<double> values;
  for (const auto& parameter : parameters) values.push_back(parameter.before);
  return values;
}

/// What the table says beside a parameter, if that is used.
std::string note_of(const PlatformParameter& parameter, const FoundParameter& found, bool held) {
  std::vector<std::string> notes;
  if (held)
    notes.push_back(fmt::format("limited by '{}' (its lower bound)", parameter.not_below));
  else if (!found.determined)
    notes.emplace_back("not determined by these points: unchanged");
  if (found.at_most || found.at_least)
    notes.push_back(fmt::format("at its bound of {}", parameter_text(parameter, found.value)));
  if (!held && found.determined && (found.open_above || found.open_below))
    notes.push_back(fmt::format("poorly determined: {} fits equally well", found.open_above && found.open_below
                                                                               ? "0.5x to 2x"
                                                                           : found.open_above ? "2x"
                                                                                              : "0.5x"));
  return fmt::format("{}", fmt::join(notes, "; "));
}

/// A row of the table. `value`: as found, or that of the parameter which it may not be below.
FittedParameter row_of(const BegunParameter& begun, const FoundParameter& found, double value, bool used) {
  const PlatformParameter& parameter = *begun.parameter;
  const bool held = value > found.value;
  FoundParameter shown = found;
  shown.value = value;
  FittedParameter row{.name = parameter.name,
                      .before = parameter_text(parameter, begun.before),
                      .fitted = parameter_text(parameter, value),
                      .unit = parameter_unit(parameter),
                      .before_si = begun.before,
                      .fitted_si = used ? value : begun.before,
                      .used = used,
                      .determined = used && found.determined,
                      .at_bound = found.at_most || found.at_least,
                      .held_by = held ? parameter.not_below : "",
                      .note = used ? note_of(parameter, shown, held) : "no point depends on it: stays"};
  if (used && !found.at_most) row.larger = found.larger;
  if (used && !found.at_least) row.smaller = found.smaller;
  return row;
}

constexpr int rounds_max = 5;  // of a search by estimates

/// |ln(simulated / measured)| of a point that other parameters let take no time at all: finite, so that a search goes on.
const double ratio_worst = std::log(1e12);

/// One fit, from the scenarios to the platform's file.
class Fit {
 public:
  explicit Fit(const ScenarioFitRequest& request)
      : request_(request),
        measured_(read_measured(request.scenarios, request.platform, request.network, request.overrides)),
        held_out_(held_out(request.hold_out, measured_.times.size())),
        document_(changed_platform(measured_.platform_file, measured_.platform)),
        platform_(load_platform(document_, measured_.platform_file)) {
    see();
    parameters_ = begun(request_, machine_);
    if (parameters_.empty())
      throw InputError(
          "--parameters: '{}' states none of the parameters that can be fitted. Name some: 'latency=1.2us'?",
          platform_.name);
    begin_where_asked();
    leave_out_idle();
  }

  PlatformFit operator()() {
    std::vector<const PlatformParameter*> kinds;
    for (const auto& parameter : parameters_) kinds.push_back(parameter.parameter);
    MeasuredSimulator simulator(measured_, document_, machine_, kinds, request_.jobs);
    std::vector<std::size_t> fitted, all;
    for (std::size_t t = 0; t < measured_.times.size(); ++t) {
      all.push_back(t);
      if (!held_out_[t]) fitted.push_back(t);
    }
    const auto poll = [&] { return goes_on(); };
    const auto before = simulator.times(all, starts_of(parameters_), poll);
    require_times(before);
    std::vector<std::vector<std::size_t>> totals;
    for (const std::size_t t : fitted) totals.push_back(measured_.times[t].points);
    TotalEstimates estimates(
        totals, [&](const auto& runs, const auto& values) { return simulator.of_points(runs, values, poll); },
        in_order(starts_of(parameters_)));
    const Settled settled = found_with_all(simulator, estimates, fitted);
    PlatformFit fit{.platform = platform_.name, .network = machine_.network->name, .origin = origin(fitted.size())};
    for (std::size_t f = 0; f < parameters_.size(); ++f)
      fit.parameters.push_back(
          row_of(parameters_[f], settled.found.parameters[f], settled.values[f], simulator.matters(f)));
    for (const auto& parameter : idle_)
      fit.parameters.push_back(row_of(parameter, {.value = parameter.before}, parameter.before, false));
    std::ranges::stable_sort(fit.parameters, {}, [&](const FittedParameter& row) {
      return std::ranges::find(names_, row.name) - names_.begin();
    });
    fit.points = points(before, simulator.times(all, settled.values, poll));
    auto alike = alike_parameters(kinds, settled.values, simulator, [&](const auto& v) { return estimates.times(v); });
    fit.search = FitSearch{.error_before = error_of(before, all),
                           .error = settled.found.error,
                           .complete = settled.found.complete,
                           .simulations = simulator.simulations(),
                           .alike = std::move(alike)};
    fit.notes = notes_of(before);
    if (!idle_.empty()) fit.notes.push_back(idle_note());
    if (std::ranges::any_of(
            fitted, [&](std::size_t t) { return measured_.times[t].points.size() > TotalEstimates::drawn_most; }))
      fit.notes.push_back(fmt::format(
          "tries told totals from {} of their runs, drawn by their part of it; what was found is of all runs{}",
          TotalEstimates::drawn_most,
          settled.agrees ? "" : ", which still differs from what was estimated: begin at these parameters"));
    fit.file_text = file_text(fit);
    return fit;
  }

 private:
  /// What of the measured times is not fitted to, and what they may be of.
  std::vector<std::string> notes_of(const std::vector<Seconds>& before) const {
    std::vector<std::string> notes = measured_.notes;
    const Scenario& first = measured_.scenarios.front();
    std::vector<TimePair> pairs;
    for (std::size_t t = 0; t < before.size(); ++t) pairs.push_back({before[t], measured_.times[t].measured});
    const PrintedTime* printed = printed_of(measured_.points.front().spec.kernel.name);
    std::string note = factor_note(pairs, {.file = first.measured_file.empty() ? first.file : first.measured_file,
                                           .metric = first.measured_metric,
                                           .printed = printed != nullptr ? printed->metric : ""});
    if (!note.empty()) notes.push_back(std::move(note));
    return notes;
  }

  bool goes_on() const { return !request_.keep_going || request_.keep_going(); }

  /// A fit compares ratios: of nothing there is none.
  void require_times(const std::vector<Seconds>& simulated) const {
    for (std::size_t p = 0; p < simulated.size(); ++p)
      if (simulated[p] <= Seconds{})
        throw InputError(
            "{}: its point {} takes {} s in the simulation (a fit compares ratios: above 0). "
            "Leave the row out?",
            measured_.times[p].where, measured_.times[p].label, simulated[p].si());
  }

  /// What the points do on the platform as it is, and which of its types of node they are on.
  void see() { machine_ = see_points(measured_, platform_, platform_.network(measured_.network, "network")); }

  /// Parameters that the platform does not state as the search begins become part of it: points are looked at with them.
  void begin_where_asked() {
    std::map<std::string, double> values;
    for (const auto& parameter : parameters_)
      if (!parameter.stated) values[parameter.parameter->name] = parameter.before;
    if (values.empty()) return;
    document_ = with_parameters(document_, machine_, values, "assumed: \"where a fit began\"");
    platform_ = load_platform(document_, measured_.platform_file);
    see();
  }

  /// What no point depends on is not searched for.
  void leave_out_idle() {
    const auto idle = [&](const BegunParameter& begun) {
      return std::ranges::none_of(
          measured_.points, [&](const PlayedPoint& point) { return begun.parameter->matters(point.uses, machine_); });
    };
    for (const auto& parameter : parameters_) {
      names_.push_back(parameter.parameter->name);
      if (idle(parameter)) idle_.push_back(parameter);
    }
    std::erase_if(parameters_, idle);
    if (!parameters_.empty()) return;
    std::vector<std::string> names;
    for (const auto& parameter : idle_) names.push_back(parameter.parameter->name);
    throw InputError(
        "--parameters: no point depends on {} (what its messages and its work do not meet cannot be "
        "fitted). Name others: 'orrery fit --list' has all?",
        fmt::join(names, ", "));
  }

  /// Why some are not fitted, by what the points do.
  std::string idle_note() const {
    std::vector<std::string> names;
    for (const auto& parameter : idle_) names.push_back(parameter.parameter->name);
    const bool gpus = std::ranges::all_of(measured_.points, [](const PlayedPoint& point) {
      return point.uses.gpu_links && !point.uses.between_nodes && !point.uses.inside_node;
    });
    return fmt::format("not searched for, as no point depends on them{}: {}",
                       gpus ? " (all messages are of GPUs: over their links, or by NCCL's kernels)" : "",
                       fmt::join(names, ", "));
  }

  /// A parameter below the one that bounds it counts as that one.
  std::vector<double> in_order(std::vector<double> values) const {
    for (std::size_t f = 0; f < parameters_.size(); ++f) {
      const auto bound = std::ranges::find(parameters_, parameters_[f].parameter->not_below,
                                           [](const BegunParameter& parameter) { return parameter.parameter->name; });
      const bool searched = bound != parameters_.end();
      if (!searched && parameters_[f].parameter->not_below.empty()) continue;
      const auto stated =
          searched ? values[static_cast<std::size_t>(bound - parameters_.begin())]
                   : platform_parameter(parameters_[f].parameter->not_below, "--parameters").stated(machine_);
      values[f] = std::max(values[f], stated.value_or(0.0));
    }
    return values;
  }

  /// Mean |ln(simulated / measured)| of those of the times that are not held out.
  double error_of(const std::vector<Seconds>& simulated, const std::vector<std::size_t>& of) const {
    double sum = 0.0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < of.size(); ++i) {
      if (held_out_[of[i]]) continue;
      sum += std::min(ratio_worst, std::abs(std::log(simulated[i] / measured_.times[of[i]].measured)));
      ++count;
    }
    return sum / static_cast<double>(count);
  }

  struct Settled {
    Found found;  ///< its errors are of all runs, or moved by what these differ
    std::vector<double> values = {};
    bool agrees = false;
  };
  /// Searches until what it found errs as it was estimated to.
  Settled found_with_all(MeasuredSimulator& simulator, TotalEstimates& estimates,
                         const std::vector<std::size_t>& fitted) const {
    Settled settled;
    for (int round = 0; round < rounds_max && !settled.agrees; ++round) {
      settled.found = searched(simulator, estimates, fitted);
      settled.values = in_order(settled.found.values());
      const double error = error_of(simulator.times(fitted, settled.values, [&] { return goes_on(); }), fitted);
      const double off = error - settled.found.error;
      for (auto& parameter : settled.found.parameters) {
        parameter.larger += off;
        parameter.smaller += off;
      }
      settled.found.error = error;
      settled.agrees = std::abs(off) <= estimate_within;
      estimates.begin_at(settled.values);
    }
    return settled;
  }

  Found searched(const MeasuredSimulator& simulator, TotalEstimates& estimates,
                 const std::vector<std::size_t>& fitted) const {
    std::vector<SearchedParameter> searched;
    for (const auto& [parameter, before, stated] : parameters_)  // what the platform says may lie outside
      searched.push_back({parameter->name, before, std::min(parameter->least, before),
                          std::max(parameter->most, before), parameter->origin});
    std::string state = fmt::format("fitting {}", platform_.name);
    const SearchError error = [&](const std::vector<double>& values) {
      if (request_.tell) request_.tell(state);
      if (!goes_on()) throw Interrupted("interrupted: {}", state);  // also where all points are remembered
      return error_of(estimates.times(in_order(values)), fitted);
    };
    return subplex_search(searched, error, {.points = fitted.size()}, [&](double least, std::size_t tries) {
      state = fmt::format("fitting {}: error {:.2f} %, {} tries, {} simulations", platform_.name, 100.0 * least, tries,
                          simulator.simulations());
    });
  }

  std::string origin(std::size_t points) const {
    const std::size_t scenarios = request_.scenarios.size();
    return fmt::format(
        "fitted to {} point{} of {}{}", points, points == 1 ? "" : "s", request_.scenarios.front(),
        scenarios == 1 ? "" : fmt::format(" and {} other scenario{}", scenarios - 1, scenarios == 2 ? "" : "s"));
  }

  std::vector<FittedPoint> points(const std::vector<Seconds>& before, const std::vector<Seconds>& fitted) const {
    std::vector<FittedPoint> all;
    for (std::size_t t = 0; t < measured_.times.size(); ++t)
      all.push_back({measured_.times[t].label, measured_.times[t].measured, before[t], fitted[t], held_out_[t]});
    return all;
  }

  std::string file_text(const PlatformFit& fit) const {
    std::map<std::string, double> found;
    for (const auto& row : fit.parameters)
      if (row.determined) found[row.name] = *row.fitted_si;
    const Document document = with_parameters(document_, machine_, found, fmt::format("source: \"{}\"", fit.origin));
    return fmt::format("# {}, {}.\n{}", platform_.name, fit.origin, config::yaml_text(document));
  }

  const ScenarioFitRequest& request_;
  MeasuredScenarios measured_;
  std::vector<bool> held_out_;
  Document document_;
  Platform platform_;
  FittedMachine machine_;
  std::vector<BegunParameter> parameters_, idle_;  ///< idle: no point depends on them
  std::vector<std::string> names_;                 ///< of all, in the order of the table
};

}  // namespace

PlatformFit fit_scenarios(const ScenarioFitRequest& request) { return Fit(request)(); }

}  // namespace orrery::study
