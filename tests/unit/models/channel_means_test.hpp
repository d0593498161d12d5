/// What the micro-benchmarks would say of a cluster whose shared memory takes 2 us + 1 ns (m - 1), whose network 14 us
/// + 2 ns (m - 1); overheads 1 us and 3 us in the 14 us, 0.25 us and 0.75 us in the 2 us; gaps 2.5 us.
#pragma once

#include <algorithm>

#include "tests/unit/models/phases.hpp"

namespace orrery::test {

inline std::vector<Measurement> two_channels(const Platform& platform) {
  std::vector<Measurement> measured;
  const std::vector<Bytes> sizes{Bytes(1), Bytes(1001), Bytes(2001)};
  for (const auto& pair : channel_pairs(platform, platform.networks.front())) {
    const bool memory = pair.channel == ChannelKind::shared_memory;
    const Seconds first(memory ? 2e-6 : 14e-6);
    auto& alone = measured.emplace_back(Measurement{series_name("pingpong", platform, pair), {}});
    for (const auto size : sizes)
      alone.times.emplace_back(size, first + (size - Bytes(1)) * SecondsPerByte(memory ? 1e-9 : 2e-9));
    if (pair.a != pair.b) continue;
    const auto series = series_name("overhead", platform, pair);
    measured.push_back({series + "/send", {{Bytes(1), Seconds(memory ? 0.25e-6 : 1e-6)}}});
    measured.push_back({series + "/receive", {{Bytes(1), Seconds(memory ? 0.75e-6 : 3e-6)}}});
    measured.push_back({series + "/burst=1", {{Bytes(1), first}}});
    measured.push_back({series + "/burst=64", {{Bytes(1), first + 63.0 * Seconds(2.5e-6)}}});
  }
  return measured;
}

inline std::unique_ptr<PhaseModel> on_two_channels(const std::string& model, const Platform& platform) {
  const CalibrationRange range{.sizes = {Bytes(1), Bytes(1001), Bytes(2001)}, .concurrency = 2};
  const auto& entry = models().at(model, "test");
  const auto parameters = entry.fit(platform, platform.networks[0], range, two_channels(platform));
  return entry.make({platform, platform.networks[0], "", parameters});
}

}  // namespace orrery::test
