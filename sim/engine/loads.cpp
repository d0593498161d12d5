#include "sim/engine/loads.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace orrery::engine {

namespace {

constexpr std::uint32_t bins_per_asked = 2;  // finer inside, so that resampling to the makespan stays faithful
constexpr double rounding = 1e-9;            // of all bytes: less than this is nothing
constexpr double over_most = 1e-9;           // of a load: what sums of rounded bytes may pass a capacity by
constexpr std::size_t curves_max = 20000;    // beyond, a curve for each would cost more memory than the run itself

/// By an eighth, not to twice as much: these are most of a run's memory.
[[gnu::noinline]] void grow(std::vector<double>& changes, std::size_t columns) {
  if (changes.capacity() < columns) changes.reserve(columns + columns / 8);
  changes.resize(columns);
}

double of_capacity(double rate, double capacity) {
  const double share = rate / capacity;
  return share > 1.0 && share < 1.0 + over_most ? 1.0 : share;
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

Loads::Curve Loads::new_curve(ResourceId resource) {
  const auto i = static_cast<std::size_t>(resource);
  if (i >= curves_.size()) curves_.resize(i + 1 + i / 2, unknown);
  const std::uint8_t kind = kind_of_(resource);
  if (kind == no_kind) return curves_[i] = no_curve;
  if (!of_each_) return curves_[i] = Curve{kind};
  curves_[i] = Curve{static_cast<std::uint32_t>(kind_of_column_.size())};
  kind_of_column_.push_back(kind);
  return curves_[i];
}

inline void Loads::change_from(std::uint32_t bin, std::uint32_t column, double bytes) {
  std::vector<double>& changes = changes_[bin];
  if (changes.size() <= column) [[unlikely]]
    grow(changes, kind_of_column_.size());
  changes[column] += bytes;
}

void Loads::carried(ResourceId resource, double bytes, double from, double to) {
  if (pieces_ != nullptr) return pieces_->push_back({resource, from, to, bytes});
  if (!kept()) return;
  const Curve of = curve(resource);
  const std::uint32_t first = bin(from), last = bin(to);
  if (first == last) return add(of, first, bytes, 0.0, 0.0);
  const double rate = bytes / (to - from), each = rate * width_;
  add(of, first, rate * ((first + 1) * width_ - from), 0.0, each);
  add(of, last, rate * (to - last * width_), each, 0.0);
}

void Loads::add(Curve of, std::uint32_t bin, double bytes, double before, double after) {
  if (of == no_curve) return;
  const auto column = static_cast<std::uint32_t>(of);
  if (of_each_) {
    change_from(bin, column, bytes - before);
    return change_from(bin + 1, column, after - bytes);
  }
  kinds_[bin][column].bytes += bytes;
  kinds_[bin][column].change -= before;
  kinds_[bin + 1][column].change += after;
}

/// A kind carried b(i) = bytes(i) + change(0) + ... + change(i), so in two bins together b(2j) + b(2j+1) =
/// bytes(2j) + bytes(2j+1) - change(2j+1) + 2 (change(0) + ... + change(2j+1)).
void Loads::double_bins() {
  width_ *= 2.0;
  per_second_ *= 0.5;
  if (of_each_) return double_changes();
  const std::array<Carried, resource_kinds> nothing{};
  for (std::size_t j = 0; j <= bins_ / 2; ++j)
    for (std::size_t k = 0; k < resource_kinds; ++k) {
      const Carried first = kinds_[2 * j][k], second = (2 * j < bins_ ? kinds_[2 * j + 1] : nothing)[k];
      kinds_[j][k] = {first.bytes + second.bytes - second.change, 2.0 * (first.change + second.change)};
    }
  std::fill(kinds_.begin() + bins_ / 2 + 1, kinds_.end(), nothing);
}

void Loads::sum_kinds() {
  if (!of_each_) return;
  for (std::uint32_t bin = 0; bin <= bins_; ++bin) {
    kinds_[bin] = {};
    for (std::size_t column = 0; column < changes_[bin].size(); ++column)
      kinds_[bin][kind_of_column_[column]].change += changes_[bin][column];
  }
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

std::size_t Loads::column(ResourceId resource) const {
  const auto i = static_cast<std::size_t>(resource);
  return i < curves_.size() && curves_[i] < unknown ? static_cast<std::size_t>(curves_[i]) : kind_of_column_.size();
}

std::vector<std::vector<double>> Loads::of(const std::vector<Asked>& all, const std::vector<Part>& parts) const {
  std::vector<std::vector<double>> loads(all.size(), std::vector<double>(asked_, 0.0));
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t k) { return column(all[k].resource); });
  for (std::size_t begin = 0; begin < all.size(); begin += together) {
    std::vector<Asked> some;
    std::vector<std::vector<double>*> theirs;
    for (std::size_t k = begin; k < std::min(begin + together, all.size()); ++k) {
      some.push_back(all[order[k]]);
      theirs.push_back(&loads[order[k]]);
    }
    sum_curves(some, parts, theirs);
  }
  return loads;
}

/// Those whose columns lie side by side share what is read of each bin.
void Loads::sum_curves(std::span<const Asked> some, const std::vector<Part>& parts,
                       std::span<std::vector<double>*> load) const {
  std::array<double, together> in_bin{};
  std::array<std::size_t, together> columns{};
  for (std::size_t k = 0; k < some.size(); ++k) columns[k] = column(some[k].resource);
  std::uint32_t bins = 0;
  for (const Part& part : parts) {
    for (; bins <= part.bin; ++bins)
      for (std::size_t k = 0; k < some.size(); ++k)
        if (columns[k] < changes_[bins].size()) in_bin[k] += changes_[bins][columns[k]];
    for (std::size_t k = 0; k < some.size(); ++k)
      if (in_bin[k] > rounding * some[k].bytes) (*load[k])[part.slot] += in_bin[k] * part.per_second;
  }
  for (std::size_t k = 0; k < some.size(); ++k)
    for (double& share : *load[k]) share = of_capacity(share, some[k].capacity);
}

std::vector<double> Loads::of(ResourceKind kind, double bytes, double capacity, const std::vector<Part>& parts) const {
  const auto k = static_cast<std::size_t>(kind);
  std::vector<double> load(asked_, 0.0);
  std::uint32_t bins = 0;
  double steady = 0.0, in_bin = 0.0;
  for (const Part& part : parts) {
    for (; bins <= part.bin; ++bins) in_bin = kinds_[bins][k].bytes + (steady += kinds_[bins][k].change);
    if (in_bin > rounding * bytes) load[part.slot] += in_bin * part.per_second;
  }
  for (double& share : load) share = of_capacity(share, capacity);
  return load;
}

}  // namespace orrery::engine
