/// Quantities as text: "1.3us", "100Gbps" (bits), "12.5GB/s" (bytes), "32KiB", "2.53GHz"-free: flop/s as "10.6Gflop/s".
/// The one place that knows the units; the YAML reader, the command line and the reports all call it.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "sim/core/refusal.hpp"
#include "sim/core/units.hpp"

namespace orrery {

/// The SI value, or the error: "without a unit (ns, us, ms, s). Write '1.2us'?"
struct ParsedQuantity {
  std::optional<double> si;
  Refusal problem;
};

/// The accepted range of values, in SI units. Suggestions lie inside.
struct ValueRange {
  double least = std::numeric_limits<double>::lowest(), most = std::numeric_limits<double>::max();
  bool whole = false;
  bool holds(double si) const { return si >= least && si <= most && (!whole || si == std::floor(si)); }
};

enum class Dimension : unsigned char { time, data, bandwidth, speed, work, frequency, time_per_byte, rate, power, scalar };

/// "ns, us, ms, s, min, h"
std::string unit_names(Dimension dimension);
/// `range` limits only the suggestions: a value outside is still parsed.
ParsedQuantity parse_quantity(std::string_view text, Dimension dimension, const ValueRange& range = {});

/// Shortest readable form with four significant digits: "1.3 us", "12.5 GB/s", "64 KiB", "10.6 Gflop/s".
std::string to_text(Seconds t);
std::string to_text(Bytes m);       ///< in KiB, MiB ... where that is exact, else in kB, MB ...
std::string decimal_text(Bytes m);  ///< "206.2 GB", for texts that also show bandwidths
std::string to_text(BytesPerSecond b);
std::string to_text(FlopsPerSecond s);
std::string to_text(PerSecond r);  ///< "10 M/s"
std::string to_text(Watts w);      ///< "6.85 kW"

}  // namespace orrery
