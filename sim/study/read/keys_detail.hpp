/// The sections of a scenario file, each declared where its subject is (private to keys.cpp and *_keys.cpp).
#pragma once

#include <string>
#include <utility>

#include "sim/config/fields.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::scenario_detail {

// program_keys.cpp
const config::Mapping& platform_in_scenario_keys();
const config::Mapping& layout_in_scenario_keys();
const config::Mapping& kernel_keys();
const config::Fields<PartitionSpec>& partition_fields();
const config::Mapping& compute_in_scenario_keys();

// model_keys.cpp
const config::Mapping& model_keys();
const config::Fields<CalibrationSpec>& calibrate_fields();
const config::Fields<ValidateSpec>& validate_fields();

// point_keys.cpp
const config::Mapping& sweep_keys();
const config::Mapping& only_keys();
const config::Mapping& choose_keys();

// expectation_keys.cpp
const config::Mapping& published_keys();
const config::Mapping& tolerance_keys();
config::Key why_key();

/// A key whose name its user chooses.
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
