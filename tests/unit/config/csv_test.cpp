#include "sim/config/csv.hpp"

#include <doctest/doctest.h>

#include "sim/core/error.hpp"

using namespace orrery;

TEST_SUITE("config/csv") {
  TEST_CASE("A CSV file is read with comments and quotes and empty cells and the place of each row") {
    const auto table = config::parse_csv("# who\nname , size_B\r\n\n\"a, \"\"b\"\"\", 1e3 \r\n,*\n", "t.csv");
    CHECK(table.columns == std::vector<std::string>{"name", "size_B"});
    REQUIRE(table.rows.size() == 2);
    CHECK(table.rows[0].where == "t.csv:4");
    CHECK(table.text(table.rows[0], "name") == "a, \"b\"");
    CHECK(table.number(table.rows[0], "size_B", 0, 1e9) == 1000.0);
    CHECK_FALSE(table.text(table.rows[1], "name"));
    CHECK_FALSE(table.number(table.rows[1], "size_B", 0, 1e9));
    CHECK_FALSE(table.text(table.rows[0], "colour"));
  }
  TEST_CASE("Rows in a YAML file are a table too") {
    const auto document = config::parse_yaml("rows: [{a: 1, b: x}, {b: y, c: 2}]\n", "s.yaml");
    const auto table = config::rows_of(document.root().value("rows"));
    CHECK(table.columns == std::vector<std::string>{"a", "b", "c"});
    CHECK(table.rows[1].cells == std::vector<std::string>{"", "y", "2"});
    CHECK(table.rows[1].where == "s.yaml:1:22");
    CHECK(table.name == "s.yaml:1:7");
    const auto empty = config::parse_yaml("rows: []\n", "s.yaml");
    CHECK_THROWS_WITH_AS(config::rows_of(empty.root().value("rows")),
                         "s.yaml:1:7: 'rows' is a list without rows (at least one). Add one?", InputError);
  }
  TEST_CASE("A CSV file that is damaged is refused with its line") {
    const auto refuse = [](const std::string& text) { config::parse_csv(text, "t.csv"); };
    CHECK_THROWS_WITH_AS(refuse("a,b\n1\n"), "t.csv:2: 1 cells, but the header names 2 columns. Complete the line?",
                         InputError);
    CHECK_THROWS_WITH_AS(refuse("a;b\n1;2\n"),
                         "t.csv:1: columns are separated by ';' (by ',' here, and decimals by '.'). Save it with commas?",
                         InputError);
    CHECK_THROWS_WITH_AS(refuse("a,a\n1,2\n"), "t.csv:1: column 'a' appears twice (names are unique). Remove one?",
                         InputError);
    CHECK_THROWS_WITH_AS(refuse("a,\n1,2\n"), "t.csv:1: column 2 has no name (the header names every column). Name it?",
                         InputError);
    CHECK_THROWS_WITH_AS(refuse("a\n\"1\n"), "t.csv:2: a quote is never closed (quotes come in pairs). Close it?",
                         InputError);
    CHECK_THROWS_WITH_AS(refuse("a\n"),
                         "t.csv: no rows (a header and at least one row are needed). Is the file cut off?", InputError);
  }
}
