/// `orrery record`: runs any MPI program and keeps what it does as a trace.
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <sstream>

#include "sim/cli/command_line.hpp"
#include "sim/config/files.hpp"
#include "sim/config/folders.hpp"
#include "sim/config/traces/trace_file.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/tell.hpp"
#include "sim/system/system.hpp"

namespace orrery::cli::record_command {

namespace {

namespace fs = std::filesystem;

struct Options {
  std::string folder = "recorded", flops;
  std::vector<std::string> command;
};

std::string recorder_beside_program() {
  const fs::path library = system::file_of(system::program_path(), "liborrery-record.so");
  if (!config::is_there(library))
    throw Skipped(
        "record: {} does not exist (it is built where an MPI is; on Debian: apt-get install libopenmpi-dev "
        "openmpi-bin). Build again?",
        library.string());
  return library.string();
}

/// flop/s as the library reads them; empty for seconds.
std::string flops_of(const std::string& asked) {
  if (asked.empty()) return "";
  const auto parsed = parse_quantity(asked, Dimension::speed);
  if (!parsed.si) throw InputError("--flops is '{}' {}", asked, parsed.problem);
  if (!(*parsed.si >= 1.0 && *parsed.si <= 1e18))
    throw InputError("--flops: '{}' is outside 1flop/s..1e18flop/s. Correct it?", asked);
  return fmt::format("{:.17g}", *parsed.si);
}

/// What an older recording has left there; files of other names stay.
void make_room(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) throw InputError("-o: '{}' cannot be made ({}). Name another folder?", folder.string(), failed.message());
  for (const fs::path& entry : config::entries_of(folder)) {
    const std::string name = entry.filename().string();
    const bool of_rank = name.starts_with("rank-") && (name.ends_with(".ti") || name.ends_with(".ti.part"));
    if (of_rank || name == "index.txt" || name == "measured.csv" || name == "notes.txt" || name == "calls.csv")
      fs::remove(entry, failed);
  }
}

int run_with(const std::vector<std::string>& command, const std::string& library, const std::string& folder,
             const std::string& flops) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const auto& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const char* variable = system::preload_variable();
  if (variable == nullptr)
    throw Skipped("record: this system has no way to load a library before a program's own. Use Linux?");
  const char* before = std::getenv(variable);
  const std::string preloaded = before == nullptr || *before == '\0' ? library : library + ":" + before;
  const pid_t child = ::fork();
  if (child == 0) {
    system::end_with_parent(SIGTERM);  // what we start ends with us: mpirun then ends its ranks
    ::setenv(variable, preloaded.c_str(), 1);
    ::setenv("ORRERY_RECORD", folder.c_str(), 1);
    if (!flops.empty()) ::setenv("ORRERY_RECORD_FLOPS", flops.c_str(), 1);
    ::execvp(words[0], words.data());
    tell("record: '{}' cannot be run ({}). Is it installed?\n", command.front(), std::strerror(errno));
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  constexpr int by_signal = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : by_signal + WTERMSIG(status);
}

/// The calls of threads that were in MPI at once, as the recorder counts them in its notes; 0: there were none.
std::uint64_t calls_at_once(const fs::path& folder) {
  std::error_code failed;
  const fs::path notes = folder / "notes.txt";
  if (!fs::exists(notes, failed)) return 0;
  std::istringstream lines(config::read_file(notes.string()));
  for (std::string line; std::getline(lines, line);)
    if (line.find(" calls that began while another thread") != std::string::npos) return std::stoull(line);
  return 0;
}

/// Why there is no trace, with what there is instead.
std::string without_trace(const fs::path& folder, int code) {
  if (const auto calls = calls_at_once(folder); calls > 0)
    return fmt::format(
        "record: {} calls began while another thread of their rank was in MPI (a trace has one order of each rank's "
        "calls, and these have none): the lines in {}/rank-*.ti.part are no trace. Let one thread at a time call MPI?",
        calls, folder.string());
  std::size_t parts = 0;
  for (const fs::path& entry : config::entries_of(folder)) parts += entry.extension() == ".part";
  if (parts > 0)
    return fmt::format(
        "record: the program ended with code {} before MPI_Finalize: {} ranks have left the lines they had in "
        "{}/rank-*.ti.part, which are no trace. Does it end well alone?",
        code, parts, folder.string());
  return fmt::format(
      "record: the program ended with code {} and no rank of it was recorded (it calls MPI_Init, and has MPI as a "
      "shared library). Is it an MPI program?",
      code);
}

/// Why the trace cannot be read as a program; nothing where it can. Threads that call MPI at once, messages that nobody
/// has received when MPI ends and a pause of some ranks alone leave lines that do not belong together.
std::string problem_of(const fs::path& index) {
  try {
    config::read_trace(index.string());
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

/// The program's code stays its own; of one that ended well ours is that there is no trace.
int failed(const std::string& what, int code) {
  if (code == 0) throw ReplayError(Refusal::sentence(what));
  tell("{}\n", what);
  return code;
}

int run(const Options& options) {
  if (options.command.empty()) throw InputError("orrery record: no command. Add '-- mpirun -n 4 PROGRAM'?");
  const std::string flops = flops_of(options.flops), library = recorder_beside_program();
  make_room(options.folder);
  const int code = run_with(options.command, library, config::absolute_path(options.folder).string(), flops);
  const fs::path folder(options.folder);
  if (!config::is_there(folder / "index.txt")) return failed(without_trace(folder, code), code);
  if (const auto problem = problem_of(folder / "index.txt"); !problem.empty())
    return failed(fmt::format("record: the trace in {} cannot be played: {}", options.folder, problem), code);
  say("trace: {0}/index.txt  (measured.csv: the time it took; calls.csv: what of it in which call)\n"
      "  orrery show trace {0}/index.txt\n"
      "  orrery simulate --replay {0}/index.txt --platform PLATFORM --network NETWORK\n",
      options.folder);
  return code;
}

const bool entered = commands().add({
    .name = "record",
    .summary = "run any MPI program and record it as a trace",
    .example = "orrery record -o recorded -- mpirun -n 4 ./program ARGUMENTS",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.positional("COMMAND", options->command, "command that starts the program, after '--'", false);
          line.path("-o,--output", options->folder, "output folder of the trace (default: recorded)");
          line.option("--flops", options->flops,
                      "core speed of this machine, as in 2Gflop/s: record computation as flops, which scale to other "
                      "hosts, instead of seconds");
          line.run([options] { return run(*options); });
        },
});

}  // namespace

}  // namespace orrery::cli::record_command
