/// The keys of a lab's file (private to lab.cpp, lab_keys.cpp and question_keys.cpp).
#pragma once

#include "sim/config/fields.hpp"
#include "sim/study/lab/lab.hpp"

namespace orrery::lab {

using config::Field;
using config::Fields;
using config::Key;
using config::KeyKind;
using config::Mapping;
using config::Section;
using config::Shape;
using config::Value;

const Fields<Lab>& lab_fields();

/// "64KiB", "2us", "16" in SI. Throws InputError at the value.
double number_of(const Value& value);
/// The same for a setting; empty for a word.
std::optional<double> number_in(const std::string& text);
/// A bare number, in SI, or one with a unit of that kind: '64KiB' for sizes, but not '20us'.
std::optional<double> number_in(const std::string& text, Question::Unit unit);

Key section_key(Key key, const Mapping& inside, Shape shape = Shape::one);

/// A section whose keys are paths of settings.
struct SettingsRead {
  Conditions all;
};
const Fields<SettingsRead>& conditions_fields();
Conditions read_conditions(const Section& section);

template <class S>
Field<S> conditions_line(Conditions S::*member, Key key) {
  return {[member](S& into, const Value& value) { into.*member = read_conditions(value.section()); },
          section_key(std::move(key), conditions_fields().mapping())};
}

const Fields<Question>& question_fields();
Question read_question(const Section& section);

}  // namespace orrery::lab
