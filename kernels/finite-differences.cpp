/// Explicit finite differences of several fields on a periodic box, as in solvers of compressible flow: substeps of a
/// Runge-Kutta scheme, halos of any depth.
///
///   layer condition   (2 d + 1) (i + 2 d) (j + 2 d) e <= C / 2
///
///   d  1  depth of the halo     i, j  1  points of a part along the two fastest sides
///   e  B  size of a value       C     B  cache of a core
///
/// Source   OpenSBLI: Jacobs, Jammy & Sandham, J. Comput. Sci. 18, 2017; halos as in OPS: Reguly et al., WOLFHPC 2014
///          (all fields of an exchange in one message, a dimension after another, halos of those before it included);
///          layer condition with half of the cache: Stengel, Treibig, Hager & Wellein, ICS 2015
/// Valid    codes bound by memory: how many bytes a point moves in a substep is given, not derived
/// Checked  tests/unit/kernels/finite-differences_test.cpp, tests/contract/every_kernel_test.cpp
#include <fmt/format.h>

#include "kernels/cuts.hpp"
#include "kernels/kernel.hpp"
#include "sim/core/error.hpp"

namespace orrery::finite_differences_kernel {

namespace {

constexpr const char* page =
    R"(The box has I x J x K points, periodic in all directions, cut in pi x pj x pk parts; a rank has i x j x k of them and a
halo of d points on each side. An iteration is r substeps; a substep is s sweeps of the points, before each of which F / s
fields are exchanged:

  step                  message                        with                    work
  irecv, isend, wait    F/s d j k e                    both neighbours along i -
  irecv, isend, wait    F/s d (i + 2 d) k e            both neighbours along j -
  irecv, isend, wait    F/s d (i + 2 d)(j + 2 d) e     both neighbours along k -
  sweep                 -                              -                       flops / s, traffic / s a point

so that edges and corners travel with the faces. A part that spans its dimension has no neighbour there: its halo is its
own other side. Where 2 d + 1 planes of i x j points with their halos fill at most half of 'cache', neighbours along k are
still in it and a point moves 'cached-traffic' instead (the layer condition). Metric: 's/iteration'.)";

constexpr Tag halo_tags[3] = {Tag{1}, Tag{2}, Tag{3}};

class FiniteDifferences final : public Program {
 public:
  explicit FiniteDifferences(const KernelInput& input)
      : ranks_(input.ranks),
        iterations_(count(input, "iterations")),
        substeps_(count(input, "substeps")),
        sweeps_(count(input, "sweeps")),
        fields_(input.parameters.number("fields")),
        halo_(static_cast<double>(input.parameters.integer("halo"))),
        flops_(input.parameters.number("flops")),
        element_(input.parameters.bytes("element")),
        traffic_(input.parameters.bytes("traffic")),
        cached_traffic_(input.parameters.bytes("cached-traffic")),
        cache_(input.parameters.bytes("cache")),
        grid_(
            process_grid(input.parameters.text("process-grid"), 3, input.ranks, "finite-differences: 'process-grid'")) {
    for (std::size_t d = 0; d < 3; ++d) {
      const char side = "ijk"[d];
      const auto points = static_cast<std::uint64_t>(input.parameters.integer(fmt::format("points-{}", side)));
      const std::uint64_t parts = grid_.size(d);
      if (static_cast<double>(points) < static_cast<double>(parts) * halo_ || points < parts)
        throw InputError(
            "finite-differences: {} processes share {} points along {} ({:g}, the halo, at least for each). Enlarge "
            "'points-{}'?",
            parts, points, side, std::max(halo_, 1.0), side);
      cuts_[d] = cut(points, grid_.size(d));
    }
  }

  std::string name() const override { return "finite-differences"; }
  std::uint32_t ranks() const override { return ranks_; }

  /// Fields that are exchanged, with their halos; others that a code holds are not known.
  Bytes memory(Rank me) const override {
    const auto place = grid_.place(me);
    double points = 1.0;
    for (std::size_t d = 0; d < 3; ++d) points *= static_cast<double>(cuts_[d].size(place[d])) + 2.0 * halo_;
    return fields_ * points * element_;
  }

  Generator<Step> steps(Rank me) const override {
    const auto place = grid_.place(me);
    std::array<double, 3> size{};
    for (std::size_t d = 0; d < 3; ++d) size[d] = static_cast<double>(cuts_[d].size(place[d]));
    const double points = size[0] * size[1] * size[2], plane = (size[0] + 2.0 * halo_) * (size[1] + 2.0 * halo_);
    const bool in_cache = (2.0 * halo_ + 1.0) * plane * element_ <= 0.5 * cache_;
    const Bytes traffic = points * (in_cache ? cached_traffic_ : traffic_);
    for (std::uint32_t k = 0; k < iterations_; ++k) {
      co_yield iteration(k);
      for (std::uint32_t s = 0; s < substeps_ * sweeps_; ++s) {
        co_yield phase("communication");
        std::array<double, 3> extent = size;
        for (std::size_t d = 0; d < 3; ++d) {
          const Bytes face = fields_ / sweeps_ * halo_ * extent[(d + 1) % 3] * extent[(d + 2) % 3] * element_;
          extent[d] += 2.0 * halo_;
          if (grid_.size(d) == 1 || !(face > Bytes{})) continue;
          auto below = place, above = place;
          below[d] = (place[d] + grid_.size(d) - 1) % grid_.size(d);
          above[d] = (place[d] + 1) % grid_.size(d);
          co_yield irecv(grid_.rank(below), face, halo_tags[d], RequestId{0});
          co_yield irecv(grid_.rank(above), face, halo_tags[d], RequestId{1});
          co_yield isend(grid_.rank(above), face, halo_tags[d], RequestId{2});
          co_yield isend(grid_.rank(below), face, halo_tags[d], RequestId{3});
          co_yield wait_all();
        }
        co_yield phase("computation");
        co_yield compute(Work::stencil, Flops(flops_ / sweeps_ * points), size, traffic / sweeps_);
      }
    }
  }

 private:
  static std::uint32_t count(const KernelInput& input, const char* name) {
    return static_cast<std::uint32_t>(input.parameters.integer(name));
  }

  std::uint32_t ranks_, iterations_, substeps_, sweeps_;
  double fields_, halo_, flops_;
  Bytes element_, traffic_, cached_traffic_, cache_;
  ProcessGrid grid_;
  std::array<Cuts, 3> cuts_;
};

std::vector<Metric> metrics(const Parameters& parameters, const RunResult& run) {
  return {{"s/iteration", run.makespan.si() / static_cast<double>(parameters.integer("iterations")), "s"}};
}

const bool entered = kernels().add({
    .name = "finite-differences",
    .summary = "several fields on a periodic box: Runge-Kutta substeps, halos of any depth, bound by memory",
    .source = "Jacobs, Jammy & Sandham, J. Comput. Sci. 18, 2017 (OpenSBLI); Reguly et al., WOLFHPC 2014 (OPS)",
    .page = page,
    .parameters = {count_key("points-i", 128, "I: points of the box along i", 1, 1e6),
                   count_key("points-j", 128, "J: along j", 1, 1e6), count_key("points-k", 128, "K: along k", 1, 1e6),
                   word_key("process-grid", "", "pi x pj x pk, as '1x1x8' or '*x1x1' (default: the most cubic)"),
                   number_key("fields", 16, "F: fields exchanged per substep", 0, 1000),
                   count_key("halo", 2, "d: width of the halo in points", 0, 64),
                   count_key("substeps", 3, "r: substeps per iteration", 1, 100),
                   count_key("sweeps", 1, "s: sweeps over the points per substep", 1, 1000),
                   number_key("flops", 600, "flops per point and substep", 0, 1e6),
                   bytes_key("traffic", 960, "memory traffic per point and substep", 0, 1e6),
                   bytes_key("cached-traffic", 960, "memory traffic if planes of a part fit into half of 'cache'", 0,
                             1e6),
                   bytes_key("cache", 0, "C: cache per core (0B: none)", 0, 1e12),
                   bytes_key("element", 8, "size of one value", 1, 64),
                   count_key("iterations", 10, "time steps", 1, 1e9)},
    .works = {Work::stencil},
    .small = {{"iterations", "2"}},
    .metrics = metrics,
    .make = [](const KernelInput& input) { return std::make_unique<FiniteDifferences>(input); },
});

}  // namespace

}  // namespace orrery::finite_differences_kernel
