/// The runs of a lab as curves, and the answers computed from them.
///
///   value            y(of)
///   ratio            y(of) / y(to)
///   crossing         the x at which curve `of` stops being the faster one: ln y(of) - ln y(to), linear in ln x between
///                    neighbouring points, is 0
///   half-bandwidth   the x at which x / y is half of its greatest value, likewise: Hockney's n_1/2
///   least-x          the x of the least y of curve `of`
///   least-line       the line with the least y at `of`
///
///   x   a setting of the sweep, in SI      y   a quantity of the run, in SI
///
/// Source   half bandwidth: Hockney, Parallel Computing 20(3), 1994, 389-398
/// Valid    x and y above 0; x ascending
/// Checked  tests/unit/study/lab_test.cpp
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "sim/study/lab/lab.hpp"

namespace orrery::lab {

struct CurvePoint {
  std::string state;  ///< "" or "broken"
  std::string line;   ///< empty: the only one
  double x = 0.0, y = 0.0;
  Conditions settings;
};

struct MeasuredPoint {
  std::string line;
  double x = 0.0, y = 0.0;
};

/// Variables of the student's formula, in SI.
using Letters = std::vector<std::pair<std::string, double>>;

struct Curves {
  std::vector<CurvePoint> points;
  std::string y_unit;
  bool x_is_data = false;          ///< bytes, which are shown as powers of two
  std::vector<std::string> lines;  ///< in the order of the sweep
  std::vector<MeasuredPoint> measured;
  Letters letters;
};

/// A number, or the name of a line or option.
using Answered = std::variant<double, std::string>;

/// Throws InputError that begins with the lab's file if the points do not determine such an answer.
Answered answer_of(const Answer& answer, const Curves& curves, const Lab& lab);

/// Throws the same if the lab has no points for such an answer, whatever their y will be.
void require_points(const Answer& answer, const Curves& curves, const Lab& lab);

/// The points of the curves behind a value or a ratio, for drawing; empty for other answers.
std::vector<CurvePoint> answer_points(const Answer& answer, const Curves& curves);

/// The right answer of a question: the number, the line, or the text of the option that contains the number.
Answered right_answer(const Question& question, const Curves& curves, const Lab& lab);

/// The choices: texts of options, or names of lines with their display names.
std::vector<std::pair<std::string, std::string>> choices_of(const Question& question, const Curves& curves,
                                                            const Lab& lab);

}  // namespace orrery::lab
