#include "sim/study/search/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <variant>

#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/show/tables/metric_table.hpp"
#include "sim/study/play/point_metrics.hpp"
#include "sim/study/read/memory.hpp"

namespace orrery::study {

PointFacts PointFacts::of(const LoadedPoint& point) {
  return {.ranks = static_cast<double>(point.layout.ranks()),
          .nodes = static_cast<double>(point.layout.nodes().size()),
          .memory = memory_share(point)};
}

bool is_fact(const std::string& quantity) { return quantity == "ranks" || quantity == "nodes" || quantity == "memory"; }

Quantity fact(const PointFacts& facts, const std::string& quantity) {
  if (quantity == "memory") return {100.0 * facts.memory, "%"};
  return {quantity == "ranks" ? facts.ranks : facts.nodes, ""};
}

std::optional<Quantity> quantity_of(const PointResult& point, const std::string& quantity) {
  if (quantity == "time") return Quantity{point.run.makespan.si(), "s"};
  if (quantity == "simulated")
    return point.simulated ? std::optional(Quantity{point.simulated->si(), "s"}) : std::nullopt;
  const auto found = std::ranges::find(point.metrics, quantity, &Metric::name);
  return found == point.metrics.end() ? std::nullopt : std::optional(Quantity{found->value, found->unit});
}

std::vector<std::string> quantities_of(const PointResult& point) {
  std::vector<std::string> names{"time"};
  if (point.simulated) names.emplace_back("simulated");
  for (const Metric& metric : point.metrics) names.push_back(metric.name);
  names.insert(names.end(), {"memory", "nodes", "ranks"});
  return names;
}

PointResult run_of(const PointSpec& spec, const LoadedPoint& point, Seconds time) {
  PointResult result;
  result.run.makespan = time;
  result.metrics = metrics_of(spec, point, result.run);
  if (!point.rounds.empty())  // of which nothing is known: the program takes what measuring leaves of the time
    std::erase_if(result.metrics, [](const Metric& metric) { return metric.name == "program"; });
  return result;
}

Follows follows(const PointSpec& spec, const LoadedPoint& point, const std::string& quantity) {
  constexpr double near_enough = 1e-9;
  const auto once = quantity_of(run_of(spec, point, Seconds(1.0)), quantity);
  const auto twice = quantity_of(run_of(spec, point, Seconds(2.0)), quantity);
  if (!once || !twice || !(once->value > 0.0) || !std::isfinite(once->value)) return Follows::not_at_all;
  if (std::abs(twice->value / once->value - 2.0) < near_enough) return Follows::as_time;
  return std::abs(twice->value / once->value - 0.5) < near_enough ? Follows::as_rate : Follows::not_at_all;
}

Seconds least_time(const LoadedPoint& point) {
  constexpr std::uint64_t steps_max = 4'000'000;  // of all ranks; the first steps of a rank are a bound, too
  const std::uint32_t ranks = point.program->ranks();
  const std::uint64_t each = std::max<std::uint64_t>(steps_max / std::max(ranks, 1u), 1000);
  Seconds most;
  for (std::uint32_t r = 0; r < ranks; ++r) {
    const Rank rank{r};
    Seconds busy;
    std::uint64_t computes = 0;  // as engines count them
    const auto add = [&](const Compute& compute) { busy += point.compute->sampled_time(compute, rank, computes++); };
    auto steps = point.program->steps(rank);
    std::uint64_t left = each;
    for (const Step* step = steps.next(); step != nullptr && left > 0; step = steps.next(), --left) {
      if (std::holds_alternative<Probe>(*step) || std::holds_alternative<WaitAny>(*step)) return {};
      if (const auto* compute = std::get_if<Compute>(step)) add(*compute);
      if (const auto* until = std::get_if<ComputeUntil>(step)) add(until->compute);
    }
    most = std::max(most, busy);
  }
  constexpr double rounded = 1.0 - 1e-9;  // engines add in another order
  return rounded * most;
}

double bound_in(const std::string& text, const std::string& unit, const std::string& quantity,
                const std::string& where) {
  const auto refuse = [&](const std::string& example) -> double {
    throw InputError("{}: '{}' is no value of '{}' ({}). Write '{}'?", where, text, quantity,
                     unit.empty() ? "a number without a unit" : "in " + unit, example);
  };
  if (unit == "s" || unit == "W") {
    const auto parsed = parse_quantity(text, unit == "s" ? Dimension::time : Dimension::power);
    return parsed.si ? *parsed.si : refuse(unit == "s" ? "2h" : "20kW");
  }
  double number = 0.0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = status == std::errc() && std::isfinite(number);
  const std::string example =
      fmt::format("{:g}{}{}", is_number ? number : 10.0, unit == "%" || unit.empty() ? "" : " ", unit);
  if (!is_number) return refuse(example);
  std::string written(rest, text.data() + text.size());
  written.erase(0,
                written.find_first_not_of(' ') == std::string::npos ? written.size() : written.find_first_not_of(' '));
  if (written == unit) return number;
  constexpr std::string_view prefixes = "kMGTP";
  if (const auto power = written.empty() ? std::string_view::npos : prefixes.find(written.front());
      !unit.empty() && unit != "%" && power != std::string_view::npos && written.substr(1) == unit)
    return number * std::pow(1000.0, static_cast<double>(power) + 1.0);
  return refuse(example);
}

std::string quantity_text(const Quantity& quantity, const std::string& name) {
  if (quantity.unit == "%") return fmt::format("{:.4g} %", quantity.value);
  const std::string text = show::metric_text({name, quantity.value, quantity.unit});
  const bool with_unit = quantity.unit.empty() || quantity.unit == "s" || quantity.unit == "W" || quantity.unit == "J";
  return with_unit ? text : text + " " + quantity.unit;
}

}  // namespace orrery::study
