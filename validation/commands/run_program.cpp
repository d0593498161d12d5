#include "validation/commands/run_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "sim/core/error.hpp"
#include "sim/study/play/progress.hpp"
#include "sim/system/system.hpp"

namespace orrery::cli {

using namespace study;

namespace {

[[noreturn]] void become(const ProgramRun& run, std::vector<char*>& words) {
  system::end_with_parent(SIGTERM);
  const int log = ::open(run.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (log < 0 || nothing < 0 || ::chdir(run.folder.c_str()) != 0) ::_exit(126);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(log, STDOUT_FILENO);
  ::dup2(log, STDERR_FILENO);
  ::execvp(words[0], words.data());
  ::_exit(127);
}

void rest() {
  const timespec some{.tv_sec = 0, .tv_nsec = 50'000'000};
  ::nanosleep(&some, nullptr);
}

/// Asks it to end, which mpirun passes on to its ranks; after five seconds it is made to.
void end(pid_t child) {
  ::kill(child, SIGTERM);
  constexpr int patience = 100;
  for (int rested = 0; ::waitpid(child, nullptr, WNOHANG) == 0; ++rested) {
    if (rested == patience) ::kill(child, SIGKILL);
    rest();
  }
}

}  // namespace

int run_program(const ProgramRun& run) {
  std::vector<std::string> command = run.command;
  std::vector<char*> words;
  for (auto& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  throw_if_interrupted(Refusal("{}", run.doing));
  const pid_t child = ::fork();
  if (child < 0) throw ReplayError("{}: no process can be started. Are there too many?", run.doing);
  if (child == 0) become(run, words);
  ProgressLine line;
  int status = 0;
  while (true) {
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) return 127;
    if (interrupted()) {
      end(child);
      throw_if_interrupted(Refusal("{}", run.doing));
    }
    if (line.due()) line.draw(fmt::format("{}: {:.0f} s", run.doing, line.elapsed_s()));
    rest();
  }
  throw_if_interrupted(Refusal("{}", run.doing));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace orrery::cli
