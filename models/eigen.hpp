/// Eigen, adding in one order on every machine: vector instructions add in orders of their own, and a browser has others than a computer, which
/// showed in the last digit of what models fit. Include it instead of Eigen's own headers.
#pragma once

#define EIGEN_DONT_VECTORIZE
#include <Eigen/Dense>
