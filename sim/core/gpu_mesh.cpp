#include "sim/core/gpu_mesh.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace orrery {

namespace {

constexpr std::size_t rings_seen_max = 4096;
constexpr std::uint32_t steps_max = 400'000;

/// Links that are left, by places of the GPUs.
class Left {
 public:
  Left(const GpuLinks& links, std::span<const std::uint32_t> gpus) : size_(static_cast<std::uint32_t>(gpus.size())) {
    for (const std::uint32_t a : gpus)
      for (const std::uint32_t b : gpus) counts_.push_back(a == b ? 0 : links.between(a, b));
  }

  std::uint32_t size() const { return size_; }
  std::uint32_t between(std::uint32_t a, std::uint32_t b) const { return counts_[a * size_ + b]; }
  bool holds(const GpuRing& ring) const { return narrowest(ring) > 0; }
  std::uint32_t narrowest(const GpuRing& ring) const {
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t i = 0; i < size_; ++i) least = std::min(least, between(ring[i], ring[(i + 1) % size_]));
    return least;
  }
  void take(const GpuRing& ring, std::uint32_t links) {  // modulo 2^32: -1 gives one back
    for (std::uint32_t i = 0; i < size_; ++i) {
      const std::uint32_t a = ring[i], b = ring[(i + 1) % size_];
      counts_[a * size_ + b] -= links;
      counts_[b * size_ + a] -= links;
    }
  }
  /// Each ring takes two links of every GPU.
  std::uint32_t rings_max() const {
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t a = 0; a < size_; ++a) {
      std::uint32_t of_gpu = 0;
      for (std::uint32_t b = 0; b < size_; ++b) of_gpu += between(a, b);
      least = std::min(least, of_gpu / 2);
    }
    return least;
  }

 private:
  std::uint32_t size_;
  std::vector<std::uint32_t> counts_;
};

/// Tells of rings from GPU 0 on, those over more links first, each in one direction; `found` says whether to go on.
class RingSearch {
 public:
  RingSearch(const Left& left, std::function<bool(const GpuRing&)> found)
      : left_(left), found_(std::move(found)), used_(left.size(), false) {
    path_.push_back(0);
    used_[0] = true;
    extend();
  }

 private:
  bool extend() {
    if (++steps_ > steps_max) return false;
    const std::uint32_t last = path_.back();
    if (path_.size() == left_.size())
      return path_[1] > path_.back() || left_.between(last, 0) == 0 || found_(path_);
    std::vector<std::uint32_t> next;
    for (std::uint32_t g = 1; g < left_.size(); ++g)
      if (!used_[g] && left_.between(last, g) > 0) next.push_back(g);
    std::ranges::stable_sort(next, std::greater(), [&](std::uint32_t g) { return left_.between(last, g); });
    for (const std::uint32_t g : next) {
      path_.push_back(g);
      used_[g] = true;
      const bool on = extend();
      used_[g] = false;
      path_.pop_back();
      if (!on) return false;
    }
    return true;
  }

  const Left& left_;
  std::function<bool(const GpuRing&)> found_;
  std::vector<bool> used_;
  GpuRing path_;
  std::uint32_t steps_ = 0;
};

/// So many of these rings that have their links beside each other.
class Packing {
 public:
  Packing(const Left& left, const std::vector<GpuRing>& rings) : left_(left), rings_(rings) {}

  bool of(std::uint32_t count) { return choose(0, count); }
  const std::vector<GpuRing>& chosen() const { return chosen_; }
  bool gave_up() const { return steps_ > steps_max; }

 private:
  bool choose(std::size_t from, std::uint32_t missing) {
    if (missing == 0) return true;
    if (left_.rings_max() < missing) return false;
    for (std::size_t i = from; i < rings_.size(); ++i) {
      if (++steps_ > steps_max) return false;
      if (!left_.holds(rings_[i])) continue;
      left_.take(rings_[i], 1);
      chosen_.push_back(rings_[i]);
      if (choose(i, missing - 1)) return true;
      chosen_.pop_back();
      left_.take(rings_[i], static_cast<std::uint32_t>(-1));
    }
    return false;
  }

  Left left_;
  const std::vector<GpuRing>& rings_;
  std::vector<GpuRing> chosen_;
  std::uint32_t steps_ = 0;
};

/// One after another, each over what those before have left.
std::vector<GpuRing> one_by_one(Left left) {
  std::vector<GpuRing> rings;
  for (;;) {
    const std::size_t before = rings.size();
    RingSearch(left, [&](const GpuRing& ring) {
      rings.push_back(ring);
      return false;
    });
    if (rings.size() == before) return rings;
    left.take(rings.back(), 1);
  }
}

std::vector<GpuRing> most_rings(const Left& left) {
  std::vector<GpuRing> seen;
  RingSearch(left, [&](const GpuRing& ring) {
    seen.push_back(ring);
    return seen.size() < rings_seen_max;
  });
  std::ranges::stable_sort(seen, std::greater(), [&](const GpuRing& ring) { return left.narrowest(ring); });
  std::vector<GpuRing> best = one_by_one(left);
  for (std::uint32_t count = left.rings_max(); count > best.size(); --count) {
    Packing packing(left, seen);
    if (packing.of(count)) return packing.chosen();
    if (packing.gave_up()) break;
  }
  return best;
}

}  // namespace

std::vector<GpuRing> rings_over(const GpuLinks& links, std::span<const std::uint32_t> gpus) {
  if (gpus.size() < 3) return {};
  std::vector<GpuRing> both_ways;
  for (const GpuRing& ring : most_rings(Left(links, gpus))) {
    both_ways.push_back(ring);
    both_ways.emplace_back(ring.rbegin(), ring.rend());
  }
  return both_ways;
}

}  // namespace orrery
