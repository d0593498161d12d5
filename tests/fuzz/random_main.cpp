/// Damaged copies of right files, format after format, for some seconds: any compiler, no guidance.
///
///   orrery_fuzz [--seconds S] [--seed N] [FORMAT...]
///   orrery_fuzz --list                  the formats
///   orrery_fuzz --seeds FOLDER FORMAT   writes the right files of a format, for a guided fuzzer to begin with
///
/// Prints how many were accepted and refused. A defect (another exception, a crash, ten seconds for one text) leaves
/// the text in crash-FORMAT-SEED and ends with 1; the same seed makes the same text again. tests/fuzz/README.md.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "tests/fuzz/formats.hpp"
#include "tests/support/mutated.hpp"

namespace {

using namespace orrery;

std::string current_file, current_text;  // what a signal handler leaves behind

void leave_behind() {
  std::ofstream(current_file, std::ios::binary) << current_text;
  fmt::print(stderr, "defect: the text is in {}\n", current_file);
}

[[noreturn]] void on_signal(int signal) {
  fmt::print(stderr, "signal {} ({})\n", signal, strsignal(signal));
  leave_behind();
  _exit(1);
}

struct Count {
  std::uint64_t accepted = 0, refused = 0;
};

Count attack(const fuzz::Format& format, double seconds, std::uint32_t seed) {
  const auto begin = std::chrono::steady_clock::now();
  Count count;
  for (;; ++seed) {
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() >= seconds) return count;
    current_text = tests::mutated(format.seeds[seed % format.seeds.size()], seed);
    current_file = fmt::format("crash-{}-{}", format.name, seed);
    alarm(10);
    fuzz::accepts(format, current_text) ? ++count.accepted : ++count.refused;
    alarm(0);
  }
}

void write_seeds(const fuzz::Format& format, const std::string& folder) {
  for (std::size_t i = 0; i < format.seeds.size(); ++i)
    std::ofstream(fmt::format("{}/seed-{}", folder, i), std::ios::binary) << format.seeds[i];
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 1.0;
  std::uint32_t seed = 0;
  std::string folder;
  bool list = false;
  std::vector<std::string> names;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--seconds" && i + 1 < argc)
      seconds = std::atof(argv[++i]);
    else if (word == "--seed" && i + 1 < argc)
      seed = static_cast<std::uint32_t>(std::atoll(argv[++i]));
    else if (word == "--seeds" && i + 1 < argc)
      folder = argv[++i];
    else if (word == "--list")
      list = true;
    else
      names.push_back(word);
  }
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGALRM}) std::signal(signal, on_signal);
  try {
    if (names.empty())
      for (const auto& format : fuzz::formats()) names.push_back(format.name);
    for (const auto& name : names) {
      if (list) fmt::print("{}\n", name);
      if (!folder.empty()) write_seeds(fuzz::format_named(name), folder);
      if (list || !folder.empty()) continue;
      const Count count = attack(fuzz::format_named(name), seconds, seed);
      fmt::print("{:18} {:>9} texts: {} accepted, {} refused\n", name, count.accepted + count.refused, count.accepted,
                 count.refused);
      std::fflush(stdout);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    if (!current_file.empty()) leave_behind();
    return 1;
  }
  return 0;
}
