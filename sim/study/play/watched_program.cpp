#include "sim/study/play/watched_program.hpp"

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace orrery::study {

Generator<Step> WatchedProgram::steps(Rank me) const {
  auto all = program_.steps(me);
  while (const Step* step = all.next()) {
    took_one();
    co_yield *step;
  }
}

void WatchedProgram::took_one() const {
  constexpr std::uint64_t between_looks = 1u << 16;
  if (++taken_ > steps_max_)
    throw InputError("{}: more than {} steps (what is exported is in memory first). Fewer ranks or iterations?",
                     program_.name(), steps_max_);
  if (taken_ % between_looks != 0) return;
  throw_if_interrupted("nothing is written");
  if (line_.due()) line_.draw(fmt::format("reading the program: {:.1f}M steps", static_cast<double>(taken_) / 1e6));
}

}  // namespace orrery::study
