/// Platforms and layouts by shipped name or file, as users name them on the command line and in scenarios.
#pragma once

#include <string>

#include "platforms/description.hpp"
#include "platforms/layouts.hpp"

namespace orrery {

/// `where` begins the message if there is no such platform: "--platform", "file:line:column".
Platform load_platform_named(const std::string& name_or_file, const std::string& where,
                             const std::string& beside = ".");
LayoutTable load_layouts_named(const std::string& name_or_file, const std::string& where,
                               const std::string& beside = ".");

}  // namespace orrery
