/// The work of `orrery partition` without the command line: from names and texts to a partition of a kernel's grid.
#pragma once

#include <string>
#include <vector>

#include "kernels/kernel.hpp"
#include "sim/core/compute_model.hpp"
#include "sim/core/layout.hpp"
#include "sim/core/partition.hpp"
#include "sim/core/partition_rounds.hpp"
#include "sim/study/read/flag_text.hpp"

namespace orrery::study {

struct PartitionRequest {
  std::string platform, kernel;
  LayoutFlags layout = {};
  std::vector<std::string> parameters;  ///< of the kernel, "blocks=128"
  std::string algorithm = "beaumont-columns";
  std::string network;                          ///< for an algorithm that times candidates
  std::string compute;                          ///< empty: the platform's
  std::vector<std::string> compute_parameters;  ///< "dgemm-efficiency=0.8"
  double curves_accuracy = 0.0;                 ///< percent; 0: curves at the kernel's sizes
  std::string processors;                       ///< a table of data sheet values, for cost models
  double accuracy = 2.5;                        ///< percent: imbalance at which a measuring algorithm stops
};

/// Speeds of the ranks at the sizes where the kernel must be measured, as CSV for compute model 'table'. With an
/// accuracy, it uses the fewest sizes for which interpolation stays within it (models/processor/builder.hpp).
std::string speed_curves_csv(const KernelEntry& kernel, const Parameters& parameters, const Layout& layout,
                             const ComputeModel& compute, double accuracy = 0.0);

struct PartitionAnswer {
  std::string title, kernel, platform;
  Layout layout;
  Partition partition;
  std::vector<double> speeds;           ///< [ranks]  flop/s
  std::vector<std::string> node_names;  ///< [nodes up to the last one used]  "xeon12-0"
  std::uint32_t block = 1;              ///< the kernel's parameter of this name, 1 if it has none
  std::string curves;                   ///< speed_curves_csv
  std::vector<PartitionRound> rounds;   ///< of an algorithm that measures
  PartitionRound end;                   ///< the partition as a round: each rank's time for its share
  std::vector<std::string> notes;       ///< findings of the algorithm, and about speeds by size
  /// [ranks] speed by height at the width of the rank's share, for pictures: enough points for a smooth curve.
  std::vector<std::vector<SpeedPoint>> speed_curves;
};

/// Throws InputError for unknown names and values, beginning with the flag.
PartitionAnswer make_partition(const PartitionRequest& request);

/// The answer in the text form of sim/config/dist2.hpp.
std::string dist2_of(const PartitionAnswer& answer);

}  // namespace orrery::study
