/// Quantities as text: "1.3us", "100Gbps" (bits), "12.5GB/s" (bytes), "32KiB", "2.53GHz"-free: flop/s as "10.6Gflop/s".
/// The one place that knows the units; the YAML reader, the command line and the reports all call it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/core/units.hpp"

namespace orrery {

/// Parse results: the SI value, or what is wrong ("has no unit", "unknown unit 'usec'") with a remedy.
struct ParsedQuantity {
  std::optional<double> si;
  std::string problem;  ///< e.g. "without a unit (ns, us, ms, s). Write '1.2us'?"
};

enum class Dimension : unsigned char { time, data, bandwidth, speed, work, frequency, time_per_byte, rate, power, scalar };

/// "ns, us, ms, s, min, h"
std::string unit_names(Dimension dimension);
ParsedQuantity parse_quantity(std::string_view text, Dimension dimension);

/// Shortest readable form with four significant digits: "1.3 us", "12.5 GB/s", "64 KiB", "10.6 Gflop/s".
std::string to_text(Seconds t);
std::string to_text(Bytes m);       ///< in KiB, MiB ... where that is exact, else in kB, MB ...
std::string decimal_text(Bytes m);  ///< "206.2 GB", to stand beside bandwidths
std::string to_text(BytesPerSecond b);
std::string to_text(FlopsPerSecond s);
std::string to_text(PerSecond r);  ///< "10 M/s"
std::string to_text(Watts w);      ///< "6.85 kW"

}  // namespace orrery
