/// Speeds of a platform's compute table (column `speed_flop_per_s` of models 'regimes' and 'table') as parameters of a fit.
///
///   s_r' = s_r prod_f v_f / s_f      over the parameters f that are about row r
///
///   s_r  flop/s  of row r, as the platform has it      s_f  flop/s  of the first row that f is about
///   v_f  flop/s  value of the parameter
///
/// `speed.xeon` changes all rows of a node type, `speed.dgemm` all rows of a kind of work ('other': rows without a
/// kind), `speed.xeon.dgemm` one row.
///
/// Valid    a table whose rows are told apart by type and work; of other selectors every row may be meant
/// Checked  tests/unit/study/compute_speeds_test.cpp
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/study/fit/platform_parameters.hpp"

namespace orrery::study {

inline constexpr std::string_view speed_prefix = "speed.";
inline bool is_speed(std::string_view parameter) { return parameter.starts_with(speed_prefix); }

/// "speed.xeon": returns the same parameter for the same name.
const PlatformParameter& speed_parameter(const std::string& name);
/// The speeds in the platform's table, in its order: types, kinds of work, both.
std::vector<std::string> speeds_known(const Platform& platform);
/// The speeds that the program depends on.
std::set<std::string, std::less<>> speeds_used(const std::vector<Phase>& phases, const Layout& layout,
                                               const Platform& platform);
/// The platform's file including its table, changed by the speeds among these values.
config::Document with_speeds(config::Document document, const FittedMachine& machine,
                             const std::map<std::string, double>& values, const std::string& origin);

}  // namespace orrery::study
