#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/study/fit/compute_speeds.hpp"
#include "sim/study/fit/parameter_parts.hpp"

namespace orrery::study {

namespace {

using namespace parameter_parts;
using config::Document;
using StatedOf = const FittedMachine&;

constexpr double us = 1e-6;
constexpr const char* changed_by = "calibrate";

/// An overhead with its shortest message, the copies of eager ones and rendezvous changed: see the formula above.
struct ChangedOverhead {
  const PiecewiseLinear& stated;
  Bytes eager;
  std::optional<double> first, copy, rendezvous;

  double operator()(double m) const {
    const double a0 = first_of(stated), b0 = at_rendezvous(stated, eager);
    const double a = first.value_or(a0);
    if (m >= eager.si()) {
      if (rendezvous) return b0 > 0.0 ? stated(Bytes(m)) * *rendezvous / b0 : *rendezvous;
      return stated(Bytes(m));
    }
    const auto r = copy_rate(stated, eager);
    if (!copy) return a + stated(Bytes(m)) - a0;
    return r ? a + (stated(Bytes(m)) - a0) * *r / *copy : a + m / *copy;
  }

  std::string text() const {
    std::set<double> sizes{0.0};
    for (const auto& [from, value] : stated.points()) sizes.insert(from);
    if (copy || rendezvous || sizes.size() > 1) sizes.insert({eager.si() - 1.0, eager.si()});
    if (sizes.size() == 1 && stated.slope_after() == 0.0) return to_text(Seconds((*this)(0.0)));
    StepsText steps;
    for (const double m : sizes) steps.add(m, "time", fmt::format("{:.6g}us", (*this)(m) / us));
    if (stated.slope_after() != 0.0)
      steps.add_to_last(fmt::format("then-per-byte: {:.6g}ns/B", stated.slope_after() * 1e9));
    return steps.text();
  }
};

std::string factor_text(const PiecewiseFactor& stated, double greatest) {
  const double before = greatest_factor(stated) - 1.0;
  StepsText steps;
  for (const auto& [from, factor] : stated.steps())
    steps.add(from, "factor",
              fmt::format("{:.6g}", before > 0.0 ? 1.0 + (factor - 1.0) * (greatest - 1.0) / before : greatest));
  return steps.size() == 0 ? fmt::format("{:.6g}", greatest) : steps.text();
}

/// All steps by the same ratio.
std::string rate_text(const PiecewiseRate& stated, double first) {
  if (stated.constant()) return to_text(PerSecond(first));
  StepsText steps;
  for (const auto& [from, rate] : stated.steps()) {
    std::string text = to_text(rate * (first / stated.steps().front().second.si()));
    std::erase(text, ' ');
    steps.add(from, "rate", text);
  }
  return steps.text();
}

/// Likewise, but at most 1.
std::string efficiency_text(const PiecewiseFactor& stated, double first) {
  if (stated.steps().size() < 2) return fmt::format("{:.4g}", first);
  StepsText steps;
  for (const auto& [from, share] : stated.steps())
    steps.add(from, "factor", fmt::format("{:.4g}", std::min(1.0, share * first / stated(Bytes{}))));
  return steps.text();
}

Document with_overheads(Document document, StatedOf of, const std::map<std::string, double>& values,
                        const std::string& origin) {
  const auto value = [&](const char* name) {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
  const auto& protocol = of.network->protocol;
  const auto set = [&](const char* key, const ChangedOverhead& overhead) {
    document = document.with(protocol_path(of) + key, with_source(overhead.text(), origin), changed_by);
  };
  if (value("send-overhead") || value("send-copy")) {
    const auto changed = [&](const PiecewiseLinear& stated) {
      const auto first = value("send-overhead");
      const double a0 = first_of(stated), b0 = at_rendezvous(stated, protocol.eager);
      return ChangedOverhead{stated, protocol.eager, first, value("send-copy"),
                             first && a0 > 0.0 ? std::optional(b0 * *first / a0) : std::nullopt};
    };
    set("send-overhead", changed(protocol.send_overhead));
    if (states(*of.platform, protocol_path(of) + "isend-overhead"))
      set("isend-overhead", changed(protocol.isend_overhead));
  }
  if (value("receive-overhead") || value("receive-copy") || value("rendezvous-overhead"))
    set("receive-overhead", {protocol.receive_overhead, protocol.eager, value("receive-overhead"),
                             value("receive-copy"), value("rendezvous-overhead")});
  return document;
}

}  // namespace

Document with_parameters(Document document, const FittedMachine& machine, const std::map<std::string, double>& values,
                         const std::string& origin) {
  for (const auto& [name, value] : values) {
    const auto& parameter = platform_parameter(name, changed_by);
    if (!parameter.path) continue;
    const auto& protocol = machine.network->protocol;
    std::string text = name == "latency-factor"     ? factor_text(protocol.latency_factor, value)
                       : name == "wire-efficiency"  ? efficiency_text(protocol.wire_efficiency, value)
                       : name == "gpu-wire-efficiency"
                           ? efficiency_text(machine.gpus->gpu_messages->protocol.wire_efficiency, value)
                       : name == "bandwidth-factor" ? efficiency_text(protocol.bandwidth_factor, value)
                       : name == "message-rate"     ? rate_text(machine.network->adapters.message_rate, value)
                                                    : parameter_text(parameter, value);
    if (text.front() != '[') std::erase(text, ' ');  // or it would be written in quotes
    document = document.with(parameter.path(machine), with_source(text, origin), changed_by);
  }
  return with_overheads(with_speeds(std::move(document), machine, values, origin), machine, values, origin);
}

}  // namespace orrery::study
