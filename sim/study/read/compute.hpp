/// The compute model of a run: from the scenario or the command line, else from the platform, else constant.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platforms/description.hpp"
#include "sim/core/compute_model.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery {

struct ComputeRequest {
  NamedSpec spec;  ///< without a name, or with the name of the platform's model: changes the platform's settings
  std::shared_ptr<const DataTable> rows = {};
  std::string folder = ".";  ///< first folder to search for a parameter file
};

struct ComputeSetup {
  std::unique_ptr<ComputeModel> model;
  std::string identity;  ///< every setting and parameter, as text
  bool varies = false;   ///< its times depend on its seed
  bool assumed = false;  ///< no model or efficiency was given
  std::int64_t seed = 0;
};

/// Throws InputError with the place of the wrong setting or row of parameters.
ComputeSetup make_compute(const ComputeRequest& request, const Platform& platform, const Layout& layout);

/// The table that the platform's own compute model reads, inside its file or next to it; null: it has none.
std::shared_ptr<const DataTable> compute_rows(const Platform& platform);

}  // namespace orrery
