/// The keys of a lab's file (private to lab.cpp, lab_keys.cpp and question_keys.cpp).
#pragma once

#include "sim/config/fields.hpp"
#include "sim/study/lab/lab.hpp"

namespace orrery::lab {

const config::Fields<Lab>& lab_fields();

/// "64KiB", "2us", "16" in SI. Throws InputError at the value.
double number_of(const config::Value& value);
/// The same of a setting; nothing for a word.
std::optional<double> number_in(const std::string& text);
/// A bare number, in SI, or one with a unit of that kind: '64KiB' where sizes are asked for, not '20us'.
std::optional<double> number_in(const std::string& text, Question::Unit unit);

config::Key section_key(config::Key key, const config::Mapping& inside, config::Shape shape = config::Shape::one);

/// A section whose keys are paths of settings.
struct SettingsRead {
  Conditions all;
};
const config::Fields<SettingsRead>& conditions_fields();
Conditions read_conditions(const config::Section& section);

template <class S>
config::Field<S> conditions_line(Conditions S::*member, config::Key key) {
  return {[member](S& into, const config::Value& value) { into.*member = read_conditions(value.section()); },
          section_key(std::move(key), conditions_fields().mapping())};
}

const config::Fields<Question>& question_fields();
Question read_question(const config::Section& section);

}  // namespace orrery::lab
