#include <fmt/format.h>

#include <map>

#include "validation/programs/blas.hpp"
#include "validation/programs/fourier.hpp"
#include "validation/programs/require.hpp"
#include "validation/programs/worker.hpp"

namespace orrery::programs {

std::unique_ptr<Worker> worker_for(const WorkerInput& input) {
  using Make = std::unique_ptr<Worker> (*)(const WorkerInput&);
  static const std::map<std::string, Make> makers = {
      {"fft", make_fft}, {"hpl", make_hpl}, {"stencil", make_stencil}, {"summa", make_summa}, {"wave2d", make_wave2d}};
  require_computable(input.kernel, input.parameters, input.ranks);
  return makers.at(input.kernel)(input);
}

std::string libraries() {
  const std::string blas = blas::name(), fftw = fftw_name();
  return fmt::format("{}, {}", blas.empty() ? "no BLAS" : blas, fftw.empty() ? "no FFTW" : fftw);
}

}  // namespace orrery::programs
