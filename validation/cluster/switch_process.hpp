/// The process that is an emulated cluster: its namespaces, and the switch between them, live as long as it does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "validation/cluster/plan.hpp"

namespace orrery::cluster {

/// What the switch has seen, written once a second while anything moves.
struct SwitchStatistics {
  std::uint64_t frames = 0, bytes = 0, dropped = 0;
  double mean_lateness_s = 0.0, greatest_lateness_s = 0.0;  ///< of deliveries, behind the switch's own times
};

/// Makes the namespaces; `run` joins them until SIGTERM or SIGINT, and then ends every process in them. Real-time
/// priority where it is granted. Throws ReplayError with the reason.
class SwitchProcess {
 public:
  explicit SwitchProcess(const Plan& plan);
  SwitchProcess(const SwitchProcess&) = delete;
  SwitchProcess& operator=(const SwitchProcess&) = delete;
  ~SwitchProcess();

  /// [nodes] numbers of this process's descriptors of the namespaces.
  std::vector<int> spaces() const;
  /// `statistics_file`: where they are written.
  void run(const std::string& statistics_file);

 private:
  struct Parts;
  Parts* parts_;
};

std::string text_of(const SwitchStatistics& statistics);
/// Zeros when there is no such file.
SwitchStatistics read_statistics(const std::string& file);

}  // namespace orrery::cluster
