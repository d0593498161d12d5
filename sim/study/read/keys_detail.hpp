/// The sections of a scenario file, each declared with its subject (private to keys.cpp and *_keys.cpp).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/config/fields.hpp"
#include "sim/study/read/only.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::config {

/// Least and largest time of the runs whose mean is published.
template <>
struct FieldType<TimeSpread> : PlainField<KeyKind::time, Shape::list> {
  static TimeSpread read(const Value& value);
  static FieldValue value(const TimeSpread& spread) { return std::vector{spread.least_s, spread.most_s}; }
};
template <>
struct FieldType<ShareWindow> : PlainField<KeyKind::share, Shape::list> {
  static ShareWindow read(const Value& value);
  static FieldValue value(const ShareWindow& window) { return std::vector{window.least, window.most}; }
};

}  // namespace orrery::config

namespace orrery::scenario_detail {

// keys.cpp
const config::Fields<Scenario>& scenario_fields();

// program_keys.cpp
const config::Mapping& platform_in_scenario_keys();
const config::Mapping& layout_in_scenario_keys();
const config::Fields<NamedSpec>& kernel_fields();
const config::Fields<PartitionSpec>& partition_fields();
const config::Fields<PointSpec>& compute_fields();

// job_spec.cpp
const config::Fields<JobSpec>& job_fields();

// failure_keys.cpp
const config::Fields<FailureSpec>& failure_fields();

// what_if_keys.cpp
const config::Fields<WhatIf>& what_if_fields();

// model_keys.cpp
const config::Fields<ModelSpec>& model_fields();
const config::Fields<CalibrationSpec>& calibrate_fields();
const config::Fields<ValidateSpec>& validate_fields();

// point_keys.cpp
const config::Mapping& sweep_keys();
const config::Fields<OnlySpec>& only_fields();
const config::Fields<ChooseSpec::Best>& best_fields();
const config::Fields<ChooseSpec>& choose_fields();
const config::Fields<ChooseSpec::Average>& average_fields();

// measured_times.cpp
const config::Fields<Scenario>& measured_fields();
void read_measured_key(Scenario& into, const config::Value& value);

// search_keys.cpp
const config::Fields<SearchSpec>& search_fields();

/// A tolerance as written: `reference` and `bound` are derived from it.
struct WrittenTolerance : Tolerance {
  std::optional<double> mu, within, time_s, value;
  std::optional<ShareWindow> between;
};

// expectation_keys.cpp
const config::Fields<Published>& published_fields();
const config::Fields<WrittenTolerance>& tolerance_fields();
config::Key why_key();

/// A setting whose name the user chooses.
void add_setting(NamedSpec& spec, const std::string& name, const config::Value& value);
/// A condition on the value at a path: one value, a list of alternatives, or a section of such.
void add_condition(PointConditions& conditions, const std::string& path, const config::Value& value);

/// A key whose name the user chooses.
inline config::Key setting(std::string name, std::string about) {
  return {.name = std::move(name),
          .kind = config::KeyKind::any,
          .shape = config::Shape::either,
          .example = "",
          .about = std::move(about)};
}

inline config::Key section(config::Key key, const config::Mapping& inside) {
  key.kind = config::KeyKind::section;
  key.inside = &inside;
  return key;
}

inline config::Key sections(config::Key key, const config::Mapping& inside) {
  key = section(std::move(key), inside);
  key.shape = config::Shape::list;
  return key;
}

}  // namespace orrery::scenario_detail
