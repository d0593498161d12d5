/// A value of a point computed from other values, so that a sweep changes related values together:
///
///   kernel: {name: stencil, points-i: 128 * layout.ranks, points-j: (kernel.points-i + 2) / 2}
///   sweep: {layout.ranks: [1, 2, 4]}
///
///   sum     -> product { ("+" | "-") product }      product -> factor { ("*" | "/") factor }
///   factor  -> number [unit] | path | "(" sum ")"   path    -> layout.ranks, kernel.blocks ...: a scalar of the point
///
/// A scalar is an expression if it consists only of these, and has a path and an operator; other scalars stay
/// unchanged. Operators have blanks around them (names have '-', files '/'). A product has the unit of its one factor
/// that has one, a quotient that of its dividend; both sides of a sum or difference have the same unit. Integer results
/// are written as integers, so that a parameter that must be one refuses others.
///
/// Checked  tests/unit/study/expressions_test.cpp, scenarios/stencil-weak-scaling.yaml
#pragma once

#include <map>
#include <string>

#include "sim/config/reader.hpp"

namespace orrery {

/// Whether a text is an expression.
bool is_expression(const std::string& text);

/// The document with every expression replaced by its value. Throws InputError if a path has no number, if a unit does
/// not fit, or if values depend on each other in a cycle.
config::Document with_values(config::Document document);

}  // namespace orrery
