/// The values of an axis as short as tells them apart, for ticks: "collective operation=allreduce algorithm=lr" and
/// "... algorithm=rdb" become "lr" and "rdb".
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace orrery::report {

/// Words that all of them have go, then keys before '='; what is still longer than `longest` loses its middle. Equal
/// results stay as they were.
std::vector<std::string> short_labels(const std::vector<std::string>& labels, std::size_t longest = 24);

}  // namespace orrery::report
