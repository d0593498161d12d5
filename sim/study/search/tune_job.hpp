/// What `orrery tune` does, without the command line: names and texts in, a result as of any run out.
#pragma once

#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"
#include "sim/study/read/flag_text.hpp"

namespace orrery::study {

struct TuneRequest {
  std::string platform, network, kernel, over;
  std::string values = {};  ///< "8,16,32" or "1..50"; empty: what the parameter may be, from 1
  LayoutFlags layout = {};  ///< without ranks: every core of the platform
  std::vector<std::string> parameters = {}, compute_parameters = {};
  std::string partition = "even-grid", compute = {}, model = "bsp-matrix", engine = "flow";
  int confirm = 5;  ///< values played at most; 0: none
};

/// A point for each value: what the model predicts of the whole run, and where the engine confirmed what it simulated,
/// with how far it is behind the best; notes say what was proposed. Throws InputError where nothing can be predicted.
ScenarioResult tune(const TuneRequest& request);

}  // namespace orrery::study
