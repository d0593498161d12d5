/// What `orrery tune` does, without the command line: names and texts in, times by value out.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/study/read/flag_text.hpp"
#include "sim/study/search/tune.hpp"

namespace orrery::app {

struct TuneRequest {
  std::string platform, network, kernel, over;
  std::string values = {};  ///< "8,16,32" or "1..50"; empty: what the parameter may be, from 1
  LayoutFlags layout = {};  ///< without ranks: every core of the platform
  std::vector<std::string> parameters = {}, compute_parameters = {};
  std::string partition = "even-grid", compute = {}, model = "bsp-matrix", engine = "flow";
  int confirm = 5;  ///< values played at most; 0: none
};

struct TuneAnswer {
  std::string title, over, model, engine;
  TimesByValue predicted, simulated;
  std::map<std::int64_t, std::string> refused;
};

/// Throws InputError where nothing can be predicted.
TuneAnswer tune(const TuneRequest& request);

/// Table and what follows from it; `color` marks the best.
std::string tune_text(const TuneAnswer& answer, std::size_t width, bool color);
/// Columns value, predicted_s, simulated_s.
std::string tune_csv(const TuneAnswer& answer);
/// Both curves.
std::string tune_svg(const TuneAnswer& answer);

}  // namespace orrery::app
