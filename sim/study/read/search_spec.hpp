/// The goal of `orrery search` in a sweep.
///
///   search:
///     least: energy                                      # or 'most: Gflop/s'; without either: least time
///     at-most: {time: 2h, greatest power: 20kW, memory: 80%}
///     at-least: {Gflop/s: 900 Gflop/s}
///     model: bsp-matrix                                  # proposes points
///     confirm: 8                                         # the engine simulates this number
///
/// A quantity is a metric of a run (energy, cost, Gflop/s), or
///
///   time        s   of the whole run              ranks, nodes   their numbers
///   simulated   s   of the compared phase         memory         use of the fullest node or GPU
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace orrery {

namespace config {
class Section;
}

struct SearchSpec {
  struct Bound {
    std::string quantity, value, where;  ///< "greatest power", "20kW"
    bool at_most = true;
  };
  std::string objective = "time", where = "search";
  bool most = false;  ///< the largest is sought
  std::vector<Bound> bounds;
  std::string model = {}, model_where = {};  ///< with its settings; empty: no model
  std::uint32_t confirm = 8;
};

SearchSpec read_search(const config::Section& section);

}  // namespace orrery
