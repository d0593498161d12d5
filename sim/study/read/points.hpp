/// The points of a scenario, each made on request: a sweep of 100,000 points is never in memory as a whole.
///
///   const Points points = swept(document, axes);            // the product of the axes, the last one fastest
///   for (const PointSpec& point : points) ...               // each lives for one iteration
///   Settings of_seventh = points.settings(6);               // without making the point
///
/// A point takes 20 to 50 us to make. Copies share the data that points are made from; callable on any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <vector>

#include "sim/study/read/overrides.hpp"
#include "sim/study/read/point_spec.hpp"

namespace orrery {

/// "summa blocks=128" for a section, "weights={cpu: 1}" for an inner one ("table rows=3" if it has three sections),
/// "{}" for an empty one, "[1, 2]" for a list, a scalar unchanged.
std::string value_label(const config::Value& value);

class Points {
 public:
  using Make = std::function<PointSpec(std::size_t)>;
  using Name = std::function<Settings(std::size_t)>;

  Points() = default;
  /// Points that are already made.
  explicit Points(std::vector<PointSpec> made);
  /// `make` and `settings` may be called on any thread.
  Points(std::size_t size, Make make, Name settings)
      : size_(size), make_(std::move(make)), settings_(std::move(settings)) {}

  std::size_t size() const { return size_; }
  PointSpec operator[](std::size_t point) const { return make_(point); }
  PointSpec front() const { return make_(0); }
  /// The settings that distinguish the point: PointSpec::settings.
  Settings settings(std::size_t point) const { return settings_(point); }

  class Iterator {
   public:
    using value_type = PointSpec;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    Iterator(const Points& points, std::size_t at) : points_(&points), at_(at) {}
    PointSpec operator*() const { return (*points_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    void operator++(int) { ++at_; }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const Points* points_ = nullptr;
    std::size_t at_ = 0;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size_}; }

 private:
  std::size_t size_ = 0;
  Make make_;
  Name settings_;
};

/// The product of the axes over a scenario's file; axes of a 'zip' count as one. Reading a bad point throws InputError.
Points swept(const config::Document& document, std::vector<Axis> axes);

}  // namespace orrery
