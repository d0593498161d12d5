/// The loads of resources over time: one curve for each kind of resource, and one for each resource if there are not
/// too many. Bytes count when a resource carried them: the sharing reports its rates as they change.
///
///   Loads loads(bins, resources, kind_of);   while (now >= loads.end()) loads.double_bins();
///   loads.carried(resource, bytes, from, to);                    // evenly between two dates, not after now
///   loads.of({{resource, bytes in all, capacity}}, parts);       // the curves, as shares of the capacity
///
/// Bins have equal width, a power of two; when time outgrows them, neighbours merge. A bin stores the difference of its
/// bytes from those of the bin before, so the cost of a steady rate does not depend on its length.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sim/core/replay_result.hpp"
#include "sim/engine/route_table.hpp"

namespace orrery::engine {

/// Bytes that a resource carried evenly between two dates.
struct LoadPiece {
  ResourceId resource;
  double from, to, bytes;
};

class Loads {
 public:
  /// `asked` bins of a result, up to 32767; 0: no curves. `kind_of` is called once for each resource; a resource
  /// without a kind has no curve. If there are few `resources`, each has its own curve.
  using KindOf = std::function<std::uint8_t(ResourceId)>;
  static constexpr std::uint8_t no_kind = 0xff;
  Loads(std::uint32_t asked, std::size_t resources, KindOf kind_of);

  bool kept() const { return bins_ != 0; }
  bool of_each() const { return of_each_; }
  double width() const { return width_; }        ///< s of a bin
  double end() const { return width_ * bins_; }  ///< earlier dates have a bin
  std::uint32_t bins() const { return bins_; }
  std::uint32_t bin(double date) const { return static_cast<std::uint32_t>(date * per_second_); }
  /// Doubles the width: neighbours merge.
  void double_bins();

  /// From now on the loads between two dates are stored there instead.
  void listen(std::vector<LoadPiece>& pieces) { pieces_ = &pieces; }
  /// Evenly between these dates, which must have bins.
  void carried(ResourceId resource, double bytes, double from, double to);
  /// A curve that the bytes of a resource are added to.
  enum class Curve : std::uint32_t {};
  static constexpr Curve no_curve{0xffffffffu};
  Curve curve(ResourceId resource) {
    const auto i = static_cast<std::size_t>(resource);
    return i < curves_.size() && curves_[i] != unknown ? curves_[i] : new_curve(resource);
  }
  /// `bytes` in this bin, and `after` in each later bin, which had `before` in each.
  void add(Curve curve, std::uint32_t bin, double bytes, double before, double after);

  /// The mapping of a bin to a slot of the requested curve: B/s in the slot per byte in the bin.
  struct Part {
    std::uint32_t bin = 0, slot = 0;
    double per_second = 0.0;
  };
  std::vector<Part> parts(double makespan) const;
  /// A curve for each, if each has one.
  struct Asked {
    ResourceId resource;
    double bytes, capacity;
  };
  std::vector<std::vector<double>> of(const std::vector<Asked>& all, const std::vector<Part>& parts) const;
  /// If each resource has a curve, the curves of kinds are their sums after this call.
  void sum_kinds();
  std::vector<double> of(ResourceKind kind, double bytes, double capacity, const std::vector<Part>& parts) const;

 private:
  static constexpr Curve unknown{0xfffffffeu};
  /// Load of a kind in a bin: these bytes and the sum of the changes up to here.
  struct Carried {
    double bytes = 0.0, change = 0.0;
  };
  [[gnu::noinline]] Curve new_curve(ResourceId resource);
  std::size_t column(ResourceId resource) const;
  void change_from(std::uint32_t bin, std::uint32_t column, double bytes);
  void double_changes();
  static constexpr std::size_t together = 16;  ///< resources whose curves are summed in one pass, by column
  void sum_curves(std::span<const Asked> some, const std::vector<Part>& parts,
                  std::span<std::vector<double>*> load) const;

  KindOf kind_of_;
  std::uint32_t asked_ = 0, bins_ = 0;
  bool of_each_ = false;
  double width_ = 0x1p-30, per_second_ = 0x1p30;            ///< powers of two, so that times and bins convert exactly
  std::vector<Curve> curves_;                               ///< [resource] its column, or its kind if there are none
  std::vector<std::array<Carried, resource_kinds>> kinds_;  ///< [bins + 1]
  /// [bins + 1][columns] change of the bytes of a bin from the bin before: simultaneous values are contiguous. Columns
  /// are given in order of first use.
  std::vector<std::vector<double>> changes_;
  std::vector<std::uint8_t> kind_of_column_;
  std::vector<LoadPiece>* pieces_ = nullptr;
};

}  // namespace orrery::engine
