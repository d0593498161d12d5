/// What times of known kernels are made of: the terms of the N-T, P-T and NP-T models, and which parameter is the size.
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
  std::string stage = {};    ///< of stage-t; empty: as np
};

/// Null for kernels whose terms nobody has declared.
const TimeBasis* basis_of(const std::string& kernel);

/// A size from the parameters it names: "kernel.order" is that, "2^kernel.log2-points" two to the power of it. Nothing
/// where `value_of` has none.
std::optional<double> size_from(std::string_view size,
                                const std::function<std::optional<double>(const std::string& path)>& value_of);

/// Every basis in words, for pages.
std::string bases_text();

}  // namespace orrery
