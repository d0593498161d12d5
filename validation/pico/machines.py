"""What the four machines are here, and which of our algorithms each measured one is."""

# Names of Open MPI's and of MPICH's algorithms. None: not an algorithm with a published form (or the library's own choice of
# unknown rules), so nothing is predicted; the reason is in WITHOUT.
OPEN_MPI = {
    "allgather": {"ring_ompi": "NTSLR", "neighbor_ompi": "ompi_neighborexchange", "recursive_doubling_ompi": "rdb"},
    "allreduce": {"recursive_doubling_ompi": "rdb", "ring_ompi": "lr", "rabenseifner_ompi": "rab_rdb",
                  "allgather_reduce_ompi": "rab_rdb"},
    "reduce_scatter": {"recursive_halving_ompi": "ompi_basic_recursivehalving", "ring_ompi": "ompi_ring"},
    "alltoall": {"linear_ompi": "basic_linear", "linear_sync_ompi": "basic_linear", "pairwise_ompi": "ring",
                 "modified_bruck_ompi": "bruck"},
    "bcast": {"binary_ompi": "ompi_binary", "binomial_ompi": "ompi_binomial", "knomial_ompi": "ompi_knomial",
              "scatter_allgather_ompi": "scatter_rdb_allgather", "scatter_allgather_ring_ompi": "scatter_LR_allgather",
              "split_binary_ompi": "ompi_split_bintree"},
    "reduce": {"binary_ompi": "ompi_binary", "binomial_ompi": "ompi_binomial", "in_order_ompi": "ompi_in_order_binary",
               "linear_ompi": "ompi_basic_linear", "rabenseifner_ompi": "scatter_gather"},
    "gather": {"binomial_ompi": "ompi_binomial", "linear_ompi": "ompi_basic_linear", "linear_synch_ompi": "ompi_linear_sync"},
    "scatter": {"binomial_ompi": "ompi_binomial", "linear_ompi": "ompi_basic_linear", "linear_nb_ompi": "ompi_linear_nb"},
}
MPICH = {
    "allgather": {"brucks_mpich": "bruck", "recursive_doubling_mpich": "rdb", "ring_mpich": "NTSLR"},
    "allreduce": {"rabenseifner_mpich": "rab_rdb", "recursive_doubling_mpich": "rdb"},
    "reduce": {"binomial_mpich": "binomial", "rabenseifner_mpich": "scatter_gather"},
}
FUJITSU = {
    "allgather": {"default-bruck": "bruck", "default-linear": "GB", "default-neighbor": "ompi_neighborexchange",
                  "default-recursive-doubling": "rdb", "default-ring": "NTSLR"},
    "allreduce": {"default-recursive_doubling": "rdb", "default-ring": "lr", "default-segmented_ring": "ompi_ring_segmented",
                  "default-nonoverlapping": "redbcast"},
    "alltoall": {"default-linear": "basic_linear", "default-linear-sync": "basic_linear", "default-modified-bruck": "bruck",
                 "default-pairwise": "ring"},
    "bcast": {"default-basic-linear": "flattree", "default-binary-tree": "ompi_binary", "default-binomial": "ompi_binomial",
              "default-pipeline": "ompi_pipeline", "default-split-binary-tree": "ompi_split_bintree"},
    "reduce": {"default-binary": "ompi_binary", "default-binomial": "ompi_binomial", "default-chain": "ompi_chain",
               "default-in-order-binary": "ompi_in_order_binary", "default-linear": "ompi_basic_linear",
               "default-pipeline": "ompi_pipeline"},
    "gather": {"default-basic-linear": "ompi_basic_linear", "default-binomial": "ompi_binomial",
               "default-linear-sync": "ompi_linear_sync", "default-simple": "ompi_basic_linear"},
    "scatter": {"default-basic-linear": "ompi_basic_linear", "default-binomial": "ompi_binomial"},
    "reduce_scatter": {"default-non-overlapping": "default", "default-recursive-halving": "ompi_basic_recursivehalving",
                       "default-ring": "ompi_ring"},
}
WITHOUT = {
    "lumi": "default and non_blocking are Cray MPICH's own choice, by rules that are not published",
    "leonardo": "", "mare_nostrum": "",
    "fugaku": "Fujitsu's algorithms for the torus (3dtorus, gtbc, rdbc, trix, blacc, crp, bintree, trinaryx ...) and its own choice",
}

# As the platform files have it: GB/s of an adapter, B from which messages are rendezvous, us of an overhead, latencies of a handshake,
# B of caches. Then platform, network, node type, algorithms, what the library chooses by itself (a selector), and the rows that are calibrated on:
# (collective, algorithm, nodes, sizes or None for all), at most a tenth of the machine's rows.
MACHINES = {
    "mare_nostrum": dict(bandwidth=25.0, eager=8192, overhead=0.3, handshake=1, cache=32 * 2**20,
                     platform="marenostrum5-acc", network="infiniband", type="acc", names=OPEN_MPI,
                         own={"default_ompi": "openmpi"},
                         calibrated=[("allgather", "ring_ompi", "32", None), ("allreduce", "ring_ompi", "32", None),
                                     ("allreduce", "rabenseifner_ompi", "32", None)]),
    "leonardo": dict(bandwidth=12.5, eager=8192, overhead=0.3, handshake=1, cache=24 * 2**20,
                     platform="leonardo", network="infiniband", type="booster", names=OPEN_MPI, own={"default_ompi": "openmpi"},
                     calibrated=[("allgather", "ring_ompi", "4", None),
                                 ("allreduce", "rabenseifner_ompi", "4", 2048)]),
    "lumi": dict(bandwidth=25.0, eager=16384, overhead=0.4, handshake=1, cache=16 * 2**20,
                     platform="lumi-c", network="slingshot", type="lumi-c", names=MPICH, own={},
                 calibrated=[("reduce", "rabenseifner_mpich", "4", None), ("reduce", "binomial_mpich", "4", None)]),
    "fugaku": dict(bandwidth=6.8, eager=32768, overhead=0.5, handshake=2, cache=4 * 2**20,
                     platform="fugaku", network="tofu", type="a64fx", names=FUJITSU, own={},
                   calibrated=[("allgather", "default-ring", "2x2x2", None),
                               ("allreduce", "default-recursive_doubling", "2x2x2", None),
                               ("allreduce", "default-ring", "2x2x2", None),
                               ("alltoall", "default-pairwise", "2x2x2", None),
                               ("reduce_scatter", "default-recursive-halving", "2x2x2", None)]),
}
SHARED_OUT = {"allgather", "gather", "scatter", "alltoall", "reduce_scatter"}  # the kernel is told the share of one rank
REDUCING = {"allreduce", "reduce", "reduce_scatter"}


def ours(row):
    """Our name of a row's algorithm; None where it has none."""
    machine = MACHINES[row["machine"]]
    return machine["own"].get(row["algorithm"]) or machine["names"].get(row["collective"], {}).get(row["algorithm"])


def calibrated_on(row):
    for collective, algorithm, nodes, least in MACHINES[row["machine"]]["calibrated"]:
        if (row["collective"], row["algorithm"], row["nodes"]) == (collective, algorithm, nodes):
            return least is None or row["bytes"] >= least
    return False
