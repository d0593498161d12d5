/// A student's answers to a lab, as a file; and its points, found by simulating again what the student saw.
///
///   c = 1                                          if f <= F
///       (ln Z - ln f) / (ln Z - ln F)              if F < f < Z
///       0                                          if f >= Z
///
///   f   max(p / a, a / p) of a prediction p and the answer a     F   'full-within'     Z   'none-beyond'
///   c   credit, 0 .. 1; points are c times those of the question
///
/// A choice is right or wrong. A file is genuine if its seal matches its contents, if its platform is the one for its
/// student's name, and if every displayed number in it equals the engine's to 1e-6: programs with randomized times
/// differ in the last digits between systems' mathematical libraries. The seal detects a file that was edited by hand.
/// A reader of the sources can forge one, as with any program that runs on the student's own computer.
///
/// Valid    the lab's file is the one that the student had (its fingerprint is in the result)
/// Checked  tests/unit/study/lab_test.cpp, tests/cli/labs.sh
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/study/lab/curves.hpp"

namespace orrery::lab {

/// A student's answers, as typed or read from a file: numbers in SI or with a unit.
struct Answers {
  std::string predict, choose, transfer, formula;
};

struct Part {
  std::string name;  ///< "predict", "choose", "transfer"
  std::optional<Answered> given;
  Answered right;
  std::optional<double> factor;  ///< f, of a number
  double credit = 0.0, points = 0.0;
  Question::Unit unit = Question::Unit::number;
  std::string hint = {};  ///< feedback if the answer is that of a known mistake
};

struct Marked {
  std::string file, student, lab;
  std::vector<std::string> problems;  ///< why it is not genuine; empty: it is
  std::vector<Part> parts;
  double points() const;
  double of() const;
};

/// The credit of a number.
double credit_of(double given, double right, const Question& question);

/// A question with its answer. Throws InputError that begins with `where` for a text that cannot answer it.
Part marked(const std::string& name, const Question& question, const std::string& given, const Curves& curves,
            const Lab& lab, const std::string& where);

/// Labs and their curves, each simulated once for any number of students.
class Played {
 public:
  explicit Played(unsigned jobs) : jobs_(jobs) {}
  const Curves& of(const LabFile& file, const LabFile::Drawn& drawn);

 private:
  unsigned jobs_;
  std::map<std::string, Curves> known_;
};

/// The result file of a student who has answered. Throws InputError for answers that the lab does not accept.
std::string result_text(const LabFile& file, const std::string& student, const Answers& answers, Played& played);

/// Reads, replays and marks a result. `labs`: paths, by name, of labs that are not shipped. Throws InputError for a
/// file that is no result of a lab.
Marked marked_result(const std::string& path, const std::map<std::string, std::string>& labs, Played& played);

/// The data of a lab's page, as JSON: the question; with `solution` also the curves and the answers.
std::string lab_json(const LabFile& file, const std::string& student, bool solution, Played& played);

/// "16 KiB", "20.3 us", "1.62 times", "Ring": an answer as text for people.
std::string answer_text(const Answered& answer, Question::Unit unit, const Lab& lab);

}  // namespace orrery::lab
