/// Reads figures of a platform file and writes down where each comes from. Private to platforms/.
///
/// A figure is `key: 1.3us`, which inherits the source of the sections around it, or
/// `key: {value: 1.3us, source: "..."}` or `key: {value: 1.3us, assumed: true}` (or `assumed: "why"`).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/description.hpp"
#include "sim/config/reader.hpp"

namespace orrery {

class Figures {
 public:
  /// The file's root, which has a source.
  Figures(const config::Section& section, std::vector<Provenance>& provenance);

  /// Figures of a section inside this one, with its own `source` or `assumed` when it has one.
  Figures inside(std::string_view key) const;
  Figures inside(const config::Value& value) const;

  const config::Section& section() const { return section_; }
  const std::string& path() const { return path_; }
  bool has(std::string_view key) const { return section_.has(key); }
  void finish() const { section_.finish(); }

  /// The value of a figure, or its declared default; the provenance of a value is written down. Throws when it has
  /// neither source nor assumption.
  config::Value figure(std::string_view key) const;

  Seconds seconds(std::string_view key) const { return figure(key).seconds(); }
  Seconds seconds_or(std::string_view key, Seconds fallback) const { return has(key) ? seconds(key) : fallback; }
  Bytes bytes(std::string_view key) const { return figure(key).bytes(); }
  Bytes bytes_or(std::string_view key, Bytes fallback) const { return has(key) ? bytes(key) : fallback; }
  BytesPerSecond bandwidth(std::string_view key) const { return figure(key).bandwidth(); }
  BytesPerSecond bandwidth_or(std::string_view key, BytesPerSecond fallback) const {
    return has(key) ? bandwidth(key) : fallback;
  }
  FlopsPerSecond speed(std::string_view key) const { return figure(key).speed(); }
  std::uint32_t count(std::string_view key) const { return static_cast<std::uint32_t>(figure(key).integer()); }
  std::vector<std::uint32_t> counts(std::string_view key) const;
  /// "0.5us", or [{from: 0B, time: 0.5us}, {from: 8KiB, time: 1us}] with `then-per-byte: 0.1ns/B` in the last entry.
  PiecewiseLinear overhead(std::string_view key) const;
  PiecewiseLinear overhead_or(std::string_view key, const PiecewiseLinear& fallback) const;
  /// 0.9, or [{from: 0B, factor: 0.5}, {from: 8KiB, factor: 0.9}]; nothing when missing.
  PiecewiseFactor factor(std::string_view key) const;

 private:
  Figures(const config::Section& section, std::string path, std::string source, std::vector<Provenance>& provenance);

  config::Section section_;
  std::string path_;    ///< "node-types.xeon12."
  std::string source_;  ///< inherited; "" when there is none
  std::vector<Provenance>* provenance_;
};

}  // namespace orrery
