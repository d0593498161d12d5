/// The values of an axis as short as tells them apart, for ticks: "collective operation=allreduce algorithm=lr" and
/// "... algorithm=rdb" become "lr" and "rdb".
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace orrery::show {

/// Words that all of them have go, then keys before '=' that all have; what is still much longer than `longest` loses
/// all its keys and its middle. Equal results stay as they were.
std::vector<std::string> short_labels(const std::vector<std::string>& labels, std::size_t longest = 24);

}  // namespace orrery::show
