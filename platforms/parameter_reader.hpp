/// Reads parameters of a platform file and records the source of each. Private to platforms/.
///
/// A parameter is `key: 1.3us`, which inherits the source of the sections around it, or
/// `key: {value: 1.3us, source: "..."}` or `key: {value: 1.3us, assumed: true}` (or `assumed: "why"`).
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platforms/description.hpp"
#include "sim/config/fields.hpp"

namespace orrery {

class ParameterReader {
 public:
  /// The file's root section, which has a source.
  ParameterReader(const config::Section& section, std::vector<Provenance>& provenance);

  /// Parameters of a section inside this one, with its own `source` or `assumed` if it has one.
  ParameterReader inside(std::string_view key) const;
  ParameterReader inside(const config::Value& value) const;

  const config::Section& section() const { return section_; }
  const std::string& path() const { return path_; }
  bool has(std::string_view key) const { return section_.has(key); }
  void finish() const { section_.finish(); }

  /// The value of a parameter, or its declared default; records the provenance of a value. Throws if it has neither
  /// source nor assumption.
  config::Value parameter(std::string_view key) const;
  std::uint32_t count(std::string_view key) const { return static_cast<std::uint32_t>(parameter(key).integer()); }

  /// Reads by a table. A required text or word names a thing: it is no parameter and has no source.
  template <class S>
  void read(const config::Fields<S>& fields, S& into, std::initializer_list<std::string_view> may_miss = {}) const {
    config::read_fields(*this, fields.fields(), into, may_miss);
    if (fields.check()) fields.check()(section_, into);
  }
  config::Value value(const config::Key& key) const;
  /// The same value for another key that is missing.
  config::Value same_as(std::string_view key) const;

 private:
  std::pair<config::Value, std::string> stated(std::string_view key) const;  ///< and its source
  ParameterReader(const config::Section& section, std::string path, std::string source,
                  std::vector<Provenance>& provenance);

  config::Section section_;
  std::string path_;    ///< "node-types.xeon12."
  std::string source_;  ///< inherited; "" when there is none
  std::vector<Provenance>* provenance_;
};

}  // namespace orrery
