/// What one rank of a kernel computes with: the data behind its steps, so that a real run of the kernel computes its
/// result, which is then checked.
///
///   auto worker = worker_for({"summa", parameters, partition, ranks, me});     whoever performs the steps then calls
///   worker->begin();                       before a run: data as they are at its start
///   worker->iteration(k);                  at each iteration mark
///   worker->outgoing(send)                 what this message carries, in place until its request has been waited for
///   worker->room(recv), arrived(recv)      where it goes; it is there
///   worker->compute(compute);              does the work of the step
///   worker->end();                         behind the last step, still in the run's time
///   worker->verdict(together)              whether the result is right, by all ranks together
///
/// The steps are the kernel's own: messages, their order and their sizes are those that are simulated, by construction.
/// A worker knows no MPI; tests run workers of several ranks in one thread (tests/unit/validation/programs_test.cpp).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/core/parameters.hpp"
#include "sim/core/partition.hpp"
#include "sim/core/step.hpp"

namespace orrery::programs {

/// Whether a result is right: `value` is at most `bound`.
struct Verdict {
  std::string what;  ///< "residual |A x - b| / (eps (|A| |x| + |b|) N)"
  double value = 0.0, bound = 0.0;

  bool right() const { return value <= bound; }
};

/// Over all ranks: replaces each number by the sum, or by the greatest, of those at its place.
struct Together {
  std::function<void(std::span<double>)> sum, greatest;
};

class Worker {
 public:
  Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  virtual ~Worker() = default;

  virtual void begin() = 0;
  virtual void iteration(std::uint32_t /*number*/) {}
  /// Whether messages of this tag carry data; those of barriers and reductions carry none that is looked at.
  virtual bool carries(Tag tag) const = 0;
  virtual std::span<const double> outgoing(const Send& send) = 0;
  virtual std::span<double> room(const Recv& recv) = 0;
  virtual void arrived(const Recv& /*recv*/) {}
  virtual void compute(const Compute& step) = 0;
  virtual void end() {}
  /// Collective, outside of the run's time.
  virtual Verdict verdict(const Together& together) const = 0;
};

struct WorkerInput {
  std::string kernel;
  const Parameters& parameters;
  std::shared_ptr<const Partition> partition;  ///< of kernels that have one
  std::uint32_t ranks = 0;
  Rank me{};
};

/// Throws InputError for kernels that have no worker, for forms of a kernel that it does not know, and where the
/// library it needs was not there when this was built.
std::unique_ptr<Worker> worker_for(const WorkerInput& input);

/// "OpenBLAS ...; FFTW ..." as this build has them.
std::string libraries();

// One for each kernel, in the file of its name.
std::unique_ptr<Worker> make_fft(const WorkerInput& input);
std::unique_ptr<Worker> make_hpl(const WorkerInput& input);
std::unique_ptr<Worker> make_stencil(const WorkerInput& input);
std::unique_ptr<Worker> make_summa(const WorkerInput& input);
std::unique_ptr<Worker> make_wave2d(const WorkerInput& input);

}  // namespace orrery::programs
