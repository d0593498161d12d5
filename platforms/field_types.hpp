/// File formats of platform parameters that are no plain quantities, and parts of the declarations. Private to
/// platforms/.
#pragma once

#include <utility>

#include "platforms/fields.hpp"

namespace orrery::platform_fields_detail {

using config::Key;
using config::KeyKind;
using config::Mapping;
using config::Shape;

inline constexpr double factor_min = 1e-3, factor_max = 1e7, share_max = 1.0;

inline Key count(Key key, double least, double most) {
  key.kind = KeyKind::integer;
  key.least = least;
  key.most = most;
  return key;
}
/// A section that the loader reads with separate code.
inline Key section(Key key, const Mapping& inside) {
  key.kind = KeyKind::section;
  key.inside = &inside;
  return key;
}
inline Key sections(Key key, const Mapping& inside) {
  key = section(std::move(key), inside);
  key.shape = Shape::list;
  return key;
}

/// `source` and `assumed`, which every section of a platform may have.
const Mapping& provenance();
const Mapping& overhead_steps();
const Mapping& factor_steps();
const Mapping& share_steps();
const Mapping& rate_steps();
const Mapping& affinity_keys();
const Mapping& topology_keys();

/// For things with two directions.
inline const std::vector<Word<Sharing>>& sharing_words() {
  static const std::vector<Word<Sharing>> words{
      {"full-duplex", Sharing::full_duplex}, {"half-duplex", Sharing::half_duplex}, {"none", Sharing::none}};
  return words;
}

/// A factor of at most 1.
inline Key share(Key key) {
  key.most = share_max;
  key.absent = "1";
  key.inside = &share_steps();
  return key;
}

}  // namespace orrery::platform_fields_detail

namespace orrery::config {

/// "0.5us", or [{from: 0B, time: 0.5us}, {from: 8KiB, time: 1us}] with `then-per-byte: 0.1ns/B` in the last entry.
template <>
struct FieldType<PiecewiseLinear> : FieldType<Seconds> {
  static constexpr Shape shape = Shape::either;
  static const Mapping& inside() { return platform_fields_detail::overhead_steps(); }
  static PiecewiseLinear read(const Value& value);
  static FieldValue value(const PiecewiseLinear& overhead);  ///< the last breakpoint also with `then-per-byte`
};

/// 0.9, or [{from: 0B, factor: 0.5}, {from: 8KiB, factor: 0.9}].
template <>
struct FieldType<PiecewiseFactor> {
  static constexpr KeyKind kind = KeyKind::number;
  static constexpr Shape shape = Shape::either;
  static constexpr double least = platform_fields_detail::factor_min, most = platform_fields_detail::factor_max;
  static const Mapping& inside() { return platform_fields_detail::factor_steps(); }
  static PiecewiseFactor read(const Value& value);
  static FieldValue value(const PiecewiseFactor& factor);
};

/// 10M/s, or [{from: 0B, rate: 65M/s}, {from: 64B, rate: 10M/s}].
template <>
struct FieldType<PiecewiseRate> : FieldType<PerSecond> {
  static constexpr Shape shape = Shape::either;
  static const Mapping& inside() { return platform_fields_detail::rate_steps(); }
  static PiecewiseRate read(const Value& value);
  static FieldValue value(const PiecewiseRate& rate);  ///< a number if all sizes have the same
};

/// [1, 1]: at the sender's and the receiver's end.
template <>
struct FieldType<std::array<std::uint8_t, 2>> : PlainField<KeyKind::integer, Shape::list> {
  static std::array<std::uint8_t, 2> read(const Value& value);
  static FieldValue value(const std::array<std::uint8_t, 2>& ends) {
    return std::vector<double>(ends.begin(), ends.end());
  }
};

}  // namespace orrery::config
