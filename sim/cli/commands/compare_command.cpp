/// `orrery compare`: two runs side by side, or a scenario as it is and with something changed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <set>

#include "sim/cli/command_line.hpp"
#include "sim/cli/folder_run.hpp"
#include "sim/cli/run_output.hpp"
#include "sim/cli/typed_command.hpp"
#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/show/summary/comparison.hpp"
#include "sim/study/play/sides.hpp"
#include "sim/study/read/engines.hpp"
#include "sim/study/store/output_folder.hpp"

namespace orrery::cli::compare_command {

namespace {

struct Options {
  std::vector<std::string> sides, set, with;
  std::string out = "out/compare", engine, format = "table", critical_path = "auto";
  int jobs = 0;
  bool ignore_memory = false, resume = false;
};

struct Requests {
  SideRequest a, b;
  std::string name_a, name_b;
};

std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

/// What the two sides are, and what they are called.
Requests requests_of(const Options& options) {
  if (options.sides.size() > 2)
    throw InputError("orrery compare: {} sides are given (one with --with, or two). Leave '{}' out?",
                     options.sides.size(), options.sides.back());
  if (options.sides.size() == 1 && options.with.empty())
    throw InputError(
        "orrery compare: only '{0}' is given (two are compared). Add '--with network=...', or "
        "another run?",
        options.sides.front());
  auto set = options.set;
  if (!options.engine.empty()) set.push_back("engine=" + options.engine);
  const std::string &first = options.sides.front(), &second = options.sides.back();
  const auto settings = [](const std::string& text, const std::vector<std::string>& of) {
    return names_result(text) ? std::vector<std::string>{} : of;
  };
  Requests requests{SideRequest{first, settings(first, set), "--set"},
                    SideRequest{second, joined(settings(second, set), options.with)}, first, second};
  requests.b.flag = "--with";
  requests.b.with = static_cast<std::ptrdiff_t>(options.with.size());
  const auto require_scenario = [](const SideRequest& side) {
    if (names_result(side.text) && !side.overrides.empty())
      throw InputError("{} {}: '{}' is a finished run (only a scenario is played). Name the scenario?", side.flag,
                       side.overrides.front(), side.text);
  };
  require_scenario(requests.b);
  if (names_result(first) && names_result(second)) require_scenario({first, set, "--set"});
  if (options.sides.size() == 1) requests.name_b.clear();
  if (!options.with.empty())
    requests.name_b += fmt::format("{}with {}", requests.name_b.empty() ? "" : " ", fmt::join(options.with, ", "));
  return requests;
}

void print(const show::Comparison& comparison, const std::string& format) {
  if (format == "json")
    say("{}", comparison_json(comparison));
  else if (format == "csv")
    say("{}", comparison_csv(comparison));
  else
    say_table(comparison_table(comparison, terminal_width(), terminal_color()));
}

/// A stop leaves what has ended of both sides.
[[noreturn]] void tell_how_to_resume(const Stopped& stop, const ResultStore& store) {
  throw Interrupted(
      stop.refusal().then(go_on_later(Refusal("What has ended of the comparison is kept in {}", store.file()))));
}

/// Both sides are read before one is played, and finished points of both are kept until the comparison is written.
int compare_sides(const Options& options) {
  Requests requests = requests_of(options);
  RunOptions run_options{.jobs = jobs_of(options.jobs),
                         .critical_path = critical_path_asked(options.critical_path),
                         .resume = options.resume};
  requests.a.ignore_memory = requests.b.ignore_memory = options.ignore_memory;
  Side side_a = read_side(requests.a), side_b = read_side(requests.b);
  require_writable(options.out);
  const bool plays = side_a.scenario || side_b.scenario, plays_both = side_a.scenario && side_b.scenario;
  ResultStore store(plays ? options.out + "/compare.sqlite" : ResultStore::in_memory);
  std::set<std::string> ids;
  const auto play = [&](Side& side, const char* name) {
    if (plays_both) run_options.side = name;
    return result_of(std::move(side), run_options, store, ids);
  };
  try {
    const ScenarioResult a = play(side_a, "A: "), b = play(side_b, "B: ");
    for (const auto& notice : store.notices()) tell("{}\n", notice);
    const auto comparison = show::compare({requests.name_a, &a}, {requests.name_b, &b});
    print(comparison, options.format);  // first: it needs no disk
    store.end(ids, [&] {
      config::write_into(options.out, "compare.html", comparison_html(comparison));
      config::write_into(options.out, "compare.csv", comparison_csv(comparison));
      config::write_into(options.out, "compare.json", comparison_json(comparison));
    });
    tell("\nreport: {}/compare.html  (also compare.csv, compare.json)\n", options.out);
    if (comparison.pairs() == 0)
      throw InputError("orrery compare: no point of A is in B (see the notes). Compare runs of the same sweep?");
  } catch (const Stopped& stop) {
    tell_how_to_resume(stop, store);
  }
  return 0;
}

const bool entered = commands().add({
    .name = "compare",
    .summary = "compare two runs: what takes longer, by how much, and what limits each",
    .example = "orrery compare out/before out/after\n  orrery compare rico-gallego16-m10 --with network=ethernet",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.paths("SIDES", options->sides,
                     "A and B: output folders of 'orrery run', or scenarios to simulate; with --with, A alone");
          line.option("--with", options->with,
                      "B is scenario A with this value changed, as in network=ethernet (repeatable)");
          line.option("--set", options->set, "override a value in A and B, as in 'orrery run'");
          line.path("--out", options->out, "folder for compare.html, compare.csv and compare.json");
          line.choice("--engine", options->engine, engine_choices(),
                      "simulation engine for A and B (default: the scenario's)");
          line.option("--jobs", options->jobs, "points to simulate in parallel (0: one per core)");
          line.choice("--critical-path", options->critical_path, {"auto", "on", "off"},
                      "find what limits each run (auto: up to 16384 ranks)");
          line.flag("--resume", options->resume,
                    "continue a stopped comparison: points that are finished in the --out folder (compare.sqlite) are "
                    "not simulated again");
          line.flag("--ignore-memory", options->ignore_memory, ignore_memory_help);
          line.choice("--format", options->format, {"table", "json", "csv"}, "output format");
          line.run([options] { return compare_sides(*options); });
        },
});

}  // namespace

}  // namespace orrery::cli::compare_command
