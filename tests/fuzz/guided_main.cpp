/// The same readers under libFuzzer, which looks for texts that reach new code: built with clang (preset `fuzz`).
///
///   ORRERY_FUZZ=platform orrery_fuzz_guided CORPUS_FOLDER [libFuzzer's options]
///
/// tests/fuzz/run.sh writes the corpus and sets limits.
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <string>

#include "tests/fuzz/formats.hpp"

namespace {

const orrery::fuzz::Format& chosen() {
  static const orrery::fuzz::Format& format = []() -> const orrery::fuzz::Format& {
    const char* name = std::getenv("ORRERY_FUZZ");
    try {
      return orrery::fuzz::format_named(name == nullptr ? "" : name);
    } catch (const std::exception& error) {
      fmt::print(stderr, "ORRERY_FUZZ: {}\n", error.what());
      std::exit(2);
    }
  }();
  return format;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  orrery::fuzz::accepts(chosen(), std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
