/// How loaded resources were over time: one curve for each kind of resource, and one for each resource while there are
/// not too many. Bytes count when a resource carried them: whoever shares resources tells its rates as they change.
///
///   Loads loads(bins, resources, kind_of);   while (now >= loads.end()) loads.double_bins();
///   loads.carried(resource, bytes, from, to);                    // evenly between two dates, not after now
///   loads.of({{resource, bytes in all, capacity}}, parts);       // the curves, as shares of the capacity
///
/// Bins are of one width, a power of two; when time outgrows them neighbours merge. What is kept of a bin is how its
/// bytes differ from those of the bin before, so that a steady rate costs the same however long it lasts.
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
  /// `asked` bins of a result, up to 32767, 0: no curves. `kind_of` is asked once of each resource; its curve is nobody's business
  /// if it has none. Of `resources` there are, each has a curve if they are few.
  using KindOf = std::function<std::uint8_t(ResourceId)>;
  static constexpr std::uint8_t no_kind = 0xff;
  Loads(std::uint32_t asked, std::size_t resources, KindOf kind_of);

  bool kept() const { return bins_ != 0; }
  bool of_each() const { return of_each_; }
  double width() const { return width_; }        ///< s of a bin
  double end() const { return width_ * bins_; }  ///< dates before have a bin
  std::uint32_t bins() const { return bins_; }
  std::uint32_t bin(double date) const { return static_cast<std::uint32_t>(date * per_second_); }
  /// Twice as wide: neighbours merge.
  void double_bins();

  /// From now on what is carried between two dates is put there instead.
  void listen(std::vector<LoadPiece>& pieces) { pieces_ = &pieces; }
  /// Evenly between these dates, which have bins.
  void carried(ResourceId resource, double bytes, double from, double to);
  /// Where the bytes of a resource are added.
  enum class Curve : std::uint32_t {};
  static constexpr Curve no_curve{0xffffffffu};
  Curve curve(ResourceId resource) {
    const auto i = static_cast<std::size_t>(resource);
    return i < curves_.size() && curves_[i] != unknown ? curves_[i] : new_curve(resource);
  }
  /// So many bytes in this bin, and as many as `after` in each bin after it, where there were `before` in all of them.
  void add(Curve curve, std::uint32_t bin, double bytes, double before, double after);

  /// Where a bin goes in the curve asked for: B/s that a byte of it is in a slot.
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
  /// Where each resource has a curve, those of kinds are their sums, once this was called.
  void sum_kinds();
  std::vector<double> of(ResourceKind kind, double bytes, double capacity, const std::vector<Part>& parts) const;

 private:
  static constexpr Curve unknown{0xfffffffeu};
  /// What a kind carried in a bin: these bytes and the sum of the changes up to here.
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
  /// [bins + 1][columns] change of the bytes of a bin against the bin before: what happens now lies together. Columns
  /// are given in order of first use.
  std::vector<std::vector<double>> changes_;
  std::vector<std::uint8_t> kind_of_column_;
  std::vector<LoadPiece>* pieces_ = nullptr;
};

}  // namespace orrery::engine
