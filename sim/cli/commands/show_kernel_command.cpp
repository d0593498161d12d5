/// `orrery show kernel NAME`: what a kernel does, its parameters and where it comes from.
#include <fmt/format.h>

#include <memory>

#include "kernels/kernel.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/pages/kernel_page.hpp"
#include "sim/core/tell.hpp"

namespace orrery::cli::show_kernel_command {

namespace {

const bool entered = commands().add({
    .name = "show kernel",
    .summary = "a kernel: its steps, messages, parameters and source",
    .example = "orrery show kernel summa",
    .setup =
        [](CommandLine& line) {
          auto name = std::make_shared<std::string>();
          line.positional("NAME", *name, "a kernel's name ('orrery list kernels' shows them)");
          line.run([name] {
            say("{}", kernel_page(kernels().at(*name, "show kernel")));
            return 0;
          });
        },
});

}  // namespace

}  // namespace orrery::cli::show_kernel_command
