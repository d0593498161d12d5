/// How long a rank was in each phase that the program names: the n-th time it was in a phase by the phase's name and n.
///
///   phase   from where the program names it to where it names the next; "program" before the first
///   time    since the recording began, without what it was paused
///
/// As the engines have it, of what nothing was recorded there is no time.
/// Checked  tests/unit/validation/trace_lines_test.cpp, tests/cli/record.sh
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::record {

/// As one word: what no name of a file would have becomes '-'.
std::string phase_word(std::string_view name);

/// A word for each name that a program gives its phases. Two names never share one, and none is "run" or "program":
/// measured.csv calls the whole time and what comes before the first phase so.
class PhaseWords {
 public:
  struct Word {
    std::string word;
    std::string note = {};  ///< of a new name, where its word is not `phase_word`: what was done
  };
  Word word_of(const std::string& name);
  /// The name, fit for a line of text.
  static std::string shown(std::string_view name);
  /// By word.
  const std::map<std::string, std::string>& names() const { return names_; }

 private:
  std::map<std::string, std::string> words_, names_;  ///< of each name, of each word
};

class Phases {
 public:
  void begin(double now_s) { since_s_ = now_s; }
  /// `used`: the phase that ends here has lines in the trace.
  void enter(std::string word, bool used, double now_s);
  void end(bool used, double now_s) { enter({}, used, now_s); }

  /// Whether the program named any.
  bool named() const { return named_; }
  /// Seconds of each occurrence, by phase.
  const std::map<std::string, std::vector<double>>& times() const { return times_; }

 private:
  std::string name_ = "program";
  double since_s_ = 0.0;
  bool named_ = false;
  std::map<std::string, std::vector<double>> times_;
};

}  // namespace orrery::record
