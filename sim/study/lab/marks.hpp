/// What a student did in a lab, as a file; and what it is worth, found by playing again what the student saw.
///
///   c = 1                                          if f <= F
///       (ln Z - ln f) / (ln Z - ln F)              if F < f < Z
///       0                                          if f >= Z
///
///   f   max(p / a, a / p) of a prediction p and the answer a     F   'full-within'     Z   'none-beyond'
///   c   credit, 0 .. 1; points are c times those of the question
///
/// A choice is right or not. A file is genuine if its seal is that of its contents, its machine is the one that its
/// student's name draws, and every number that it says was seen is the one that the engine gives, to 1e-6: programs
/// with drawn times differ in the last digits from one system's mathematical library to another's. The seal finds a
/// file that was edited by hand; whoever reads the sources can make one, as with any program that runs on the
/// student's own computer.
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

/// What a student says, as typed or read from a file: numbers in SI or with a unit.
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
  std::string hint = {};  ///< of a mistake whose answer it is
};

struct Marked {
  std::string file, student, lab;
  std::vector<std::string> problems;  ///< why it is not genuine; none: it is
  std::vector<Part> parts;
  double points() const;
  double of() const;
};

/// The credit of a number.
double credit_of(double given, double right, const Question& question);

/// A question with what was answered. Throws InputError, opened by `where`, for what cannot be an answer to it.
Part marked(const std::string& name, const Question& question, const std::string& given, const Curves& curves,
            const Lab& lab, const std::string& where);

/// Labs and their curves, each played once however many students drew it.
class Played {
 public:
  explicit Played(unsigned jobs) : jobs_(jobs) {}
  const Curves& of(const LabFile& file, const LabFile::Drawn& drawn);

 private:
  unsigned jobs_;
  std::map<std::string, Curves> known_;
};

/// The file of a student who has answered. Throws InputError for answers that the lab does not take.
std::string result_text(const LabFile& file, const std::string& student, const Answers& answers, Played& played);

/// Reads, replays and marks. `labs`: where labs are that the program does not ship, by name. Throws InputError for
/// what is no result of a lab.
Marked marked_result(const std::string& path, const std::map<std::string, std::string>& labs, Played& played);

/// What a page shows of a lab, as JSON: the question; with `solution` the curves and the answers, too.
std::string lab_json(const LabFile& file, const std::string& student, bool solution, Played& played);

/// "16 KiB", "20.3 us", "1.62 times", "Ring": an answer for people.
std::string answer_text(const Answered& answer, Question::Unit unit, const Lab& lab);

}  // namespace orrery::lab
