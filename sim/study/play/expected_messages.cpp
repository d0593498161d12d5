#include "sim/study/play/expected_messages.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <variant>

#include "sim/core/doing.hpp"

namespace orrery::study {

MessageCount::MessageCount(const Program& program, std::uint32_t sampled)
    : program_(&program), others_(program.ranks() - 1), taken_(std::min(others_, std::max(1u, sampled))) {}

/// One of each stretch of the others, at a place that has no period: ranks often differ by whether they are even.
Rank MessageCount::sampled_rank() const {
  if (next_ == 0) return Rank{0};
  const double place = next_ * std::numbers::phi - std::floor(next_ * std::numbers::phi);
  return Rank{1 + static_cast<std::uint32_t>((next_ - 1 + place) * others_ / taken_)};
}

std::uint64_t MessageCount::advance(std::uint64_t steps_max) {
  std::uint64_t taken = 0;
  while (!whole() && taken < steps_max) {
    if (!steps_) steps_ = program_->steps(sampled_rank());
    doing.rank = static_cast<std::uint32_t>(sampled_rank());
    std::uint64_t& sum = next_ == 0 ? of_first_ : of_others_;
    const Step* step = steps_->next();
    for (; step != nullptr; step = ++taken < steps_max ? steps_->next() : nullptr)
      sum += std::holds_alternative<Send>(*step) || std::holds_alternative<Isend>(*step);
    if (taken >= steps_max) return taken;
    steps_.reset();
    ++next_;
    ++taken;  // a rank without steps takes time too
  }
  return taken;
}

std::uint64_t MessageCount::messages() const {
  if (taken_ == 0) return of_first_;
  return of_first_ + (whole() ? of_others_ * others_ / taken_ : of_others_);
}

}  // namespace orrery::study
