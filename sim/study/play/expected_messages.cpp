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
    const Step* step = steps_->next();
    for (; step != nullptr; step = ++taken < steps_max ? steps_->next() : nullptr) see(*step);
    if (taken >= steps_max) return taken;
    steps_.reset();
    open_ = peak_ = 0;
    ++next_;
    ++taken;  // a rank without steps takes time too
  }
  return taken;
}

/// Which of its open requests a rank waits for does not matter here: a wait is for one, a wait for several for all.
void MessageCount::see(const Step& step) {
  const bool blocking = std::holds_alternative<Send>(step);
  if (std::holds_alternative<WaitAll>(step)) open_ = 0;
  if (std::holds_alternative<Wait>(step) && open_ > 0) --open_;
  if (!blocking && !std::holds_alternative<Isend>(step)) return;
  ++(next_ == 0 ? of_first_ : of_others_);
  if (!blocking) ++open_;
  const std::uint64_t now = open_ + (blocking ? 1 : 0);
  if (now <= peak_) return;
  (next_ == 0 ? peak_of_first_ : peak_of_others_) += now - peak_;
  peak_ = now;
}

std::uint64_t MessageCount::messages() const { return scaled(of_first_, of_others_); }

std::uint64_t MessageCount::scaled(std::uint64_t of_first, std::uint64_t of_others) const {
  if (taken_ == 0) return of_first;
  return of_first + (whole() ? of_others * others_ / taken_ : of_others);
}

}  // namespace orrery::study
