#include <fmt/format.h>

#include <map>

#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"
#include "validation/programs/blas.hpp"
#include "validation/programs/fourier.hpp"
#include "validation/programs/worker.hpp"

namespace orrery::programs {

std::unique_ptr<Worker> worker_for(const WorkerInput& input) {
  using Make = std::unique_ptr<Worker> (*)(const WorkerInput&);
  static const std::map<std::string, Make> makers = {
      {"fft", make_fft}, {"hpl", make_hpl}, {"stencil", make_stencil}, {"summa", make_summa}, {"wave2d", make_wave2d}};
  const auto found = makers.find(input.kernel);
  if (found == makers.end())
    throw InputError(
        fmt::format("{}: this kernel has no data to compute with (fft, hpl, stencil, summa and wave2d have). Write "
                    "'--compute spin'?",
                    input.kernel));
  return found->second(input);
}

std::string libraries() {
  const std::string blas = blas::name(), fftw = fftw_name();
  return fmt::format("{}, {}", blas.empty() ? "no BLAS" : blas, fftw.empty() ? "no FFTW" : fftw);
}

}  // namespace orrery::programs
