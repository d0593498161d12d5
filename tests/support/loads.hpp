/// No resource carries more than it can: what every test that plays a program asks of its result.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/core/replay_result.hpp"

namespace orrery::test {

inline void check_loads(const RunResult& run) {
  const auto check = [&](const std::vector<double>& load) {
    if (load.empty()) return;
    const auto [least, most] = std::ranges::minmax(load);
    CHECK(most <= 1.0);
    CHECK(least >= 0.0);
  };
  for (const ResourceRecord& resource : run.resources) {
    INFO(resource.name);
    check(resource.load);
  }
  for (const KindLoad& of_kind : run.kind_loads) {
    INFO(resource_kind_name(of_kind.kind));
    check(of_kind.load);
  }
}

}  // namespace orrery::test
