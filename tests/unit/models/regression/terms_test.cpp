#include "models/regression/terms.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;

namespace {

const std::vector<std::string> variables{"n", "p"};

double value(const std::string& text, double n, double p) {
  return parse_term(text, variables, "test")(std::vector{n, p});
}

std::string refusal(const std::string& text) {
  try {
    parse_terms(text, variables, "basis");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_SUITE("models/regression") {
  TEST_CASE("A term is a product of powers and logarithms of its variables") {
    CHECK(value("1", 5, 7) == 1.0);
    CHECK(value("n^3/p", 4, 8) == near(8.0));
    CHECK(value("n*log(n)/p", 8, 4) == near(2.0 * std::log(8.0)));
    CHECK(value("n^(1/3)", 27, 1) == near(3.0));
    CHECK(value("1/p^2", 1, 4) == near(1.0 / 16.0));
    CHECK(value("log(p)^2*n^0.5", 9, 5) == near(3.0 * std::log(5.0) * std::log(5.0)));
    CHECK(value("p*n/p", 9, 5) == near(9.0));
  }
  TEST_CASE("Terms between commas make a basis and spaces mean nothing") {
    const auto terms = parse_terms("n^3 / p, n^2,1", variables, "test");
    REQUIRE(terms.size() == 3);
    CHECK(terms[0].text() == "n^3/p");
    CHECK(terms[0].uses(1));
    CHECK_FALSE(terms[1].uses(1));
  }
  TEST_CASE("A term without a variable keeps what is left of it") {
    const auto without_p = [](const std::string& text) {
      return parse_term(text, variables, "test").without(1, variables).text();
    };
    CHECK(without_p("n^3/p") == "n^3");
    CHECK(without_p("1/p") == "1");
    CHECK(without_p("log(p)") == "1");
    CHECK(without_p("p*n*log(n)") == "n*log(n)");
    CHECK(without_p("1/n") == "1/n");
  }
  TEST_CASE("What is no term is refused with what one looks like") {
    CHECK(refusal("n^3,2n") ==
          "basis: '2n' is no term (powers and logarithms of variables, as in n^3/p, n*log(n), n^(1/3) or 1). Correct "
          "it?");
    CHECK(
        refusal("") ==
        "basis: '' is no term (powers and logarithms of variables, as in n^3/p, n*log(n), n^(1/3) or 1). Correct it?");
    CHECK(refusal("q^2") == "basis: term 'q^2' has an unknown variable 'q' (known: n, p). Did you mean 'n'?");
    CHECK(refusal("n,1,n") == "basis: term 'n' is there twice (each once). Remove one?");
    CHECK(refusal("n^(1/0)").starts_with("basis: 'n^(1/0)' is no term"));
    CHECK(refusal("n^inf").starts_with("basis: 'n^inf' is no term"));
    CHECK(refusal("log(n").starts_with("basis: 'log(n' is no term"));
  }
}
