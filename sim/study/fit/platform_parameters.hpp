/// Parameters of a platform that can be fitted to measured times, each by name: its meaning, its range, its value in
/// the platform, and the platform's file with other values.
///
///   a(m) = a0' + (o(m) - a0) r / r'        overhead of eager messages, where a0' is the overhead of the shortest one
///   b(m) = o(m) b0' / b0                   and from `eager` on
///
///   o, a0, b0   s     overheads that the platform states: of any message, of the shortest, at `eager`
///   r           B/s   at which eager messages are copied: eager / (o(eager) - a0)
///
/// The send overhead of rendezvous messages moves with that of the shortest: a0' / a0. `latency-factor` is the greatest
/// of the platform's steps; the others keep their part of its distance from 1. `message-rate`, `wire-efficiency` and
/// `bandwidth-factor` are the first of their steps; the others keep their ratio to it.
///
/// Speeds of the platform's compute table are parameters too: compute_speeds.hpp.
///
/// Checked  tests/unit/study/platform_parameters_test.cpp
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/description.hpp"
#include "sim/config/reader.hpp"
#include "sim/core/phase.hpp"
#include "sim/core/quantity_text.hpp"

namespace orrery::study {

/// The parts of a platform that the parameters belong to: a network, the node type whose ranks compute, and the one
/// whose GPUs compute. Null: points have ranks on several types, or on none.
struct FittedMachine {
  const Platform* platform = nullptr;
  const Network* network = nullptr;
  const NodeType* type = nullptr;
  const NodeType* gpus = nullptr;
};

/// Properties of a program that parameters may affect.
struct ParameterUses {
  bool on_wires = false;  ///< something crosses the network; `between_nodes`: as MPI or a plain copy does it
  bool gpu_links = false, gpu_kernels = false, gpu_wires = false;  ///< NCCL's collectives; gpu_wires: over the network
  bool between_nodes = false, eager = false, rendezvous = false, factored = false, paired = false, inside_node = false;
  bool reduction = false, cached_reduction = false, copy = false, cached_copy = false, fresh = false, heap = false;
  bool registered = false, datatypes = false, counts = false;
  std::set<std::string, std::less<>> speeds = {};  ///< "speed.xeon": see compute_speeds.hpp
};
ParameterUses uses_of(const std::vector<Phase>& phases, const Layout& layout, const FittedMachine& machine);

struct PlatformParameter {
  std::string name, about;
  Dimension dimension = Dimension::time;
  double least = 0.0, most = 0.0;  ///< range of the search
  double origin = 0.0;             ///< it is searched by the logarithm of its distance from here
  std::string example;             ///< of a value
  std::string not_below = {};      ///< name of the parameter that is its lower bound: work in caches is no slower
  std::string seen_in = {};        ///< measurements that depend on it more than on others
  bool of_node = false;            ///< of the node type; else of the network or the platform
  bool of_gpus = false;            ///< of the node type whose GPUs compute
  bool unasked = true;             ///< fitted by default, unless others are named
  std::function<bool(const ParameterUses&, const FittedMachine&)> matters;
  std::function<std::optional<double>(const FittedMachine&)> stated;  ///< empty: not given in the platform
  std::function<std::string(const FittedMachine&)> path = {};         ///< of its key; null: a part of an overhead
};

/// In the order of a table.
const std::vector<PlatformParameter>& platform_parameters();
/// Throws InputError that begins with `where`, with a suggestion.
const PlatformParameter& platform_parameter(const std::string& name, std::string_view where);

/// "1.1 us", "6.6 GB/s", "0.93": the form of a platform file.
std::string parameter_text(const PlatformParameter& parameter, double value);
/// "s", "B/s", "1": of its value as a number.
std::string parameter_unit(const PlatformParameter& parameter);

/// The file with these values, by name of the parameter; each value gets the source `origin`, as in 'source: "fitted to
/// 15 points"'.
config::Document with_parameters(config::Document document, const FittedMachine& machine,
                                 const std::map<std::string, double>& values, const std::string& origin);

}  // namespace orrery::study
