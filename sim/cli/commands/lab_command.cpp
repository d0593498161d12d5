/// `orrery lab show | take | check`: what a student is asked, the same without a browser, and what came back.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/cli/command_line.hpp"
#include "sim/cli/run_output.hpp"
#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/core/printable.hpp"
#include "sim/core/tell.hpp"
#include "sim/show/result/json_text.hpp"
#include "sim/study/lab/marks.hpp"
#include "sim/study/lab/play.hpp"
#include "sim/study/read/data_path.hpp"

namespace orrery::cli::lab_command {

namespace {

using lab::Answers;
using lab::LabFile;
using lab::Marked;
using lab::Part;
using Json = nlohmann::ordered_json;

LabFile lab_named(const std::string& name) { return LabFile::read(data_path("labs", name, "yaml", "lab")); }

struct Shown {
  std::string lab, student = "teacher", format = "text";
  bool solution = false;
};

/// The Markdown of a lab for a terminal: "**strong** *stressed* `code` n~1/2~ x^2^" as "strong stressed code n_1/2 x^2".
std::string plain(const std::string& prose) {
  std::string text;
  bool lowered = false, raised = false;
  for (std::size_t i = 0; i < prose.size(); ++i) {
    const char letter = prose[i];
    const bool times = letter == '*' && i > 0 && prose[i - 1] == ' ' && i + 1 < prose.size() && prose[i + 1] == ' ';
    if (letter == '~') {
      if (!std::exchange(lowered, !lowered)) text += '_';
    } else if (letter == '^') {
      if (!std::exchange(raised, !raised)) text += '^';
    } else if (times || (letter != '*' && letter != '`')) {
      text += letter;
    }
  }
  return text;
}

void print_question(const char* name, const Json& question) {
  say("\n{}: {}\n", name, question["text"].get<std::string>());
  if (question.contains("choices"))
    for (const auto& choice : question["choices"]) {
      const auto value = choice["value"].get<std::string>(), text = choice["text"].get<std::string>();
      say("  {}{}\n", value, value == text ? "" : fmt::format("   ({})", text));
    }
  if (!question.contains("answer")) return;
  say("  answer: {}\n", question["answer"]["text"].get<std::string>());
  for (const auto& mistake : question["answer"]["mistakes"])
    say("  mistake: {}: {}\n", mistake["value_text"].get<std::string>(), mistake["text"].get<std::string>());
}

int show(const Shown& shown) {
  const LabFile file = lab_named(shown.lab);
  lab::Played played(jobs_of(0));
  const std::string text = lab::lab_json(file, shown.student, shown.solution, played);
  if (shown.format == "json") {
    say("{}\n", text);
    return 0;
  }
  const Json json = show::read_json(text, file.path(), "what 'lab show' says");
  const auto& prose = json["prose"];
  say("{}\n\n{}", json["title"].get<std::string>(), plain(prose["Question"].get<std::string>()));
  for (const char* part : {"predict", "choose", "transfer"})
    if (json.contains(part)) print_question(part, json[part]);
  if (shown.solution)
    for (const char* section : {"Solution", "Common mistakes"})
      if (prose.contains(section)) say("\n{}\n{}", section, plain(prose[section].get<std::string>()));
  return 0;
}

struct Taken {
  std::string lab, student, output;
  Answers answers;
};

int take(const Taken& taken) {
  const LabFile file = lab_named(taken.lab);
  lab::Played played(jobs_of(0));
  const std::string text = lab::result_text(file, taken.student, taken.answers, played);
  if (taken.output.empty()) {
    say("{}", text);
    return 0;
  }
  config::write_file(taken.output, text);
  tell("lab: {}\n", taken.output);
  return 0;
}

struct Checked {
  std::vector<std::string> files, labs;
  std::string format = "table";
};

Json part_json(const Part& part) {
  const auto json = [](const lab::Answered& answer) {
    return std::visit([](const auto& one) { return Json(one); }, answer);
  };
  Json made = {{"name", part.name},
               {"given", part.given ? json(*part.given) : Json(nullptr)},
               {"right", json(part.right)},
               {"credit", part.credit},
               {"points", part.credit * part.points},
               {"of", part.points}};
  if (part.factor) made["factor"] = *part.factor;
  if (!part.hint.empty()) made["mistake"] = part.hint;
  return made;
}

/// What a grader reads: no points for a file that is not genuine.
Json marked_json(const Marked& one) {
  Json parts = Json::array();
  for (const Part& part : one.parts) parts.push_back(part_json(part));
  const bool genuine = one.problems.empty();
  return {{"file", one.file},         {"student", one.student},
          {"lab", one.lab},           {"genuine", genuine},
          {"problems", one.problems}, {"points", genuine ? one.points() : 0.0},
          {"of", one.of()},           {"parts", parts}};
}

std::string credit_text(const Part& part) {
  if (!part.given) return "not answered";
  const std::string credit = fmt::format("{:.0f} %", 100.0 * part.credit);
  return part.factor ? fmt::format("{}, off {:.2f} times", credit, *part.factor) : credit;
}

std::string in_csv(const std::string& text) {
  // A cell that a spreadsheet would take for a formula is quoted as text: names are what students wrote.
  std::string cell =
      !text.empty() && std::string_view("=+-@\t").find(text.front()) != std::string_view::npos ? "'" + text : text;
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char letter : cell) quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return quoted + "\"";
}

void print_csv(const std::vector<Marked>& all) {
  say("student,lab,points,of,genuine,predict,choose,transfer,problem,file\n");
  for (const Marked& one : all) {
    std::string credits;
    for (const char* name : {"predict", "choose", "transfer"}) {
      const auto part = std::ranges::find(one.parts, name, &Part::name);
      credits += part == one.parts.end() ? "," : fmt::format("{:.4g},", part->credit);
    }
    say("{},{},{:.4g},{:g},{},{}{},{}\n", in_csv(one.student), in_csv(one.lab),
        one.problems.empty() ? one.points() : 0.0, one.of(), one.problems.empty(), credits,
        in_csv(fmt::format("{}", fmt::join(one.problems, "; "))), in_csv(one.file));
  }
}

void print_table(const std::vector<Marked>& all) {
  for (const Marked& one : all) {
    say("{}: {}, {}: ", printable(one.file), printable(one.student), one.lab);
    if (one.problems.empty())
      say("{:.3g} of {:g} points\n", one.points(), one.of());
    else
      say("not marked: {}\n", printable(fmt::format("{}", fmt::join(one.problems, "; "))));
    for (const Part& part : one.parts) {
      const std::string right = std::holds_alternative<double>(part.right) ? lab::answer_text(part.right, part.unit, {})
                                                                           : std::get<std::string>(part.right);
      say("  {:<9} {:<28} answer {}\n", part.name, credit_text(part), right);
      if (!part.hint.empty()) say("            {}\n", part.hint);
    }
  }
}

/// Names of labs by their files, as results call them.
std::map<std::string, std::string> own_labs(const std::vector<std::string>& files) {
  std::map<std::string, std::string> labs;
  for (const std::string& file : files) {
    const LabFile lab = lab_named(file);
    labs[lab.lab(lab.all(1).front()).name] = lab.path();
  }
  return labs;
}

int check(const Checked& checked) {
  const auto labs = own_labs(checked.labs);
  lab::Played played(jobs_of(0));
  std::vector<Marked> all;
  int worst = 0;
  for (const std::string& file : checked.files) try {
      all.push_back(lab::marked_result(file, labs, played));
      if (!all.back().problems.empty()) worst = std::max(worst, BoundError("").exit_code());
    } catch (const Error& error) {
      if (error.exit_code() == Interrupted("").exit_code()) throw;
      std::fflush(stdout);
      tell("{}\n", printable(error.what()));
      worst = std::max(worst, error.exit_code());
    } catch (const std::exception& error) {  // a fault of ours, and no reason not to mark the others
      std::fflush(stdout);
      tell("{}: cannot be marked: {}. Please report it with the file.\n", file, printable(error.what()));
      worst = std::max(worst, 1);
    }
  if (checked.format == "json") {
    Json results = Json::array();
    for (const Marked& one : all) results.push_back(marked_json(one));
    say("{}\n", Json{{"results", results}}.dump(2, ' ', false, Json::error_handler_t::replace));
  } else if (checked.format == "csv") {
    print_csv(all);
  } else {
    print_table(all);
  }
  return worst;
}

const bool show_entered = commands().add({
    .name = "lab show",
    .summary = "show the questions of a lab; with --solution also the engine's answers (for teachers)",
    .example = "orrery lab show ping-pong --student \"Ada Lovelace\"",
    .setup =
        [](CommandLine& line) {
          auto shown = std::make_shared<Shown>();
          line.path("LAB", shown->lab, "a shipped lab or a file");
          line.option("--student", shown->student, "student name (selects machine and sizes)");
          line.flag("--solution", shown->solution, "simulate it; show answers, typical wrong answers, teacher's notes");
          line.choice("--format", shown->format, {"text", "json"}, "json: everything that the page shows");
          line.run([shown] { return show(*shown); });
        },
});

const bool take_entered = commands().add({
    .name = "lab take",
    .summary = "answer a lab without a browser, and write the result",
    .example = "orrery lab take ping-pong --student \"Ada Lovelace\" --predict 16KiB --transfer 8KiB -o ada.json",
    .setup =
        [](CommandLine& line) {
          auto taken = std::make_shared<Taken>();
          line.path("LAB", taken->lab, "a shipped lab or a file");
          line.option("--student", taken->student, "name of the student", true);
          line.option("--predict", taken->answers.predict, "predicted number, with its unit");
          line.option("--choose", taken->answers.choose, "chosen option, as 'orrery lab show' prints it");
          line.option("--transfer", taken->answers.transfer, "answer to the transfer question");
          line.option("--formula", taken->answers.formula, "formula (stored, not marked)");
          line.output("-o,--output", taken->output, "file for the result (default: print it)");
          line.run([taken] { return take(*taken); });
        },
});

const bool check_entered = commands().add({
    .name = "lab check",
    .summary = "check and mark the answers of students, replaying what they saw",
    .example = "orrery lab check results/*.json --format csv",
    .setup =
        [](CommandLine& line) {
          auto checked = std::make_shared<Checked>();
          line.paths("RESULT", checked->files, "result files of students");
          line.paths("--lab", checked->labs, "your own lab that the results belong to (default: the shipped labs)");
          line.choice("--format", checked->format, {"table", "csv", "json"},
                      "output: table for people, csv for a class, json for a grader");
          line.run([checked] { return check(*checked); });
        },
});

}  // namespace

}  // namespace orrery::cli::lab_command
