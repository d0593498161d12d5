/// Quantile of Student's distribution: how many standard errors hold 95 % of both sides.
#pragma once

#include <cstddef>

namespace orrery {

/// `freedom` >= 1 observations to spare: 12.7 of 1, 2.23 of 10, 1.96 of many.
double student_95(std::size_t freedom);

}  // namespace orrery
