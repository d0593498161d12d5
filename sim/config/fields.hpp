/// A struct described by a file, declared once: each field is a key (keys.hpp) and the member for its value.
///
///   const Fields<Link>& link_fields() {
///     static const Fields<Link> fields{
///         {.name = "links[]", .about = "a cable between two switches"},
///         {{&Link::latency, {.name = "latency", .example = "0.2us", .about = "of the cable"}},
///          {&Link::lanes, {.name = "lanes", .least = 1, .most = 64, .example = "2", .about = "in it"}},
///          {&Link::medium, {{"copper", Medium::copper}, {"glass", Medium::glass}}, {.name = "medium", ...}}}};
///     return fields;
///   }
///
/// The member's type determines kind, unit and usual range of the value; a line may give another range. A table
/// provides the keys of a section (`mapping`), the struct that it describes (`read_fields`) and the values of a struct
/// by key (`Field::value`, `identity_of`). If a key is missing and `absent` is the name of another key of the table,
/// that key's value applies; if `absent` is other text, the member keeps its value.
#pragma once

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/config/field_types.hpp"
#include "sim/core/words.hpp"

namespace orrery::config {

template <class S>
class Fields;

/// One line of a table.
template <class S>
struct Field {
  using Check = std::function<void(const Section&, const S&)>;

  Key key;
  std::function<void(S&, const Value&)> read = {};  ///< empty: a section, or read by the loader of the struct
  std::function<void(S&, const std::string&, const Value&)> read_any = {};  ///< for each key whose name the user chose
  std::function<FieldValue(const S&)> value = {};                           ///< empty: not a single value
  std::vector<Field> inside = {};                                           ///< lines of a section
  Check check = {};                                                         ///< of the section, after reading
  std::function<bool(const S&)> stands = {};  ///< whether there is one, if it is optional

  Field(Key read_elsewhere) : key(std::move(read_elsewhere)) {}  // NOLINT(google-explicit-constructor): in a list

  /// `at`: a pointer to a member, or a function that returns the place.
  template <class At>
  requires std::is_invocable_v<At, S&> Field(At at, Key its_key) : key(std::move(its_key)) {
    using Type = FieldType<std::remove_cvref_t<std::invoke_result_t<At, S&>>>;
    if (key.kind == KeyKind::text) key.kind = Type::kind;
    if (key.shape == Shape::one) key.shape = Type::shape;
    if (key.least == Key::usual_least) key.least = Type::least;
    if (key.most == Key::usual_most) key.most = Type::most;
    if constexpr (requires { Type::inside(); })
      if (key.inside == nullptr) key.inside = &Type::inside();
    read = [at](S& into, const Value& from) { std::invoke(at, into) = Type::read(from); };
    value = [at](const S& of) { return Type::value(std::invoke(at, const_cast<S&>(of))); };
  }

  template <class At, class E = std::remove_cvref_t<std::invoke_result_t<At, S&>>>
  Field(At at, std::vector<Word<std::type_identity_t<E>>> words, Key its_key) : key(std::move(its_key)) {
    key.kind = KeyKind::word;
    for (const auto& [word, meant] : words) key.choices.emplace_back(word);
    read = [at, words](S& into, const Value& from) { std::invoke(at, into) = words[from.choice()].value; };
    value = [at, words](const S& of) -> FieldValue {
      return std::string(std::ranges::find(words, std::invoke(at, const_cast<S&>(of)), &Word<E>::value)->word);
    };
  }

  /// For a value with its own reader, or for every key that no other line names.
  template <class Reader>
  requires std::is_invocable_v<Reader, S&, const Value&> Field(Reader its_reader, Key its_key)
      : key(std::move(its_key)), read(its_reader) {}
  template <class Reader>
  requires std::is_invocable_v<Reader, S&, const std::string&, const Value&> Field(Reader its_reader, Key its_key)
      : key(std::move(its_key)), read_any(its_reader) {}

  /// A section, whose values go to a member or to the struct itself.
  template <class Member, class Part>
  Field(Member S::*member, const Fields<Part>& fields, Key its_key);
  Field(const Fields<S>& fields, Key its_key);
};

template <class S>
class Fields {
 public:
  using Check = typename Field<S>::Check;

  /// `check`: for conditions on several values, with places in the section that was read.
  Fields(Mapping mapping, std::vector<Field<S>> fields, Check check = {})
      : mapping_(std::move(mapping)), check_(std::move(check)) {
    add(fields);
  }

  const Mapping& mapping() const { return mapping_; }
  const std::vector<Field<S>>& fields() const { return fields_; }
  const Check& check() const { return check_; }

  /// Adds lines.
  Fields with(const std::vector<Field<S>>& more) && {
    add(more);
    return std::move(*this);
  }
  /// The lines of a member, among the keys of the struct itself.
  template <class Member, class Part>
  Fields with(Member S::*member, const Fields<Part>& parts, std::initializer_list<std::string_view> but = {}) &&;

 private:
  void add(const std::vector<Field<S>>& more) {
    for (const auto& field : more) {
      fields_.push_back(field);
      mapping_.keys.push_back(field.key);
    }
  }

  Mapping mapping_;
  std::vector<Field<S>> fields_;
  Check check_;
};

namespace fields_detail {

template <class T>
T& entered(T& member) {
  return member;
}
template <class T>
T& entered(std::optional<T>& member) {
  if (!member) member = T{};  // clang 15 wrongly rejects emplace() for a T nested in another class
  return *member;
}
template <class T>
const T& standing(const T& member) {
  return member;
}
template <class T>
const T& standing(const std::optional<T>& member) {
  return *member;
}

template <class Whole, class Member, class Part>
typename Field<Whole>::Check lifted(Member Whole::*member, const typename Field<Part>::Check& check) {
  if (!check) return {};
  return [member, check](const Section& section, const Whole& of) { check(section, standing(of.*member)); };
}

/// A line of a part as one of the whole.
template <class Whole, class Member, class Part>
Field<Whole> lifted(Member Whole::*member, const Field<Part>& field) {
  Field<Whole> made(field.key);
  if (field.read)
    made.read = [member, read = field.read](Whole& into, const Value& from) { read(entered(into.*member), from); };
  if (field.read_any)
    made.read_any = [member, read = field.read_any](Whole& into, const std::string& name, const Value& from) {
      read(entered(into.*member), name, from);
    };
  if (field.value) made.value = [member, value = field.value](const Whole& of) { return value(standing(of.*member)); };
  if (field.stands)
    made.stands = [member, stands = field.stands](const Whole& of) { return stands(standing(of.*member)); };
  for (const auto& inner : field.inside) made.inside.push_back(lifted<Whole, Member, Part>(member, inner));
  made.check = lifted<Whole, Member, Part>(member, field.check);
  return made;
}

}  // namespace fields_detail

template <class S>
Field<S>::Field(const Fields<S>& fields, Key its_key)
    : key(std::move(its_key)), inside(fields.fields()), check(fields.check()) {
  key.kind = KeyKind::section;
  key.inside = &fields.mapping();
}

template <class S>
template <class Member, class Part>
Field<S>::Field(Member S::*member, const Fields<Part>& fields, Key its_key)
    : key(std::move(its_key)), check(fields_detail::lifted<S, Member, Part>(member, fields.check())) {
  key.kind = KeyKind::section;
  key.inside = &fields.mapping();
  for (const auto& field : fields.fields()) inside.push_back(fields_detail::lifted<S, Member, Part>(member, field));
  if constexpr (!std::is_same_v<Member, Part>) stands = [member](const S& of) { return (of.*member).has_value(); };
}

template <class S>
template <class Member, class Part>
Fields<S> Fields<S>::with(Member S::*member, const Fields<Part>& parts,
                          std::initializer_list<std::string_view> but) && {
  for (const auto& field : parts.fields())
    if (std::ranges::find(but, field.key.name) == but.end())
      add({fields_detail::lifted<S, Member, Part>(member, field)});
  if (parts.check()) check_ = fields_detail::lifted<S, Member, Part>(member, parts.check());
  return std::move(*this);
}

/// Reads the struct of a section. `From` may record the sources of parameters: has(name), value(key), inside(name),
/// same_as(name), section() and finish(). A required key that is in `may_miss` may be missing.
template <class S, class From>
void read_fields(const From& from, const std::vector<Field<S>>& fields, S& into,
                 std::initializer_list<std::string_view> may_miss = {}) {
  const auto missing = [&](const Field<S>& field) {
    const Key& key = field.key;
    if (from.has(key.name)) return false;
    if (std::ranges::find(may_miss, key.name) != may_miss.end()) return true;
    return !key.required() && key.fallback.empty();
  };
  const auto named = [&](const std::string& name) {
    return std::ranges::any_of(fields, [&](const auto& one) { return one.key.name == name; });
  };
  for (const auto& field : fields) {
    const std::string& name = field.key.name;
    if (field.read_any) {
      for (const auto& [chosen, value] : from.section().items())
        if (!named(chosen)) field.read_any(into, chosen, value);
    } else if (!missing(field)) {
      if (field.read) field.read(into, from.value(field.key));
      if (field.inside.empty()) continue;
      const From inner = from.inside(name);
      read_fields(inner, field.inside, into);
      if (field.check) field.check(inner.section(), into);
      inner.finish();
    } else if (const auto other =
                   std::ranges::find(fields, field.key.absent, [](const auto& one) { return one.key.name; });
               other != fields.end() && field.read && from.has(other->key.name)) {
      field.read(into, from.same_as(other->key.name));
    }
  }
}

namespace fields_detail {

/// A section whose parameters need no source.
struct Plain {
  Section of;

  bool has(const std::string& name) const { return of.has(name); }
  Value value(const Key& key) const { return of.value(key.name); }
  Value same_as(const std::string& name) const { return of.value(name); }
  Plain inside(const std::string& name) const { return {of.section(name)}; }
  const Section& section() const { return of; }
  void finish() const { of.finish(); }
};

}  // namespace fields_detail

template <class S>
void read_fields(const Section& section, const Fields<S>& fields, S& into) {
  read_fields(fields_detail::Plain{section}, fields.fields(), into);
  if (fields.check()) fields.check()(section, into);
}

std::string text_of(const FieldValue& value);

/// Every value of a struct by its key, except those marked aside: distinguishes two structs.
template <class S>
std::string identity_of(const std::vector<Field<S>>& fields, const S& of) {
  std::string text;
  for (const auto& field : fields) {
    if (field.value && !field.key.aside) text += field.key.name + "=" + text_of(field.value(of)) + "\n";
    if (!field.inside.empty() && (!field.stands || field.stands(of)))
      text += field.key.name + ":\n" + identity_of(field.inside, of);
  }
  return text;
}
template <class S>
std::string identity_of(const Fields<S>& fields, const S& of) {
  return identity_of(fields.fields(), of);
}

}  // namespace orrery::config
