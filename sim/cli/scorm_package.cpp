#include "sim/cli/scorm_package.hpp"

#include <fmt/format.h>

#include <string_view>

#include "sim/cli/zip_archive.hpp"

namespace orrery::cli {

namespace {

constexpr const char* manifest = R"(<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="orrery-lab-{name}" version="1.2"
    xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>1.2</schemaversion>
  </metadata>
  <organizations default="lab">
    <organization identifier="lab">
      <title>{title}</title>
      <item identifier="page" identifierref="page-file">
        <title>{title}</title>
      </item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="page-file" type="webcontent" adlcp:scormtype="sco" href="index.html">
      <file href="index.html"/>
    </resource>
  </resources>
</manifest>
)";

std::string in_xml(const std::string& text) {
  std::string made;
  for (const char letter : text) switch (letter) {
      case '&':
        made += "&amp;";
        break;
      case '<':
        made += "&lt;";
        break;
      case '"':
        made += "&quot;";
        break;
      default:
        made += letter;
    }
  return made;
}

/// An identifier of XML has no blanks nor signs.
std::string identifier_of(std::string name) {
  for (char& letter : name)
    if (std::string_view("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.").find(letter) ==
        std::string_view::npos)
      letter = '-';
  return name;
}

}  // namespace

std::string scorm_package(const std::string& name, const std::string& title, const std::string& page) {
  return zip_archive({{"imsmanifest.xml",
                       fmt::format(manifest, fmt::arg("name", identifier_of(name)), fmt::arg("title", in_xml(title)))},
                      {"index.html", page}});
}

}  // namespace orrery::cli
