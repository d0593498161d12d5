/// Differences between a scenario and its simulation, collected over its points: a note each, with the first point.
///
/// Checked  tests/unit/study/point_notes_test.cpp
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"
#include "sim/study/read/point.hpp"

namespace orrery::study {

class PointNotes {
 public:
  void see(const PointResult& point, const LoadedPoint& loaded, const PointSpec& spec);
  std::vector<std::string> notes() const;

 private:
  struct Found {
    std::string sentence, first;  ///< of the first point, and its label
    std::size_t points = 0;
    const PointResult* last = nullptr;  ///< the last point counted
  };
  void add(const std::string& what, const std::string& sentence, const PointResult& point);
  void see_fabric(const PointResult& point, const LoadedPoint& loaded);
  void see_algorithms(const PointResult& point, const LoadedPoint& loaded);
  void see_cores(const PointResult& point, const LoadedPoint& loaded);
  void see_caps(const PointResult& point, const LoadedPoint& loaded);
  void see_segment(const PointResult& point, const LoadedPoint& loaded);
  void see_rounding(const PointResult& point, const LoadedPoint& loaded);
  void see_unused(const PointResult& point, const LoadedPoint& loaded, const PointSpec& spec);
  void see_unmodelled(const PointResult& point, const LoadedPoint& loaded);
  void see_groups(const PointResult& point, const LoadedPoint& loaded);
  void see_nodes(const PointResult& point, const LoadedPoint& loaded, const PointSpec& spec);
  void see_partition(const PointResult& point, const LoadedPoint& loaded, const PointSpec& spec);
  void see_jobs(const PointResult& point, const LoadedPoint& loaded, const PointSpec& spec);

  void see_trace(const PointResult& point, const LoadedPoint& loaded);    ///< what_if_notes.cpp
  void see_library(const PointResult& point, const LoadedPoint& loaded);  ///< likewise
  void see_what_if(const PointResult& point, const LoadedPoint& loaded);  ///< what_if_notes.cpp

  std::map<std::string, Found> found_;  ///< by the common subject
  std::size_t seen_ = 0, groups_looked_at_ = 0;
};

}  // namespace orrery::study
