/// A lab: a question about a machine that the engine answers. The student predicts before any result is shown.
///
///   const LabFile file = LabFile::read("labs/ping-pong.yaml");
///   const Lab lab = file.lab(file.drawn_for("Ada Lovelace"));         // her machine, her sizes
///   const Lab transfer = file.lab(file.drawn_anew("Ada Lovelace"));   // the same question on another platform
///
/// A file lists what is randomized per student; "$(machine.platform)" anywhere else in it, or in the Markdown next to
/// it, is replaced by the student's value. No file contains an answer: it gives the computation from the runs
/// (curves.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/config/keys.hpp"
#include "sim/core/words.hpp"

namespace orrery::lab {

using Conditions = std::vector<std::pair<std::string, std::string>>;  ///< {"kernel.message", "8B"}, {"state", "broken"}

/// How an answer is computed from the curves of a lab.
struct Answer {
  enum class What : std::uint8_t { value, ratio, crossing, half_bandwidth, least_x, least_line };
  What what = What::value;
  Conditions of, to;  ///< selected point or curve; compared with
};
inline constexpr Word<Answer::What> answer_words[] = {
    {"value", Answer::What::value},       {"ratio", Answer::What::ratio},
    {"crossing", Answer::What::crossing}, {"half-bandwidth", Answer::What::half_bandwidth},
    {"least-x", Answer::What::least_x},   {"least-line", Answer::What::least_line}};

/// A choice: right if the answer lies in from .. to.
struct Option {
  std::string text;
  std::optional<double> from, to;
};

/// A common mistake, and the answer it leads to.
struct Mistake {
  std::optional<double> times;   ///< a multiple of the right answer
  std::optional<Answer> answer;  ///< or another one
  std::string text;              ///< feedback for this wrong answer
};

struct Question {
  enum class Unit : std::uint8_t { time, data, factor, number };
  std::string text;
  Answer answer;
  Unit unit = Unit::number;
  std::vector<double> axis;  ///< range of the requested number, in SI
  double full_within = 1.25, none_beyond = 10.0, points = 1.0;
  std::vector<Option> options;  ///< empty: a number, or the lines of the chart
  std::vector<Mistake> mistakes;

  bool is_choice() const { return !options.empty() || answer.what == Answer::What::least_line; }
};
inline constexpr Word<Question::Unit> unit_words[] = {{"time", Question::Unit::time},
                                                      {"data", Question::Unit::data},
                                                      {"factor", Question::Unit::factor},
                                                      {"number", Question::Unit::number}};

struct Curve {
  std::string x, y, line;  ///< settings of the points, and a quantity of their runs (sim/study/search/quantity.hpp)
  std::string x_text, y_text;
  std::map<std::string, std::string> names;  ///< display names of lines
};

struct Formula {
  std::string write, of;  ///< "L + m / B", and the variable that is the x of the curve: "m"
};

struct Measured {
  std::string file, source, where;
};

struct Knob {
  std::string path, text;
  std::vector<std::string> values;
};

struct Lab {
  std::string name, file, title, source, scenario, scenario_where;
  Curve curve;
  Question predict;
  std::optional<Question> choose, transfer;
  std::optional<Formula> formula;
  std::optional<Measured> measured;
  Conditions moment;  ///< the point to step through
  std::optional<Knob> knob;
  Conditions break_it;                       ///< settings that make the state 'broken'
  std::map<std::string, std::string> drawn;  ///< "machine.platform" -> "fermi"
  std::map<std::string, std::string> prose;  ///< sections of the Markdown: "Question" -> text

  std::string folder() const;
};

/// Headings of the Markdown next to a lab's file; those from 'solution' on are for the teacher.
inline constexpr const char* prose_sections[] = {"Question", "What happened", "Break it",
                                                 "Transfer", "Solution",      "Common mistakes"};
inline constexpr std::size_t prose_of_students = 4;

/// A randomized choice: each student gets one row. In a list of plain values, each row is one, with an empty name.
struct Draw {
  std::string name;
  std::vector<std::map<std::string, std::string>> rows;
};

class LabFile {
 public:
  /// Reads the file and the Markdown of the same name next to it. Throws InputError.
  static LabFile read(const std::string& path);
  static LabFile parse(const std::string& text, const std::string& prose, const std::string& path);

  using Drawn = std::vector<std::size_t>;  ///< [draws] selected row
  /// By the student's name, ignoring case and blanks around and between words.
  Drawn drawn_for(const std::string& student) const;
  /// The same, with new rows where the transfer question changes them: never the rows selected before.
  Drawn drawn_anew(const std::string& student) const;
  /// Every combination, up to `most`.
  std::vector<Drawn> all(std::size_t most) const;

  /// Throws InputError for invalid content, at its line.
  Lab lab(const Drawn& drawn) const;

  const std::string& path() const { return path_; }
  /// Hash of file and Markdown: results of another edition can be recognized.
  std::string fingerprint() const;
  /// The original texts, for a page; `teacher`: including the sections for the teacher.
  const std::string& text() const { return text_; }
  std::string prose(bool teacher) const;

 private:
  std::string path_, text_, prose_;
  std::vector<Draw> draws_;
  std::vector<std::string> other_;  ///< choices that the transfer question randomizes again
};

/// "  Ada   LOVELACE " as "ada lovelace". Throws InputError for a name without a letter or digit, or of over 200 bytes.
std::string student_key(const std::string& student);

const config::Mapping& lab_keys();

}  // namespace orrery::lab
