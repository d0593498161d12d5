#include "sim/study/shard/slurm_job.hpp"

#include <doctest/doctest.h>

#include "sim/core/error.hpp"

using namespace orrery;
using study::SlurmOptions;
using study::tasks_of;

namespace {

constexpr std::uint64_t minute = 60'000'000;

std::vector<std::uint64_t> points_of(std::size_t points, std::uint64_t cost) {
  return std::vector<std::uint64_t>(points, cost);
}

study::SlurmJob job_of(const SlurmOptions& options) {
  return study::slurm_job({.scenario = "my sweep.yaml", .overrides = {"network=[a, b]"}}, "my sweep", "out",
                          points_of(2000, minute / 2), options);
}

bool has_line(const std::string& script, const std::string& line) {
  return script.find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

TEST_SUITE("app/slurm job") {
  TEST_CASE("An array has tasks of ten minutes and at most a thousand of them and no more than points") {
    CHECK(tasks_of(points_of(2000, minute / 2), {}) == 100);
    CHECK(tasks_of(points_of(100'000, minute), {}) == 1000);
    CHECK(tasks_of(points_of(3, 60 * minute), {}) == 3);
    CHECK(tasks_of(points_of(5, 1), {}) == 1);
    CHECK(tasks_of(points_of(2000, minute / 2), {.cpus = 4}) == 25);
  }
  TEST_CASE("Nodes that are to be used have a task each and a number of tasks is taken as it is") {
    CHECK(tasks_of(points_of(8, minute), {.nodes = 4}) == 4);
    CHECK(tasks_of(points_of(2000, minute / 2), {.nodes = 4}) == 100);
    CHECK(tasks_of(points_of(2000, minute / 2), {.tasks = 7}) == 7);
    CHECK_THROWS_WITH_AS(tasks_of(points_of(9, 1), {.tasks = 1001}),
                         "--tasks: 1001 lies outside 0..1000 (tasks of an array). Choose one inside?", InputError);
  }
  TEST_CASE("The scripts of a job say what Slurm and the tasks are to do") {
    const auto job = job_of({.nodes = 8, .cpus = 2, .partition = "short", .others = {"--account=physics"}});
    CHECK(job.tasks == 50);
    CHECK(std::abs(job.longest_s - 600) < 1);
    CHECK(job.array.starts_with("#!/bin/sh\n"));
    CHECK(has_line(job.array, "#SBATCH --array=1-50%8"));
    CHECK(has_line(job.array, "#SBATCH --time=0:30:00"));
    CHECK(has_line(job.array, "#SBATCH --partition=short"));
    CHECK(has_line(job.array, "#SBATCH --account=physics"));
    CHECK(has_line(job.array, "#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=2"));
    CHECK(has_line(job.array, "#SBATCH --requeue --open-mode=append"));
    CHECK(job.array.find(" run 'my sweep.yaml' --set 'network=[a, b]' --shard \"$SLURM_ARRAY_TASK_ID/50\" --out out "
                         "--jobs 2 --resume\n") != std::string::npos);
    CHECK(job.merge.find(" merge out-*-of-50 --out out --jobs 2\n") != std::string::npos);
  }
  TEST_CASE("An option of sbatch that Orrery writes itself is refused by any beginning of its name") {
    for (const char* ours :
         {"--arr=1-5",   "--a=1",   "--array", "--ti=5", "--time=5", "-t5",         "-Ht5",
          "-a1-3",       "--out=x", "--o=x",   "-ox",    "--dep=1",  "-dafterok:1", "--sig=B:TERM",
          "--nodes=2",   "-N2",     "--nt=4",  "-n4",    "--cpus=2", "-c2",         "--open-mode=truncate",
          "--wrap=true", "--pars",  "--requ"}) {
      CAPTURE(ours);
      CHECK_THROWS_WITH_AS(job_of({.others = {ours}}),
                           (std::string("--sbatch: '") + ours +
                            "' is written by Orrery itself (--tasks, --nodes, --jobs and --time say what it is). Leave "
                            "it out?")
                               .c_str(),
                           InputError);
    }
    for (const char* none : {"-", "--", "---", "--=x", "-1", "account=x", "", "--1"}) {
      CAPTURE(none);
      CHECK_THROWS_WITH_AS(job_of({.others = {none}}),
                           (std::string("--sbatch: '") + none +
                            "' is no option (sbatch's own, one each). Write '--sbatch=--account=physics'?")
                               .c_str(),
                           InputError);
    }
    for (const char* theirs : {"--account=physics", "-Aphysics", "--time-min=5", "--ntasks-per-node=1", "--nodelist=n1",
                               "--mem=4G", "-Hp", "--exclusive", "-C", "--job-name=mine"}) {
      CAPTURE(theirs);
      CHECK(has_line(job_of({.others = {theirs}}).array, std::string("#SBATCH ") + theirs));
    }
  }
  TEST_CASE("A folder or a word that a line of a batch script would change is refused") {
    for (const char* out : {"a b", "a\\b", "a\rb", "a\nb", "a%b", "a'b", "a\x01", "a\tb"}) {
      CAPTURE(out);
      CHECK_THROWS_AS(study::slurm_job({.scenario = "s.yaml"}, "s", out, points_of(2, 1), {}), InputError);
      const bool of_logs_alone = std::string_view(out) == "a%b";  // '%' stands for a number in the name of a log
      if (!of_logs_alone) CHECK_THROWS_AS(job_of({.others = {std::string("--comment=") + out}}), InputError);
    }
    const auto job = study::slurm_job({.scenario = "./-rf.yaml"}, "-rf", "./-o", points_of(2, 1), {});
    CHECK(job.array.find(" run ./-rf.yaml --shard ") != std::string::npos);
    CHECK(job.array.find(" --out ./-o ") != std::string::npos);
    CHECK(has_line(job.array, "#SBATCH --output=./-o/slurm-%A_%a.txt"));
    CHECK(job.merge.find(" merge ./-o-*-of-1 --out ./-o ") != std::string::npos);
  }
  TEST_CASE("What a line of a batch script cannot say is refused") {
    CHECK_THROWS_AS(job_of({.time = "1 hour"}), InputError);
    for (const char* time : {"abc", "1:99:99", "1:60", "-1", "2-", "1:2:3:4", "0:02:00", "2"})
      CHECK_THROWS_AS(job_of({.time = time}), InputError);
    for (const char* time : {"30", "90:00", "2:00:00", "1-0", "1-12:30", "1-12:30:00"})
      CHECK(has_line(job_of({.time = time}).array, std::string("#SBATCH --time=") + time));
    CHECK_THROWS_WITH_AS(
        job_of({.others = {"--array=1-3"}}),
        "--sbatch: '--array=1-3' is written by Orrery itself (--tasks, --nodes, --jobs and --time say what it "
        "is). Leave it out?",
        InputError);
    CHECK_THROWS_AS(job_of({.others = {"account=physics"}}), InputError);
    CHECK_THROWS_WITH_AS(job_of({.others = {"--account physics"}}),
                         "--sbatch: '--account physics' has spaces, quotes or a backslash (one option of sbatch, as in "
                         "--account=physics). Write several?",
                         InputError);
  }
}
