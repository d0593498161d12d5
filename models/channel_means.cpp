#include "models/channel_means.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/core/error.hpp"

namespace orrery {

void for_each_channel(
    const Platform& platform, const Network& network,
    const std::function<void(ChannelKind, const std::vector<ChannelPair>&, const std::vector<double>&)>& f) {
  for (const auto channel : {ChannelKind::shared_memory, ChannelKind::network}) {
    std::vector<ChannelPair> pairs;
    std::vector<double> weights;
    for (const auto& pair : channel_pairs(platform, network)) {
      const double weight = pairs_of_cores(platform, pair);
      if (pair.channel != channel || weight == 0.0) continue;
      pairs.push_back(pair);
      weights.push_back(weight);
    }
    const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (auto& weight : weights) weight /= all;
    if (!pairs.empty()) f(channel, pairs, weights);
  }
}

const ParameterTable& channel_table(const ModelParameters& parameters, std::string_view name, ChannelKind channel) {
  const auto found = std::ranges::find_if(parameters.tables, [&](const ParameterTable& table) {
    const auto label = table.labels.find(channel_label);
    return table.name == name && label != table.labels.end() && label->second == channel_name(channel);
  });
  if (found != parameters.tables.end()) return *found;
  throw InputError("{}: the parameters have no table '{}' of channel '{}'. Calibrate it on this platform?",
                   parameters.model, name, channel_name(channel));
}

}  // namespace orrery
