#include "sim/study/lab/lab.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <set>
#include <string>

#include "sim/core/error.hpp"
#include "sim/study/lab/marks.hpp"
#include "sim/study/lab/play.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::lab;
using orrery::test::near;

namespace {

const std::string text = R"yaml(title: "T on $(machine.name)"
source: test
draw:
  machine:
    - {name: one, platform: fermi, network: infiniband}
    - {name: two, platform: dahu, network: omnipath}
    - {name: three, platform: fermi, network: ethernet}
  size: [8B, 64KiB]
other: [machine]
scenario: |
  source: test
  platform: $(machine.platform)
  network: $(machine.network)
  engine: flow
  layout: {ranks: 4, per-node: 1}
  kernel: {name: collective, operation: bcast}
  sweep: {kernel.algorithm: [flattree, ompi_binomial], kernel.message: [8B, 1KiB, 64KiB]}
curve: {x: kernel.message, y: simulated, line: kernel.algorithm, names: {flattree: "the flat one"}}
predict:
  text: "How long at $(size)?"
  answer: {what: value, of: {kernel.algorithm: flattree, kernel.message: $(size)}}
  unit: time
  axis: [100ns, 1s]
  mistakes: [{times: 4, text: "counted the root"}]
transfer:
  text: "Which?"
  answer: {what: least-line, of: {kernel.message: 8B}}
break-it: {layout.per-node: 2}
)yaml";
const std::string prose = "## Question\nOn $(machine.name).\n\n## Solution\nFor teachers.\n";

LabFile sample() { return LabFile::parse(text, prose, "labs/sample.yaml"); }

CurvePoint at(const std::string& line, double x, double y, const std::string& state = "") {
  return {.state = state, .line = line, .x = x, .y = y, .settings = {{"algorithm", line}, {"size", std::to_string(x)}}};
}
double number(const Answer& answer, const Curves& curves) {
  return std::get<double>(answer_of(answer, curves, Lab{.file = "f"}));
}

std::string refusal(const std::string& from, const std::string& to) {
  std::string changed = text;
  const auto found = changed.find(from);
  REQUIRE(found != std::string::npos);
  changed.replace(found, from.size(), to);
  try {
    const LabFile file = LabFile::parse(changed, prose, "labs/sample.yaml");
    const Lab lab = file.lab(file.all(1).front());
    planned(lab);
    scenario_of(lab, "broken");
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

}  // namespace

TEST_SUITE("study/lab") {
  TEST_CASE("A student's machine follows from the name whatever its case and blanks") {
    const LabFile file = sample();
    CHECK(file.drawn_for("Ada Lovelace") == file.drawn_for("  ada   LOVELACE "));
    CHECK(student_key("Émile  Zola") == "Émile zola");
    CHECK_THROWS_WITH_AS(student_key(" . "), doctest::Contains("is no name"), InputError);
  }
  TEST_CASE("Names draw every machine and size and the transfer question draws another machine") {
    const LabFile file = sample();
    std::set<LabFile::Drawn> seen;
    for (int i = 0; i < 200; ++i) {
      const std::string name = "student " + std::to_string(i);
      const auto drawn = file.drawn_for(name), anew = file.drawn_anew(name);
      seen.insert(drawn);
      CHECK(anew[0] != drawn[0]);
      CHECK(anew[1] == drawn[1]);
    }
    CHECK(seen.size() == 6);
    CHECK(file.all(64).size() == 6);
  }
  TEST_CASE("What is drawn stands wherever the file and its Markdown name it") {
    const Lab lab = sample().lab({1, 1});
    CHECK(lab.title == "T on two");
    CHECK(lab.predict.text == "How long at 64KiB?");
    CHECK(lab.prose.at("Question") == "On two.\n\n");
    CHECK(lab.drawn.at("machine.platform") == "dahu");
  }
  TEST_CASE("A student's Markdown lacks what is the teacher's and is of the same edition") {
    const LabFile file = sample(), students = LabFile::parse(text, file.prose(false), "labs/sample.yaml");
    CHECK(file.prose(false).find("teachers") == std::string::npos);
    CHECK(file.fingerprint() == students.fingerprint());
    CHECK(file.fingerprint() != LabFile::parse(text + "\n", prose, "labs/sample.yaml").fingerprint());
  }
  TEST_CASE(
      "Two lines cross where their logarithms do and half the bandwidth lies where the bytes take as long as the "
      "rest") {
    using What = Answer::What;
    Curves curves;
    for (const double x : {1.0, 4.0, 16.0, 64.0}) {
      curves.points.push_back(at("a", x, x));    // y = x
      curves.points.push_back(at("b", x, 8.0));  // y = 8: a is faster up to x = 8
      curves.points.push_back(at("b", x, 4.0, "broken"));
    }
    const Conditions a{{"algorithm", "a"}}, b{{"algorithm", "b"}};
    CHECK(number({.what = What::crossing, .of = a, .to = b}, curves) == near(8.0, 1e-9));
    CHECK(number({.what = What::crossing, .of = a, .to = {{"algorithm", "b"}, {"state", "broken"}}}, curves) ==
          near(4.0, 1e-9));
    CHECK(number({.what = What::least_x, .of = a}, curves) == 1.0);
    CHECK(number({.what = What::ratio,
                  .of = {{"algorithm", "a"}, {"size", "16"}},
                  .to = {{"algorithm", "b"}, {"size", "16"}}},
                 curves) == 2.0);
    CHECK_THROWS_WITH_AS(number({.what = What::crossing, .of = b, .to = a}, curves),
                         doctest::Contains("not first the faster one"), InputError);
    CHECK_THROWS_WITH_AS(number({.what = What::value, .of = a}, curves),
                         doctest::Contains("is of one point, and 4 meet"), InputError);
    // Before anything is played: what has its points, whatever they turn out to say.
    const auto require = [&](const Answer& answer) { require_points(answer, curves, Lab{}); };
    CHECK_NOTHROW(require({.what = What::crossing, .of = b, .to = a}));
    CHECK_NOTHROW(require({.what = What::least_line, .of = {{"size", "4"}}}));
    CHECK_THROWS_WITH_AS(require({.what = What::value, .of = a}), doctest::Contains("is of one point, and 4 meet"),
                         InputError);
    CHECK_THROWS_WITH_AS(require({.what = What::half_bandwidth, .of = {{"algorithm", "c"}}}),
                         doctest::Contains("is of one curve, and 0 points meet"), InputError);
    CHECK_THROWS_WITH_AS(require({.what = What::least_line, .of = a}), doctest::Contains("4 points meet"), InputError);
    CHECK_THROWS_WITH_AS(require({.what = What::ratio, .of = {{"algorithm", "a"}, {"size", "16"}}, .to = b}),
                         doctest::Contains("is of one point, and 4 meet"), InputError);
    Curves straight;
    for (double x = 1.0; x < 1e7; x *= 1.01) straight.points.push_back(at("", x, 1000.0 + x));  // a = 1000, B = 1
    CHECK(number({.what = What::half_bandwidth}, straight) == near(1000.0, 1e-3));  // the longest is not endless
    CHECK(std::get<std::string>(answer_of({.what = What::least_line, .of = {{"size", "4"}}}, curves, Lab{})) == "a");
  }
  TEST_CASE("A prediction is credited by the logarithm of its factor") {
    const Question question{.full_within = 2.0, .none_beyond = 32.0};
    CHECK(credit_of(10.0, 10.0, question) == 1.0);
    CHECK(credit_of(20.0, 10.0, question) == 1.0);
    CHECK(credit_of(5.0, 10.0, question) == 1.0);
    CHECK(credit_of(80.0, 10.0, question) == near(0.5, 1e-9));
    CHECK(credit_of(10.0 / 8.0, 10.0, question) == near(0.5, 1e-9));
    CHECK(credit_of(320.0, 10.0, question) == 0.0);
    CHECK(credit_of(1e9, 10.0, question) == 0.0);
  }
  TEST_CASE("A played lab marks a right answer and a wrong one and knows a mistake") {
    const LabFile file = sample();
    const Lab lab = file.lab({0, 0});
    const Curves curves = played(lab, 1);
    CHECK(curves.points.size() == 12);  // two lines of three sizes, and the same broken
    CHECK(curves.lines == std::vector<std::string>{"flattree", "ompi_binomial"});
    const double right = std::get<double>(right_answer(lab.predict, curves, lab));
    CHECK(marked("predict", lab.predict, std::to_string(1e6 * right) + "us", curves, lab, "f").credit == 1.0);
    const Part wrong = marked("predict", lab.predict, std::to_string(4e6 * right) + "us", curves, lab, "f");
    CHECK(wrong.hint == "counted the root");
    CHECK(wrong.credit < 0.6);
    CHECK(marked("predict", lab.predict, "", curves, lab, "f").credit == 0.0);
    for (const char* size : {"64KiB", "5%", "-3us", "0s", "inf", "1e400", "us"})
      CHECK_THROWS_WITH_AS(marked("predict", lab.predict, size, curves, lab, "f"),
                           doctest::Contains("(a time above 0, such as '20us'). Correct it?"), InputError);
    CHECK_THROWS_WITH_AS(marked("transfer", *lab.transfer, "ring", curves, lab, "f"),
                         doctest::Contains("has the choice 'ring'"), InputError);
  }
  TEST_CASE("A ratio is of two points and a chart may ring them") {
    Curves curves;
    for (const double x : {1.0, 4.0})
      curves.points.push_back(at("a", x, x)), curves.points.push_back(at("a", x, 2.0 * x, "broken"));
    const auto points = answer_points({.what = Answer::What::ratio,
                                       .of = {{"algorithm", "a"}, {"size", "4"}},
                                       .to = {{"algorithm", "a"}, {"size", "4"}, {"state", "broken"}}},
                                      curves);
    REQUIRE(points.size() == 2);
    CHECK(points[0].y == 4.0);
    CHECK(points[1].y == 8.0);
    CHECK(answer_points({.what = Answer::What::least_x, .of = {{"algorithm", "a"}}}, curves).empty());
  }
  TEST_CASE("A machine's own measured rows are shown and those of any machine only where it has none") {
    const LabFile file = LabFile::read(ORRERY_SOURCE_DIR "/labs/broadcast.yaml");
    const auto measured = [&](std::size_t machine) {
      std::set<std::string> lines;
      for (const auto& point : planned(file.lab({machine, 0})).measured) lines.insert(point.line);
      return lines;
    };
    CHECK(measured(0) == std::set<std::string>{"ompi_binomial", "scatter_LR_allgather"});  // MareNostrum 5
    CHECK(measured(4) ==
          std::set<std::string>{"binomial tree on MareNostrum 5", "scatter, allgather on MareNostrum 5"});
  }
  TEST_CASE("Every shipped lab has measurements and a moment and a knob and a broken state whatever is drawn") {
    std::size_t labs = 0;
    for (const auto& entry : std::filesystem::directory_iterator(ORRERY_SOURCE_DIR "/labs")) {
      if (entry.path().extension() != ".yaml") continue;
      CAPTURE(entry.path().string());
      ++labs;
      const LabFile file = LabFile::read(entry.path().string());
      for (const auto& drawn : file.all(64)) {
        const Lab lab = file.lab(drawn);
        CHECK_FALSE(planned(lab).measured.empty());
        CHECK_FALSE(lab.measured->source.empty());
        CHECK_FALSE(lab.break_it.empty());
        CHECK_FALSE(lab.moment.empty());
        CHECK(lab.transfer.has_value());
        CHECK(lab.knob.has_value());
      }
    }
    CHECK(labs >= 10);
  }
  TEST_CASE("A lab that cannot be is refused at its line") {
    CHECK(refusal("$(size)?", "$(sise)?") ==
          "labs/sample.yaml:20: '$(sise)' is not drawn (known: machine.name, machine.network, machine.platform, size). "
          "Did you mean 'size'?");
    CHECK(refusal("engine: flow", "engine: both").find("Write 'engine: flow' in it?") != std::string::npos);
    CHECK(refusal("x: kernel.message", "x: kernel.root")
              .find("'curve.x' is 'kernel.root', which is no axis of the sweep") != std::string::npos);
    CHECK(refusal("axis: [100ns, 1s]", "axis: [1s, 100ns]").find("which is no axis") != std::string::npos);
    CHECK(refusal("axis: [100ns, 1s]", "axis: [1B, 64KiB]") ==
          "labs/sample.yaml:23:10: 'axis[1]' is '1B' and 'unit' is time. Write one of its unit?");
    const std::string transfer = "  answer: {what: least-line, of: {kernel.message: 8B}}\n";
    const std::string number =
        "  answer: {what: ratio, of: {kernel.message: 8B}, to: {kernel.message: 64KiB}}\n  options: ";
    CHECK(refusal(transfer, number + "[{text: a, to: 1}, {text: a, from: 1}]\n").find("two options say 'a'") !=
          std::string::npos);
    CHECK(refusal(transfer, number + "[{text: a, from: 2, to: 1}, {text: b, from: 1}]\n")
              .find("the option 'a' is from 2 to 1 (no answer lies there)") != std::string::npos);
    CHECK(refusal("other: [machine]", "other: [machines]").find("'machines' is not drawn") != std::string::npos);
    CHECK(refusal("what: value", "what: ratio").find("compare two (of, to)") != std::string::npos);
    CHECK(refusal("break-it: {layout.per-node: 2}", "break-it: {layout.per_node: 2}").find("per_node") !=
          std::string::npos);
    CHECK(refusal("break-it: {layout.per-node: 2}", "break-it: {layout.per_node: 2}")
              .find("labs/sample.yaml, break-it layout.per_node: ") == 0);  // not '--set', which nobody wrote
    CHECK(refusal("title:", "titel: x\ntitle:").find("titel") != std::string::npos);
  }
}
