/// A page as a SCORM 1.2 package, which Moodle and other learning platforms accept as an activity.
///
/// Source   ADL, SCORM Version 1.2, Content Aggregation Model, section 2.3 (manifest)
/// Checked  tests/unit/cli/scorm_package_test.cpp, tests/web/scorm.mjs (beside the run-time of scorm-again)
#pragma once

#include <string>

namespace orrery::cli {

/// The ZIP: imsmanifest.xml and the page as index.html. `name`: of the lab's file.
std::string scorm_package(const std::string& name, const std::string& title, const std::string& page);

}  // namespace orrery::cli
