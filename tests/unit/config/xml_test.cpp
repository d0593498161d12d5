#include "sim/config/xml.hpp"

#include <doctest/doctest.h>

#include "sim/core/error.hpp"

using namespace orrery;
using config::parse_xml;

namespace {

void refused(const std::string& text, const std::string& message) {
  CHECK_THROWS_WITH_AS(parse_xml(text, "p.xml"), message.c_str(), InputError);
}

}  // namespace

TEST_SUITE("config/xml") {
  TEST_CASE("Elements have their names and lines and attributes and children") {
    const auto root = parse_xml(
        "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"x.dtd\">\n<!-- <not> this -->\n"
        "<platform version=\"4.1\">\n  text &amp; so on\n  <zone id='a&lt;b&amp;&quot;' n = '2'><host/>\n<host "
        "id=\"h\"/></zone>\n"
        "</platform>\n",
        "p.xml");
    CHECK(root.name == "platform");
    CHECK(root.line == 4);
    CHECK(root.text("version") == "4.1");
    CHECK(root.text("missing", "fallback") == "fallback");
    REQUIRE(root.children.size() == 1);
    CHECK(root.children[0].line == 6);
    CHECK(root.children[0].text("id") == "a<b&\"");
    CHECK(root.children[0].text("n") == "2");
    REQUIRE(root.children[0].children.size() == 2);
    CHECK(root.children[0].children[1].line == 7);
    CHECK(root.children[0].children[0].find("id") == nullptr);
  }

  TEST_CASE("Text that is no XML is refused with file and line") {
    refused("", "p.xml:1: no root element (an XML file has one). Is the file empty?");
    refused("<a>\n", "p.xml:2: element 'a' of line 1 is not closed ('</a>' ends it). Is the file cut off?");
    refused("<a>\n</b>", "p.xml:2: '</b>' closes element 'a' of line 1 ('</a>' does). Correct it?");
    refused("<a x=1/>", "p.xml:1: attribute 'x' has no quotes around its value. Write x=\"...\"?");
    refused("<a x/>", "p.xml:1: attribute 'x' has no value. Write x=\"...\"?");
    refused("<a x='1' x='2'/>", "p.xml:1: attribute 'x' appears twice (names are unique). Remove one?");
    refused("<a x='1", "p.xml:1: the value of attribute 'x' is not closed. Is the file cut off?");
    refused("<!-- open", "p.xml:1: a comment is not closed ('-->' ends it). Is the file cut off?");
    refused("<a/><b/>", "p.xml:1: content after the root element (a file has one root). Remove it?");
    refused("<",
            "p.xml:1: no name where an element begins (letters, digits, '_', '-', ':' and '.'). Is the file cut off?");
    std::string deep;
    for (int i = 0; i < 70; ++i) deep += "<a>";
    refused(deep, "p.xml:1: elements are nested deeper than 64 (the limit). Flatten them?");
  }
}
