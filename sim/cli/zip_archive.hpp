/// A ZIP archive of a few uncompressed files (a page is already compressed), without dates: same files, same bytes.
///
/// Source   PKWARE, APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16; CRC-32 as in ISO 3309
/// Valid    up to 65,535 files of under 4 GiB with names in ASCII
/// Checked  tests/unit/cli/scorm_package_test.cpp, tests/web/scorm.mjs (unpacked by unzip)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery::cli {

std::string zip_archive(const std::vector<std::pair<std::string, std::string>>& files);

std::uint32_t crc_32(std::string_view text);

}  // namespace orrery::cli
