/// The runs of a lab as curves, and the answers that are worked out from them.
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

/// What the student's formula may name, in SI.
using Letters = std::vector<std::pair<std::string, double>>;

struct Curves {
  std::vector<CurvePoint> points;
  std::string y_unit;
  bool x_is_data = false;          ///< bytes, of which people count powers of two
  std::vector<std::string> lines;  ///< in the order of the sweep
  std::vector<MeasuredPoint> measured;
  Letters letters;
};

/// A number, or the name of a line or option.
using Answered = std::variant<double, std::string>;

/// Throws InputError, opened by the lab's file, where the points do not give such an answer.
Answered answer_of(const Answer& answer, const Curves& curves, const Lab& lab);

/// Throws the same where the lab has no points for such an answer, whatever their y turn out to be.
void require_points(const Answer& answer, const Curves& curves, const Lab& lab);

/// The points of the curves that a value or a ratio is of, for who draws them; none of other answers.
std::vector<CurvePoint> answer_points(const Answer& answer, const Curves& curves);

/// Of a question: the number, the line, or the text of the option that holds the number.
Answered right_answer(const Question& question, const Curves& curves, const Lab& lab);

/// What may be chosen: texts of options, or names of lines for people beside them.
std::vector<std::pair<std::string, std::string>> choices_of(const Question& question, const Curves& curves,
                                                            const Lab& lab);

}  // namespace orrery::lab
