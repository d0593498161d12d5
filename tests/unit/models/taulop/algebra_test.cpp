#include "models/taulop/algebra.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/relative.hpp"
#include "tests/unit/models/taulop/support.hpp"

namespace orrery::test {

using namespace taulop;

namespace {

std::vector<TransmissionTable> synth1_ib() { return synthetic_platforms()[2].tables; }

std::vector<Term> rewrite(const char* expression, AlgebraRule rule = AlgebraRule::by_channel,
                          Overhead overhead = Overhead::per_slice) {
  const auto tables = synth1_ib();
  std::vector<Term> terms;
  for (const auto& stage : parse(expression))
    for (const auto& term : terms_of(stage, rule, tables, overhead)) terms.push_back(term);
  return terms;
}

/// Iteration 80 of Fig. 8, messages in blocks of 8192 B.
constexpr const char* pivot_column = "T(0,1097728) + T(1,1294336) ; T(0,950272) + T(1,851968)";
constexpr const char* pivot_row = "T(1,1015808) ; T(1,794624) ; T(1,286720)";

/// "3 || T^1(35) + ..." with messages in blocks.
std::string in_blocks(std::vector<Term> terms) {
  for (auto& term : terms) term.message /= 8192.0;
  auto text = in_words(terms);
  for (auto unit = text.find(" B)"); unit != std::string::npos; unit = text.find(" B)")) text.erase(unit, 2);
  return text;
}

}  // namespace

TEST_SUITE("models/taulop/algebra") {
  TEST_CASE("Equation 4 of Rico-Gallego et al doubles the concurrency of a binomial tree in each stage") {
    const auto terms = rewrite("T(1,512) >> T(1,512) ; T(1,512) >> T(1,512) ; T(1,512) ; T(1,512) ; T(1,512)");
    CHECK(in_words(terms) == "T^1(512 B) + 2 || T^1(512 B) + 4 || T^1(512 B)");
  }

  TEST_CASE("Equation 5 of Rico-Gallego et al with equal messages becomes two pairs of concurrent transmissions") {
    for (const auto rule : {AlgebraRule::by_channel, AlgebraRule::dropping})
      CHECK(in_words(rewrite("T(0,131072) + T(1,262144) ; T(0,131072) + T(1,262144)", rule)) ==
            "2 || T^0(131072 B) + 2 || T^1(262144 B)");
  }

  TEST_CASE("Equation 6 of Rico-Gallego et al starts with the shared memory of both sequences") {
    const auto terms = rewrite("T(0,131072) + T(1,524288) ; T(0,262144) + T(1,131072)", AlgebraRule::dropping);
    REQUIRE_FALSE(terms.empty());
    CHECK(in_words({terms.front()}) == "2 || T^0(131072 B)");
  }

  TEST_CASE("The algebra charges what A2 leaves of a message no second overhead when each pays once") {
    const auto tables = synth1_ib();
    const auto pair = rewrite("T(1,1000) ; T(1,3000)", AlgebraRule::by_channel, Overhead::once);
    CHECK(in_words(pair) == "o^1 + 2 || X^1(1000 B) + X^1(2000 B)");
    CHECK(std::abs(time_of(pair, tables) / 1_us / (2.0 + 0.7 + 0.8) - 1.0) < 1e-12);
    // In step: the second sequence starts its network message when its memory has ended, and calls then.
    const auto steps =
        rewrite("T(0,131072) + T(1,524288) ; T(0,262144) + T(1,131072)", AlgebraRule::dropping, Overhead::once);
    CHECK(in_words(steps) == "o^0 + 2 || X^0(131072 B) + o^1 + 2 || X^1(131072 B) + X^1(393216 B)");
    CHECK(in_words(like_terms_merged(rewrite("T(1,64) ; T(1,128) >> T(1,64)", AlgebraRule::by_channel,
                                             Overhead::once))) == "o^1 + 2 || X^1(64 B) + o^1 + X^1(128 B)");
  }

  TEST_CASE("Equation 7 of Rico-Gallego et al drops the shared memory that ends behind the network") {
    CHECK(in_words(rewrite("T(0,131072) + T(1,524288) ; T(0,262144) + T(1,131072)", AlgebraRule::dropping)) ==
          "2 || T^0(131072 B) + 2 || T^1(131072 B) + T^1(393216 B)");
  }

  TEST_CASE("Equation 8 of Rico-Gallego et al composes the pivot column channel by channel") {
    CHECK(in_blocks(rewrite(pivot_column)) == "2 || T^0(116) + T^0(18) + 2 || T^1(104) + T^1(54)");
  }

  TEST_CASE("Equation 9 of Rico-Gallego et al composes the pivot row by its shortest messages") {
    CHECK(in_blocks(rewrite(pivot_row)) == "3 || T^1(35) + 2 || T^1(62) + T^1(27)");
  }

  TEST_CASE("Equation 10 of Rico-Gallego et al merges the terms of both stages") {
    const auto both = rewrite((std::string(pivot_column) + " >> " + pivot_row).c_str());
    CHECK(in_blocks(like_terms_merged(both)) == "2 || T^0(116) + T^0(18) + 2 || T^1(166) + T^1(81) + 3 || T^1(35)");
  }

  TEST_CASE("The dropping rule lets the last shared memory of equation 8 go") {
    CHECK(in_blocks(rewrite(pivot_column, AlgebraRule::dropping)) == "2 || T^0(116) + 2 || T^1(104) + T^1(54)");
  }

  TEST_CASE("Channels that no sequence joins cost the dearer one") {
    CHECK(in_words(rewrite("T(0,128) ; T(1,192) ; T(0,64)")) == "T^1(192 B)");
    CHECK(in_words(rewrite("T(0,4194304) ; T(1,64)")) == "T^0(4194304 B)");
  }

  TEST_CASE("Assumption A1 holds in a sequence whatever nodes it reaches") {
    CHECK(in_words(rewrite("T(1,10,1,1,0,0,1,1) + T(1,20,1,1,0,0,2,2)")) == "T^1(30 B)");
  }

  TEST_CASE("The algebra agrees with the values of the paper's formulas on the synthetic platforms") {
    for (const auto& platform : synthetic_platforms()) {
      CAPTURE(platform.name);
      for (const auto& row : golden("algebra")) {
        const auto &id = row.at("id"), &rule = row.at("rule");
        CAPTURE(id);
        std::vector<Term> terms;
        for (const auto& stage : parse(row.at("expression")))
          for (const auto& term : terms_of(stage, rule == "dropping" ? AlgebraRule::dropping : AlgebraRule::by_channel,
                                           platform.tables, Overhead::per_slice))
            terms.push_back(term);
        if (rule.ends_with("merge")) terms = like_terms_merged(terms);
        const double expected = std::stod(row.at(platform.name));
        CHECK(time_of(terms, platform.tables).si() == near(expected, 1e-6));
      }
    }
  }

  TEST_CASE("Every rewrite names its assumption") {
    const auto tables = synth1_ib();
    std::vector<Rewrite> rewrites;
    const auto stages = parse("T(0,10) + T(0,20) ; T(1,192) ; T(1,64)");
    const auto terms = terms_of(stages[0], AlgebraRule::by_channel, tables, Overhead::per_slice, &rewrites);
    REQUIRE(rewrites.size() == 3);
    CHECK(rewrites[0].assumption == "A1");
    CHECK(rewrites[0].text == "T^0(10 B) + T^0(20 B) = T^0(30 B)");
    CHECK(rewrites[1].assumption == "A2");
    CHECK(rewrites[1].text == "T^1(192 B) || T^1(64 B) = 2 || T^1(64 B) + T^1(128 B)");
    CHECK(rewrites[2].assumption == "A3");
    CHECK(rewrites[2].text == "max{T^0(30 B), 2 || T^1(64 B) + T^1(128 B)} = 2 || T^1(64 B) + T^1(128 B)");
  }

  TEST_CASE("The dropping rule says what dropped out") {
    const auto tables = synth1_ib();
    std::vector<Rewrite> rewrites;
    terms_of(parse("T(0,128) ; T(1,192)")[0], AlgebraRule::dropping, tables, Overhead::per_slice, &rewrites);
    REQUIRE(rewrites.size() == 1);
    CHECK(rewrites[0].assumption == "A3");
    CHECK(rewrites[0].text == "T^0(128 B) ends while another channel is still busy: it drops out");
  }
}

}  // namespace orrery::test
