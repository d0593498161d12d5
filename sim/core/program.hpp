/// A program: for each rank, a lazy sequence of steps. Kernels, traces and tests implement it; engines, the recorder,
/// the phase builder and the MPI player read it. It is pure: the same rank has the same steps each time. The steps
/// depend only on the rank and on the answers to the program's own probes.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "sim/core/generator.hpp"
#include "sim/core/step.hpp"

namespace orrery {

class Program {
 public:
  virtual ~Program() = default;
  virtual std::string name() const = 0;
  virtual std::uint32_t ranks() const = 0;
  virtual Generator<Step> steps(Rank me) const = 0;
  /// Minimum memory of a rank: its matrices, vectors, meshes. 0: not known.
  virtual Bytes memory(Rank) const { return Bytes(0.0); }
};

/// A program from one function, for tests and micro-benchmarks.
class FunctionProgram final : public Program {
 public:
  using Steps = std::function<Generator<Step>(Rank)>;
  FunctionProgram(std::string name, std::uint32_t ranks, Steps steps)
      : name_(std::move(name)), ranks_(ranks), steps_(std::move(steps)) {}
  std::string name() const override { return name_; }
  std::uint32_t ranks() const override { return ranks_; }
  Generator<Step> steps(Rank me) const override { return steps_(me); }

 private:
  std::string name_;
  std::uint32_t ranks_;
  Steps steps_;
};

}  // namespace orrery
