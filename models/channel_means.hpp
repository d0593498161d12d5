/// Models of alike nodes on unlike channels keep one set of parameters for shared memory and one for the network: each
/// a mean over two cores of the platform drawn at random among those that talk through the channel.
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

/// The table of that name and channel. Throws InputError when the parameters have none.
const ParameterTable& channel_table(const ModelParameters& parameters, std::string_view name, ChannelKind channel);

}  // namespace orrery
