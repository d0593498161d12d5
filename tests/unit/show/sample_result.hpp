/// Results made by formula, shaped like SUMMA and Wave2D on a heterogeneous cluster, for the tests of every form.
#pragma once

#include <cstdint>

#include "sim/core/scenario_result.hpp"

namespace orrery::show::sample {

/// Two points, two models, round numbers: small enough to be written out in a test.
ScenarioResult small_result();

/// `layouts` x {summa, wave2d} x 2 sizes x 2 networks, ranks 2..47, time lines of `iterations` iterations.
ScenarioResult large_result(std::uint32_t layouts, std::uint32_t iterations);

}  // namespace orrery::show::sample
