/// A value of a point that follows from others, so that a sweep changes what belongs together:
///
///   kernel: {name: stencil, points-i: 128 * layout.ranks, points-j: (kernel.points-i + 2) / 2}
///   sweep: {layout.ranks: [1, 2, 4]}
///
///   sum     -> product { ("+" | "-") product }      product -> factor { ("*" | "/") factor }
///   factor  -> number [unit] | path | "(" sum ")"   path    -> layout.ranks, kernel.blocks ...: a scalar of the point
///
/// A scalar is an expression where it consists of these alone, has a path and an operator; anything else stays as it
/// is. Operators have blanks around them (names have '-', files '/'). A product has the unit of the one factor that has
/// one, and a quotient that of its dividend; what is added or subtracted has the same. Whole numbers are written as
/// such, so that a parameter which must be one refuses others.
///
/// Checked  tests/unit/study/expressions_test.cpp, scenarios/stencil-weak-scaling.yaml
#pragma once

#include <map>
#include <string>

#include "sim/config/reader.hpp"

namespace orrery {

/// Whether a text is one.
bool is_expression(const std::string& text);

/// The document with every expression replaced by its value. Throws InputError where a path has no number, a unit does
/// not fit, or values depend on each other in a circle.
config::Document with_values(config::Document document);

}  // namespace orrery
