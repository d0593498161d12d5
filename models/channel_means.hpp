/// Models of identical nodes on different channels have one set of parameters for shared memory and one for the
/// network: each a mean over two random cores of the platform among those that communicate through the channel.
#pragma once

#include <functional>
#include <string_view>

#include "models/calibration.hpp"

namespace orrery {

/// The label of a channel's table.
inline constexpr const char* channel_label = "channel";

/// f(channel, pairs, weights) for each channel of the platform; the weights add up to 1.
void for_each_channel(
    const Platform& platform, const Network& network,
    const std::function<void(ChannelKind, const std::vector<ChannelPair>&, const std::vector<double>&)>& f);

/// The table of that name and channel. Throws InputError if there is none.
const ParameterTable& channel_table(const ModelParameters& parameters, std::string_view name, ChannelKind channel);

}  // namespace orrery
