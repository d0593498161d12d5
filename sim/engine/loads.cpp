#include "sim/engine/loads.hpp"

#include <algorithm>
#include <utility>

namespace orrery::replay {

namespace {

constexpr std::uint32_t bins_per_asked = 2;  // finer inside, so that resampling to the makespan stays faithful
constexpr std::size_t curves_max = 20000;    // beyond, a curve for each would cost more memory than the run itself

/// By an eighth, not to twice as much: these are most of a run's memory.
void grow(std::vector<double>& changes, std::size_t columns) {
  if (changes.capacity() < columns) changes.reserve(columns + columns / 8);
  changes.resize(columns);
}

}  // namespace

Loads::Loads(std::uint32_t asked, std::size_t resources, KindOf kind_of)
    : kind_of_(std::move(kind_of)),
      asked_(asked),
      bins_(asked * bins_per_asked),
      of_each_(asked > 0 && resources <= curves_max),
      kinds_(bins_ + 1) {
  if (of_each_) changes_.resize(bins_ + 1);
}

Loads::OfResource& Loads::known(ResourceId resource) {
  const auto i = static_cast<std::size_t>(resource);
  if (i >= resources_.size()) resources_.resize(i + 1 + i / 2);
  OfResource& its = resources_[i];
  if (its.known) return its;
  its.known = true;
  its.kind = kind_of_(resource);
  if (of_each_ && its.kind != no_kind) its.column = columns_++;
  return its;
}

void Loads::carried(ResourceId resource, double bytes, double from, double to) {
  if (!kept()) return;
  const std::uint32_t first = bin(from), last = bin(to);
  if (first == last) return add(resource, first, bytes, first + 1, 0.0);
  const double rate = bytes / (to - from);
  add(resource, first, rate * ((first + 1) * width_ - from), last, rate * width_);
  add(resource, last, rate * (to - last * width_), last + 1, 0.0);
}

void Loads::add(ResourceId resource, std::uint32_t first, double head, std::uint32_t last, double each) {
  const OfResource& its = known(resource);
  if (its.kind == no_kind) return;
  const bool more = last > first + 1 && each != 0.0;
  kinds_[first][its.kind].bytes += head;
  if (more) {
    kinds_[first + 1][its.kind].change += each;
    kinds_[last][its.kind].change -= each;
  }
  if (!of_each_) return;
  change_from(first, its.column, head);
  change_from(first + 1, its.column, (more ? each : 0.0) - head);
  if (more) change_from(last, its.column, -each);
}

void Loads::change_from(std::uint32_t bin, std::uint32_t column, double bytes) {
  std::vector<double>& changes = changes_[bin];
  if (changes.size() <= column) grow(changes, columns_);
  changes[column] += bytes;
}

/// A kind carried b(i) = bytes(i) + change(0) + ... + change(i), so in two bins together b(2j) + b(2j+1) =
/// bytes(2j) + bytes(2j+1) - change(2j+1) + 2 (change(0) + ... + change(2j+1)).
void Loads::double_bins() {
  width_ *= 2.0;
  per_second_ *= 0.5;
  if (of_each_) double_changes();
  const std::array<Carried, resource_kinds> nothing{};
  for (std::size_t j = 0; j <= bins_ / 2; ++j)
    for (std::size_t k = 0; k < resource_kinds; ++k) {
      const Carried first = kinds_[2 * j][k], second = (2 * j < bins_ ? kinds_[2 * j + 1] : nothing)[k];
      kinds_[j][k] = {first.bytes + second.bytes - second.change, 2.0 * (first.change + second.change)};
    }
  std::fill(kinds_.begin() + bins_ / 2 + 1, kinds_.end(), nothing);
}

/// With bytes b and changes d(i) = b(i) - b(i-1), the sums b(2j) + b(2j+1) change by d(2j-1) + 2 d(2j) + d(2j+1).
void Loads::double_changes() {
  std::vector<double> nothing;
  for (std::size_t j = 0; j <= bins_ / 2; ++j) {
    std::vector<double>& before = j > 0 ? changes_[2 * j - 1] : nothing;
    std::vector<double>& first = changes_[2 * j];
    std::vector<double>& second = 2 * j < bins_ ? changes_[2 * j + 1] : nothing;
    const std::size_t columns = std::max({before.size(), first.size(), second.size()});
    for (auto* row : {&before, &first, &second, &changes_[j]}) grow(*row, columns);
    double* const merged = changes_[j].data();
    for (std::size_t k = 0; k < columns; ++k) merged[k] = before[k] + 2.0 * first[k] + second[k];
  }
  for (std::uint32_t j = bins_ / 2 + 1; j <= bins_; ++j) changes_[j].clear();
}

/// Where the bins up to the makespan go in the curve: one or two parts each, of a very short run more.
std::vector<Loads::Part> Loads::parts(double makespan) const {
  std::vector<Part> parts;
  const double width = makespan / asked_;
  for (std::uint32_t i = 0; i < bins_ && i * width_ < makespan; ++i) {
    const double begin = i * width_, end = std::min(makespan, begin + width_);
    for (auto k = static_cast<std::uint32_t>(begin / width); k < asked_ && k * width < end; ++k) {
      const double overlap = std::min(end, (k + 1) * width) - std::max(begin, k * width);
      if (overlap > 0.0) parts.push_back({i, k, overlap / (end - begin) / width});
    }
  }
  return parts;
}

/// `bytes_of_bin` is asked for one bin after the other.
template <class BytesOfBin>
std::vector<double> Loads::curve(const BytesOfBin& bytes_of_bin, double bytes_in_all, double capacity,
                                 const std::vector<Part>& parts) const {
  std::vector<double> load(asked_, 0.0);
  const double rounding = 1e-9 * bytes_in_all;
  std::uint32_t bins = 0;
  double bytes = 0.0;
  for (const Part& part : parts) {
    for (; bins <= part.bin; ++bins) bytes = bytes_of_bin(bins);
    if (bytes > rounding) load[part.slot] += bytes * part.per_second;
  }
  for (double& share : load) share /= capacity;
  return load;
}

std::vector<double> Loads::of(ResourceId resource, double bytes, double capacity,
                              const std::vector<Part>& parts) const {
  const auto i = static_cast<std::size_t>(resource);
  const std::uint32_t column = i < resources_.size() ? resources_[i].column : none;
  double in_bin = 0.0;
  const auto of_bin = [&](std::uint32_t bin) {
    return in_bin += column < changes_[bin].size() ? changes_[bin][column] : 0.0;
  };
  return curve(of_bin, bytes, capacity, parts);
}

std::vector<double> Loads::of(ResourceKind kind, double bytes, double capacity, const std::vector<Part>& parts) const {
  const auto k = static_cast<std::size_t>(kind);
  double steady = 0.0;
  const auto of_bin = [&](std::uint32_t bin) { return kinds_[bin][k].bytes + (steady += kinds_[bin][k].change); };
  return curve(of_bin, bytes, capacity, parts);
}

}  // namespace orrery::replay
