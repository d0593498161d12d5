/// Writes records as JSON, by their `fields` (sim/core/result_fields.hpp); json_reader.hpp reads them.
///
///   object_of(record, options)      {"name": value, ...}
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/show/result/json.hpp"
#include "sim/show/result/json_kinds.hpp"

namespace orrery::show {

namespace json_codec_detail {

template <As as = As::object, class T>
Json json_of(const T& value, const JsonOptions& options);

/// The names of a record's fields.
struct Columns {
  Json names = Json::array();

  Columns& operator()(const char* name, const auto&) { return add(name); }
  Columns& later(const char* name, const auto&) { return add(name); }
  Columns& derived(const char* name, const auto&) { return add(name); }
  Columns& inside(const auto&) { return *this; }

 private:
  Columns& add(const char* name) {
    names.push_back(name);
    return *this;
  }
};
template <class T>
struct Element {
  using Type = T;
};
template <class T>
struct Element<std::vector<T>> : Element<T> {};
template <class T>
Json columns_of() {
  Columns columns;
  typename Element<T>::Type record{};
  fields(columns, record);
  return columns.names;
}

class RowWriter {
 public:
  Json json = Json::array();
  explicit RowWriter(const JsonOptions& options) : options_(options) {}

  RowWriter& operator()(const char*, const auto& value) {
    json.push_back(json_of<As::row>(value, options_));
    return *this;
  }
  RowWriter& later(const char* name, const auto& value) { return (*this)(name, value); }
  RowWriter& derived(const char* name, auto value) { return (*this)(name, value()); }
  RowWriter& inside(const auto&) { return *this; }

 private:
  const JsonOptions& options_;
};

class ObjectWriter {
 public:
  Json json = Json::object();
  explicit ObjectWriter(const JsonOptions& options) : options_(options) {}

  ObjectWriter& operator()(const char* name, const auto& value) {
    json[name] = json_of(value, options_);
    return *this;
  }
  ObjectWriter& later(const char* name, const auto& value) { return (*this)(name, value); }
  ObjectWriter& if_any(const char* name, const auto& value) { return any(value) ? (*this)(name, value) : *this; }
  template <class T>
  ObjectWriter& table(const char* name, const std::vector<T>& rows) {
    json["columns"] = columns_of<std::vector<T>>();
    json[name] = json_of<As::row>(rows, options_);
    return *this;
  }
  ObjectWriter& rows(const char* name, const auto& rows) {
    return section(name, true, [&](ObjectWriter& inside) { inside.table("rows", rows); });
  }
  ObjectWriter& section(const char* name, bool there, auto body) {
    if (!there) return *this;
    ObjectWriter inside(options_);
    body(inside);
    json[name] = std::move(inside.json);
    return *this;
  }
  template <class E>
  ObjectWriter& each(const char* (*name_of)(E), const char* suffix, const auto& values, std::size_t least) {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (i < least || json_of(values[i], options_) != Json(0.0))
        json[std::string(name_of(static_cast<E>(i))) + suffix] = json_of(values[i], options_);
    return *this;
  }
  ObjectWriter& derived(const char* name, auto value) { return (*this)(name, value()); }
  ObjectWriter& wall_clock(const char* name, double seconds) {
    return section("wall_clock", options_.wall_clock, [&](ObjectWriter& inside) { inside(name, seconds); });
  }
  ObjectWriter& found(bool) { return *this; }
  ObjectWriter& flag(const char*, bool) { return *this; }
  ObjectWriter& inside(const auto&) { return *this; }
  bool has(const char*, bool there) const { return there; }
  bool timelines() const { return options_.timelines; }

 private:
  const JsonOptions& options_;
};

template <class T, As as>
struct Written {  // one value
  static Json json(const T& value, const JsonOptions& options) {
    if constexpr (Named<T>) {
      return Names<T>::name_of(value);
    } else if constexpr (std::is_same_v<T, Rank>) {
      return value == any_rank ? Json(nullptr) : Json(index(value));
    } else if constexpr (Id<T>) {
      return index(value);
    } else if constexpr (Measure<T>) {
      return value.si();
    } else if constexpr (std::is_same_v<T, Refusal>) {
      return value.text();
    } else if constexpr (HasFields<T>) {
      std::conditional_t<as == As::row || always_a_row<T>, RowWriter, ObjectWriter> writer(options);
      fields(writer, value);
      return std::move(writer.json);
    } else {
      return value;
    }
  }
};
template <class T, As as>
struct Written<std::vector<T>, as> {
  static Json json(const std::vector<T>& values, const JsonOptions& options) {
    Json all = Json::array();
    for (const T& value : values) all.push_back(json_of<as>(value, options));
    return all;
  }
};
template <class T, As as>
struct Written<std::optional<T>, as> {
  static Json json(const std::optional<T>& value, const JsonOptions& options) {
    return value ? json_of<as>(*value, options) : Json(nullptr);
  }
};
template <class A, class B, As as>
struct Written<std::pair<A, B>, as> {
  static Json json(const std::pair<A, B>& pair, const JsonOptions& options) {
    return Json::array({json_of<as>(pair.first, options), json_of<as>(pair.second, options)});
  }
};
template <class T, std::size_t count, As as>
struct Written<WithWords<T, count>, as> {
  static Json json(const WithWords<T, count>& number, const JsonOptions&) {
    for (const auto& [value, word] : number.special)
      if (value == number.value) return word == nullptr ? Json(nullptr) : Json(word);
    return number.value;
  }
};

template <As as, class T>
Json json_of(const T& value, const JsonOptions& options) {
  return Written<T, as>::json(value, options);
}

}  // namespace json_codec_detail

template <class T>
Json object_of(const T& record, const JsonOptions& options) {
  return json_codec_detail::json_of(record, options);
}

}  // namespace orrery::show
