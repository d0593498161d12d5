#include "validation/programs/fourier.hpp"

#include <fmt/format.h>

#include <mutex>

#include "sim/core/error.hpp"

#ifdef ORRERY_FFTW
#include <fftw3.h>
#endif

namespace orrery::programs {

#ifdef ORRERY_FFTW

namespace {

int whole(std::size_t n) { return static_cast<int>(n); }

/// The interface for lines of any number: FFTW's plain one counts with int, too.
fftw_complex* place(std::vector<Complex>& points, std::size_t first) {
  return reinterpret_cast<fftw_complex*>(points.data() + first);
}

/// FFTW makes and forgets one plan at a time.
std::mutex planner;

std::shared_ptr<void> kept(fftw_plan plan) {
  if (plan == nullptr) throw ReplayError("fft: FFTW makes no plan for this size");
  return {plan, [](void* made) {
            const std::lock_guard lock(planner);
            fftw_destroy_plan(static_cast<fftw_plan>(made));
          }};
}

}  // namespace

Plan::Plan(std::vector<Complex>& points, const Lines& lines, std::size_t first) {
  if (lines.count == 0 || lines.length == 0) return;
  const int length = whole(lines.length);
  fftw_complex* const data = place(points, first);
  const std::lock_guard lock(planner);
  plan_ = kept(fftw_plan_many_dft(1, &length, whole(lines.count), data, nullptr, whole(lines.step), whole(lines.next),
                                  data, nullptr, whole(lines.step), whole(lines.next), FFTW_FORWARD, FFTW_ESTIMATE));
}

Plan Plan::box(std::vector<Complex>& points, std::size_t nx, std::size_t ny, std::size_t nz) {
  Plan plan;
  fftw_complex* const data = place(points, 0);
  const std::lock_guard lock(planner);
  plan.plan_ = kept(fftw_plan_dft_3d(whole(nx), whole(ny), whole(nz), data, data, FFTW_FORWARD, FFTW_ESTIMATE));
  return plan;
}

void Plan::run() const {
  if (plan_ != nullptr) fftw_execute(static_cast<fftw_plan>(plan_.get()));
}

void require_fftw(const char*) {}
const char* fftw_name() { return fftw_version; }

#else

Plan::Plan(std::vector<Complex>&, const Lines&, std::size_t) {}
Plan Plan::box(std::vector<Complex>&, std::size_t, std::size_t, std::size_t) { return {}; }
void Plan::run() const {}
void require_fftw(const char* where) {
  throw InputError(
      "{}: computes with FFTW, which was not found when this was built (on Debian: apt-get install "
      "libfftw3-dev). Install it and build again?",
      where);
}
const char* fftw_name() { return ""; }

#endif

}  // namespace orrery::programs
