/// "lab step": the moment of a lab that a student steps through, as the data of a report's page.
#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/cli/run_output.hpp"
#include "sim/study/lab/play.hpp"
#include "sim/study/play/run_scenario.hpp"
#include "sim/study/read/data_path.hpp"
#include "web/driver/page_data.hpp"

namespace orrery::web::lab_step_command {

namespace {

struct Options {
  std::string lab, student, knob;
};

int step(const Options& options) {
  const lab::LabFile file = lab::LabFile::read(data_path("labs", options.lab, "yaml", "lab"));
  const Scenario scenario = lab::moment_of(file.lab(file.drawn_for(options.student)), options.knob);
  constexpr std::uint32_t intervals_of_a_rank = 8'000;  // who steps to the end sees what each rank does meanwhile
  std::shared_ptr<const LoadedPoint> only;
  const auto run = study::run_scenario(scenario, {.jobs = cli::jobs_of(0),
                                                  .intervals_max = intervals_of_a_rank,
                                                  .critical_path = true,
                                                  .on_collected = [&only](auto point) { only = std::move(point); }});
  print_page(run.result, only.get());
  return 0;
}

const bool entered = cli::commands().add({
    .name = "lab step",
    .summary = "the moment of a lab, played",
    .example = R"({"command": "lab step", "lab": "ping-pong", "student": "Ada Lovelace"})",
    .setup =
        [](cli::CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.positional("LAB", options->lab, "a lab's file or name", true);
          line.option("--student", options->student, "student name (selects machine and sizes)", true);
          line.option("--knob", options->knob, "the value that its knob is turned to", false);
          line.run([options] { return step(*options); });
        },
});

}  // namespace

}  // namespace orrery::web::lab_step_command
