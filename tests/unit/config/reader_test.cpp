#include "sim/config/reader.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <variant>

#include "sim/config/fields.hpp"
#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"

using orrery::Dimension;
using orrery::InputError;
using namespace orrery::literals;
using orrery::config::Fields;
using orrery::config::Key;
using orrery::config::KeyKind;
using orrery::config::parse_yaml;
using orrery::config::Section;
using orrery::test::near;

namespace {

const char* example =
    "name: gros\n"
    "latency: 1.3us\n"
    "ranks: 64\n"
    "exact: true\n"
    "factor: 0.5\n"
    "links:\n"
    "  - {name: up, bandwidth: 100Gbps}\n"
    "  - {name: down, bandwidth: 12.5GB/s}\n"
    "protocol:\n"
    "  eager: 12KiB\n";

/// The message of the InputError that `read` throws on `text`, "" when it accepts it.
template <class Read>
std::string refusal(const std::string& text, Read read) {
  try {
    read(parse_yaml(text, "f.yaml").root());
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

enum class Medium : unsigned char { copper, glass };
struct Link {
  orrery::Seconds latency;
  orrery::BytesPerSecond bandwidth, spare;
  std::uint32_t lanes = 4;
  Medium medium = Medium::copper;
  orrery::Bytes eager = 64_KiB;
};

const Fields<Link>& link_fields() {
  static const Fields<Link> protocol{{.name = "protocol", .about = ""},
                                     {{&Link::eager, {.name = "eager", .example = "8KiB", .about = "message"}}}};
  static const Fields<Link> fields{
      {.name = "", .about = ""},
      {{&Link::latency, {.name = "latency", .example = "0.2us", .about = "of the cable"}},
       {&Link::bandwidth, {.name = "bandwidth", .example = "1GB/s", .about = "each way"}},
       {&Link::spare, {.name = "spare", .absent = "bandwidth", .example = "1GB/s", .about = "of a second cable"}},
       {&Link::lanes,
        {.name = "lanes", .least = 1, .most = 64, .fallback = "4", .example = "2", .about = "side by side"}},
       {&Link::medium,
        {{"copper", Medium::copper}, {"glass", Medium::glass}},
        {.name = "medium", .fallback = "copper", .example = "glass", .about = "of the cable"}},
       {protocol, {.name = "protocol", .absent = "as usual", .example = "{eager: 8KiB}", .about = "of messages"}},
       Key{.name = "kind", .absent = "direct", .example = "direct", .about = "how it is laid"},
       Key{.name = "switches",
           .kind = KeyKind::integer,
           .absent = "none",
           .of = {"switched"},
           .example = "2",
           .about = "on the way"}}};
  return fields;
}

template <class Read>
std::string refusal_of_link(const std::string& text, Read read) {
  try {
    read(parse_yaml(text, "f.yaml").root(link_fields().mapping()));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string refusal(const std::string& text) {
  return refusal(text, [](const Section&) {});
}

}  // namespace

TEST_SUITE("config/reader") {
  TEST_CASE("A file is read by key with units and positions") {
    const Section file = parse_yaml(example, "f.yaml").root();
    CHECK(file.text("name") == "gros");
    CHECK(file.seconds("latency").si() == near(1.3e-6));
    CHECK(file.integer("ranks", 1, 100) == 64);
    CHECK(file.boolean("exact"));
    CHECK(file.number("factor") == 0.5);
    const auto links = file.list("links");
    REQUIRE(links.size() == 2);
    CHECK(links[0].section().value("bandwidth").bandwidth() == 12.5_GBps);
    CHECK(links[1].section().value("bandwidth").bandwidth() == 12.5_GBps);
    CHECK(links[1].name() == "links[2]");
    CHECK(file.section("protocol").value("eager").bytes() == 12_KiB);
    CHECK(file.where("latency") == "f.yaml:2:10");
    CHECK(file.section("protocol").where() == "f.yaml:10:3");
    CHECK(file.where("missing") == "f.yaml:1:1");
    CHECK_FALSE(file.optional_text("missing").has_value());
    CHECK(file.optional_text("name") == "gros");
    CHECK_THROWS_AS(file.finish(), std::logic_error);  // nothing says what else may be there
  }
  TEST_CASE("Items come in the order of the file") {
    const auto items = parse_yaml("b: 1\na: 2\n", "f.yaml").root().items();
    REQUIRE(items.size() == 2);
    CHECK(items[0].first == "b");
    CHECK(items[1].second.integer(0, 9) == 2);
  }

  TEST_CASE("A quantity without a unit is refused with the units and a suggestion") {
    CHECK(refusal("latency: 1.2\n", [](const Section& file) { file.seconds("latency"); }) ==
          "f.yaml:1:10: 'latency' is '1.2' without a unit (ns, us, ms, s, min, h). Write '1.2us'?");
    CHECK(refusal("latency: 1.2usec\n", [](const Section& file) { file.seconds("latency"); }) ==
          "f.yaml:1:10: 'latency' is '1.2usec' with unknown unit 'usec' (ns, us, ms, s, min, h). Write '1.2us'?");
    CHECK(refusal("latency: -1us\n", [](const Section& file) { file.seconds("latency"); }) ==
          "f.yaml:1:10: 'latency' is '-1us' outside 0 s..1e+09 s. Choose a value in that range?");
    CHECK(refusal("factor: 3us\n", [](const Section& file) { file.number("factor"); }) ==
          "f.yaml:1:9: 'factor' is '3us' with unit 'us', but it takes a plain number. Write '3e-06'?");
    CHECK(refusal("factor: 50%\n", [](const Section& file) { file.number("factor"); }) ==
          "f.yaml:1:9: 'factor' is '50%' with unit '%', but it takes a plain number. Write '0.5'?");
  }
  TEST_CASE("Numbers outside their range and fractions of whole numbers are refused") {
    CHECK(refusal("ranks: 0\n", [](const Section& file) { file.integer("ranks", 1, 8); }) ==
          "f.yaml:1:8: 'ranks' is '0' outside 1..8. Choose a value in that range?");
    CHECK(refusal("ranks: 2.5\n", [](const Section& file) { file.integer("ranks", 1, 8); }) ==
          "f.yaml:1:8: 'ranks' is '2.5' (a whole number expected). Write '2'?");
    CHECK(refusal("ranks: nan\n", [](const Section& file) { file.integer("ranks", 1, 8); }) ==
          "f.yaml:1:8: 'ranks' is 'nan' which is not a number. Write for example '1'?");
    CHECK(refusal("exact: maybe\n", [](const Section& file) { file.boolean("exact"); }) ==
          "f.yaml:1:8: 'exact' is 'maybe' (true or false). Write 'true'?");
    CHECK(refusal("mode: pipelind\n", [](const Section& file) {
            file.value("mode").choice({"sequential", "pipelined"});
          }) == "f.yaml:1:7: 'mode' is 'pipelind' (known: pipelined, sequential). Did you mean 'pipelined'?");
  }
  TEST_CASE("Unknown keys are refused with those that are declared whatever was read before") {
    const auto read = [](const Section& file) {
      file.optional_section("protocol");
      for (const auto& [key, value] : file.items())
        if (value.is_section()) value.section().finish();
      file.finish();
    };
    CHECK(refusal_of_link("latncy: 1us\n", read) ==
          "f.yaml:1:1: the file has an unknown key 'latncy' (known: bandwidth, kind, lanes, latency, medium, protocol, "
          "spare, switches). Did you mean 'latency'?");
    CHECK(refusal_of_link("protocol:\n  eagr: 1B\n", read) ==
          "f.yaml:2:3: 'protocol' has an unknown key 'eagr' (known: eager). Did you mean 'eager'?");
  }
  TEST_CASE("A key of another kind is refused though it is declared") {
    const auto read = [](const Section& file) { file.finish(); };
    CHECK(refusal_of_link("kind: direct\nswitches: 2\n", read) ==
          "f.yaml:2:1: 'switches' is of kind switched, and 'kind' is direct. Remove it?");
    CHECK(refusal_of_link("kind: switched\nswitches: 2\n", read) == "");
  }
  TEST_CASE("A struct is read by its table with units and defaults and the values of other keys") {
    const auto read = [](const std::string& text) {
      Link link;
      read_fields(parse_yaml(text, "f.yaml").root(link_fields().mapping()), link_fields(), link);
      return link;
    };
    const Link link = read("latency: 2us\nbandwidth: 1GB/s\n");
    CHECK(link.latency.si() == near(2e-6));
    CHECK(link.lanes == 4);
    CHECK(link.medium == Medium::copper);
    CHECK(link.spare == link.bandwidth);
    CHECK(link.eager == 64_KiB);
    const Link other = read("{latency: 1us, bandwidth: 1GB/s, spare: 2MB/s, medium: glass, protocol: {eager: 1KiB}}");
    CHECK(other.medium == Medium::glass);
    CHECK(other.spare.si() == near(2e6));
    CHECK(other.eager == 1_KiB);
    CHECK(refusal_of_link("bandwidth: 1GB/s\n", [](const Section& file) {
            Link none;
            read_fields(file, link_fields(), none);
          }) == "f.yaml:1:1: the file has no 'latency' (required). Add 'latency: ...'?");
    CHECK(refusal_of_link("{latency: 1us, bandwidth: 1GB/s, lanes: 65}", [](const Section& file) {
            Link none;
            read_fields(file, link_fields(), none);
          }) == "f.yaml:1:41: 'lanes' is '65' outside 1..64. Choose a value in that range?");
  }
  TEST_CASE("A table knows the value of each member by its key") {
    const Link link{.latency = 2.0_us, .medium = Medium::glass};
    std::string told;
    for (const auto& field : link_fields().fields())
      if (field.value) {
        const auto value = field.value(link);
        if (const auto* number = std::get_if<double>(&value); number != nullptr && *number > 0.0)
          told += field.key.name + " ";
        if (const auto* word = std::get_if<std::string>(&value)) told += *word + " ";
      }
    CHECK(told == "latency lanes glass ");
  }
  TEST_CASE("A missing key is named unless a misspelt one explains it") {
    const auto read = [](const Section& file) { file.seconds("latency"); };
    CHECK(refusal("other: 1\n", read) == "f.yaml:1:1: the file has no 'latency' (required). Add 'latency: ...'?");
    CHECK(refusal("latncy: 1us\n", read) ==
          "f.yaml:1:1: the file has an unknown key 'latncy' (known: latency). Did you mean 'latency'?");
  }
  TEST_CASE("Duplicate keys are refused at the second one") {
    CHECK(refusal("a: 1\nb: 2\na: 3\n") ==
          "f.yaml:3:1: key 'a' appears twice in this section (first at line 1). Remove one?");
  }
  TEST_CASE("A value of the wrong kind is refused") {
    CHECK(refusal("latency: [1us]\n", [](const Section& file) { file.seconds("latency"); }) ==
          "f.yaml:1:10: 'latency' is a list (a number with a unit expected). Write for example '1.5us'?");
    CHECK(refusal("protocol: 3\n", [](const Section& file) { file.section("protocol"); }) ==
          "f.yaml:1:11: 'protocol' is '3' (keys and values expected). Indent them below it?");
    CHECK(refusal("links: {a: 1}\n", [](const Section& file) { file.list("links"); }) ==
          "f.yaml:1:8: 'links' is a section (a list expected). Write 'links: [...]'?");
    CHECK(refusal("links:\n", [](const Section& file) { file.list("links"); }) ==
          "f.yaml:1:1: 'links' is empty (a list expected). Write 'links: [...]'?");
    CHECK(refusal("- 1\n") == "f.yaml:1:1: the file is a list (keys and values expected). Is this the right file?");
    CHECK(refusal("word\n") == "f.yaml:1:1: the file is a value (keys and values expected). Is this the right file?");
  }
  TEST_CASE("A file that is not YAML is refused with the place") {
    CHECK(refusal("") == "f.yaml:1:1: the file is empty (keys and values expected). Is this the right file?");
    CHECK(refusal("# nothing\n") ==
          "f.yaml:1:1: the file is empty (keys and values expected). Is this the right file?");
    CHECK(refusal("a:\n\tb: 1\n") == "f.yaml:2:1: a tab in the indentation (spaces only). Replace it with spaces?");
    CHECK(refusal("a: \"open\n") ==
          "f.yaml:1:9: a quote is not closed before the end of the file. Add the closing quote?");
    CHECK(refusal("a: {b: 1\n") == "f.yaml:1:4: a '{' is not closed. Add '}'?");
    CHECK(refusal("a: [1, 2\n") == "f.yaml:1:4: a '[' is not closed. Add ']'?");
    CHECK(refusal("a: 1\n b: 2\n") ==
          "f.yaml:2:3: unexpected ':' (no key can be here). Quote the text, or check the indentation?");
    CHECK(refusal(std::string("a: 1\nb: \x04\n")) ==
          "f.yaml:2:4: control character 0x04 (text only). Is this the right file?");
    CHECK(refusal("a: 1\nb: \"x\\0y\"\n") == "f.yaml:2:4: control character 0x00 (text only). Remove it?");
    CHECK(refusal("\"\\e[31m\": 1\n") == "f.yaml:1:1: control character 0x1b (text only). Remove it?");
    CHECK(refusal("a: 1\n---\nb: 1\n") ==
          "f.yaml:3:1: a second document starts here (one per file). Remove the '---'?");
    CHECK(refusal("? [a]\n: 1\n") == "f.yaml:1:3: a key is not a word (keys are words followed by ':'). Quote it?");
  }
  TEST_CASE("Aliases and deep nesting are refused so that no small file grows") {
    CHECK(refusal("a: &x 1\nb: *x\n") ==
          "f.yaml:2:4: this is an alias (anchors and aliases are not supported). Write the value out?");
    CHECK(refusal("a: " + std::string(40, '[') + std::string(40, ']') + "\n") ==
          "f.yaml:1:35: nested deeper than 32 levels (the limit). Is a bracket left open?");
    CHECK(refusal("a: " + std::string(100000, '[') + "\n").starts_with("f.yaml:1:"));
  }
  TEST_CASE("A value may be set from outside and then blames its origin") {
    const auto document = parse_yaml("kernel: {blocks: 1}\n", "f.yaml");
    const Section set = document.with("kernel.blocks", "256", "--set kernel.blocks").root();
    CHECK(set.section("kernel").integer("blocks", 1, 1000) == 256);
    CHECK(set.where("kernel") == "f.yaml:1:9");
    CHECK(set.section("kernel").where("blocks") == "--set kernel.blocks");
    const Section made = document.with("calibrate.on", "engine", "--set calibrate.on").root();
    CHECK(made.section("calibrate").text("on") == "engine");
    CHECK(document.root().section("kernel").integer("blocks", 1, 1000) == 1);
    CHECK_THROWS_WITH_AS(document.with("kernel.blocks.deep", "1", "--set x"),
                         "--set x: 'deep' would go into a value, not a section (keys and values). Check the path?",
                         InputError);
  }
}
