/// `orrery selftest`: does this installation work?
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstdio>

#include "sim/cli/command_line.hpp"
#include "sim/config/folders.hpp"
#include "sim/core/error.hpp"
#include "sim/core/printable.hpp"
#include "sim/core/tell.hpp"
#include "sim/core/version.hpp"
#include "sim/engine/engine.hpp"
#include "sim/study/play/selftest.hpp"

namespace orrery::cli::selftest_command {

namespace {

bool holds(const SelfCheck& check, const std::string& folder) {
  const auto began = std::chrono::steady_clock::now();
  try {
    const std::string said = check.run(folder);
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    say("ok      {}: {} ({:.1f} s)\n", check.name, said, took);
    return true;
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    say("BROKEN  {}: {}\n", check.name, printable(error.what()));
    return false;
  }
}

int selftest() {
  const config::ScratchFolder scratch("selftest");
  std::size_t broken = 0;
  const std::vector<SelfCheck> checks = self_checks();
  for (const SelfCheck& check : checks) {
    broken += holds(check, scratch.path()) ? 0 : 1;
    std::fflush(stdout);
  }
  if (broken > 0) throw BoundError("selftest: {} of {} checks are broken (see above)", broken, checks.size());
  say("orrery {} works: {} checks hold on {} {}\n", version, checks.size(),
      engine_names().size() > 1 ? "engines" : "engine", fmt::join(engine_names(), " and "));
  return 0;
}

const bool entered = commands().add({
    .name = "selftest",
    .summary = "check in seconds that this installation works: two scenarios, a prediction, an export read back",
    .example = "orrery selftest",
    .setup = [](CommandLine& line) { line.run([] { return selftest(); }); },
});

}  // namespace

}  // namespace orrery::cli::selftest_command
