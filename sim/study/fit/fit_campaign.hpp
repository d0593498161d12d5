/// A platform's network fitted to the micro-benchmarks of a campaign: `orrery fit CAMPAIGN`. Each benchmark depends on
/// one parameter only, so each has a formula (models/channel/channel_fit.hpp) and no search is needed.
#pragma once

#include <string>
#include <vector>

#include "models/model.hpp"
#include "sim/study/fit/platform_fit.hpp"

namespace orrery::study {

/// `origin` is the source of the fitted values: "measured: campaign/benchmarks.csv". Points are those of the ping-pong,
/// with the lines through them. Comments of the platform's file are lost. `processors`: of the computer that emulates
/// the platform, if measured here (0: as in the file). Throws InputError if a series is missing.
PlatformFit fit_campaign(const Platform& platform, const Network& network, const std::vector<Measurement>& measured,
                         const std::string& origin, unsigned processors = 0);

}  // namespace orrery::study
