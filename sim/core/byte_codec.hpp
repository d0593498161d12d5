/// Records as bytes and back, within one build: for pipes between processes and for the store of a run.
///
///   const Term again = from_bytes<Term>(to_bytes(term));  // throws where the bytes are cut short
///
/// A record's `fields` (result_fields.hpp) list its members for both directions. Other types are copied as they are in
/// memory: numbers, and structs of numbers without padding. (Padding would make equal records differ.)
#pragma once

#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/core/result_fields.hpp"

namespace orrery {

namespace byte_codec_detail {

struct AnyCodec {};
template <class T>
concept has_fields = requires(AnyCodec& codec, T& record) {
  fields(codec, record);
};
template <class T>
inline constexpr bool has_words = false;
template <class T, std::size_t count>
inline constexpr bool has_words<WithWords<T, count>> = true;
template <class T>
concept plain = std::is_trivially_copyable_v<T> && !has_fields<T> && !has_words<T>;

/// Every field is present, without its name. `Codec` has `value`.
template <class Codec>
class Positional {
 public:
  Codec& operator()(const char*, auto&& member) { return inside(member); }
  Codec& later(const char*, auto&& member) { return inside(member); }
  Codec& if_any(const char*, auto& member) { return inside(member); }
  Codec& rows(const char*, auto& members) { return inside(members); }
  Codec& table(const char*, auto& members) { return inside(members); }
  Codec& each(auto, const char*, auto& values, std::size_t) { return inside(values); }
  Codec& section(const char*, bool, auto body) {
    body(self());
    return self();
  }
  Codec& derived(const char*, auto) { return self(); }
  Codec& wall_clock(const char*, auto& seconds) { return inside(seconds); }
  Codec& found(auto& flag) { return inside(flag); }
  Codec& inside(auto& member) {
    self().value(member);
    return self();
  }
  bool has(const char*, bool) const { return true; }
  bool timelines() const { return true; }

 private:
  Codec& self() { return static_cast<Codec&>(*this); }
};

class Writer : public Positional<Writer> {
 public:
  std::string bytes;

  void value(const plain auto& number) { bytes.append(reinterpret_cast<const char*>(&number), sizeof number); }
  void value(const has_fields auto& record) { fields(*this, record); }
  template <class T, std::size_t count>
  void value(const WithWords<T, count>& special) {
    value(special.value);
  }
  void value(const std::string& text) {
    value(text.size());
    bytes += text;
  }
  template <class T>
  void value(const std::vector<T>& values) {
    value(values.size());
    if constexpr (plain<T>)
      bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    else
      for (const T& one : values) value(one);
  }
};

class Reader : public Positional<Reader> {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}

  void value(plain auto& number) { std::memcpy(static_cast<void*>(&number), take(sizeof number), sizeof number); }
  void value(has_fields auto& record) { fields(*this, record); }
  template <class T, std::size_t count>
  void value(const WithWords<T, count>& special) {
    value(special.value);
  }
  void value(std::string& text) {
    const std::size_t size = count(1);
    text.assign(take(size), size);
  }
  template <class T>
  void value(std::vector<T>& values) {
    values.resize(count(plain<T> ? sizeof(T) : 1));
    if constexpr (!plain<T>)
      for (T& one : values) value(one);
    else if (!values.empty())
      std::memcpy(static_cast<void*>(values.data()), take(values.size() * sizeof(T)), values.size() * sizeof(T));
  }

 private:
  std::size_t count(std::size_t size_of_one) {
    std::size_t found = 0;
    value(found);
    if (found > (bytes_.size() - at_) / size_of_one) throw std::runtime_error("a result was cut short");
    return found;
  }
  const char* take(std::size_t size) {
    if (size > bytes_.size() - at_) throw std::runtime_error("a result was cut short");
    at_ += size;
    return bytes_.data() + at_ - size;
  }
  const std::string& bytes_;
  std::size_t at_ = 0;
};

}  // namespace byte_codec_detail

template <class T>
std::string to_bytes(const T& record) {
  byte_codec_detail::Writer writer;
  writer.value(record);
  return std::move(writer.bytes);
}

/// Throws std::runtime_error when the bytes end early.
template <class T>
T from_bytes(const std::string& bytes) {
  byte_codec_detail::Reader reader(bytes);
  T record;
  reader.value(record);
  return record;
}

}  // namespace orrery
