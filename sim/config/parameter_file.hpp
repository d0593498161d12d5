/// Parameter files: the results of `orrery calibrate`, in YAML to read, edit and plot.
///
///   platform: fermi
///   network: infiniband
///   models:
///     hockney:
///       origin: "simgrid 3.32"
///       tables:
///         - name: pair
///           labels: {channel: network, types: "xeon12,xeon8"}
///           columns: [alpha_s, beta_s_per_B, message_min_B, message_max_B]      # every column names its unit
///           rows:
///             - [1.7e-06, 2.73e-10, 1, 4194304]
///       matrices:                                  # by (from, to); what a model reads: 'orrery show model NAME'
///         - name: alpha
///           unit: s                                # s, s/B, B, B/s, 1/s or 1
///           rows: nodes                            # or hosts, cores: over the whole platform, node by node
///           values:
///             - [0, 1.7e-06]                       # from the first to each
///             - [1.7e-06, 0]
///
/// Checked  tests/unit/config/parameter_file_test.cpp
#pragma once

#include <string>
#include <vector>

#include "sim/core/model_parameters.hpp"

namespace orrery::config {

/// The file's text. Every set is of the same platform and network. `comment` lines begin it, each after "# ".
std::string parameter_file_text(const std::vector<ModelParameters>& sets, const std::vector<std::string>& comment = {});

/// Parameters of every model in the file, in its order. Throws InputError "file:line:column: ..." for unknown keys, a
/// row whose length differs from the columns, a column without a unit, an invalid number, and one outside the range of
/// its unit: times 0..1000 s, times per byte 0..1 s/B, all others 0..1e18; sizes of messages must ascend from row to
/// row. Matrices are square and have numbers of 0 or more in the same ranges; models/matrices checks them against
/// platform and model.
std::vector<ModelParameters> read_parameter_file(const std::string& path);
std::vector<ModelParameters> parse_parameter_file(const std::string& text, const std::string& name);

}  // namespace orrery::config
