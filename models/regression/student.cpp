#include "models/regression/student.hpp"

#include <boost/math/distributions/students_t.hpp>

namespace orrery {

double student_95(std::size_t freedom) {
  return boost::math::quantile(boost::math::students_t(static_cast<double>(freedom)), 0.975);
}

}  // namespace orrery
