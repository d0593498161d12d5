/// Records as bytes and back, within one build: what goes through a pipe, and into the store of a run.
///
///   template <class Codec, maybe_const<Term> Record>
///   void fields(Codec& codec, Record& record) {
///     auto& [text, cost, repeat] = record;  // a member that is added does not compile until it is here
///     codec(text, cost, repeat);
///   }
///   const Term again = from_bytes<Term>(to_bytes(term));  // throws where the bytes are cut short
///
/// `fields` is the one list for both ways, and stands in the namespace of the record. What has none is copied as it is
/// in memory: numbers, and structs of numbers without padding, which would make equal records differ.
#pragma once

#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace orrery {

template <class Record, class T>
concept maybe_const = std::is_same_v<std::remove_const_t<Record>, T>;

namespace byte_codec_detail {

struct AnyCodec {
  void operator()(const auto&...) {}
};
template <class T>
concept has_fields = requires(AnyCodec& codec, T& record) {
  fields(codec, record);
};
template <class T>
concept plain = std::is_trivially_copyable_v<T> && !has_fields<T>;

class Writer {
 public:
  std::string bytes;

  void operator()(const auto&... values) { (write(values), ...); }

 private:
  void write(const plain auto& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void write(const has_fields auto& record) { fields(*this, record); }
  void write(const std::string& text) {
    write(text.size());
    bytes += text;
  }
  template <class T>
  void write(const std::vector<T>& values) {
    write(values.size());
    if constexpr (plain<T>)
      bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    else
      for (const T& value : values) write(value);
  }
};

class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}

  void operator()(auto&... values) { (read(values), ...); }

 private:
  void read(plain auto& value) { std::memcpy(static_cast<void*>(&value), take(sizeof value), sizeof value); }
  void read(has_fields auto& record) { fields(*this, record); }
  void read(std::string& text) {
    const std::size_t size = count(1);
    text.assign(take(size), size);
  }
  template <class T>
  void read(std::vector<T>& values) {
    values.resize(count(plain<T> ? sizeof(T) : 1));
    if constexpr (!plain<T>)
      for (T& value : values) read(value);
    else if (!values.empty())
      std::memcpy(static_cast<void*>(values.data()), take(values.size() * sizeof(T)), values.size() * sizeof(T));
  }

  std::size_t count(std::size_t size_of_one) {
    std::size_t value = 0;
    read(value);
    if (value > (bytes_.size() - at_) / size_of_one) throw std::runtime_error("a result was cut short");
    return value;
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
  writer(record);
  return std::move(writer.bytes);
}

/// Throws std::runtime_error when the bytes end early.
template <class T>
T from_bytes(const std::string& bytes) {
  byte_codec_detail::Reader reader(bytes);
  T record;
  reader(record);
  return record;
}

}  // namespace orrery
