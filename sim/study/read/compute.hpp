/// The compute model of a run: what the scenario or the command line names, else what the platform names, else
/// constant.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platforms/description.hpp"
#include "sim/core/compute_model.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery {

struct ComputeRequest {
  NamedSpec spec;  ///< without a name, or with that of the platform's model: its settings change the platform's
  std::shared_ptr<const DataTable> rows = {};
  std::string folder = ".";  ///< where a file of parameters is looked for first
};

struct ComputeSetup {
  std::unique_ptr<ComputeModel> model;
  std::string identity;  ///< every setting and parameter, as text
  bool varies = false;   ///< its times depend on its seed
  bool assumed = false;  ///< nobody named a model or an efficiency
  std::int64_t seed = 0;
};

/// Throws InputError with the place of the setting or of the row of parameters that is wrong.
ComputeSetup make_compute(const ComputeRequest& request, const Platform& platform, const Layout& layout);

/// The table that the platform's own compute model reads, in its file or beside it; null: it has none.
std::shared_ptr<const DataTable> compute_rows(const Platform& platform);

}  // namespace orrery
