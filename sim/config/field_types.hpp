/// File formats of the types of members (fields.hpp): kind, whether a list, the range unless a line gives another,
/// reading, and the value. A type of your own has a specialisation next to it, as in platforms/field_types.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "sim/config/keys.hpp"
#include "sim/config/reader.hpp"

namespace orrery::config {

/// Value of a member, in SI. Lists of lists: breakpoints of a function of the message size.
/// Empty: an optional without a value.
using FieldValue = std::variant<std::monostate, bool, double, std::string, std::vector<double>,
                                std::vector<std::vector<double>>, std::vector<std::string>>;

/// The file format of a type. Specialise it next to your own type.
template <class T>
struct FieldType;

/// A quantity with a unit; `least` and `most`, which no cluster exceeds, are given with it.
template <KeyKind its_kind, class Q, Q (Value::*reader)() const>
struct QuantityField {
  static constexpr KeyKind kind = its_kind;
  static constexpr Shape shape = Shape::one;
  static Q read(const Value& value) { return (value.*reader)(); }
  static FieldValue value(Q quantity) { return quantity.si(); }
};
template <>
struct FieldType<Seconds> : QuantityField<KeyKind::time, Seconds, &Value::seconds> {
  static constexpr double least = 0.0, most = 10.0;
};
template <>
struct FieldType<Bytes> : QuantityField<KeyKind::data, Bytes, &Value::bytes> {
  static constexpr double least = 0.0, most = 1e16;
};
template <>
struct FieldType<BytesPerSecond> : QuantityField<KeyKind::bandwidth, BytesPerSecond, &Value::bandwidth> {
  static constexpr double least = 1e3, most = 1e15;
};
template <>
struct FieldType<FlopsPerSecond> : QuantityField<KeyKind::speed, FlopsPerSecond, &Value::speed> {
  static constexpr double least = 1e6, most = 1e18;
};
template <>
struct FieldType<PerSecond> : QuantityField<KeyKind::rate, PerSecond, &Value::rate> {
  static constexpr double least = 1.0, most = 1e12;
};
template <>
struct FieldType<Watts> : QuantityField<KeyKind::power, Watts, &Value::watts> {
  static constexpr double least = 0.0, most = 1e6;
};

/// A value without a unit: the line gives `least` and `most`.
template <KeyKind its_kind, Shape its_shape = Shape::one>
struct PlainField {
  static constexpr KeyKind kind = its_kind;
  static constexpr Shape shape = its_shape;
  static constexpr double least = Key::usual_least, most = Key::usual_most;
};
template <>
struct FieldType<bool> : PlainField<KeyKind::boolean> {
  static bool read(const Value& value) { return value.boolean(); }
  static FieldValue value(bool flag) { return flag; }
};
template <>
struct FieldType<double> : PlainField<KeyKind::number> {
  static double read(const Value& value) { return value.number(); }
  static FieldValue value(double number) { return number; }
};
template <class T>
requires std::is_integral_v<T>
struct FieldType<T> : PlainField<KeyKind::integer> {
  static T read(const Value& value) { return static_cast<T>(value.integer()); }
  static FieldValue value(T number) { return static_cast<double>(number); }
};
template <>
struct FieldType<std::string> : PlainField<KeyKind::text> {
  static std::string read(const Value& value) { return value.text(); }
  static FieldValue value(const std::string& text) { return text; }
};
template <class T>
struct FieldType<std::vector<T>> : PlainField<FieldType<T>::kind, Shape::list> {
  static std::vector<T> read(const Value& value) {
    std::vector<T> all;
    for (const Value& item : value.list()) all.push_back(FieldType<T>::read(item));
    return all;
  }
  static FieldValue value(const std::vector<T>& all) {
    std::vector<double> numbers;
    for (const T& one : all)
      if constexpr (std::is_arithmetic_v<T>)
        numbers.push_back(static_cast<double>(one));
      else
        numbers.push_back(one.si());
    return numbers;
  }
};
template <>
struct FieldType<std::vector<std::string>> : PlainField<KeyKind::text, Shape::list> {
  static std::vector<std::string> read(const Value& value) {
    std::vector<std::string> all;
    for (const Value& item : value.list()) all.push_back(item.text());
    return all;
  }
  static FieldValue value(const std::vector<std::string>& all) { return all; }
};
template <class T>
struct FieldType<std::optional<T>> : FieldType<T> {
  static FieldValue value(const std::optional<T>& member) {
    return member ? FieldType<T>::value(*member) : FieldValue{};
  }
};

}  // namespace orrery::config
