/// A sequence (planes, rows, bodies) cut into consecutive parts, one per rank or per line of ranks.
///
///   const Cuts planes = cut(nz, ranks, weights_from("1 2 2 4", ranks, "himeno: 'weights-k'"));
///   planes.begin(i), planes.size(i)
///
/// Without weights the parts are as equal as possible, the longer ones first, as in the MPI codes. With weights they
/// are in proportion, rounded by largest remainder (ties: the earlier part). A weight of 0 gives an empty part.
/// Checked  tests/unit/kernels/cuts_test.cpp
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/ids.hpp"
#include "sim/core/parameters.hpp"

namespace orrery {

class Cuts {
 public:
  Cuts() = default;
  explicit Cuts(std::vector<std::uint64_t> bounds) : bounds_(std::move(bounds)) {}

  std::uint32_t parts() const { return static_cast<std::uint32_t>(bounds_.size()) - 1; }
  std::uint64_t begin(std::uint32_t part) const { return bounds_[part]; }
  std::uint64_t size(std::uint32_t part) const { return bounds_[part + 1] - bounds_[part]; }
  std::uint64_t total() const { return bounds_.back(); }
  bool equal() const;
  std::uint64_t least() const;

 private:
  std::vector<std::uint64_t> bounds_{0, 0};  ///< [parts + 1]
};

/// `weights`  [parts], or empty: equal parts
Cuts cut(std::uint64_t things, std::uint32_t parts, const std::vector<double>& weights = {});

/// Numbers of 0 or more between commas or spaces, one for each part; none for "". Throws InputError.
std::vector<double> weights_from(const std::string& text, std::uint32_t parts, const std::string& where);

/// Ranks as the points of a box of up to three dimensions, the last one fastest, as numbered by MPI_Cart_create.
class ProcessGrid {
 public:
  using Place = std::array<std::uint32_t, 3>;

  ProcessGrid() = default;
  explicit ProcessGrid(Place size) : size_(size) {}

  std::uint32_t size(std::size_t dimension) const { return size_[dimension]; }
  Place place(Rank rank) const {
    const auto r = static_cast<std::uint32_t>(rank);
    return {r / (size_[1] * size_[2]), r / size_[2] % size_[1], r % size_[2]};
  }
  Rank rank(const Place& place) const { return Rank{(place[0] * size_[1] + place[1]) * size_[2] + place[2]}; }

 private:
  Place size_{1, 1, 1};
};

/// "4x2x1" with exactly `dimensions` numbers whose product is `ranks`, "*x2x1" with the remaining factor; "" for the
/// most cubic one, larger sides first, like MPI_Dims_create. Throws InputError.
ProcessGrid process_grid(const std::string& text, std::size_t dimensions, std::uint32_t ranks,
                         const std::string& where);

/// A box cut along each side by parameters 'nodes-x' and 'weights-x' (`things` nodes, `sides` "xyz") of a kernel.
/// Throws InputError if a part would be empty.
std::array<Cuts, 3> cut_box(const Parameters& parameters, const ProcessGrid& grid, const std::string& kernel,
                            const std::string& things, const std::string& sides);

}  // namespace orrery
