#include "sim/study/lab/marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/core/fingerprint.hpp"
#include "sim/core/portable_math.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/suggest.hpp"
#include "sim/core/version.hpp"
#include "sim/show/result/json_text.hpp"
#include "sim/study/lab/lab_keys.hpp"
#include "sim/study/lab/marks_detail.hpp"
#include "sim/study/lab/play.hpp"
#include "sim/study/read/data_path.hpp"

namespace orrery::lab {

Json seen_json(const Curves& curves) {
  Json seen = Json::array();
  for (const CurvePoint& point : curves.points)
    seen.push_back({{"state", point.state}, {"line", point.line}, {"x", point.x}, {"y", point.y}});
  return seen;
}

Json drawn_json(const Lab& lab) {
  Json drawn = Json::object();
  for (const auto& [name, value] : lab.drawn) drawn[name] = value;
  return drawn;
}

Json answered_json(const Answered& answer) {
  return std::visit([](const auto& value) { return Json(value); }, answer);
}

Taken take(const LabFile& file, const std::string& student, Played& played) {
  const auto drawn = file.drawn_for(student), anew = file.drawn_anew(student);
  Lab main = file.lab(drawn), other = file.lab(anew);
  const Curves& curves = played.of(file, drawn);
  const Curves* others = main.transfer ? &played.of(file, anew) : nullptr;
  return {std::move(main), std::move(other), curves, others};
}

namespace {

constexpr std::size_t result_most = std::size_t{4} << 20;
constexpr double same_within = 1e-6;
constexpr int schema = 1;

double factor_of(double a, double b) { return std::max(a / b, b / a); }

std::string seal_of(Json result) {
  result.erase("seal");
  return fmt::format("{:016x}", Fingerprint().add("orrery lab").add(result.dump()).value());
}

bool seen_is(const Json& seen, const Curves& curves) {
  const Json now = seen_json(curves);
  if (!seen.is_array() || seen.size() != now.size()) return false;
  const auto close = [](const Json& a, const Json& b) {
    return a.is_number() && std::abs(a.get<double>() - b.get<double>()) <= same_within * std::abs(b.get<double>());
  };
  for (std::size_t i = 0; i < now.size(); ++i) {
    const Json& point = seen[i];
    if (!point.is_object() || point.value("state", Json()) != now[i]["state"] ||
        point.value("line", Json()) != now[i]["line"] || !close(point.value("x", Json()), now[i]["x"]) ||
        !close(point.value("y", Json()), now[i]["y"]))
      return false;
  }
  return true;
}

const char* expected(Question::Unit unit) {
  switch (unit) {
    case Question::Unit::time:
      return "a time above 0, such as '20us'";
    case Question::Unit::data:
      return "a size above 0, such as '64KiB'";
    case Question::Unit::factor:
      return "a number above 0 without a unit: so many times, such as '1.5'";
    case Question::Unit::number:
      break;
  }
  return "a number above 0, such as '16'";
}

/// A mistake whose answer the prediction is near, but not the right one.
std::string hint_for(double given, double right, const Question& question, const Curves& curves, const Lab& lab) {
  if (factor_of(given, right) <= question.full_within) return "";
  for (const Mistake& mistake : question.mistakes) {
    const double wrong =
        mistake.times ? *mistake.times * right : std::get<double>(answer_of(*mistake.answer, curves, lab));
    if (factor_of(given, wrong) <= mistake_within) return mistake.text;
  }
  return "";
}

std::vector<Part> parts_of(const Taken& taken, const Answers& answers, const std::string& where) {
  std::vector<Part> parts{marked("predict", taken.main.predict, answers.predict, taken.curves, taken.main, where)};
  if (taken.main.choose)
    parts.push_back(marked("choose", *taken.main.choose, answers.choose, taken.curves, taken.main, where));
  if (taken.other.transfer)
    parts.push_back(
        marked("transfer", *taken.other.transfer, answers.transfer, *taken.other_curves, taken.other, where));
  return parts;
}

}  // namespace

double Marked::points() const {
  double sum = 0.0;
  for (const Part& part : parts) sum += part.credit * part.points;
  return sum;
}

double Marked::of() const {
  double sum = 0.0;
  for (const Part& part : parts) sum += part.points;
  return sum;
}

double credit_of(double given, double right, const Question& question) {
  const double off = portable::log(factor_of(given, right)), full = portable::log(question.full_within),
               none = portable::log(question.none_beyond);
  return std::clamp((none - off) / (none - full), 0.0, 1.0);
}

Part marked(const std::string& name, const Question& question, const std::string& given, const Curves& curves,
            const Lab& lab, const std::string& where) {
  Part part{
      .name = name, .right = right_answer(question, curves, lab), .points = question.points, .unit = question.unit};
  if (given.empty()) return part;
  if (question.is_choice()) {
    std::vector<std::string> known;
    for (const auto& [choice, text] : choices_of(question, curves, lab)) known.push_back(choice);
    if (std::ranges::find(known, given) == known.end())
      throw InputError("{}: '{}' has the choice '{}'{}", where, name, shown(given), known_names(given, known));
    part.given = given;
    part.credit = Answered(given) == part.right ? 1.0 : 0.0;
    return part;
  }
  const auto number = number_in(given, question.unit);
  if (!number || !(*number > 0.0) || !std::isfinite(*number))
    throw InputError("{}: '{}' is '{}' ({}). Correct it?", where, name, shown(given), expected(question.unit));
  const double right = std::get<double>(part.right);
  part.given = *number;
  part.factor = factor_of(*number, right);
  part.credit = credit_of(*number, right, question);
  part.hint = hint_for(*number, right, question, curves, lab);
  return part;
}

const Curves& Played::of(const LabFile& file, const LabFile::Drawn& drawn) {
  std::string key = file.path() + file.fingerprint();
  for (const std::size_t row : drawn) key += fmt::format(" {}", row);
  const auto known = known_.find(key);
  return known != known_.end() ? known->second : known_.emplace(key, played(file.lab(drawn), jobs_)).first->second;
}

std::string result_text(const LabFile& file, const std::string& student, const Answers& answers, Played& played) {
  const Taken taken = take(file, student, played);
  Json given = Json::object();
  for (const Part& part : parts_of(taken, answers, "orrery lab take"))
    given[part.name] = part.given ? answered_json(*part.given) : Json(nullptr);
  if (taken.main.formula) given["formula"] = answers.formula.empty() ? taken.main.formula->write : answers.formula;
  Json result = {{"orrery_lab", schema},
                 {"lab", taken.main.name},
                 {"edition", file.fingerprint()},
                 {"orrery", version},
                 {"student", student},
                 {"drawn", drawn_json(taken.main)},
                 {"answers", given},
                 {"seen", seen_json(taken.curves)}};
  if (taken.other_curves != nullptr) result["seen_in_transfer"] = seen_json(*taken.other_curves);
  result["seal"] = seal_of(result);
  return result.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

namespace {

std::string text_in(const Json& of, const char* key) {
  const auto found = of.find(key);
  if (found == of.end() || found->is_null()) return "";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

Json read_result(const std::string& path) {
  const Json result = show::read_json(config::read_file(path, result_most), path, "what the page of a lab writes");
  if (!result.is_object() || result.value("orrery_lab", Json()) != schema)
    throw InputError("{}: is no result of a lab (JSON with \"orrery_lab\": {}). Is it another file?", path, schema);
  for (const char* key : {"lab", "edition", "student", "seal"})
    if (!result.value(key, Json()).is_string())
      throw InputError("{}: '{}' is missing or no text. Ask for the file that the page wrote?", path, key);
  for (const char* key : {"answers", "drawn"})
    if (!result.value(key, Json()).is_object())
      throw InputError("{}: '{}' is missing or no object. Ask for the file that the page wrote?", path, key);
  return result;
}

/// Where the lab of a result is: a student's file names a lab, and no other file of the teacher's.
std::string lab_path(const std::string& name, const std::map<std::string, std::string>& labs, const std::string& path) {
  if (const auto own = labs.find(name); own != labs.end()) return own->second;
  auto known = data_names("labs", "yaml");
  if (std::ranges::find(known, name) != known.end()) return input_path("labs/" + name + ".yaml");
  for (const auto& [own, file] : labs) known.push_back(own);
  Advice advice = known_names(name, known);
  advice.remedy += fmt::format("{}If it is your own, name its file: '--lab {}.yaml'?", advice.remedy.empty() ? "" : " ",
                               shown(name));
  throw InputError("{}: is of the lab '{}'{}", path, shown(name), advice);
}

}  // namespace

Marked marked_result(const std::string& path, const std::map<std::string, std::string>& labs, Played& played) {
  const Json result = read_result(path);
  Marked made{.file = path, .student = result["student"], .lab = result["lab"]};
  const LabFile file = LabFile::read(lab_path(made.lab, labs, path));
  try {
    student_key(made.student);
  } catch (const InputError& error) {
    throw InputError(error.refusal().at(path));
  }
  if (result["edition"] != file.fingerprint())
    made.problems.push_back(fmt::format("it was made with another edition of the lab than {}", file.path()));
  if (result["seal"] != seal_of(result)) made.problems.emplace_back("it was changed after the page had written it");
  const Taken taken = take(file, made.student, played);
  if (result["drawn"] != drawn_json(taken.main))
    made.problems.push_back(fmt::format("its machine is not the one that '{}' draws", made.student));
  if (!seen_is(result.value("seen", Json()), taken.curves) ||
      (taken.other_curves != nullptr && !seen_is(result.value("seen_in_transfer", Json()), *taken.other_curves)))
    made.problems.emplace_back("played again, its runs take other times");
  const Json& given = result["answers"];
  made.parts =
      parts_of(taken, {text_in(given, "predict"), text_in(given, "choose"), text_in(given, "transfer"), ""}, path);
  return made;
}

std::string answer_text(const Answered& answer, Question::Unit unit, const Lab& lab) {
  if (const auto* line = std::get_if<std::string>(&answer)) {
    const auto name = lab.curve.names.find(*line);
    return name == lab.curve.names.end() ? *line : name->second;
  }
  const double number = std::get<double>(answer);
  if (unit == Question::Unit::time) return to_text(Seconds(number));
  if (unit == Question::Unit::data) {  // powers of two, as sizes of messages are
    constexpr std::array names{"B", "KiB", "MiB", "GiB"};
    std::size_t power = 0;
    double size = number;
    for (; size >= 1024.0 && power + 1 < names.size(); size /= 1024.0) ++power;
    return fmt::format("{:.3g} {}", size, names[power]);
  }
  const std::string text = fmt::format("{:.3g}", number);
  return unit != Question::Unit::factor ? text : text + (text == "1" ? " time" : " times");
}

}  // namespace orrery::lab
