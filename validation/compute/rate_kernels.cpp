#include "validation/compute/rate_kernels.hpp"

#include <fmt/format.h>

#ifdef ORRERY_BLAS
#include <dlfcn.h>
#endif

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <system_error>

#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

#ifdef ORRERY_BLAS
extern "C" void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*,
                       const int*, const double*, const int*, const double*, double*, const int*);
#endif

namespace orrery::rates {

namespace {

/// Stops the compiler from seeing that a loop's iterations all do the same to data nobody reads.
void touch(const void* data) { asm volatile("" : : "g"(data) : "memory"); }

template <class Real>
struct Vectors {
  explicit Vectors(std::uint64_t n) : x(n), y(n) {
    for (std::uint64_t i = 0; i < n; ++i) {
      x[i] = static_cast<Real>(1.0 / static_cast<double>(1 + i % 7));
      y[i] = static_cast<Real>(1.0 / static_cast<double>(1 + i % 5));
    }
  }
  std::vector<Real> x, y;
  Real sum = 0;
};

/// An iteration of a BLAS-1 kernel over its vectors.
template <class Real>
using Loop = void (*)(Vectors<Real>&);

template <class Real>
class VectorKernel final : public PreparedKernel {
 public:
  VectorKernel(std::uint64_t n, Loop<Real> loop) : vectors_(n), loop_(loop) {}
  void run(std::uint64_t iterations) override {
    for (std::uint64_t k = 0; k < iterations; ++k) {
      loop_(vectors_);
      touch(vectors_.x.data());
      touch(vectors_.y.data());
    }
  }
  double check() const override { return static_cast<double>(vectors_.sum + vectors_.x.front() + vectors_.y.front()); }

 private:
  Vectors<Real> vectors_;
  Loop<Real> loop_;
};

// Several sums at once: a single one would wait for each addition, and no compiler may reorder it.
template <class Real, class Term>
Real summed(std::size_t n, Term term) {
  std::array<Real, 8> sums{};
  std::size_t i = 0;
  for (; i + sums.size() <= n; i += sums.size())
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += term(i + k);
  for (; i < n; ++i) sums[0] += term(i);
  Real sum = 0;
  for (const Real part : sums) sum += part;
  return sum;
}

template <class Real>
struct VectorLoops {
  static void axpy(Vectors<Real>& v) {
    const Real a = static_cast<Real>(1e-9);
    for (std::size_t i = 0; i < v.x.size(); ++i) v.y[i] += a * v.x[i];
  }
  static void dot(Vectors<Real>& v) {
    v.sum = summed<Real>(v.x.size(), [&](std::size_t i) { return v.x[i] * v.y[i]; });
  }
  static void scal(Vectors<Real>& v) {
    const Real a = static_cast<Real>(1.0 - 1e-7);
    for (Real& value : v.x) value *= a;
  }
  static void copy(Vectors<Real>& v) { std::copy(v.x.begin(), v.x.end(), v.y.begin()); }
  static void swap(Vectors<Real>& v) { std::swap_ranges(v.x.begin(), v.x.end(), v.y.begin()); }
  static void asum(Vectors<Real>& v) {
    v.sum = summed<Real>(v.x.size(), [&](std::size_t i) { return std::abs(v.x[i]); });
  }
  static void nrm2(Vectors<Real>& v) {
    v.sum = std::sqrt(summed<Real>(v.x.size(), [&](std::size_t i) { return v.x[i] * v.x[i]; }));
  }
};

/// Jacobi steps from one field to the other and back.
class Stencil final : public PreparedKernel {
 public:
  explicit Stencil(std::uint64_t m) : m_(m), fields_{std::vector<double>((m + 2) * (m + 2), 0.0), {}} {
    for (std::uint64_t i = 0; i < m + 2; ++i) fields_[0][i] = 1.0;  // the upper edge is hot
    fields_[1] = fields_[0];
  }
  void run(std::uint64_t iterations) override {
    for (std::uint64_t k = 0; k < iterations; ++k) {
      const double* const from = fields_[now_].data();
      double* const to = fields_[1 - now_].data();
      const std::uint64_t width = m_ + 2;
      for (std::uint64_t row = 1; row <= m_; ++row)
        for (std::uint64_t column = 1; column <= m_; ++column) {
          const std::uint64_t at = row * width + column;
          to[at] =
              from[at] + 0.2 * (from[at - width] + from[at + width] + from[at - 1] + from[at + 1] - 4.0 * from[at]);
        }
      now_ = 1 - now_;
      touch(to);
    }
  }
  double check() const override { return fields_[now_][m_ + 2 + 1]; }

 private:
  std::uint64_t m_;
  std::array<std::vector<double>, 2> fields_;
  std::size_t now_ = 0;
};

#ifdef ORRERY_BLAS
class Dgemm final : public PreparedKernel {
 public:
  explicit Dgemm(std::uint64_t m) : order_(static_cast<int>(m)), a_(m * m, 0.5), b_(m * m, 0.25), c_(m * m, 0.0) {}
  void run(std::uint64_t iterations) override {
    const double one = 1.0;
    const char no = 'N';
    for (std::uint64_t k = 0; k < iterations; ++k)
      dgemm_(&no, &no, &order_, &order_, &order_, &one, a_.data(), &order_, b_.data(), &order_, &one, c_.data(),
             &order_);
  }
  double check() const override { return c_.back(); }

 private:
  int order_;
  std::vector<double> a_, b_, c_;
};
#endif

double real(std::uint64_t n) { return static_cast<double>(n); }
std::uint64_t whole(double n) { return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(n)); }

template <class Real>
void add_vector_kernels(std::vector<RateKernel>& kernels, const std::string& prefix) {
  struct Row {
    const char *name, *work, *summary;
    double operations, vectors;
    Loop<Real> loop;
  };
  using Loops = VectorLoops<Real>;
  const Row rows[] = {{"axpy", "daxpy", "y += a x", 2, 2, Loops::axpy},
                      {"dot", "ddot", "sum of x y", 2, 2, Loops::dot},
                      {"scal", "dscal", "x = a x", 1, 1, Loops::scal},
                      {"copy", "copy", "y = x; an operation for each element", 1, 2, Loops::copy},
                      {"swap", "generic", "x and y change places; an operation for each element", 1, 2, Loops::swap},
                      {"asum", "generic", "sum of |x|", 1, 1, Loops::asum},
                      {"nrm2", "generic", "root of the sum of x^2", 2, 1, Loops::nrm2}};
  for (const Row& row : rows) {
    const double width = row.vectors * sizeof(Real), operations = row.operations;
    const auto loop = row.loop;
    kernels.push_back({prefix + row.name, row.work, row.summary, [operations](auto n) { return operations * real(n); },
                       [width](auto n) { return width * real(n); },
                       [width](double bytes) { return whole(bytes / width); },
                       [loop](auto n) { return std::make_unique<VectorKernel<Real>>(n, loop); }});
  }
}

std::vector<RateKernel> made_kernels() {
  std::vector<RateKernel> kernels;
  add_vector_kernels<double>(kernels, "d");
  add_vector_kernels<float>(kernels, "s");
  kernels.push_back({"stencil", "stencil", "five-point Laplacian of n x n points",
                     [](auto m) { return 6.0 * real(m) * real(m); },
                     [](auto m) { return 16.0 * real(m + 2) * real(m + 2); },
                     [](double bytes) { return whole(std::sqrt(bytes / 16.0) - 2.0); },
                     [](auto m) { return std::make_unique<Stencil>(m); }});
#ifdef ORRERY_BLAS
  kernels.push_back({"dgemm", "dgemm", "C += A B of order n", [](auto m) { return 2.0 * real(m) * real(m) * real(m); },
                     [](auto m) { return 24.0 * real(m) * real(m); },
                     [](double bytes) { return whole(std::sqrt(bytes / 24.0)); },
                     [](auto m) { return std::make_unique<Dgemm>(m); }});
#endif
  return kernels;
}

}  // namespace

const std::vector<RateKernel>& rate_kernels() {
  static const std::vector<RateKernel> kernels = made_kernels();
  return kernels;
}

const RateKernel& rate_kernel(std::string_view name, std::string_view where) {
  const auto found = std::ranges::find(rate_kernels(), name, &RateKernel::name);
  if (found != rate_kernels().end()) return *found;
  if (name == "dgemm")
    throw InputError(
        "{}: 'dgemm' needs a BLAS, and none was found when this was built (on Debian: apt-get install "
        "libopenblas-dev). Measure 'daxpy'?",
        where);
  std::vector<std::string> known;
  for (const auto& kernel : rate_kernels()) known.push_back(kernel.name);
  throw InputError("{}: unknown kernel '{}'{}", where, name, known_names(name, known));
}

#ifdef ORRERY_BLAS
/// The file that dgemm comes from as this runs: systems exchange one BLAS for another behind one name.
std::string blas_name() {
  Dl_info found{};
  void* const dgemm = dlsym(RTLD_DEFAULT, "dgemm_");
  if (dgemm == nullptr || dladdr(dgemm, &found) == 0 || found.dli_fname == nullptr) return "linked statically";
  std::error_code ignored;
  const auto file = std::filesystem::canonical(found.dli_fname, ignored);
  return ignored ? found.dli_fname : (file.parent_path().filename() / file.filename()).string();
}
#else
std::string blas_name() { return ""; }
#endif

double seconds_of(PreparedKernel& kernel, std::uint64_t iterations) {
  const auto begin = std::chrono::steady_clock::now();
  kernel.run(iterations);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace orrery::rates
