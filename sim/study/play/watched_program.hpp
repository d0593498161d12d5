/// A program that is read completely, with progress and Ctrl-C: "reading the program: 12.6M steps".
#pragma once

#include <cstdint>
#include <string>

#include "sim/core/program.hpp"
#include "sim/study/play/progress.hpp"

namespace orrery::study {

/// The steps are those of `program`, which must outlive it. On Ctrl-C it throws Interrupted: callers must not leave
/// files half written.
class WatchedProgram final : public Program {
 public:
  static constexpr std::uint64_t steps_most = 100'000'000;  ///< a gigabyte of calls, and several gigabytes of text
  explicit WatchedProgram(const Program& program, std::uint64_t steps_max = steps_most)
      : program_(program), steps_max_(steps_max) {}

  std::string name() const override { return program_.name(); }
  std::uint32_t ranks() const override { return program_.ranks(); }
  Generator<Step> steps(Rank me) const override;

 private:
  void took_one() const;

  const Program& program_;
  std::uint64_t steps_max_;
  mutable std::uint64_t taken_ = 0;
  mutable ProgressLine line_;
};

}  // namespace orrery::study
