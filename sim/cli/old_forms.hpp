/// Command lines of 1.0.0-rc1 in their present form: each keeps working for one release, with a notice that names the
/// new one. This file is removed in the release after that.
///
///   calibrate --from TIMES --fitted-platform FILE   fit TIMES -o FILE     (--fit is --parameters, --figures is --list)
///   fit TIMES --figures NAME                        fit TIMES --parameters NAME
#pragma once

#include <string>
#include <vector>

namespace orrery::cli {

/// The commands to run in order in place of `words` ("orrery", "calibrate", ...); empty if these are no old form.
std::vector<std::vector<std::string>> new_forms(const std::vector<std::string>& words);

}  // namespace orrery::cli
