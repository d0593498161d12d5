/// Every format that a user can hand over, each with its reader and with files to begin from.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace orrery::fuzz {

struct Format {
  std::string name;                ///< "platform"
  std::vector<std::string> seeds;  ///< texts that are right, to be damaged
  /// Reads a text as a command would. Accepts it, or throws InputError or DomainError; anything else is a defect.
  std::function<void(const std::string& text)> read;
};

const std::vector<Format>& formats();
/// Throws InputError with the known names.
const Format& format_named(const std::string& name);

/// True: accepted; false: refused with an error that names a place. Everything else is thrown on.
bool accepts(const Format& format, const std::string& text);

}  // namespace orrery::fuzz
