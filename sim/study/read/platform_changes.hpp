/// A platform with some parameters changed, so that a question about a cluster needs no second file:
///
///   platform: mine.yaml
///   platform: {name: mine.yaml, networks: {fabric: {bandwidth: 100Gbps, topology: {up: [1, 2]}}}}
///   --set platform.networks.fabric.bandwidth=100Gbps       the same; a list sweeps: '=[100Gbps, 200Gbps]'
///   --set 'platform.networks.fabric.topology.up=[1, 2]'    parameters that are lists: one value; '=[[1, 4], [1, 2]]'
///                                                          sweeps
///
/// Results name a changed platform accordingly ("mine with networks.fabric.bandwidth=100Gbps") and mark its parameters
/// as assumed. Parameters measured on the unchanged platform are not used for it.
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

/// The `platform` of a scenario: the name or file, and the changes.
struct PlatformSpec {
  std::string name, where;
  std::vector<PlatformChange> changes;

  std::string label() const;  ///< "" without changes, else " with networks.fabric.bandwidth=100Gbps"
};
PlatformSpec read_platform_spec(const config::Value& value);

/// The platform's file with the changes, as input for `load_platform`.
config::Document changed_platform(const std::string& file, const PlatformSpec& spec);

/// The platform of this file with the changes. Throws InputError if a changed parameter does not exist.
Platform load_changed_platform(const std::string& file, const PlatformSpec& spec);

/// Prepares for setting a value inside 'platform': 'platform: mine' becomes 'platform: {name: mine}'.
config::Document opened_for(const std::string& path, config::Document document);

/// Whether the value at a scenario's path is itself a list, so that a sweep of it is a list of lists.
bool is_list_by_itself(std::string_view path);

}  // namespace orrery
