/// Readers on damaged copies of a file: the same seed gives the same copies.
///
///   fuzz(read_file("platforms/fermi.yaml"), 1000,
///        [](const std::string& text) { load_platform(parse_yaml(text, "x")); });
///
/// A reader must accept a copy or refuse it with InputError or DomainError, within a second; anything else fails the
/// test case and prints the copy's number, from which `mutated` makes it again. tests/fuzz goes on for longer.
#pragma once

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "sim/core/error.hpp"
#include "tests/support/mutated.hpp"

namespace orrery::tests {

struct FuzzCount {
  std::uint32_t accepted = 0, refused = 0;
};

inline FuzzCount fuzz(const std::string& original, std::uint32_t copies,
                      const std::function<void(const std::string&)>& read) {
  constexpr double seconds_max = 5.0;  // a second where no sanitizer runs; five leave room for one
  FuzzCount count;
  for (std::uint32_t seed = 0; seed < copies; ++seed) {
    CAPTURE(seed);
    const auto begin = std::chrono::steady_clock::now();
    try {
      read(mutated(original, seed));
      ++count.accepted;
    } catch (const InputError& error) {
      ++count.refused;
      CHECK(std::string_view(error.what()).find(": ") != std::string_view::npos);
    } catch (const DomainError&) {
      ++count.refused;
    } catch (const std::exception& error) {
      FAIL_CHECK("not one of our errors: " << error.what());
    }
    CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < seconds_max);
  }
  return count;
}

}  // namespace orrery::tests
