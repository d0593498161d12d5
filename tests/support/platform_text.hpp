/// Platforms written in a test, and what the loader says to a change of one.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "platforms/loader.hpp"
#include "sim/config/reader.hpp"
#include "sim/core/error.hpp"

namespace orrery::test {

inline Platform load(const std::string& text) { return load_platform(config::parse_yaml(text, "p.yaml"), "p.yaml"); }

/// The text with one piece replaced, and what loading it says; "" where it is accepted.
inline std::string refusal(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  try {
    load(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace orrery::test
