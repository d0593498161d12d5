/// A processor with a cache, a memory and a disk behind it: fast while the data of a step fit into the cache, limited
/// by the memory beyond that, and slow once the data of the rank no longer fit into the memory.
///
///   T = max(F / s, max(0, Q - C) / B)  +  Q max(0, H - M) / (H D)        H = e (h_mn M' N + h_nn N^2)
///
///   F  Flops           flop    of the step                 s  FlopsPerSecond  flop/s  in the cache
///   Q  Bytes           B       read and written            C  Bytes           B       cache
///   H  Bytes           B       that the rank holds         M  Bytes           B       memory left to it
///   B  BytesPerSecond  B/s     of the memory               D  BytesPerSecond  B/s     of the disk that it pages to
///   M', N              1       rows and columns of the step's shape; e bytes an element
///
/// The share (H - M) / H of the rank's data is on the disk, so a byte is missing from the memory with that probability.
///
/// Source   the regimes of Lastovetsky, Reddy, Rychkov & Clarke (DFPA), figures 3 and 5; max of computing and memory:
///          Williams, Waterman & Patterson, CACM 52(4), 2009
/// Valid    steps that sweep their data once and touch it evenly; T is continuous and grows with the task, so that a
///          line through the origin cuts its speed once
/// Differs  the source measures speed functions. This one is made from sizes and speeds of processor and memory
/// Checked  tests/unit/models/compute/regimes_test.cpp
#include <fmt/format.h>

#include <algorithm>

#include "models/compute/catalogue.hpp"
#include "models/compute/row_groups.hpp"
#include "sim/core/error.hpp"

namespace orrery::regimes_compute_model {

namespace {

constexpr const char* page =
    R"(T = max(F / s, max(0, Q - C) / B) + Q max(0, H - M) / (H D) for a step of F flops that reads and writes Q bytes, of a
rank that holds H = element (held-mn M N + held-nn N^2) bytes, where M x N is the shape of the step.

  column              meaning                             one row for each kind of processor
  speed_flop_per_s    s: while Q fits into the cache
  cache_B             C; empty: 0
  bandwidth_B_per_s   B: of the memory, read and written; empty: the memory is as fast as the cache
  memory_B            M: what the system leaves to the rank; empty: the rank never pages
  disk_B_per_s        D: of what it pages to; needed with memory_B

Which ranks and which work a row is about: type, node (number within its type), cpu, gpu, cores, rank, work; missing or
empty cells fit everything; the first row that fits applies. A row without 'cores' is about one core. Programs that page
do not fit into memory: scenarios say 'ignore-memory: true'.)";

struct Regimes {
  double speed = 0.0, cache = 0.0, bandwidth = 0.0, memory = 0.0, disk = 0.0;  ///< SI; 0: not stated
};

Regimes read_regimes(const DataTable& table, const DataTable::Row& row) {
  Regimes regimes{.speed = table.required(row, "speed_flop_per_s", 1.0, 1e21),
                  .cache = table.number(row, "cache_B", 0.0, 1e15).value_or(0.0),
                  .bandwidth = table.number(row, "bandwidth_B_per_s", 1.0, 1e18).value_or(0.0),
                  .memory = table.number(row, "memory_B", 1.0, 1e18).value_or(0.0),
                  .disk = table.number(row, "disk_B_per_s", 1.0, 1e18).value_or(0.0)};
  if ((regimes.memory > 0.0) != (regimes.disk > 0.0))
    throw InputError("{}: has '{}' and no '{}' (paging needs both). Add it?", row.where,
                     regimes.memory > 0.0 ? "memory_B" : "disk_B_per_s",
                     regimes.memory > 0.0 ? "disk_B_per_s" : "memory_B");
  return regimes;
}

class RegimesModel final : public ComputeModel {
 public:
  explicit RegimesModel(const ComputeInput& input)
      : groups_(*input.table, input.platform, input.layout),
        peaks_(input.platform, input.layout),
        held_mn_(input.parameters.number("held-mn")),
        held_nn_(input.parameters.number("held-nn")),
        element_(input.parameters.bytes("element")) {
    auto known = selector_columns();
    known.insert(known.end(), {"speed_flop_per_s", "cache_B", "bandwidth_B_per_s", "memory_B", "disk_B_per_s"});
    input.table->require_known(known);
    for (std::size_t group = 0; group < groups_.groups(); ++group) {
      const auto& rows = groups_.rows(group);
      if (rows.size() > 1)
        throw InputError("{}: a second row about the same ranks and work (one each). Remove one?",
                         input.table->rows[rows[1]].where);
      regimes_.push_back(read_regimes(*input.table, input.table->rows[rows.front()]));
    }
    text_ = fmt::format("regimes: cache, memory and paging from '{}'; a rank holds {:g} M N + {:g} N^2 elements",
                        input.table->name, held_mn_, held_nn_);
  }

  std::string description() const override { return text_; }

  Seconds compute_time(const Compute& compute, Rank rank) const override {
    const std::uint32_t group = groups_.group_of(rank, compute.work);
    if (group == RowGroups::none) return compute.flops / peaks_.of(rank, compute.work);
    const Regimes& own = regimes_[group];
    const double cores = groups_.cores_of(rank, group), moved = compute.traffic.si();
    double time = compute.flops.si() / (cores * own.speed);
    if (own.bandwidth > 0.0) time = std::max(time, std::max(0.0, moved - cores * own.cache) / (cores * own.bandwidth));
    if (own.memory > 0.0) {
      const double held =
          (held_mn_ * compute.shape[0] + held_nn_ * compute.shape[1]) * compute.shape[1] * element_.si();
      if (held > own.memory) time += moved * (held - own.memory) / held / own.disk;
    }
    return Seconds(time);
  }

 private:
  RowGroups groups_;
  PeakSpeeds peaks_;
  double held_mn_, held_nn_;
  Bytes element_;
  std::vector<Regimes> regimes_;  ///< [groups]
  std::string text_;
};

const bool entered = compute_models().add({
    .name = "regimes",
    .summary = "cache, memory and paging: speed by where the data of a step are, from sizes and bandwidths",
    .source = "Lastovetsky, Reddy, Rychkov & Clarke (DFPA), figures 3 and 5; Williams et al., CACM 52(4), 2009",
    .page = page,
    .parameters = {number_key("held-mn", 3, "matrices of the step's shape that a rank holds", 0, 1e6),
                   number_key("held-nn", 0, "further N x N matrices that a rank holds", 0, 1e6),
                   bytes_key("element", 8, "size of one element", 1, 1024)},
    .table = ComputeModelEntry::Table::required,
    .make = [](const ComputeInput& input) { return std::make_unique<RegimesModel>(input); },
});

}  // namespace

}  // namespace orrery::regimes_compute_model
