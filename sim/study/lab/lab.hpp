/// A lab: a question about a machine that the engine answers, for a student who predicts before anything is shown.
///
///   const LabFile file = LabFile::read("labs/ping-pong.yaml");
///   const Lab lab = file.lab(file.drawn_for("Ada Lovelace"));         // her machine, her sizes
///   const Lab transfer = file.lab(file.drawn_anew("Ada Lovelace"));   // the same question on another machine
///
/// A file says what is drawn for each student; "$(machine.platform)" anywhere else in it, or in the Markdown beside it,
/// stands for what was drawn. No answer stands in a file: each says how it is worked out from the runs (curves.hpp).
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

/// How an answer is worked out from the curves of a lab.
struct Answer {
  enum class What : std::uint8_t { value, ratio, crossing, half_bandwidth, least_x, least_line };
  What what = What::value;
  Conditions of, to;  ///< which point or curve; beside which
};
inline constexpr Word<Answer::What> answer_words[] = {
    {"value", Answer::What::value},       {"ratio", Answer::What::ratio},
    {"crossing", Answer::What::crossing}, {"half-bandwidth", Answer::What::half_bandwidth},
    {"least-x", Answer::What::least_x},   {"least-line", Answer::What::least_line}};

/// A choice: right where the answer lies in from .. to.
struct Option {
  std::string text;
  std::optional<double> from, to;
};

/// A wrong idea, and what it would answer.
struct Mistake {
  std::optional<double> times;   ///< so many times the right answer
  std::optional<Answer> answer;  ///< or another one
  std::string text;              ///< what who answered so is told
};

struct Question {
  enum class Unit : std::uint8_t { time, data, factor, number };
  std::string text;
  Answer answer;
  Unit unit = Unit::number;
  std::vector<double> axis;  ///< least and most of a number that is asked for, in SI
  double full_within = 1.25, none_beyond = 10.0, points = 1.0;
  std::vector<Option> options;  ///< none: a number, or the lines of the chart
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
  std::map<std::string, std::string> names;  ///< of lines, for people
};

struct Formula {
  std::string write, of;  ///< "L + m / B", and which of its letters is the x of the curve: "m"
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

/// Headings of the Markdown beside a lab's file; those from 'solution' on are the teacher's.
inline constexpr const char* prose_sections[] = {"Question", "What happened", "Break it",
                                                 "Transfer", "Solution",      "Common mistakes"};
inline constexpr std::size_t prose_of_students = 4;

/// A draw: rows of which each student gets one. Of a list of plain values each row has one, under the empty name.
struct Draw {
  std::string name;
  std::vector<std::map<std::string, std::string>> rows;
};

class LabFile {
 public:
  /// Reads the file and the Markdown of the same name beside it. Throws InputError.
  static LabFile read(const std::string& path);
  static LabFile parse(const std::string& text, const std::string& prose, const std::string& path);

  using Drawn = std::vector<std::size_t>;  ///< of each draw which row
  /// By the student's name: letters' case and blanks around and between words do not count.
  Drawn drawn_for(const std::string& student) const;
  /// The same, but for what the transfer question draws anew: never what was drawn before.
  Drawn drawn_anew(const std::string& student) const;
  /// Every combination, up to `most`.
  std::vector<Drawn> all(std::size_t most) const;

  /// Throws InputError for what no lab may say, at its line.
  Lab lab(const Drawn& drawn) const;

  const std::string& path() const { return path_; }
  /// Of file and Markdown: results of another edition are told apart.
  std::string fingerprint() const;
  /// The texts as they are, for a page; `teacher`: with the sections that are the teacher's.
  const std::string& text() const { return text_; }
  std::string prose(bool teacher) const;

 private:
  std::string path_, text_, prose_;
  std::vector<Draw> draws_;
  std::vector<std::string> other_;  ///< draws that the transfer question draws anew
};

/// "  Ada   LOVELACE " as "ada lovelace". Throws InputError for a name without a letter or digit, or of over 200 bytes.
std::string student_key(const std::string& student);

const config::Mapping& lab_keys();

}  // namespace orrery::lab
