#include "models/taulop/expression.hpp"

#include <doctest/doctest.h>

#include <string>

#include "sim/core/error.hpp"

namespace orrery::test {

using namespace taulop;
using namespace orrery::literals;

namespace {

void refuses(const char* expression, const std::string& message) {
  CAPTURE(expression);
  const std::string remedy = message.ends_with('?') ? "" : ". Write for example 'T(0,65536) + T(1,65536)'?";
  CHECK_THROWS_WITH_AS(parse(expression), (message + remedy).c_str(), InputError);
}

}  // namespace

TEST_SUITE("models/taulop/expression") {
  TEST_CASE("An expression is stages of concurrent sequences of transmissions") {
    const auto program = parse("T(0,65536) + T(1,64KiB,4) ; T(1,1) >> T(0,2,1,3,5,1,6,2)");
    REQUIRE(program.size() == 2);
    REQUIRE(program[0].size() == 2);
    REQUIRE(program[0][0].size() == 2);
    CHECK(program[0][0][0].channel == 0);
    CHECK(program[0][0][1].message == 65536_B);
    CHECK(program[0][0][1].concurrency == 4);
    REQUIRE(program[1][0].size() == 3);
    CHECK(program[1][0][2].to_node == NodeId{2});
    CHECK_FALSE(program[1][0][2].mergeable);
  }

  TEST_CASE("Blanks may stand between the symbols of an expression") {
    CHECK(parse("  T ( 1 , 8 ) ")[0][0][0].message == 8_B);
  }

  TEST_CASE("A wrong expression is refused at its column") {
    const std::string form = "T(channel,bytes[,tau[,n[,src rank,src node,dst rank,dst node]]])";
    refuses("", ("expression, column 1: a transmission is missing at the end (" + form + ")").c_str());
    refuses("T(0,1) +", ("expression, column 9: a transmission is missing at the end (" + form + ")").c_str());
    refuses("X(0,1)", ("expression, column 1: 'X' does not start a transmission (" + form + ")").c_str());
    refuses("T 0,1)", ("expression, column 3: '(' is missing after T (" + form + ")").c_str());
    refuses("T(0)", ("expression, column 4: the message's bytes are missing (" + form + ")").c_str());
    refuses("T(,1)", ("expression, column 3: the channel is missing (" + form + ")").c_str());
    refuses("T(0,1", ("expression, column 6: ')' is missing at the end (" + form + ")").c_str());
    refuses("T(0,1 2)", ("expression, column 7: '2' stands where ')' is expected (" + form + ")").c_str());
    refuses("T(0,1,1,1,2)", ("expression, column 12: the source node is missing (the four placement fields come "
                             "together: " +
                             form + ")")
                                .c_str());
    refuses("T(2,1)", "expression, column 3: channel '2' is not a whole number in range (0 shared memory, 1 network)");
    refuses("T(0,1,0)", "expression, column 7: tau '0' is not a whole number in range (1..65536)");
    refuses("T(0,1,1,-3)", "expression, column 9: n '-3' is not a whole number in range (1..100000)");
    refuses("T(0,1.5)", "expression, column 5: message '1.5' is not a whole number of bytes (0..2^53)");
    refuses("T(0,-1)", "expression, column 5: message '-1' is not a whole number of bytes (0..2^53)");
    refuses("T(0,nan)", "expression, column 5: message 'nan' is not a whole number of bytes (0..2^53)");
    std::string many = "T(0,1)";
    for (int i = 0; i < 10; ++i) many += ";T(0,1,1,100000)";
    refuses(many.c_str(), "expression, column 167: the expression has more than 1000000 transmissions");
    refuses("T(0,1) T(0,1)",
            "expression, column 8: 'T' is not expected here ('+' next in sequence, ';' concurrently, '>>' next stage)");
  }

  TEST_CASE("A message with an unknown unit is refused with the units that exist") {
    refuses("T(0,3parsec)",
            "expression, column 5: message is '3parsec' with unknown unit 'parsec' (B, KiB, MiB, GiB, TiB, kB, MB, GB, "
            "TB, PB, EB). Write for example '1.5B'?");
  }
}

}  // namespace orrery::test
