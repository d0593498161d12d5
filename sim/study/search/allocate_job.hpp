/// What `orrery allocate` does, without the command line: measured or simulated times in, the best configuration out.
///
/// Jobs follow each other: the first one gets the best configuration of the cluster, the next one that of the nodes
/// left.
///
/// Source   Ichikawa, Takahashi & Kawai, figure 1 and section 8
/// Checked  tests/unit/study/allocate_test.cpp
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/allocation/search.hpp"

namespace orrery::study {

struct AllocateRequest {
  std::string platform, times, kernel;
  std::vector<std::string> sizes;  ///< one job each
  std::string model = "np-t";      ///< with its options
  std::string objective = "time";  ///< cost, energy
  std::string within = {};         ///< "10%": the cheapest that is no slower than that beside the fastest
  /// "xeon=0.4" per hour and "xeon=180" W, else what the platform states; "xeon=8" free
  std::vector<std::string> prices = {}, powers = {}, nodes = {};
  std::vector<std::string> ranks = {};  ///< power-of-two, divides (the size), multiple-of=4, at-most=64
  std::string memory = {};              ///< of a whole job, as "0.9GB", divided by its ranks
  int per_core = 2;                     ///< most ranks on a core
  std::string search = "both";          ///< exhaustive, branch-and-bound, both
};

struct AllocatedJob {
  double size = 0.0;
  std::vector<std::string> left;  ///< "8 xeon": what there was to choose from
  std::optional<Allocation> best;
  double fastest_s = 0.0;  ///< with `within`
  std::string beyond;      ///< what of it is extrapolated
  double configurations = 0.0;
  std::optional<AllocationSearch> exhaustive, branch_and_bound;
  double exhaustive_s = 0.0, branch_and_bound_s = 0.0;  ///< not reproducible
  std::map<std::uint32_t, Allocation> by_ranks;         ///< the best of each number of ranks
};

struct AllocateAnswer {
  std::string title;
  AllocationObjective objective{};
  bool priced = false, powered = false;
  std::vector<AllocatedJob> jobs;
  std::vector<std::string> notes;
};

/// Throws InputError for what cannot be, DomainError where no configuration is permitted.
AllocateAnswer allocate(const AllocateRequest& request);

std::string allocate_text(const AllocateAnswer& answer, std::size_t width, bool color);
/// Columns job, size, ranks, configuration, time_s, cost, energy_J: the best of each number of ranks.
std::string allocate_csv(const AllocateAnswer& answer);
std::string allocate_json(const AllocateAnswer& answer);
/// Time of the best of each number of ranks.
std::string allocate_svg(const AllocateAnswer& answer);

}  // namespace orrery::study
