/// Reads records from JSON, by their `fields` (sim/core/result_fields.hpp); json_writer.hpp writes them.
///
///   read_object(json, record)       throws what nlohmann-json throws, or std::out_of_range
#pragma once

#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/suggest.hpp"
#include "sim/show/result/json_kinds.hpp"

namespace orrery::show {

namespace json_codec_detail {

template <As as = As::object, class T>
void read(const Json& json, T& value);

class RowReader {
 public:
  explicit RowReader(const Json& json) : json_(json) {}

  RowReader& operator()(const char*, auto&& member) {
    read<As::row>(json_.at(at_++), member);
    return *this;
  }
  RowReader& later(const char* name, auto& member) { return at_ < json_.size() ? (*this)(name, member) : *this; }
  RowReader& derived(const char*, auto) { return ++at_, *this; }
  RowReader& inside(auto&) { return *this; }

 private:
  const Json& json_;
  std::size_t at_ = 0;
};

class ObjectReader {
 public:
  explicit ObjectReader(const Json& json) : json_(json) {}

  ObjectReader& operator()(const char* name, auto&& member) {
    read(json_.at(name), member);
    return *this;
  }
  ObjectReader& later(const char* name, auto&& member) { return json_.contains(name) ? (*this)(name, member) : *this; }
  ObjectReader& if_any(const char* name, auto& member) { return later(name, member); }
  ObjectReader& table(const char* name, auto& rows) {
    read<As::row>(json_.at(name), rows);
    return *this;
  }
  ObjectReader& rows(const char* name, auto& rows) {
    read<As::row>(json_.at(name).at("rows"), rows);
    return *this;
  }
  ObjectReader& section(const char* name, bool, auto body) {
    if (!json_.contains(name)) return *this;
    ObjectReader inside(json_.at(name));
    body(inside);
    return *this;
  }
  template <class E>
  ObjectReader& each(const char* (*name_of)(E), const char* suffix, auto& values, std::size_t least) {
    if constexpr (requires { values.resize(1); }) values.resize(json_codec_detail::Names<E>::count);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (const std::string name = std::string(name_of(static_cast<E>(i))) + suffix; i < least || json_.contains(name))
        read(json_.at(name), values[i]);
    return *this;
  }
  ObjectReader& derived(const char*, auto) { return *this; }
  ObjectReader& wall_clock(const char* name, double& seconds) {
    return section("wall_clock", true, [&](ObjectReader& inside) { inside(name, seconds); });
  }
  ObjectReader& found(bool& flag) { return flag = true, *this; }
  ObjectReader& flag(const char* name, bool& there) { return there = json_.contains(name), *this; }
  ObjectReader& inside(auto&) { return *this; }
  bool has(const char* name, bool) const { return json_.contains(name); }
  bool timelines() const { return true; }

 protected:
  const Json& json_;
};

template <class T, As as>
struct Reads {
  static void into(const Json& json, T& value) {
    if constexpr (Named<T>) {
      const auto name = json.get<std::string>();
      for (std::size_t i = 0; i < Names<T>::count; ++i)
        if (name == Names<T>::name_of(static_cast<T>(i))) return void(value = static_cast<T>(i));
      throw std::out_of_range(std::string("unknown ") + Names<T>::kind + " '" + shown(name) + "'");
    } else if constexpr (std::is_same_v<T, Rank>) {
      value = json.is_null() ? any_rank : Rank{json.get<std::uint32_t>()};
    } else if constexpr (std::is_same_v<T, Refusal>) {
      value = Refusal::sentence(json.get<std::string>());
    } else if constexpr (Id<T>) {
      value = T{json.get<std::underlying_type_t<T>>()};
    } else if constexpr (std::is_floating_point_v<T>) {
      value = json.is_null() ? std::numeric_limits<T>::quiet_NaN() : json.get<T>();
    } else if constexpr (Measure<T>) {
      value = T(json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>());
    } else if constexpr (HasFields<T>) {
      std::conditional_t<as == As::row || always_a_row<T>, RowReader, ObjectReader> reader(json);
      fields(reader, value);
    } else {
      json.get_to(value);
    }
  }
};
template <class T, As as>
struct Reads<std::vector<T>, as> {
  static void into(const Json& json, std::vector<T>& values) {
    values.clear();
    for (const auto& one : json) read<as>(one, values.emplace_back());
  }
};
template <As as>
struct Reads<std::vector<std::string>, as> {
  static void into(const Json& json, std::vector<std::string>& values) { json.get_to(values); }
};
template <class T, As as>
struct Reads<std::optional<T>, as> {
  static void into(const Json& json, std::optional<T>& value) { read<as>(json, value.emplace()); }
};
template <class A, class B, As as>
struct Reads<std::pair<A, B>, as> {
  static void into(const Json& json, std::pair<A, B>& pair) {
    read<as>(json.at(0), pair.first);
    read<as>(json.at(1), pair.second);
  }
};
template <class T, std::size_t count, As as>
struct Reads<const WithWords<T, count>, as> {
  static void into(const Json& json, const WithWords<T, count>& number) {
    for (const auto& [value, word] : number.special)
      if (word == nullptr ? json.is_null() : json.is_string() && json.get<std::string>() == word)
        return void(number.value = static_cast<T>(value));
    json.get_to(number.value);
  }
};
template <class T, std::size_t count, As as>
struct Reads<WithWords<T, count>, as> : Reads<const WithWords<T, count>, as> {};

template <As as, class T>
void read(const Json& json, T& value) {
  Reads<T, as>::into(json, value);
}

}  // namespace json_codec_detail

template <class T>
void read_object(const Json& json, T& record) {
  json_codec_detail::read(json, record);
}

}  // namespace orrery::show
