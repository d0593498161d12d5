/// How loaded resources were over time: one curve for each kind of resource, and one for each resource while there are
/// not too many. Bytes count when a resource carried them: whoever shares resources tells its rates as they change.
///
///   Loads loads(bins, resources, kind_of);   while (now >= loads.end()) loads.double_bins();
///   loads.carried(resource, bytes, from, to);                    // evenly between two dates, not after now
///   loads.of(resource, bytes in all, capacity, parts);           // the curve, as shares of the capacity
///
/// Bins are of one width, a power of two; when time outgrows them neighbours merge. What is kept of a bin is how its
/// bytes differ from those of the bin before, so that a steady rate costs the same however long it lasts.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "sim/core/replay_result.hpp"
#include "sim/engine/route_table.hpp"

namespace orrery::replay {

class Loads {
 public:
  /// `asked` bins of a result, 0: no curves. `kind_of` is asked once of each resource; its curve is nobody's business
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

  /// Evenly between these dates, which have bins.
  void carried(ResourceId resource, double bytes, double from, double to);
  /// `head` bytes in one bin and as much as `each` in every bin after it and before `last`.
  void add(ResourceId resource, std::uint32_t first, double head, std::uint32_t last, double each);

  /// Where a bin goes in the curve asked for: B/s that a byte of it is in a slot.
  struct Part {
    std::uint32_t bin = 0, slot = 0;
    double per_second = 0.0;
  };
  std::vector<Part> parts(double makespan) const;
  std::vector<double> of(ResourceId resource, double bytes, double capacity, const std::vector<Part>& parts) const;
  std::vector<double> of(ResourceKind kind, double bytes, double capacity, const std::vector<Part>& parts) const;

 private:
  static constexpr std::uint32_t none = 0xffffffffu;
  /// What a kind carried in a bin: these bytes and the sum of the changes up to here.
  struct Carried {
    double bytes = 0.0, change = 0.0;
  };
  struct OfResource {
    std::uint32_t column = none;
    std::uint8_t kind = no_kind;
    bool known = false;
  };
  OfResource& known(ResourceId resource);
  void change_from(std::uint32_t bin, std::uint32_t column, double bytes);
  void double_changes();
  template <class BytesOfBin>
  std::vector<double> curve(const BytesOfBin& bytes_of_bin, double bytes_in_all, double capacity,
                            const std::vector<Part>& parts) const;

  KindOf kind_of_;
  std::uint32_t asked_ = 0, bins_ = 0;
  bool of_each_ = false;
  double width_ = 0x1p-30, per_second_ = 0x1p30;  ///< powers of two, so that times and bins convert exactly
  std::vector<OfResource> resources_;
  std::vector<std::array<Carried, resource_kinds>> kinds_;  ///< [bins + 1]
  /// [bins + 1][columns] change of the bytes of a bin against the bin before: what happens now lies together. Columns
  /// are given in order of first use.
  std::vector<std::vector<double>> changes_;
  std::uint32_t columns_ = 0;
};

}  // namespace orrery::replay
