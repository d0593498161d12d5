/// Code shared by a result and a page (private to marks.cpp and lab_json.cpp).
#pragma once

#include <nlohmann/json.hpp>

#include "sim/study/lab/marks.hpp"

namespace orrery::lab {

using Json = nlohmann::ordered_json;

inline constexpr double mistake_within = 1.15;  ///< a prediction within this factor counts as the mistake

/// Both parts of a lab for one student.
struct Taken {
  Lab main, other;
  const Curves& curves;
  const Curves* other_curves;
};

Taken take(const LabFile& file, const std::string& student, Played& played);

Json seen_json(const Curves& curves);
Json drawn_json(const Lab& lab);
Json answered_json(const Answered& answer);

}  // namespace orrery::lab
