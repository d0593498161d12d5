/// XML as a tree of elements, each with its line: enough for SimGrid's platform files.
///
///   const XmlElement platform = parse_xml(text, "cluster.xml");
///   for (const XmlElement& zone : platform.children) if (zone.name == "zone") zone.text("id") ...
///
/// Text between tags, comments, declarations and the document type are skipped; nothing is fetched. Every problem is an
/// InputError "file:line: ...". Nesting deeper than 64 is refused.
/// Checked  tests/unit/config/xml_test.cpp, tests/contract/trace_fuzz_test.cpp
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery::config {

struct XmlElement {
  std::string name;
  std::uint32_t line = 0;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<XmlElement> children;

  const std::string* find(std::string_view attribute) const;
  /// The attribute's value, or `fallback` if it is missing.
  std::string text(std::string_view attribute, const std::string& fallback = "") const;
};

/// `file` begins messages.
XmlElement parse_xml(const std::string& text, const std::string& file);

}  // namespace orrery::config
