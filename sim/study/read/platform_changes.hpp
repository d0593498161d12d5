/// A platform with some parameters changed, so that a question about a machine needs no second file:
///
///   platform: mine.yaml
///   platform: {name: mine.yaml, networks: {fabric: {bandwidth: 100Gbps, topology: {up: [1, 2]}}}}
///   --set platform.networks.fabric.bandwidth=100Gbps       the same; a list sweeps: '=[100Gbps, 200Gbps]'
///   --set 'platform.networks.fabric.topology.up=[1, 2]'    parameters that are lists: one value; '=[[1, 4], [1, 2]]'
///                                                          sweeps
///
/// A changed platform is called so in results ("mine with networks.fabric.bandwidth=100Gbps"), its parameters are said to
/// be assumed, and parameters that were measured on the unchanged one are not taken for it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platforms/description.hpp"
#include "sim/config/reader.hpp"

namespace orrery {

struct PlatformChange {
  std::string path;  ///< "networks.fabric.bandwidth"
  config::Value value;
};

/// What a scenario says under `platform`: the name or file, and what is changed.
struct PlatformSpec {
  std::string name, where;
  std::vector<PlatformChange> changes;

  std::string label() const;  ///< "" without changes, else " with networks.fabric.bandwidth=100Gbps"
};
PlatformSpec read_platform_spec(const config::Value& value);

/// What the file of a platform says with the changes, which is what `load_platform` may read.
config::Document changed_platform(const std::string& file, const PlatformSpec& spec);

/// The platform of this file with the changes. Throws InputError where there is nothing to change.
Platform load_changed_platform(const std::string& file, const PlatformSpec& spec);

/// Ready for a value inside 'platform' to be set: 'platform: mine' becomes 'platform: {name: mine}'.
config::Document opened_for(const std::string& path, config::Document document);

/// A scenario's path whose value is a list by itself, so that a sweep of it is a list of lists.
bool is_list_by_itself(std::string_view path);

}  // namespace orrery
