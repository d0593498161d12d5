/// The terms of times of known kernels, for the N-T, P-T and NP-T models, and the parameter that is the size.
///
/// Source   Ichikawa, Takahashi & Kawai, Table V. The terms of stage-t of `fft` are those of an all-to-all in LogGP: a
///          rank deals with Q messages of other nodes, and the link of its node carries 16 N Q / P^2 bytes of each of
///          its ranks
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace orrery {

struct TimeBasis {
  std::string kernel, size;  ///< size: "kernel.order", "2^kernel.log2-points"
  std::string np, n, p;      ///< terms, as models/regression/terms.hpp reads them
  std::string stage = {};    ///< of stage-t; empty: same as np
};

/// Null for kernels without declared terms.
const TimeBasis* basis_of(const std::string& kernel);

/// A size from the parameters it names: "kernel.order" is that value, "2^kernel.log2-points" is two to the power of it.
/// Empty if `value_of` has no value.
std::optional<double> size_from(std::string_view size,
                                const std::function<std::optional<double>(const std::string& path)>& value_of);

/// Every basis as text, for documentation pages.
std::string bases_text();

}  // namespace orrery
