#include "validation/programs/blas.hpp"

#include <fmt/format.h>

#include "sim/core/error.hpp"

#ifdef ORRERY_BLAS
#include <dlfcn.h>

#include <filesystem>
#include <string>
#include <system_error>

// Fortran's names: every BLAS has them.
extern "C" {
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*, const int*,
            const double*, const int*, const double*, double*, const int*);
void dtrsm_(const char*, const char*, const char*, const char*, const int*, const int*, const double*, const double*,
            const int*, double*, const int*);
void dtrsv_(const char*, const char*, const char*, const int*, const double*, const int*, double*, const int*);
void dgemv_(const char*, const int*, const int*, const double*, const double*, const int*, const double*, const int*,
            const double*, double*, const int*);
int idamax_(const int*, const double*, const int*);
[[gnu::weak]] void openblas_set_num_threads(int);
}
#endif

namespace orrery::programs::blas {

#ifdef ORRERY_BLAS

namespace {

const double one = 1.0;
const int step = 1;
int whole(std::size_t n) { return static_cast<int>(n); }

}  // namespace

void require(const char*) {
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
}

void multiply(std::size_t m, std::size_t n, std::size_t k, double sign, ConstPart a, ConstPart b, Part c) {
  if (m == 0 || n == 0 || k == 0) return;
  const int rows = whole(m), columns = whole(n), inner = whole(k), la = whole(a.next), lb = whole(b.next),
            lc = whole(c.next);
  dgemm_("N", "N", &rows, &columns, &inner, &sign, a.at, &la, b.at, &lb, &one, c.at, &lc);
}

void solve_lower(std::size_t m, std::size_t n, ConstPart l, Part x) {
  if (m == 0 || n == 0) return;
  const int rows = whole(m), columns = whole(n), ll = whole(l.next), lx = whole(x.next);
  dtrsm_("L", "L", "N", "U", &rows, &columns, &one, l.at, &ll, x.at, &lx);
}

void solve_upper(std::size_t n, ConstPart u, double* x) {
  const int order = whole(n), lu = whole(u.next);
  dtrsv_("U", "N", "N", &order, u.at, &lu, x, &step);
}

void multiply_vector(std::size_t m, std::size_t n, double sign, ConstPart a, const double* x, double* y) {
  if (m == 0 || n == 0) return;
  const int rows = whole(m), columns = whole(n), la = whole(a.next);
  dgemv_("N", &rows, &columns, &sign, a.at, &la, x, &step, &one, y, &step);
}

std::size_t greatest(std::size_t n, const double* x) {
  const int count = whole(n);
  return static_cast<std::size_t>(idamax_(&count, x, &step) - 1);
}

const char* name() {
  static const std::string found = [] {
    Dl_info info{};
    void* const symbol = dlsym(RTLD_DEFAULT, "dgemm_");
    if (symbol == nullptr || dladdr(symbol, &info) == 0 || info.dli_fname == nullptr)
      return std::string("linked statically");
    std::error_code ignored;
    const auto file = std::filesystem::canonical(info.dli_fname, ignored);
    return ignored ? std::string(info.dli_fname) : (file.parent_path().filename() / file.filename()).string();
  }();
  return found.c_str();
}

#else

void require(const char* where) {
  throw InputError(
      "{}: computes with a BLAS, and none was found when this was built (on Debian: apt-get install "
      "libopenblas-dev). Install it and build again?",
      where);
}
void multiply(std::size_t, std::size_t, std::size_t, double, ConstPart, ConstPart, Part) {}
void solve_lower(std::size_t, std::size_t, ConstPart, Part) {}
void solve_upper(std::size_t, ConstPart, double*) {}
void multiply_vector(std::size_t, std::size_t, double, ConstPart, const double*, double*) {}
std::size_t greatest(std::size_t, const double*) { return 0; }
const char* name() { return ""; }

#endif

}  // namespace orrery::programs::blas
