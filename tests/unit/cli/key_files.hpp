/// A file of each kind for each key that it may have, as the tables of keys declare them.
#pragma once

#include <span>
#include <string>

#include "sim/config/keys.hpp"

namespace orrery::test {

/// The keys that a section must have, and the one wanted (whose value holds the next wanted).
std::string body_of(const config::Mapping& mapping, std::span<const config::Key* const> wanted);

/// Reads a text as a file of this kind ("platform"); throws what its reader throws. Messages call it reference.yaml.
void read_file_of(const std::string& kind, const std::string& text);

}  // namespace orrery::test
