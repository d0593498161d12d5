#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/study/lab/marks_detail.hpp"
#include "sim/study/lab/play.hpp"

namespace orrery::lab {

namespace {

Json points_json(const Curves& curves) {
  Json measured = Json::array();
  for (const MeasuredPoint& point : curves.measured)
    measured.push_back({{"line", point.line}, {"x", point.x}, {"y", point.y}});
  return {{"points", seen_json(curves)}, {"measured", measured}, {"unit", curves.y_unit}};
}

Json question_json(const Question& question, const Curves& curves, const Lab& lab) {
  Json json = {{"text", question.text},
               {"unit", word_of(unit_words, question.unit)},
               {"points", question.points},
               {"full_within", question.full_within},
               {"none_beyond", question.none_beyond}};
  if (!question.is_choice()) {
    json["axis"] = question.axis;
    return json;
  }
  Json choices = Json::array();
  for (const auto& [value, text] : choices_of(question, curves, lab))
    choices.push_back({{"value", value}, {"text", text}});
  json["choices"] = choices;
  return json;
}

Json right_json(const Question& question, const Curves& curves, const Lab& lab) {
  const Answered right = right_answer(question, curves, lab);
  Json json = {{"right", answered_json(right)}, {"text", answer_text(right, question.unit, lab)}};
  json["points"] = Json::array();
  for (const CurvePoint& point : answer_points(question.answer, curves))
    json["points"].push_back({{"state", point.state}, {"x", point.x}, {"y", point.y}});
  Json mistakes = Json::array();
  for (const Mistake& mistake : question.mistakes) {
    const double wrong = mistake.times ? *mistake.times * std::get<double>(right)
                                       : std::get<double>(answer_of(*mistake.answer, curves, lab));
    mistakes.push_back(
        {{"value", wrong}, {"value_text", answer_text(wrong, question.unit, lab)}, {"text", mistake.text}});
  }
  json["mistakes"] = mistakes;
  json["mistake_within"] = mistake_within;
  return json;
}

Json chart_json(const Lab& lab, const Curves& plan) {
  Json names = Json::object();
  for (const std::string& line : plan.lines) names[line] = answer_text(line, Question::Unit::number, lab);
  const std::string broken = "broken";  // 'curve.names' may name the state as it does lines
  Json json = {{"x_text", lab.curve.x_text.empty() ? lab.curve.x : lab.curve.x_text},
               {"y_text", lab.curve.y_text.empty() ? lab.curve.y : lab.curve.y_text},
               {"lines", names},
               {"broken", answer_text(broken, Question::Unit::number, lab)},
               {"x_is", plan.x_is_data ? "data" : "number"}};
  if (lab.measured) json["source"] = lab.measured->source;
  return json;
}

}  // namespace

std::string lab_json(const LabFile& file, const std::string& student, bool solution, Played& played) {
  const Lab lab = file.lab(file.drawn_for(student)), other = file.lab(file.drawn_anew(student));
  const Curves plan = planned(lab);
  Json json = {{"lab", lab.name},
               {"title", lab.title},
               {"source", lab.source},
               {"student", student},
               {"drawn", drawn_json(lab)},
               {"prose", lab.prose},
               {"chart", chart_json(lab, plan)},
               {"predict", question_json(lab.predict, plan, lab)}};
  if (!solution)
    for (std::size_t i = prose_of_students; i < std::size(prose_sections); ++i) json["prose"].erase(prose_sections[i]);
  if (const auto text = other.prose.find("Transfer"); text != other.prose.end())
    json["prose"]["Transfer"] = text->second;
  if (lab.choose) json["choose"] = question_json(*lab.choose, plan, lab);
  if (other.transfer) {
    const Curves other_plan = planned(other);
    json["transfer"] = question_json(*other.transfer, other_plan, other);
    json["chart_in_transfer"] = chart_json(other, other_plan);
  }
  if (lab.formula) {
    Json letters = Json::object();
    for (const auto& [letter, value] : plan.letters) letters[letter] = value;
    json["formula"] = {{"write", lab.formula->write}, {"of", lab.formula->of}, {"letters", letters}};
  }
  if (lab.knob) {
    std::string at = lab.knob->values.front();
    for (const auto& [path, value] : lab.moment)
      if (path == lab.knob->path) at = value;
    json["knob"] = {{"text", lab.knob->text}, {"values", lab.knob->values}, {"at", at}};
  }
  json["steps"] = !lab.moment.empty();
  json["breaks"] = !lab.break_it.empty();
  if (solution) {
    const Taken taken = take(file, student, played);
    json["shown"] = points_json(taken.curves);
    json["predict"]["answer"] = right_json(lab.predict, taken.curves, lab);
    if (lab.choose) json["choose"]["answer"] = right_json(*lab.choose, taken.curves, lab);
    if (other.transfer) {
      json["shown_in_transfer"] = points_json(*taken.other_curves);
      json["transfer"]["answer"] = right_json(*other.transfer, *taken.other_curves, other);
    }
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace orrery::lab
