/// The places of parameters in a platform's file, and the parts of an overhead. Private to the fittable parameters.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "sim/study/fit/platform_parameters.hpp"

namespace orrery::study::parameter_parts {

inline constexpr double GB = 1e9;

inline std::optional<double> positive(double value) { return value > 0.0 ? std::optional(value) : std::nullopt; }

using Matters = std::function<bool(const ParameterUses&, const FittedMachine&)>;
inline Matters when(bool ParameterUses::*use) {
  return [use](const ParameterUses& uses, const FittedMachine&) { return uses.*use; };
}

inline bool states(const Platform& platform, const std::string& path) {
  return std::ranges::find(platform.provenance, path, &Provenance::parameter) != platform.provenance.end();
}

inline std::string network_path(const FittedMachine& of) { return "networks." + of.network->name + "."; }
inline std::string protocol_path(const FittedMachine& of) { return network_path(of) + "protocol."; }
inline std::string type_path(const FittedMachine& of) { return "node-types." + of.type->name + "."; }
inline std::string work_path(const FittedMachine& of) { return type_path(of) + "local-work."; }

inline double first_of(const PiecewiseLinear& overhead) { return overhead(Bytes{}); }
inline double at_rendezvous(const PiecewiseLinear& overhead, Bytes eager) { return overhead(eager); }

/// Rate at which eager messages are copied; empty if their overhead does not grow.
inline std::optional<double> copy_rate(const PiecewiseLinear& overhead, Bytes eager) {
  const double grows = overhead(eager - Bytes(1.0)) - first_of(overhead);
  return eager > Bytes(1.0) && grows > 0.0 ? std::optional(eager.si() / grows) : std::nullopt;
}

/// A value with its source, as written in a platform's file: `source` is 'source: "measured: rows.csv"'.
inline std::string with_source(const std::string& value, const std::string& source) {
  return fmt::format("{{value: {}, {}}}", value, source);
}

/// "[{from: 0B, time: 1.2us}, {from: 4096B, time: 3us}]"
class StepsText {
 public:
  void add(double from, const char* key, const std::string& value) {
    text_ += fmt::format("{}{{from: {:.0f}B, {}: {}}}", text_.empty() ? "" : ", ", from, key, value);
    ++steps_;
  }
  /// Adds an entry to the last step.
  void add_to_last(const std::string& entry) { text_.insert(text_.size() - 1, ", " + entry); }
  std::size_t size() const { return steps_; }
  std::string text() const { return "[" + text_ + "]"; }

 private:
  std::string text_;
  std::size_t steps_ = 0;
};

inline double greatest_factor(const PiecewiseFactor& factor) {
  double greatest = 1.0;
  for (const auto& [from, value] : factor.steps()) greatest = std::max(greatest, value);
  return greatest;
}

}  // namespace orrery::study::parameter_parts
