/// No resource carries more than it can: what every test that plays a program asks of its result.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/core/replay_result.hpp"

namespace orrery::test {

/// `allowed`: of a load, above 1; more where rates are shared with a stated error.
inline void check_loads(const RunResult& run, double allowed = 0.0) {
  const auto check = [&](const std::vector<double>& load) {
    if (load.empty()) return;
    const auto [least, most] = std::ranges::minmax(load);
    CHECK(most <= 1.0 + allowed);
    CHECK(least >= -allowed);
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
