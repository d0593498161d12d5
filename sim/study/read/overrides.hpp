/// The axes of a scenario's sweep, and `--set path=value`, which changes a value of the file or an axis.
///
///   --set compute.model=constant       a value
///   --set network=ethernet             the same; removes the axis 'network' from a sweep
///   --set 'layout.row=[M1, M2]'        a list: the axis has these values; it is added if missing
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
  std::size_t zip = 0;  ///< axes with the same number take their values together; 0: none
};

constexpr std::uint64_t points_max = 100'000;

/// The keys of one point: only these, and keys inside them, differ between points of a sweep.
const std::vector<std::string>& point_keys();

/// The axes in the order of the file; empty without a 'sweep'.
std::vector<Axis> read_sweep(const config::Section& root);

/// [axes] index of the independent axis of each: axes of one zip are one, in order of appearance.
std::vector<std::size_t> independent_axes(const std::vector<Axis>& axes);

/// Throws InputError if axes that take their values together have different numbers of values.
void require_same_lengths(const std::vector<Axis>& axes);

/// Throws InputError if the product of the axes has more than points_max points: checked before any point is made.
void refuse_too_many_points(const std::vector<Axis>& axes);

/// Source of an override in errors; a lab also makes overrides: "mine.yaml, break-it".
inline constexpr const char* set_flag = "--set";

/// The file with every value set. Throws InputError if a text is not "name=value" with a path as name.
config::Document apply_overrides(config::Document document, const std::vector<std::string>& overrides,
                                 const std::string& said_by = set_flag);

/// "kernel.points=64, layout.row=[M1, M2]": those that change the points themselves, not how they are simulated and
/// judged.
std::string changes_of_points(const std::vector<std::string>& overrides);

/// The sweep after the overrides; `document` is the changed file. Throws InputError if an axis would undo an override.
std::vector<Axis> apply_overrides(std::vector<Axis> axes, const config::Document& document,
                                  const std::vector<std::string>& overrides, const std::string& said_by = set_flag);

}  // namespace orrery
