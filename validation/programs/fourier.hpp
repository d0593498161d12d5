/// Transforms of lines of complex numbers in place, by FFTW. Plans are estimated: the same on every run.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

namespace orrery::programs {

using Complex = std::complex<double>;

/// `count` lines of `length` numbers each: `step` from one number of a line to the next, `next` from one line to the
/// next.
struct Lines {
  std::size_t length = 0, count = 0, step = 1, next = 1;
};

class Plan {
 public:
  Plan() = default;
  /// In `points` from `first` on, which keep their place while the plan is there.
  Plan(std::vector<Complex>& points, const Lines& lines, std::size_t first = 0);
  /// All three dimensions of nx x ny x nz points, z fastest.
  static Plan box(std::vector<Complex>& points, std::size_t nx, std::size_t ny, std::size_t nz);

  void run() const;

 private:
  std::shared_ptr<void> plan_;
};

/// Throws InputError with the package that is missing where this was built without FFTW.
void require_fftw(const char* where);
/// "fftw-3.3.10-...", "" without one.
const char* fftw_name();

}  // namespace orrery::programs
