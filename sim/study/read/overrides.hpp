/// The axes of a scenario's sweep, and `--set path=value`, which changes a value of the file or an axis.
///
///   --set compute.model=constant       a value
///   --set network=ethernet             the same where the sweep has the axis 'network': the axis goes
///   --set 'layout.row=[M1, M2]'        a list: the axis has these values, and is made when the sweep lacks it
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/config/reader.hpp"

namespace orrery {

/// One axis of a sweep: the path it sets and the values it takes.
struct Axis {
  std::string path;
  std::vector<config::Value> values;
  std::size_t zip = 0;  ///< axes of the same number take their values together; 0: of none
};

constexpr std::uint64_t points_max = 100'000;

/// The keys of what one point is made of: only these, and what lies inside them, differ between points of a sweep.
const std::vector<std::string>& point_keys();

/// The axes in the order of the file; none without a 'sweep'.
std::vector<Axis> read_sweep(const config::Section& root);

/// [axes] which of the independent axes each belongs to: those of one zip are one, in order of appearance.
std::vector<std::size_t> independent_axes(const std::vector<Axis>& axes);

/// Throws InputError where axes that take their values together differ in how many they have.
void require_same_lengths(const std::vector<Axis>& axes);

/// Throws InputError where the product of the axes has more than points_max points: said before any point is made.
void refuse_too_many_points(const std::vector<Axis>& axes);

/// Who says an override, as errors name it; a lab does it, too: "mine.yaml, break-it".
inline constexpr const char* set_flag = "--set";

/// The file with every value set. Throws InputError where a text is not "name=value", the name being a path.
config::Document apply_overrides(config::Document document, const std::vector<std::string>& overrides,
                                 const std::string& said_by = set_flag);

/// "kernel.points=64, layout.row=[M1, M2]": those that change what the points are; how they are played and judged is not
/// of them.
std::string changes_of_points(const std::vector<std::string>& overrides);

/// What the overrides leave of the sweep; `document` is the changed file. Throws InputError where an axis would undo an
/// override.
std::vector<Axis> apply_overrides(std::vector<Axis> axes, const config::Document& document,
                                  const std::vector<std::string>& overrides, const std::string& said_by = set_flag);

}  // namespace orrery
