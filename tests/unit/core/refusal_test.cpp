#include "sim/core/refusal.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

using namespace orrery;

using Texts = std::vector<std::string>;

TEST_SUITE("core/refusal") {
  TEST_CASE("A template gives all fields and its text again") {
    const Refusal refusal("{}: '{}' is '{}' without a unit ({}). Write '{}' or '{}'?", "mine.yaml:42:14", "rate", "1.3",
                          "B/s, GB/s", "1.3GB/s", "1.3Gbps");
    CHECK(refusal.place == "mine.yaml:42:14");
    CHECK(refusal.subject == "rate");
    CHECK(refusal.value == "1.3");
    CHECK(refusal.problem == "'rate' is '1.3' without a unit");
    CHECK(refusal.rule == "B/s, GB/s");
    CHECK(refusal.remedy == "Write '1.3GB/s' or '1.3Gbps'?");
    CHECK(refusal.instead == Texts{"1.3GB/s", "1.3Gbps"});
    CHECK(refusal.text() ==
          "mine.yaml:42:14: 'rate' is '1.3' without a unit (B/s, GB/s). Write '1.3GB/s' or '1.3Gbps'?");
  }
  TEST_CASE("A value may hold whatever separates fields") {
    const std::string hostile = "a: '{}' (b). Write 'c'? \x1f";
    const Refusal refusal("{}: unknown engine '{}' (known: {}). Write '{}'?", "f: (x). Y", hostile, hostile, hostile);
    CHECK(refusal.place == "f: (x). Y");
    CHECK(refusal.value == hostile);
    CHECK(refusal.problem == "unknown engine '" + hostile + "'");
    CHECK(refusal.rule == "known: " + hostile);
    CHECK(refusal.instead == Texts{hostile});
  }
  TEST_CASE("Each part but the problem may be missing") {
    const auto text_of = [](const Refusal& refusal) { return refusal.text(); };
    CHECK(text_of("the run ended") == "the run ended");
    CHECK(text_of("(true or false). Write 'true'?") == "(true or false). Write 'true'?");
    CHECK(text_of(Refusal("{}: ends", "a")) == "a: ends");
    CHECK(text_of(Refusal("{} ends (it is {})", "a", 3)) == "a ends (it is 3)");
    CHECK(Refusal("job '{}': {} ends (t={:.2g}s). Go?", "x: y", 2, 0.5).place == "job 'x: y'");
    CHECK(Refusal("'{}' is {} (0 to {}). Choose {}?", "root", 9, 3, 0).value == "9");
    CHECK(Refusal("'{}: x' is no place", "a").place.empty());
    CHECK(Refusal("NCCL's '{}' is none", "ring").value == "ring");
  }
  TEST_CASE("Braces of a template without values are letters") {
    const Refusal refusal("(a fault expected). Write '{node: 3}'?");
    CHECK(refusal.instead == Texts{"{node: 3}"});
    CHECK(Refusal("{}: gpus (as {{gpus: 8}}). Add one?", "p").rule == "as {gpus: 8}");
  }
  TEST_CASE("The names that are known are rule and remedy") {
    const Texts known{"flow", "simgrid"};
    const Refusal refusal("{}: unknown engine '{}'{}", "--engine", "flwo", known_names("flwo", known));
    CHECK(refusal.text() == "--engine: unknown engine 'flwo' (known: flow, simgrid). Did you mean 'flow'?");
    CHECK(refusal.rule == "known: flow, simgrid");
    CHECK(refusal.instead == Texts{"flow"});
    CHECK(Refusal("no {}{}", "x", known_names("zzzzzz", known)).text() == "no x (known: flow, simgrid).");
  }
  TEST_CASE("A refusal of what is inside gets the place and the name of what is outside") {
    const Refusal inner("{}: without a unit ({}). Write '{}'?", "cell 3", "s", "1s");
    const Refusal outer("{}: '{}' is '{}' {}", "f:1", "time", "1", inner);
    CHECK(outer.place == "f:1: cell 3");
    CHECK(outer.text() == "f:1: cell 3: 'time' is '1' without a unit (s). Write '1s'?");
    CHECK(outer.subject == "time");
    CHECK(outer.instead == Texts{"1s"});
    CHECK(Refusal("{}:{}: {}", "f", 2, Refusal("'{}' is odd", "x")).value == "x");
    CHECK(inner.at("g").place == "g: cell 3");
  }
  TEST_CASE("A further sentence brings what to do") {
    const Refusal both = Refusal("interrupted: {}", "at 3").then(Refusal("{} is kept. Go on with 'x'?", "it"));
    CHECK(both.text() == "interrupted: at 3\nit is kept. Go on with 'x'?");
    CHECK(both.problem == "at 3\nit is kept");
  }
  TEST_CASE("A refusal passes between processes whole") {
    const Refusal refusal("{}: '{}' is '{}' ({}). Write '{}'?", "a:1:2", "k", std::string("v\0:3", 4), "r", "w");
    const Refusal back = Refusal::from_bytes(refusal.bytes());
    CHECK(back.text() == refusal.text());
    CHECK(back.bytes() == refusal.bytes());
    CHECK(back.instead == refusal.instead);
    CHECK(back.named == Texts{"k", std::string("v\0:3", 4)});
    for (const char* other : {"", "rank 3 waits", "4:abc", "99999999999999999999:x", "3:abc"})
      CHECK(Refusal::from_bytes(other).text() == other);
  }
  TEST_CASE("A place is a file where it has a line") {
    CHECK(file_place("a b.yaml:42:14").file == "a b.yaml");
    CHECK(file_place("a.yaml:42:14").column == 14);
    CHECK(file_place("a.ti:7").line == 7);
    CHECK(file_place("a.ti:7").column == 0);
    CHECK(file_place("c:d:7").file == "c:d");
    CHECK(file_place("--jobs").file.empty());
    CHECK(file_place("mine.yaml:5:1: hpl").line == 5);
  }
  TEST_CASE("An error is its refusal") {
    const InputError error("{}: '{}' is '{}' (0 or more)", "--jobs", "jobs", -1);
    CHECK(error.exit_code() == 2);
    CHECK(error.refusal().value == "-1");
    CHECK(std::string(error.what()) == error.refusal().text());
  }
}
