/// The files of sim/show/page/html, embedded at build time by embed.cmake.
#pragma once

#include <string_view>

namespace orrery::show::assets {

extern const std::string_view report_html, report_css, script_js;

}  // namespace orrery::show::assets
