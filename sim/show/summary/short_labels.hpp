/// The values of an axis in the shortest form that distinguishes them, for ticks: "collective operation=allreduce
/// algorithm=lr" and "... algorithm=rdb" become "lr" and "rdb".
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace orrery::show {

/// Removes words common to all labels, then keys before '=' common to all. A label that is still much longer than
/// `longest` loses all its keys and its middle. Labels that would become equal stay unchanged.
std::vector<std::string> short_labels(const std::vector<std::string>& labels, std::size_t longest = 24);

}  // namespace orrery::show
