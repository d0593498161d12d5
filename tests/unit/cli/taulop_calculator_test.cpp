#include "sim/cli/pages/taulop_calculator.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::cli;
using test::near;

namespace {

/// The tables that come with the documentation: synth1 of the golden files.
TauLopRequest request(std::vector<std::string> words) {
  TauLopRequest request;
  request.parameters = std::string(ORRERY_SOURCE_DIR) + "/docs/models/taulop-example";
  request.network = "IB";
  request.overhead = "per-slice";
  request.words = std::move(words);
  return request;
}

void refuses(const TauLopRequest& request, const char* message) {
  CHECK_THROWS_WITH_AS(evaluate(request), message, InputError);
}

}  // namespace

TEST_SUITE("app/taulop_calculator") {
  TEST_CASE("The calculator prints the time and the slices that make it up") {
    CHECK(evaluate(request({"T(0,65536) + T(1,262144) ; T(1,65536)"})).text ==
          "1.334202000e-04 s  =  T^0(65536 B) + 2 || T^1(36518 B) + T^1(225626 B)\n");
  }

  TEST_CASE("The calculator tells each slice in words on request") {
    auto asked = request({"T(0,65536) ; T(1,65536)"});
    asked.steps = true;
    CHECK(evaluate(asked).text ==
          "slice 1  1.360720000e-05 s  T^0(65536 B) into node 0: 1 transmission ends; 1 elsewhere goes on meanwhile at "
          "its own pace (A3)\n"
          "slice 2  1.660720000e-05 s  T^1(36518 B) into node 0: 1 transmission ends\n"
          "3.021440000e-05 s  =  T^0(65536 B) + T^1(36518 B)\n");
  }

  TEST_CASE("The calculator charges one overhead a message unless told otherwise") {
    auto asked = request({"T(0,65536) ; T(1,65536)"});
    asked.overhead = "";
    CHECK(evaluate(asked).text ==
          "2.821440000e-05 s  =  o^0(65536 B) + rest of o^1(65536 B) + X^0(58036 B) + X^1(36518 B)\n");
    asked.mode = "algebra";
    CHECK(evaluate(asked).text == "2.821440000e-05 s  =  T^1(65536 B)\n");
    asked.overhead = "once";
    CHECK(evaluate(asked).text == "2.821440000e-05 s  =  o^1 + X^1(65536 B)\n");
    asked.overhead = "none-on-network";
    CHECK(evaluate(asked).text == "2.621440000e-05 s  =  T^1(65536 B)\n");
  }

  TEST_CASE("The calculator tells each rewrite of the algebra with its assumption") {
    auto asked = request({"T(1,1024) + T(1,1024) ; T(1,1024) >> T(1,1024)"});
    asked.mode = "algebra";
    asked.steps = asked.merge = true;
    CHECK(evaluate(asked).text ==
          "A1  T^1(1024 B) + T^1(1024 B) = T^1(2048 B)\n"
          "A2  T^1(2048 B) || T^1(1024 B) = 2 || T^1(1024 B) + T^1(1024 B)\n"
          "stage 2 of 2, after the one before it has ended:\n"
          "across the terms:\n"
          "A1  T^1(1024 B) + T^1(1024 B) = T^1(2048 B)\n"
          "term 1  2.716800000e-06 s  2 || T^1(1024 B)\n"
          "term 2  2.819200000e-06 s  T^1(2048 B)\n"
          "5.536000000e-06 s  =  2 || T^1(1024 B) + T^1(2048 B)\n");
  }

  TEST_CASE("The two rules of the algebra differ by the transmission that drops out") {
    auto asked = request({"T(0,131072) + T(1,524288) ; T(0,262144) + T(1,131072)"});
    asked.mode = "algebra";
    CHECK(evaluate(asked).text.ends_with("2 || T^0(131072 B) + T^0(131072 B) + 2 || T^1(131072 B) + T^1(393216 B)\n"));
    asked.rule = "dropping";
    CHECK(evaluate(asked).text.ends_with("2 || T^0(131072 B) + 2 || T^1(131072 B) + T^1(393216 B)\n"));
  }

  TEST_CASE("The calculator applies A1 to a timeline only on request") {
    auto asked = request({"T(1,65536) + T(1,65536)"});
    CHECK(evaluate(asked).text == "5.642880000e-05 s  =  T^1(65536 B) + T^1(65536 B)\n");
    asked.merge = true;
    CHECK(evaluate(asked).text == "5.442880000e-05 s  =  T^1(131072 B)\n");
  }

  TEST_CASE("The calculator looks up a transmission time and the bytes carried in a time") {
    auto asked = request({"1", "131072", "8"});
    asked.time = true;
    CHECK(evaluate(asked).text == "3.296800000e-04 s\n");
    asked = request({"1", "100us", "4"});
    asked.bytes = true;
    CHECK(evaluate(asked).text == "75385 B\n");
    CHECK(evaluate(request({"@bytes", "1", "1e-4", "4"})).text == "75385 B\n");
    CHECK(evaluate(request({"@time 1 128KiB 8"})).text == "3.296800000e-04 s\n");
  }

  TEST_CASE("The calculator answers in JSON") {
    auto asked = request({"T(1,65536,4) >> T(0,1)"});
    asked.json = true;
    const auto answer = nlohmann::json::parse(evaluate(asked).text);
    CHECK(answer.at("time_s") == near(8.71968e-05 + 5.002e-07));
    REQUIRE(answer.at("slices").size() == 2);
    CHECK(answer["slices"][0]["concurrency"] == 4);
    CHECK(answer["slices"][0]["message_B"] == 65536);
    asked = request({"1", "1e-4", "4"});
    asked.json = asked.bytes = true;
    CHECK(evaluate(asked).text == "{\"bytes\":75385}\n");
    asked.bytes = false;
    asked.time = true;
    asked.words = {"0", "0", "1"};
    CHECK(nlohmann::json::parse(evaluate(asked).text).at("time_s") == near(5.002e-07));
  }

  TEST_CASE("The example tables keep the bounds of tau-Lop") { CHECK(evaluate(request({"T(1,1)"})).warnings.empty()); }

  TEST_CASE("The calculator refuses questions that it cannot answer") {
    refuses(request({}),
            "taulop: nothing to evaluate (an EXPRESSION, '--time channel bytes tau' or '--bytes channel seconds tau'). "
            "Write 'T(1,65536)'?");
    auto asked = request({"1", "2"});
    asked.time = true;
    refuses(asked, "--time: 2 values where channel, bytes and tau are needed. Write '--time 1 65536 1'?");
    asked.words = {"7", "2", "1"};
    refuses(asked, "--time: channel '7' is not a channel (0 shared memory, 1 network)");
    asked.words = {"1", "2", "0"};
    refuses(asked, "--time: tau '0' is not a whole number from 1 on");
    asked.words = {"1", "-2", "1"};
    refuses(asked, "--time: bytes '-2' lies outside 0..1e+15");
    asked.words = {"1", "few", "1"};
    refuses(
        asked,
        "--time: bytes is 'few' which is not a number with a unit (B, KiB, MiB, GiB, TiB, kB, MB, GB, TB, PB, EB). Write for "
        "example '1.5B'?");
    asked.bytes = true;
    refuses(asked, "--bytes: '--time' is given too (only one is allowed). Remove one?");
    asked = request({"T(0,1)"});
    asked.network = "";
    refuses(asked, "--network: no network is named (known: IB, TCP). Write '--network IB'?");
    asked.network = "Token Ring";
    refuses(asked, "--network: 'Token Ring' is not a network (known: IB, TCP). Write '--network IB'?");
    asked = request({"T(0,1)"});
    asked.parameters = "nowhere";
    refuses(asked, "nowhere/SHM.txt: cannot be read (No such file or directory). Check the path?");
  }
}
