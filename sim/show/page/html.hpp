/// report.html: one self-contained file that opens offline, with every chart, table and assumption of a scenario.
///
/// A content security policy inside the file forbids any request. Names and texts of the user travel as JSON and reach
/// the page as text only, never as markup. `HtmlLimits` limits timelines and points; the page reports omissions.
#pragma once

#include <cstddef>
#include <string>

#include "sim/core/scenario_result.hpp"

namespace orrery::show {

struct HtmlLimits {
  std::size_t points_max = 4'000;         ///< above this only a sample (shown_points.hpp), reported on the page
  std::size_t detailed_points_max = 200;  ///< points with timelines, matrices and loads; all appear in the tables
  std::size_t intervals_max = 120'000;    ///< over the whole report, shared evenly by the detailed points
  std::size_t intervals_per_point_min = 1'000;
  std::size_t resources_max = 12;  ///< busiest resources listed and plotted per point
  std::size_t load_bins_max = 120;
  std::size_t network_numbers_max = 1'000'000;  ///< of the loads in pictures of networks, over the whole report
  std::size_t rank_bars_max = 32'768;           ///< bars of rank activity, over the whole report; 64 to 1,024 per point
  std::size_t messages_max = 0;  ///< of a point, the first by send date: for pages in a browser that step through them
};

std::string to_html(const ScenarioResult& result, const HtmlLimits& limits = {});

}  // namespace orrery::show
