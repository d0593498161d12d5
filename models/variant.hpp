/// A model in one of its modes with its options, as one text: "timeline", "timeline overhead=per-slice". Default values
/// of a mode are left out, so that a variant has one name. It labels predictions, and is input of `make`.
///
/// Checked  tests/unit/models/variant_test.cpp
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/model.hpp"

namespace orrery {

/// A model's setting in a scenario or on the command line: `mode` or one of its options.
struct ModelSetting {
  std::string name, value, where;
};

/// Throws InputError that begins with `where` for a setting or a value that the model does not have.
std::string variant_of(const ModelEntry& entry, const std::vector<ModelSetting>& settings);

/// Every mode with every value of every option.
std::vector<std::string> variants(const ModelEntry& entry);

struct ModelVariant {
  std::string mode;
  std::map<std::string, std::string> options;  ///< each option of the model with its value
};

/// The parts of a variant; "" is the default. Throws InputError that begins with the model's name.
ModelVariant parts_of(const ModelEntry& entry, const std::string& variant);

}  // namespace orrery
