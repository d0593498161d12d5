#include "sim/study/play/crash.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <functional>
#include <string>

#include "sim/core/phase.hpp"
#include "sim/study/read/engines.hpp"
#include "tests/support/cluster.hpp"

using namespace orrery;
using namespace orrery::literals;

namespace {

struct Death {
  int signal = 0;
  std::string said;
};

/// What a child that does this says before a signal kills it.
Death death_of(const std::function<void()>& body) {
  int ends[2] = {-1, -1};
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[0]);
    for (const int signal : {SIGSEGV, SIGABRT}) std::signal(signal, SIG_DFL);  // doctest's
    study::say_where_it_crashes();
    body();
    ::_exit(0);
  }
  ::close(ends[1]);
  Death death;
  std::array<char, 512> some;
  for (ssize_t n = 0; (n = ::read(ends[0], some.data(), some.size())) > 0;)
    death.said.append(some.data(), static_cast<std::size_t>(n));
  ::close(ends[0]);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  if (WIFSIGNALED(status)) death.signal = WTERMSIG(status);
  return death;
}

/// Rank 2 uses memory that is not its own when it is asked for its third step.
FunctionProgram crashing() {
  return FunctionProgram("crashing", 4, [](Rank me) -> Generator<Step> {
    volatile int* nowhere = nullptr;
    co_yield phase("communication");
    co_yield compute(Work::generic, 1_flop);
    if (me == Rank{2}) *nowhere = 1;
    co_yield compute(Work::generic, 1_flop);
  });
}

int deep(int n) {  // NOLINT(misc-no-recursion)
  volatile char some[4096] = {};
  some[n % 4096] = 1;
  return n < 0 ? 0 : deep(n + 1) + some[7];
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

}  // namespace

TEST_SUITE("replay/crashes") {
  TEST_CASE("A kernel that crashes while it is played names the point and the rank and the step") {
    if (sanitized) return;  // which speaks instead
    for (const std::string& engine : engines_of("both")) {
      const Death death = death_of([&] {
        const test::Cluster cluster = test::a_rank_per_node(4);
        const FunctionProgram program = crashing();
        const test::SecondsAsFlops compute;
        const About about("playing", "crashing, ranks 4");
        make_engine(engine, "test")
            ->replay({&program, &cluster.platform, &cluster.network(), &cluster.layout, &compute, cluster.options});
      });
      INFO(engine);
      CHECK(death.signal == SIGSEGV);
      CHECK(
          death.said ==
          "orrery: killed by signal 11 (SIGSEGV: it used memory that is not its own, or its stack ran out)\n"
          "  while playing 'crashing, ranks 4', rank 2, its step 3\n"
          "  A bug: of a kernel, model or collective of your own if you added one (the preset 'asan' names its line), "
          "else of Orrery: please report it.\n");
    }
  }

  TEST_CASE("A kernel that crashes while its phases are read names the rank and the step") {
    if (sanitized) return;
    const Death death = death_of([] {
      const About about("predicting", "crashing");
      build_phases(crashing());
    });
    CHECK(death.signal == SIGSEGV);
    CHECK(death.said.find("while predicting 'crashing', rank 2, its step 3\n") != std::string::npos);
  }

  TEST_CASE("A stack that runs out has a handler with a stack of its own") {
    if (sanitized) return;
    const Death death = death_of([] {
      const About about("making", "too deep");
      ::_exit(deep(0));
    });
    CHECK(death.signal == SIGSEGV);
    CHECK(death.said.find("while making 'too deep'\n") != std::string::npos);
  }

  TEST_CASE("A crash outside of all points says the signal alone and a long name is cut") {
    std::array<char, 1024> room;
    CHECK(study::crash_message(SIGABRT, Doing{}, room)
              .starts_with("orrery: killed by signal 6 (SIGABRT: it ended itself, since something that must hold did "
                           "not)\n  A bug: "));
    const About about("playing", std::string(1000, 'x'));
    const auto said = study::crash_message(SIGFPE, doing, room);
    CHECK(said.find("'" + std::string(159, 'x') + "'\n") != std::string::npos);
    std::array<char, 20> little;
    CHECK(study::crash_message(SIGFPE, doing, little) == "orrery: killed by si");
  }
}
