/// A platform's network fitted to the micro-benchmarks of a campaign: `orrery fit CAMPAIGN`. Each of them shows one
/// parameter alone, so each has a formula (models/channel/channel_fit.hpp) and nothing is searched for.
#pragma once

#include <string>
#include <vector>

#include "models/model.hpp"
#include "sim/study/fit/platform_fit.hpp"

namespace orrery::study {

/// `origin` is the source of what is found: "measured: campaign/benchmarks.csv". Points are those of the ping-pong, beside
/// the lines through them. Comments of the platform's file do not survive. `processors` of the machine that emulates it,
/// if it was measured here (0: as the file has it). Throws InputError when a series is missing.
PlatformFit fit_campaign(const Platform& platform, const Network& network, const std::vector<Measurement>& measured,
                         const std::string& origin, unsigned processors = 0);

}  // namespace orrery::study
