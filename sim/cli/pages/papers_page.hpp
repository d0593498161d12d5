/// Published values compared with the results of runs, as Markdown: docs/papers.md.
///
/// Results belong to one paper if their scenarios' names agree up to its year, or to their first '-': "lastovetsky12".
/// The summary has, for a paper and for each kind of its numbers, the median of |ours - printed| / printed, and how
/// many numbers are within a tenth and a factor of 2.
///
/// Checked  tests/unit/cli/papers_page_test.cpp
#pragma once

#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"

namespace orrery::cli {

/// Results without a published value are left out.
std::string papers_page(const std::vector<ScenarioResult>& results);

}  // namespace orrery::cli
