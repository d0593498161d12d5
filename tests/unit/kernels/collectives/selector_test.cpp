#include "kernels/collectives/selector.hpp"

#include <doctest/doctest.h>

#include "sim/core/error.hpp"
#include "sim/core/fingerprint.hpp"
#include "sim/core/nccl_cost.hpp"

using namespace orrery;
using namespace orrery::collectives;

namespace {

Selection choose(const char* selector, Operation operation, std::uint32_t ranks, Bytes size, bool commutative = true,
                 bool shared_nodes = false) {
  static const GpuParameters gpus{.link = BytesPerSecond{1e11},
                                  .adapters = BytesPerSecond{5e10},
                                  .hop = {1_us, 2_us, 4_us},
                                  .network_hop = {10_us, 20_us, 30_us},
                                  .in_switch = BytesPerSecond{1e11},
                                  .in_switch_latency = 1_us};
  return selectors()
      .at(selector, "test")
      .choose({.operation = operation,
               .ranks = ranks,
               .size = size,
               .elements = static_cast<std::uint64_t>(size.si()),
               .commutative = commutative,
               .shared_nodes = shared_nodes,
               .nodes = shared_nodes ? (ranks + 7) / 8 : ranks,
               .gpus = &gpus});
}

/// What NCCL refuses to do by one algorithm, which keeps no order either.
bool nccl_has(const std::string& selector, Operation operation, bool commutative) {
  if (selector.starts_with("nccl_algo") && reduces(operation) && !commutative) return false;
  if (selector == "nccl_algo_tree") return operation == Operation::allreduce;
  return selector != "nccl_algo_ring" || nccl_models(operation);
}

}  // namespace

TEST_SUITE("kernels/collectives") {
  TEST_CASE("The openmpi selector changes its mind at the thresholds of its tables and not before") {
    CHECK(choose("openmpi", Operation::allreduce, 16, 63_B).algorithm == "ompi_ring_segmented");
    CHECK(choose("openmpi", Operation::allreduce, 16, 64_B).algorithm == "rdb");
    CHECK(choose("openmpi", Operation::allreduce, 31, 4095_B).algorithm == "rdb");
    CHECK(choose("openmpi", Operation::allreduce, 31, 4_KiB).algorithm == "ompi_redscat_allgather");
    CHECK(choose("openmpi", Operation::bcast, 16, 1_MiB).algorithm == "scatter_rdb_allgather");
    CHECK(choose("openmpi", Operation::bcast, 16, 1_KiB).algorithm == "ompi_knomial");
    CHECK(choose("openmpi", Operation::bcast, 1, 1_KiB).algorithm == "flattree");  // below the table: its first row
    CHECK(choose("openmpi", Operation::bcast, 5000, 12_KiB).algorithm == "ompi_binary");
    CHECK(choose("openmpi", Operation::barrier, 600, 0_B).algorithm == "ompi_bruck");
    CHECK(choose("openmpi", Operation::gatherv, 600, 0_B).algorithm == "ompi_basic_linear");
  }

  // A change of any line of the tables shows here; compare it with coll_tuned_decision_fixed.c before this number
  // moves.
  TEST_CASE("The decisions of the openmpi selector are those that were compared with Open MPI's own") {
    Fingerprint all;
    for (std::size_t o = 0; o < planned_operations; ++o)
      for (const std::uint32_t power : {2u, 4u, 8u, 16u, 32u, 64u, 128u, 256u, 512u, 1024u, 2048u, 4096u})
        for (const std::uint32_t ranks : {power - 1, power, power + 1})
          for (std::uint64_t size = 1; size <= (std::uint64_t{8} << 20); size *= 2)
            for (const std::uint64_t bytes : {size - 1, size})
              for (const bool commutative : {true, false})
                all.add(
                    choose("openmpi", static_cast<Operation>(o), ranks, Bytes{static_cast<double>(bytes)}, commutative)
                        .algorithm);
    CHECK(all.value() == 5466362877934462182u);
  }

  TEST_CASE("The openmpi selector sends pipelines in one segment and the one of SMPI does not") {
    CHECK_FALSE(choose("openmpi", Operation::bcast, 4, 2_MiB).segmented);
    CHECK(choose("smpi-openmpi", Operation::bcast, 4, 2_MiB).segmented);
    Task task{.operation = Operation::bcast, .ranks = 4, .shares = Shares::balanced(4, 2 << 20)};
    CHECK(Choice("openmpi").settle(task).name == "ompi_pipeline");
    CHECK(task.segment == 2u << 20);
  }

  // SMPI 3.32, measured: an allreduce of one number takes 2 latencies on 2 ranks, 4 on 4 and 4 on 5.
  TEST_CASE("The selector of SMPI hands fewer elements than ranks from its rings to a reduce and a bcast") {
    const auto chosen = [](const char* selector, std::uint32_t ranks, std::uint64_t elements, double element) {
      Task task{.operation = Operation::allreduce,
                .ranks = ranks,
                .shares = Shares::balanced(ranks, elements),
                .element = Bytes{element}};
      return Choice(selector).settle(task).name;
    };
    CHECK(chosen("smpi-openmpi", 2, 1, 4.0) == "redbcast");
    CHECK(chosen("smpi-openmpi", 4, 1, 8.0) == "redbcast");
    CHECK(chosen("smpi-openmpi", 4, 4, 2.0) == "lr");
    CHECK(chosen("smpi-openmpi", 5, 1, 8.0) == "redbcast");
    CHECK(chosen("smpi-openmpi", 4, 2, 8.0) == "rdb");
    CHECK(chosen("openmpi", 4, 1, 8.0) == "rdb");
  }

  TEST_CASE("The openmpi selector keeps operands in order when they do not commute") {
    CHECK(choose("openmpi", Operation::reduce, 20, 1_KiB).algorithm == "ompi_binary");
    CHECK(choose("openmpi", Operation::reduce, 20, 1_KiB, false).algorithm == "ompi_in_order_binary");
    CHECK(choose("openmpi", Operation::reduce_scatter, 20, 1_KiB, false).algorithm == "default");
  }

  TEST_CASE("Open MPI gives up recursive doubling of an allgather where p is no power of two and SMPI does not") {
    CHECK(choose("openmpi", Operation::allgather, 16, 8_B).algorithm == "rdb");
    CHECK(choose("openmpi", Operation::allgather, 17, 8_B).algorithm == "ompi_bruck");
    CHECK(choose("smpi-openmpi", Operation::allgather, 17, 8_B).algorithm == "rdb");
    CHECK(choose("openmpi", Operation::allgather, 33, 2_KiB).algorithm == "NTSLR");
  }

  TEST_CASE("The mpich selector follows the thresholds of Thakur et al.") {
    CHECK(choose("mpich", Operation::bcast, 16, 12287_B).algorithm == "binomial_tree");
    CHECK(choose("mpich", Operation::bcast, 16, 12288_B).algorithm == "scatter_rdb_allgather");
    CHECK(choose("mpich", Operation::bcast, 17, 12288_B).algorithm == "scatter_LR_allgather");
    CHECK(choose("mpich", Operation::bcast, 7, 1_MiB).algorithm == "binomial_tree");
    CHECK(choose("mpich", Operation::allreduce, 16, 2_KiB).algorithm == "rdb");
    CHECK(choose("mpich", Operation::allreduce, 16, 2049_B).algorithm == "rab_rdb");
    CHECK(choose("mpich", Operation::allreduce, 16, 1_MiB, false).algorithm == "rdb");
    CHECK(choose("mpich", Operation::allreduce, 16, 1_MiB, true, true).algorithm == "two_level");
    CHECK(choose("mpich", Operation::allgather, 16, 32_KiB).algorithm == "NTSLR");
    CHECK(choose("mpich", Operation::allgather, 16, 32767_B).algorithm == "rdb");
    CHECK(choose("mpich", Operation::alltoall, 8, 256_B).algorithm == "bruck");
    CHECK(choose("mpich", Operation::alltoall, 7, 256_B).algorithm == "mvapich2_scatter_dest");
    CHECK(choose("mpich", Operation::alltoall, 16, 32769_B).algorithm == "pair");
    CHECK(choose("mpich", Operation::alltoall, 17, 32769_B).algorithm == "ring");
    CHECK(choose("mpich", Operation::reduce_scatter, 16, 512_KiB).algorithm == "ompi_basic_recursivehalving");
    CHECK(choose("mpich", Operation::reduce_scatter, 16, 524289_B).algorithm == "mpich_pair");
  }

  TEST_CASE("The cray-mpich selector gathers and broadcasts short shares and is as mpich where nothing else is said") {
    for (const Operation allgather : {Operation::allgather, Operation::allgatherv}) {
      CHECK(choose("cray-mpich", allgather, 512, 1_KiB).algorithm == "gather_bcast");
      CHECK(choose("cray-mpich", allgather, 513, 4_KiB).algorithm == "gather_bcast");
    }
    CHECK(choose("cray-mpich", Operation::allgather, 512, 1025_B).algorithm == "NTSLR");
    CHECK(choose("cray-mpich", Operation::allgather, 512, 4_KiB).algorithm == "NTSLR");
    CHECK(choose("cray-mpich", Operation::allgather, 513, 4097_B).algorithm == "NTSLR");
    CHECK(choose("cray-mpich", Operation::allgatherv, 512, 1025_B).algorithm == "mpich_ring");
    CHECK(choose("cray-mpich", Operation::alltoall, 1024, 512_B).algorithm == "bruck");
    CHECK(choose("cray-mpich", Operation::alltoall, 1024, 513_B).algorithm == "mvapich2_scatter_dest");
    CHECK(choose("cray-mpich", Operation::alltoall, 1025, 256_B).algorithm == "bruck");
    CHECK(choose("cray-mpich", Operation::alltoall, 1025, 257_B).algorithm == "mvapich2_scatter_dest");
    CHECK(choose("cray-mpich", Operation::alltoall, 7, 8_B).algorithm == "mvapich2_scatter_dest");
    CHECK(choose("cray-mpich", Operation::bcast, 16, 1_MiB).algorithm == "binomial_tree");
    CHECK(choose("cray-mpich", Operation::bcast, 16, 1_MiB, true, true).algorithm == "SMP_binomial");
    for (std::size_t o = 0; o < planned_operations; ++o) {
      const auto operation = static_cast<Operation>(o);
      if (operation == Operation::bcast || operation == Operation::allgather || operation == Operation::allgatherv)
        continue;
      CHECK(choose("cray-mpich", operation, 64, 2_KiB).algorithm == choose("mpich", operation, 64, 2_KiB).algorithm);
    }
  }

  TEST_CASE("Every selector names algorithms that exist for any operation and size and number of ranks") {
    // NCCL_ALGO names one algorithm, which not every operation has.
    for (const auto& selector : selectors().names())
      for (std::size_t o = 0; o < planned_operations; ++o)
        for (const std::uint32_t ranks :
             {2u, 3u, 4u, 7u, 8u, 12u, 16u, 31u, 33u, 64u, 100u, 128u, 300u, 600u, 1100u, 2100u, 5000u})
          for (double size = 0.0; size < 1e8; size = size * 2.0 + 1.0)
            for (const bool commutative : {true, false}) {
              const auto operation = static_cast<Operation>(o);
              INFO(selector << " " << operation_name(operation) << " " << ranks << " " << size);
              if (!nccl_has(selector, operation, commutative)) {
                CHECK_THROWS_AS(choose(selector.c_str(), operation, ranks, Bytes{size}, commutative, ranks % 2 == 0),
                                InputError);
                continue;
              }
              const auto chosen = choose(selector.c_str(), operation, ranks, Bytes{size}, commutative, ranks % 2 == 0);
              REQUIRE(algorithms(operation).contains(chosen.algorithm));
              if (!commutative && reduces(operation))
                REQUIRE(algorithms(operation).at(chosen.algorithm, "test").ordered);
            }
  }
}
