// What members of collectives do beside messages, where it costs time. Rates are the platform's (platforms/local_work).
#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <vector>

#include "kernels/collectives/collective.hpp"
#include "sim/core/gpu_parameters.hpp"
#include "tests/support/recorder.hpp"

using namespace orrery;
using namespace orrery::collectives;

namespace {

constexpr std::uint32_t p = 4;
constexpr double m = 4096.0;  // elements of 1 B

Layout layout_of(LocalWork local) {
  Layout layout;
  for (std::uint32_t r = 0; r < p; ++r) layout.placements.push_back({NodeId{r}, HostId{r}, 0, 1, false, 0, local});
  return layout;
}

/// Bytes of each kind that rank 1 does, by the accesses that count a byte once.
std::map<Work, double> local_work_on(const Layout& layout, const std::function<Generator<Step>(const Call&)>& perform) {
  const Group world = Group::world(p);
  Generator<Step> steps = perform({.group = world, .me = Rank{1}, .algorithm = {}, .nodes = nodes_of(world, &layout)});
  std::map<Work, double> bytes;
  while (const Step* step = steps.next())
    if (const auto* compute = std::get_if<Compute>(step))
      bytes[compute->work] += compute->work == Work::fresh_buffer ? compute->traffic.si() : compute->shape[0];
  return bytes;
}

std::map<Work, double> local_work(LocalWork local, const std::function<Generator<Step>(const Call&)>& perform) {
  return local_work_on(layout_of(local), perform);
}

std::function<Generator<Step>(const Call&)> by(std::string_view algorithm, Operation operation) {
  return [=](Call call) {
    call.algorithm = Choice(algorithm);
    if (operation == Operation::allreduce) return allreduce(call, Bytes(m));
    if (operation == Operation::reduce) return reduce(call, Bytes(m), 0);
    if (operation == Operation::reduce_scatter) return reduce_scatter(call, Shares::equal(p, std::uint64_t{4096} / p));
    if (operation == Operation::allgather) return allgather(call, Bytes(m / p));
    return alltoall(call, Bytes(m / p));
  };
}

constexpr LocalWork everything{true, true, true, true};

}  // namespace

TEST_SUITE("kernels/collectives local work") {
  TEST_CASE("A ring reduces all shares but one and copies the operand once") {
    auto bytes = local_work(everything, by("lr", Operation::allreduce));
    CHECK(bytes[Work::reduction] == (p - 1) * m / p);
    CHECK(bytes[Work::buffer_copy] == m);
    CHECK(bytes[Work::fresh_buffer] == 2 * m / p);
  }
  TEST_CASE("Kernels of a library for GPUs reduce what they pass on and others by steps of their own") {
    const auto reduced = [](std::string_view algorithm) {
      Layout layout = layout_of(everything);
      layout.gpus = std::make_shared<const GpuParameters>(GpuParameters{.link = BytesPerSecond{1e9}});
      return local_work_on(layout, by(algorithm, Operation::allreduce))[Work::reduction];
    };
    CHECK(reduced("nccl_ring") == 0.0);
    CHECK(reduced("lr") == (p - 1) * m / p);
  }
  TEST_CASE("Recursive doubling reduces the whole vector in each round") {
    auto bytes = local_work(everything, by("rdb", Operation::allreduce));
    CHECK(bytes[Work::reduction] == 2 * m);
    CHECK(bytes[Work::buffer_copy] == m);
    CHECK(bytes[Work::fresh_buffer] == m);
  }
  TEST_CASE("Halves within halves use half of the buffer that they arrive in") {
    CHECK(local_work(everything, by("rab_rdb", Operation::allreduce))[Work::fresh_buffer] == m / 2);
    CHECK(local_work(everything, by("scatter_gather", Operation::reduce))[Work::fresh_buffer] == m / 2 + m);
    CHECK(local_work(everything, by("ompi_basic_recursivehalving", Operation::reduce_scatter))[Work::fresh_buffer] ==
          m / 2 + m);
  }
  TEST_CASE("An inner member of a reduction allocates its sum and a buffer for each of two children") {
    // Rank 1 of four in a chain has one child; in a binomial tree it is a leaf and allocates nothing.
    CHECK(local_work(everything, by("ompi_chain", Operation::reduce))[Work::fresh_buffer] == 2 * m);
    CHECK(local_work(everything, by("ompi_binomial", Operation::reduce))[Work::fresh_buffer] == 0.0);
  }
  TEST_CASE("An allgather copies the own share and by Bruck then all shares into their order") {
    CHECK(local_work(everything, by("ring", Operation::allgather))[Work::buffer_copy] == m / p);
    CHECK(local_work(everything, by("bruck", Operation::allgather))[Work::buffer_copy] == m / p + m);
    // Rank 1 of four: three shares aside, all into their order.
    CHECK(local_work(everything, by("ompi_bruck", Operation::allgather))[Work::buffer_copy] == m / p + m + 3 * m / p);
  }
  TEST_CASE("Bruck's all-to-all copies all blocks twice and what travels three times") {
    const double travelling = m;  // two rounds of half the blocks
    CHECK(local_work(everything, by("bruck", Operation::alltoall))[Work::buffer_copy] ==
          m / p + 2 * m + 3 * travelling);
  }
  TEST_CASE("Bruck's all-to-all describes to MPI which blocks travel in each round") {
    CHECK(local_work({.datatypes = true}, by("bruck", Operation::alltoall)) ==
          std::map<Work, double>{{Work::datatype, 2}});
    CHECK(local_work({.datatypes = true}, by("bruck", Operation::allgather)).empty());
  }
  TEST_CASE("Local work that costs no time makes no steps") {
    CHECK(local_work({}, by("bruck", Operation::alltoall)).empty());
    const auto reduces = local_work({.reduction = true}, by("lr", Operation::allreduce));
    CHECK(reduces.size() == 1);
  }
}
