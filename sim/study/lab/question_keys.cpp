#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sim/core/quantity_text.hpp"
#include "sim/core/setting_quantity.hpp"
#include "sim/study/lab/lab_keys.hpp"

namespace orrery::lab {

std::optional<double> number_in(const std::string& text) {
  double number = 0.0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status == std::errc() && rest == text.data() + text.size() && std::isfinite(number)) return number;
  return quantity_of(text);
}

std::optional<double> number_in(const std::string& text, Question::Unit unit) {
  using Unit = Question::Unit;
  if (unit == Unit::number) return number_in(text);
  if (unit != Unit::factor)
    if (const auto quantity = parse_quantity(text, unit == Unit::time ? Dimension::time : Dimension::data); quantity.si)
      return quantity.si;
  const bool bare = text.find_first_not_of("0123456789.eE+-") == std::string::npos;
  return bare ? number_in(text) : std::nullopt;
}

double number_of(const Value& value) {
  if (const auto number = number_in(value.written())) return *number;
  value.refuse("which is no number (64KiB, 20us or 16). Write it with its unit?");
}

Key section_key(Key key, const Mapping& inside, Shape shape) {
  key.kind = KeyKind::section;
  key.shape = shape;
  key.inside = &inside;
  return key;
}

/// A section whose keys are paths of settings.
const Fields<SettingsRead>& conditions_fields() {
  const auto add = [](SettingsRead& into, const std::string& path, const Value& value) {
    into.all.emplace_back(path, value.written());
  };
  static const Fields<SettingsRead> fields{
      {.name = "<settings>",
       .about = "Settings of a point by path, as in a sweep; 'state: broken' selects the state of 'break-it'."},
      {{add,
        {.name = "<path>",
         .kind = KeyKind::any,
         .example = "64KiB",
         .about = "value of the setting, as in kernel.message: 64KiB"}}}};
  return fields;
}

Conditions read_conditions(const Section& section) {
  SettingsRead settings;
  config::read_fields(section, conditions_fields(), settings);
  section.finish();
  return settings.all;
}

namespace {

const Fields<Answer>& answer_fields() {
  static const Fields<Answer> fields{
      {.name = "<answer>", .about = "How the engine computes an answer from the curves."},
      {{&Answer::what,
        {answer_words[0], answer_words[1], answer_words[2], answer_words[3], answer_words[4], answer_words[5]},
        {.name = "what",
         .example = "half-bandwidth",
         .about = "value: y of point 'of'; ratio: y of 'of' / y of 'to'; crossing: x up to which curve 'of' is faster "
                  "than 'to'; half-bandwidth: x at which x / y is half of its maximum; least-x: x with the smallest y "
                  "of curve 'of'; least-line: line with the smallest y at 'of'"}},
       conditions_line(&Answer::of,
                       {.name = "of", .absent = "the only curve", .example = "{}", .about = "the point or curve"}),
       conditions_line(&Answer::to, {.name = "to",
                                     .absent = "nothing",
                                     .example = "{}",
                                     .about = "the other point or curve (ratio, crossing)"})}};
  return fields;
}

Answer read_answer(const Section& section) {
  Answer answer;
  config::read_fields(section, answer_fields(), answer);
  section.finish();
  using What = Answer::What;
  const bool two = answer.what == What::ratio || answer.what == What::crossing;
  if (two && !section.has("to"))
    section.refuse("what", "'ratio' and 'crossing' compare two (of, to). Add 'to: {state: broken}'?");
  if (!two && section.has("to"))
    section.refuse("to", "'to' is beside what a 'ratio' or a 'crossing' is taken. Remove it?");
  return answer;
}

const Fields<Option>& option_fields() {
  const auto bound = [](std::optional<double> Option::*member) {
    return [member](Option& option, const Value& value) { option.*member = number_of(value); };
  };
  static const Fields<Option> fields{
      {.name = "<question>.options[]", .about = "An option, which is right if the answer is within its bounds."},
      {{&Option::text, {.name = "text", .example = "\"about as long\"", .about = "text of the option"}},
       {bound(&Option::from),
        {.name = "from",
         .kind = KeyKind::any,
         .absent = "no bound",
         .example = "0.8",
         .about = "lower bound (inclusive)"}},
       {bound(&Option::to),
        {.name = "to",
         .kind = KeyKind::any,
         .absent = "no bound",
         .example = "1.2",
         .about = "upper bound (exclusive)"}}}};
  return fields;
}

const Fields<Mistake>& mistake_fields() {
  static const Fields<Mistake> fields{
      {.name = "<question>.mistakes[]",
       .about = "A typical mistake: students with a similar prediction get this feedback."},
      {{&Mistake::times,
        {.name = "times",
         .least = 1e-6,
         .most = 1e6,
         .absent = "given by 'answer'",
         .example = "2",
         .about = "wrong answer / right answer"}},
       {[](Mistake& mistake, const Value& value) { mistake.answer = read_answer(value.section()); },
        section_key({.name = "answer", .absent = "given by 'times'", .about = "the wrong answer"},
                    answer_fields().mapping())},
       {&Mistake::text,
        {.name = "text", .example = "\"Is a round trip one message?\"", .about = "feedback for the student"}}}};
  return fields;
}

Mistake read_mistake(const Section& section) {
  Mistake mistake;
  config::read_fields(section, mistake_fields(), mistake);
  section.finish();
  if (mistake.times.has_value() == mistake.answer.has_value())
    section.refuse("text",
                   "'times' and 'answer' are both given, or neither (one says what the mistake would answer). "
                   "Write 'times: 2'?");
  return mistake;
}

void read_axis(Question& question, const Value& value) {
  for (const Value& end : value.list()) question.axis.push_back(number_of(end));
  if (question.axis.size() != 2 || !(question.axis[0] > 0.0) || !(question.axis[0] < question.axis[1]))
    value.refuse("which is no axis (two numbers above 0, the smaller first: it is logarithmic). Write '[1us, 1s]'?");
}

}  // namespace

const Fields<Question>& question_fields() {
  static const Fields<Question> fields{
      {.name = "<question>", .about = "A question that the student answers before any result is shown."},
      {{&Question::text, {.name = "text", .example = "\"How long?\"", .about = "the question"}},
       {[](Question& question, const Value& value) { question.answer = read_answer(value.section()); },
        section_key({.name = "answer", .example = "{what: value}", .about = "how the engine computes the answer"},
                    answer_fields().mapping())},
       {&Question::unit,
        {unit_words[0], unit_words[1], unit_words[2], unit_words[3]},
        {.name = "unit",
         .fallback = "number",
         .example = "time",
         .about = "unit of a number that is asked for; factor: a ratio"}},
       {read_axis,
        {.name = "axis",
         .kind = KeyKind::any,
         .shape = Shape::list,
         .absent = "required for a number",
         .example = "[1us, 1s]",
         .about = "range of the axis for the prediction"}},
       {&Question::full_within,
        {.name = "full-within",
         .least = 1.0,
         .most = 100.0,
         .fallback = "1.25",
         .example = "1.25",
         .about = "all points for a prediction within this factor of the answer"}},
       {&Question::none_beyond,
        {.name = "none-beyond",
         .least = 1.01,
         .most = 1e6,
         .fallback = "10",
         .example = "10",
         .about = "no points beyond this factor; in between, points fall with its logarithm"}},
       {&Question::points,
        {.name = "points",
         .least = 0.0,
         .most = 1000.0,
         .fallback = "1",
         .example = "4",
         .about = "maximum points of the question"}},
       {[](Question& question, const Value& value) {
          for (const Value& item : value.list()) {
            config::read_fields(item.section(), option_fields(), question.options.emplace_back());
            item.section().finish();
          }
        },
        section_key({.name = "options",
                     .absent = "a number, or the lines of the chart for 'least-line'",
                     .example = "[{text: \"longer\", from: 1}, {text: \"shorter\", to: 1}]",
                     .about = "options to choose from"},
                    option_fields().mapping(), Shape::list)},
       {[](Question& question, const Value& value) {
          for (const Value& item : value.list()) question.mistakes.push_back(read_mistake(item.section()));
        },
        section_key({.name = "mistakes", .absent = "none", .about = "typical mistakes for a number"},
                    mistake_fields().mapping(), Shape::list)}}};
  return fields;
}

Question read_question(const Section& section) {
  Question question;
  config::read_fields(section, question_fields(), question);
  section.finish();
  if (question.is_choice() == section.has("axis"))
    section.refuse("axis", question.is_choice()
                               ? Refusal("'axis' where one of several is chosen. Remove it?")
                               : Refusal("'axis' is missing (a number is asked for). Add 'axis: [1us, 1s]'?"));
  if (question.is_choice() && !question.mistakes.empty())
    section.refuse("mistakes", "'mistakes' where one of several is chosen (they are of numbers). Remove it?");
  for (const Value& end : section.optional_list("axis"))
    if (!number_in(end.written(), question.unit))
      end.refuse(Refusal("and 'unit' is {}. Write one of its unit?", word_of(unit_words, question.unit)));
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    const Option& option = question.options[i];
    if (option.from && option.to && !(*option.from < *option.to))
      section.refuse("options", Refusal("the option '{}' is from {:g} to {:g} (no answer lies there). Swap them?",
                                        option.text, *option.from, *option.to));
    if (std::ranges::count(question.options, option.text, &Option::text) > 1)
      section.refuse("options", Refusal("two options say '{}'. Word one otherwise?", option.text));
  }
  if (!(question.none_beyond > question.full_within))
    section.refuse("none-beyond", "'none-beyond' is not above 'full-within'. Write 'none-beyond: 10'?");
  return question;
}

}  // namespace orrery::lab
