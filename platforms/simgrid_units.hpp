/// Private to the import of SimGrid platforms: numbers with the units of simgrid.dtd, in SI.
///
/// All throw InputError that begins with `where`.
/// Source   SimGrid 3.32, simgrid.dtd
/// Checked  tests/unit/platforms/simgrid_import_test.cpp
#pragma once

#include <string>
#include <vector>

namespace orrery {

/// flop/s; if there are several power states, all in order.
std::vector<double> simgrid_speeds(const std::string& text, const std::string& where);
/// B/s, more than 0.
double simgrid_bandwidth(const std::string& text, const std::string& where);
/// s
double simgrid_time(const std::string& text, const std::string& where);
/// A number without a unit.
double simgrid_number(const std::string& text, const std::string& where, const char* what);

}  // namespace orrery
