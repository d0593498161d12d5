#include "sim/study/lab/curves.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "sim/core/error.hpp"
#include "sim/core/portable_math.hpp"
#include "sim/study/lab/lab_keys.hpp"

namespace orrery::lab {

namespace {

using What = Answer::What;

[[noreturn]] void refuse(const Lab& lab, const Answer& answer, const Refusal& problem) {
  throw InputError("{}: the answer '{}' {}", lab.file, word_of(answer_words, answer.what), problem);
}

bool same(const std::string& written, const std::string& wanted) {
  if (written == wanted) return true;
  const auto a = number_in(written), b = number_in(wanted);
  return a && b && *a == *b;
}

bool meets(const CurvePoint& point, const Conditions& conditions) {
  bool state_told = false;
  for (const auto& [path, value] : conditions) {
    if (path == "state") {
      state_told = true;
      if (point.state != value) return false;
      continue;
    }
    const auto setting = std::ranges::find(point.settings, path, &Conditions::value_type::first);
    if (setting == point.settings.end() || !same(setting->second, value)) return false;
  }
  return state_told || point.state.empty();
}

std::vector<CurvePoint> points_of(const Conditions& conditions, const Curves& curves) {
  std::vector<CurvePoint> some;
  for (const CurvePoint& point : curves.points)
    if (meets(point, conditions)) some.push_back(point);
  return some;
}

std::string told(const Conditions& conditions) {
  std::vector<std::string> all;
  for (const auto& [path, value] : conditions) all.push_back(path + ": " + value);
  return fmt::format("{{{}}}", fmt::join(all, ", "));
}

CurvePoint one_of(const Conditions& conditions, const Answer& answer, const Curves& curves, const Lab& lab) {
  const auto some = points_of(conditions, curves);
  if (some.size() != 1)
    refuse(lab, answer,
           Refusal("is of one point, and {} meet {}. Name a setting of each axis of the sweep?", some.size(),
                   told(conditions)));
  return some.front();
}

std::vector<CurvePoint> curve_of(const Conditions& conditions, const Answer& answer, const Curves& curves,
                                 const Lab& lab) {
  auto curve = points_of(conditions, curves);
  std::ranges::sort(curve, {}, &CurvePoint::x);
  const bool twice = std::ranges::adjacent_find(curve, {}, &CurvePoint::x) != curve.end();
  if (curve.size() < 2 || twice)
    refuse(lab, answer,
           Refusal("is of one curve, and {} points meet {}{}. Name its line?", curve.size(), told(conditions),
                   twice ? ", some of one x" : ""));
  return curve;
}

/// The x at which a function of ln x, linear between the points, crosses 0 downward for the first time.
template <class F>
std::optional<double> first_zero(const std::vector<CurvePoint>& curve, F f) {
  for (std::size_t i = 0; i + 1 < curve.size(); ++i) {
    const double a = f(i), b = f(i + 1);
    if (a > 0.0 && b <= 0.0) return curve[i].x * portable::pow(curve[i + 1].x / curve[i].x, a / (a - b));
  }
  return std::nullopt;
}

using TwoCurves = std::pair<std::vector<CurvePoint>, std::vector<CurvePoint>>;

TwoCurves curves_of(const Answer& answer, const Curves& curves, const Lab& lab) {
  TwoCurves both{curve_of(answer.of, answer, curves, lab), curve_of(answer.to, answer, curves, lab)};
  if (!std::ranges::equal(both.first, both.second, {}, &CurvePoint::x, &CurvePoint::x))
    refuse(lab, answer, "is of two curves over the same x. Name two lines?");
  return both;
}

std::vector<CurvePoint> lines_of(const Answer& answer, const Curves& curves, const Lab& lab) {
  auto some = points_of(answer.of, curves);
  if (some.size() < 2 || std::ranges::any_of(some, [&](const auto& one) { return one.x != some.front().x; }))
    refuse(
        lab, answer,
        Refusal("is one of several lines at one x, and {} points meet {}. Name the x?", some.size(), told(answer.of)));
  return some;
}

double crossing(const Answer& answer, const Curves& curves, const Lab& lab) {
  const auto [of, to] = curves_of(answer, curves, lab);
  const auto at = first_zero(of, [&to = to, &of = of](std::size_t i) { return portable::log(to[i].y / of[i].y); });
  if (!at) refuse(lab, answer, "is not there: 'of' is not first the faster one and then the slower. Change the sweep?");
  return *at;
}

double half_bandwidth(const Answer& answer, const Curves& curves, const Lab& lab) {
  const auto curve = curve_of(answer.of, answer, curves, lab);
  double most = 0.0;
  for (const auto& point : curve) most = std::max(most, point.x / point.y);
  const auto at = first_zero(curve, [&](std::size_t i) { return portable::log(0.5 * most * curve[i].y / curve[i].x); });
  if (!at)
    refuse(lab, answer, "is not there: all points have over half of the greatest bandwidth. Begin with a smaller x?");
  return *at;
}

}  // namespace

Answered answer_of(const Answer& answer, const Curves& curves, const Lab& lab) {
  switch (answer.what) {
    case What::value:
      return one_of(answer.of, answer, curves, lab).y;
    case What::ratio:
      return one_of(answer.of, answer, curves, lab).y / one_of(answer.to, answer, curves, lab).y;
    case What::crossing:
      return crossing(answer, curves, lab);
    case What::half_bandwidth:
      return half_bandwidth(answer, curves, lab);
    case What::least_x: {
      const auto curve = curve_of(answer.of, answer, curves, lab);
      return std::ranges::min_element(curve, {}, &CurvePoint::y)->x;
    }
    case What::least_line:
      break;
  }
  const auto some = lines_of(answer, curves, lab);
  return std::ranges::min_element(some, {}, &CurvePoint::y)->line;
}

void require_points(const Answer& answer, const Curves& curves, const Lab& lab) {
  switch (answer.what) {
    case What::ratio:
      one_of(answer.to, answer, curves, lab);
      [[fallthrough]];
    case What::value:
      one_of(answer.of, answer, curves, lab);
      return;
    case What::crossing:
      curves_of(answer, curves, lab);
      return;
    case What::half_bandwidth:
    case What::least_x:
      curve_of(answer.of, answer, curves, lab);
      return;
    case What::least_line:
      lines_of(answer, curves, lab);
  }
}

std::vector<CurvePoint> answer_points(const Answer& answer, const Curves& curves) {
  if (answer.what != What::value && answer.what != What::ratio) return {};
  auto points = points_of(answer.of, curves);
  if (answer.what == What::ratio) std::ranges::copy(points_of(answer.to, curves), std::back_inserter(points));
  return points;
}

Answered right_answer(const Question& question, const Curves& curves, const Lab& lab) {
  const Answered answer = answer_of(question.answer, curves, lab);
  if (question.options.empty() || std::holds_alternative<std::string>(answer)) return answer;
  const double number = std::get<double>(answer);
  for (const Option& option : question.options)
    if ((!option.from || number >= *option.from) && (!option.to || number < *option.to)) return option.text;
  refuse(lab, question.answer, Refusal("is {:.4g}, which lies in no option. Widen their bounds?", number));
}

std::vector<std::pair<std::string, std::string>> choices_of(const Question& question, const Curves& curves,
                                                            const Lab& lab) {
  std::vector<std::pair<std::string, std::string>> choices;
  for (const Option& option : question.options) choices.emplace_back(option.text, option.text);
  if (!choices.empty()) return choices;
  for (const std::string& line : curves.lines) {
    const auto name = lab.curve.names.find(line);
    choices.emplace_back(line, name == lab.curve.names.end() ? line : name->second);
  }
  return choices;
}

}  // namespace orrery::lab
