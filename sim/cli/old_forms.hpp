/// Command lines as 1.0.0-rc1 had them, as they are now: each keeps working for one release, with a notice that names
/// the new one. Goes with the release after.
///
///   calibrate --from TIMES --fitted-platform FILE   fit TIMES -o FILE     (--fit is --parameters, --figures is --list)
///   fit TIMES --figures NAME                        fit TIMES --parameters NAME
#pragma once

#include <string>
#include <vector>

namespace orrery::cli {

/// The commands to run one after the other instead of `words` ("orrery", "calibrate", ...); none where these are no
/// old form.
std::vector<std::vector<std::string>> new_forms(const std::vector<std::string>& words);

}  // namespace orrery::cli
