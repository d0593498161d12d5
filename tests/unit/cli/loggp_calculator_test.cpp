#include "sim/cli/pages/loggp_calculator.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"

namespace orrery::cli {

using test::near;

namespace {

/// The numbers of the worked example in docs/models/loggp.md.
LogGpRequest worked(const std::string& model, std::vector<std::string> messages) {
  LogGpRequest request{.model = model, .overhead = "1s", .latency = "10s", .gap = "4s", .gap_per_byte = "2s/B"};
  request.messages = std::move(messages);
  return request;
}

double total(LogGpRequest request) {
  request.json = true;
  return nlohmann::json::parse(loggp_answer(request)).at("time_s").get<double>();
}

void says_no(const LogGpRequest& request, const std::string& why) {
  try {
    loggp_answer(request);
    FAIL("no error");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()) == why);
  }
}

}  // namespace

TEST_SUITE("cli/loggp calculator") {
  TEST_CASE("The calculator of LogGP has the times of the worked examples of all three models") {
    CHECK(total(worked("loggp", {"6B", "11B"})) == near(46.0));  // 1 + 5 * 2 + 4 + 10 * 2 + 10 + 1
    LogGpRequest heterogeneous = worked("hloggp", {"101B"});
    heterogeneous.overhead_receive = "2s";
    heterogeneous.gap_per_byte = "1s/B";
    CHECK(total(heterogeneous) == near(113.0));  // 1 + 10 + 100 + 2
    LogGpRequest line = worked("hockney", {"5B", "5B"});
    line.overhead = line.gap = "";
    CHECK(total(line) == near(40.0));  // 2 (10 + 10)
  }

  TEST_CASE("The calculator of LogGP says each term in numbers and when the next message starts") {
    CHECK(loggp_answer(worked("loggp", {"6B", "11B"})) ==
          "message 1 of 2, 6 B, starts at 0 s\n"
          "  o                1 s  the sender's processor is busy\n"
          "  (m - 1) G       10 s  after the first byte 5 B, 2 s each\n"
          "  L               10 s  the last byte is on its way\n"
          "  o                1 s  the receiver's processor is busy\n"
          "  T(m)            22 s\n"
          "                  14 s  later the next starts: (m - 1) G + max(g, o)\n"
          "message 2 of 2, 11 B, starts at 14 s\n"
          "  o                1 s  the sender's processor is busy\n"
          "  (m - 1) G       20 s  after the first byte 10 B, 2 s each\n"
          "  L               10 s  the last byte is on its way\n"
          "  o                1 s  the receiver's processor is busy\n"
          "  T(m)            32 s\n"
          "all received after 46 s\n");
  }

  TEST_CASE("Messages of one rank start a gap or an overhead apart whichever is longer") {
    LogGpRequest request = worked("loggp", {"6B", "1B"});
    request.latency = "100s";
    CHECK(total(request) == near(116.0));  // the second starts at 14 and takes 102
    request.gap = "0s";
    request.overhead = "6s";
    CHECK(total(request) == near(128.0));  // it starts at 16 and takes 112
  }

  TEST_CASE("The calculator of LogGP refuses what its model does not have and what it needs and is not given") {
    says_no(worked("loggp", {}), "loggp: no message is given (sizes, as in '64KiB'). Write '64KiB'?");
    says_no(
        worked("hockney", {"1B"}),
        "--overhead: hockney has no such parameter (it has --latency, alpha, and --gap-per-byte, beta). Remove it?");
    LogGpRequest request = worked("loggp", {"1B"});
    request.overhead_receive = "1us";
    says_no(request,
            "--overhead-receive: loggp has no such parameter (it has one --overhead for both ends). Remove it?");
    request.overhead_receive = request.gap = "";
    says_no(request, "--gap: loggp needs a value (ns, us, ms, s, min, h). Write '--gap 1us'?");
    request.gap = "1";
    CHECK_THROWS_WITH_AS(loggp_answer(request), doctest::Contains("--gap: '1' "), InputError);
  }
}

}  // namespace orrery::cli
