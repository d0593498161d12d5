/// Eigen with one order of additions on every computer: the order of vector instructions differs, also between a
/// browser and a computer, which changed the last digit of fits. Include it in place of Eigen's headers.
#pragma once

#define EIGEN_DONT_VECTORIZE
#include <Eigen/Dense>
