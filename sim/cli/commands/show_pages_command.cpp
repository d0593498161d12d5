/// `orrery show man` and `orrery show completion SHELL`: what an installation puts where man and the shells look.
#include <fmt/format.h>

#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/cli/outline.hpp"
#include "sim/cli/pages/completion.hpp"
#include "sim/cli/pages/man_page.hpp"
#include "sim/core/tell.hpp"

namespace orrery::cli::show_pages_command {

namespace {

const bool entered_man = commands().add({
    .name = "show man",
    .summary = "the man page orrery(1), for man -l -",
    .example = "orrery show man >orrery.1",
    .setup =
        [](CommandLine& line) {
          line.run([] {
            say("{}", man_page(command_outlines()));
            return 0;
          });
        },
});

const bool entered_completion = commands().add({
    .name = "show completion",
    .summary = "a script that completes commands, options and names in a shell",
    .example = "orrery show completion bash >orrery.bash && source orrery.bash",
    .setup =
        [](CommandLine& line) {
          auto shell = std::make_shared<std::string>();
          line.positional("SHELL", *shell, "shell: bash, fish or zsh");
          line.run([shell] {
            say("{}", completion_script(*shell, command_outlines()));
            return 0;
          });
        },
});

}  // namespace

}  // namespace orrery::cli::show_pages_command
