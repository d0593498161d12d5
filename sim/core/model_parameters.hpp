/// The parameters of an analytic model as a person reads, edits and plots them: named tables of numbers.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace orrery {

/// A table of measured parameters: labels say what it is for, columns carry their unit (message_B, overhead_s, L1_s).
struct ParameterTable {
  std::string name;                           ///< "channel", "pair", ...
  std::map<std::string, std::string> labels;  ///< {"channel": "shared-memory", "types": "xeon12"}
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
};

struct ModelParameters {
  std::string model, platform, network, origin;  ///< origin: engine and version, or the file it was fitted from
  std::vector<ParameterTable> tables;
};

}  // namespace orrery
