#include "models/allocation/bases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/core/portable_math.hpp"

namespace orrery {

namespace {

const std::vector<TimeBasis>& bases() {
  constexpr const char* cubic = "n^3,n^2,n,1";
  constexpr const char* halo = "n^3/p,n^2/p,n/p,1/p,n^2,n,1,log(p)";
  static const std::vector<TimeBasis> all{
      {"himeno", "kernel.points-i", halo, cubic, "t/p,1,log(p)"},
      {"fem-cg", "kernel.nodes-x", halo, cubic, "t/p,1,log(p)"},
      {"hpl", "kernel.order", "n^3/p,n^2/p,n/p,1/p,n^2*p,n*p,p,n^2,n,1", cubic, "t*p,t/p,1"},
      {"fft", "2^kernel.log2-points", "n*log(n)/p,n/p,1/p,p,n,n^(1/3),1", "n*log(n),n,n^(1/3),1", "t/p,t*p,1",
       "n*log(n)/p,n/p,q,n*q/p^2,1"}};
  return all;
}

}  // namespace

const TimeBasis* basis_of(const std::string& kernel) {
  const auto found = std::ranges::find(bases(), kernel, &TimeBasis::kernel);
  return found == bases().end() ? nullptr : &*found;
}

std::optional<double> size_from(std::string_view size,
                                const std::function<std::optional<double>(const std::string& path)>& value_of) {
  if (!size.starts_with("2^")) return value_of(std::string(size));
  const auto exponent = value_of(std::string(size.substr(2)));
  return exponent ? std::optional(portable::pow(2.0, *exponent)) : std::nullopt;
}

std::string bases_text() {
  std::string text;
  for (const auto& basis : bases()) {
    text += fmt::format("  {:<7} {}\n          np-t  {}\n          p-t   {}\n          n-t   {}\n", basis.kernel,
                        basis.size, basis.np, basis.p, basis.n);
    if (!basis.stage.empty()) text += fmt::format("          stage-t  {}\n", basis.stage);
  }
  return text;
}

}  // namespace orrery
