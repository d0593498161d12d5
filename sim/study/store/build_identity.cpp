#include <fmt/format.h>

#include "sim/core/fingerprint.hpp"
#include "sim/core/version.hpp"
#include "sim/study/store/result_store.hpp"
#include "sim/system/system.hpp"

namespace orrery::study {

std::uint64_t fingerprint(std::string_view bytes) { return Fingerprint().add(bytes).value(); }

std::string build_identity() {
  const std::string hash = system::build_hash();
  return hash.empty() ? version : fmt::format("{} build {}", version, hash);
}

}  // namespace orrery::study
