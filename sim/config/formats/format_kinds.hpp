/// The formats by purpose; known_formats.hpp has them in one list.
#pragma once

#include <span>

#include "sim/config/formats/known_formats.hpp"

namespace orrery::config {

std::span<const FileFormat> packed_formats();   ///< compressed and binary files: by their first bytes
std::span<const FileFormat> own_formats();      ///< formats that Orrery reads or writes
std::span<const FileFormat> log_formats();      ///< outputs of benchmarks
std::span<const FileFormat> machine_formats();  ///< nodes, networks and lists of hosts
std::span<const FileFormat> program_formats();  ///< traces and profiles

}  // namespace orrery::config
