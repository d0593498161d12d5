/// The parts of the page's data about loads and ranks: resources, kinds of resources, what ranks did.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/show/page/html.hpp"

namespace orrery::show {

/// Means over at most `bins_max` equal parts of the run, per mille.
nlohmann::ordered_json load_json(const std::vector<double>& load, std::size_t bins_max);
/// The busiest resources, with loads per mille in at most `load_bins_max` bins, cut at 1000.
nlohmann::ordered_json resources_json(const RunResult& run, const HtmlLimits& limits);
/// Each kind of resource: its name, how many, and their load likewise.
nlohmann::ordered_json kinds_json(const RunResult& run, const HtmlLimits& limits);
/// [activities][bins] per mille of all ranks' time.
nlohmann::ordered_json activity_shares_json(const RunResult& run, const HtmlLimits& limits);
/// [activities][bars] of the makespan, in 1e-4; a bar is the mean of as many consecutive ranks as make at most
/// `bars_max`.
nlohmann::ordered_json rank_times_json(const RunResult& run, std::size_t ranks, std::size_t bars_max);

}  // namespace orrery::show
