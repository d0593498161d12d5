/// A platform whose network is as it was measured: its file again with the figures of a fit, and pictures of that fit.
#pragma once

#include <string>

#include "models/channel/channel_fit.hpp"

namespace orrery::study {

/// The platform's file with the fitted figures in place of its own; `origin` is their source. Comments do not survive.
/// `processors` of the machine that emulates it, if it was measured here (0: as the file has it).
std::string fitted_platform(const Platform& platform, const Network& network, const ChannelFit& fit,
                            const std::string& origin, unsigned processors = 0);

/// What was found, with how sure it is, in lines for a terminal.
std::string fit_text(const Network& network, const ChannelFit& fit);

/// For each type of node: the ping-pong with the lines through it, and what is left of it relative to them; overheads.
std::string fit_svg(const ChannelFit& fit, const std::string& title);

}  // namespace orrery::study
