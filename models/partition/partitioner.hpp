/// A partitioner: input is a grid and data about the ranks, output is rectangles. One catalogue entry per .cpp.
#pragma once

#include <functional>
#include <string>

#include "models/partition/partition_problem.hpp"
#include "sim/core/catalogue.hpp"

namespace orrery {

struct PartitionerEntry {
  /// Its input in addition to the grid and the number of ranks.
  enum class Asks : std::uint8_t {
    nothing,
    speeds,
    speed_of_size,
    speed_of_each_size,
    processors,
    processors_and_speed,
    processors_and_time,
    time
  };

  std::string name;
  std::string summary;
  std::string source;
  Asks asks = Asks::speeds;   ///< with `time`: without PartitionProblem::time_of it refuses
  std::string timed_by = {};  ///< of such a one: the model that tells the time; empty: the flow engine
  bool weighs = false;        ///< takes PartitionProblem::weights
  std::function<Partition(const PartitionProblem&)> make;

  bool asks_time() const { return asks == Asks::time || asks == Asks::processors_and_time; }
  bool asks_processors() const {
    return asks == Asks::processors || asks == Asks::processors_and_speed || asks == Asks::processors_and_time;
  }
};

Catalogue<PartitionerEntry>& partitioners();

}  // namespace orrery
