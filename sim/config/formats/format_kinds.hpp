/// The formats by what they are for; known_formats.hpp has them in one list.
#pragma once

#include <span>

#include "sim/config/formats/known_formats.hpp"

namespace orrery::config {

std::span<const FileFormat> packed_formats();   ///< compressed and binary files: by their first bytes
std::span<const FileFormat> own_formats();      ///< what Orrery reads or writes itself
std::span<const FileFormat> log_formats();      ///< outputs of benchmarks
std::span<const FileFormat> machine_formats();  ///< nodes, networks and lists of hosts
std::span<const FileFormat> program_formats();  ///< traces and profiles

}  // namespace orrery::config
