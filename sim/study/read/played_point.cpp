#include "sim/study/read/played_point.hpp"

#include "sim/engine/steady.hpp"

namespace orrery::study {

std::unique_ptr<Program> program_of_few(const LoadedPoint& point, std::uint32_t iterations) {
  Parameters parameters = point.parameters;
  parameters.set("iterations", std::to_string(iterations), "steady");
  return kernels()
      .at(point.kernel, "steady")
      .make({parameters, point.layout.ranks(), point.partition, point.trace, &point.layout, point.pattern});
}

RunResult play_point(const LoadedPoint& point, const ReplayOptions& options, const std::string& on, double steady) {
  if (steady == 0.0) return make_engine(on, "engine")->replay(point.replay_input(options));
  const auto total = static_cast<std::uint32_t>(point.parameters.integer("iterations"));
  return engine::steady_run(total, steady, [&](std::uint32_t iterations) {
    const auto program = program_of_few(point, iterations);
    ReplayInput input = point.replay_input(options);
    input.program = program.get();
    return make_engine(on, "engine")->replay(input);
  });
}

}  // namespace orrery::study
