/// The work of `orrery tune` without the command line: from names and texts to a result in the form of a run.
#pragma once

#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"
#include "sim/study/read/flag_text.hpp"

namespace orrery::study {

struct TuneRequest {
  std::string platform, network, kernel, over;
  std::string values = {};  ///< "8,16,32" or "1..50"; empty: the valid range of the parameter, from 1
  LayoutFlags layout = {};  ///< without ranks: every core of the platform
  std::vector<std::string> parameters = {}, compute_parameters = {};
  std::string partition = "even-grid", compute = {}, model = "bsp-matrix", engine = "flow";
  int confirm = 5;  ///< maximum number of values to simulate; 0: none
};

/// A point for each value: the model's prediction of the whole run, the simulated time if the engine confirmed it, and
/// its distance from the best; notes contain the proposal. Throws InputError if nothing can be predicted.
ScenarioResult tune(const TuneRequest& request);

}  // namespace orrery::study
