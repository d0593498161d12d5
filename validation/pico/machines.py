"""What the four machines are here, and which of our algorithms each measured one is."""
import math
import statistics

# Names of Open MPI's and of MPICH's algorithms. None: not an algorithm with a published form (or the library's own choice of
# unknown rules), so nothing is predicted; the reason is in WITHOUT.
OPEN_MPI = {
    "allgather": {"ring_ompi": "NTSLR", "neighbor_ompi": "ompi_neighborexchange", "recursive_doubling_ompi": "rdb"},
    "allreduce": {"recursive_doubling_ompi": "rdb", "ring_ompi": "lr", "rabenseifner_ompi": "ompi_redscat_allgather",
                  "allgather_reduce_ompi": "ompi_redscat_allgather"},
    "reduce_scatter": {"recursive_halving_ompi": "ompi_basic_recursivehalving", "ring_ompi": "ompi_ring"},
    "alltoall": {"linear_ompi": "basic_linear", "linear_sync_ompi": "ompi_linear_sync", "pairwise_ompi": "ring",
                 "modified_bruck_ompi": "bruck"},
    "bcast": {"binary_ompi": "ompi_binary", "binomial_ompi": "ompi_binomial", "knomial_ompi": "ompi_knomial",
              "scatter_allgather_ompi": "scatter_rdb_allgather", "scatter_allgather_ring_ompi": "scatter_LR_allgather",
              "split_binary_ompi": "ompi_split_bintree"},
    "reduce": {"binary_ompi": "ompi_binary", "binomial_ompi": "ompi_binomial", "in_order_ompi": "ompi_in_order_binary",
               "linear_ompi": "ompi_basic_linear", "rabenseifner_ompi": "ompi_redscat_gather"},
    "gather": {"binomial_ompi": "ompi_binomial", "linear_ompi": "ompi_basic_linear", "linear_synch_ompi": "ompi_linear_sync"},
    "scatter": {"binomial_ompi": "ompi_binomial_far", "linear_ompi": "ompi_basic_linear", "linear_nb_ompi": "ompi_linear_nb"},
}
MPICH = {
    "allgather": {"brucks_mpich": "bruck", "recursive_doubling_mpich": "rdb", "ring_mpich": "NTSLR"},
    "allreduce": {"rabenseifner_mpich": "rab_rdb", "recursive_doubling_mpich": "rdb"},
    "reduce": {"binomial_mpich": "binomial", "rabenseifner_mpich": "scatter_gather"},
}
FUJITSU = {
    "allgather": {"default-bruck": "ompi_bruck", "default-neighbor": "ompi_neighborexchange",
                  "default-recursive-doubling": "rdb", "default-ring": "NTSLR"},
    "allreduce": {"default-recursive_doubling": "rdb", "default-ring": "lr", "default-segmented_ring": "ompi_ring_segmented"},
    "alltoall": {"default-linear": "basic_linear", "default-linear-sync": "ompi_linear_sync", "default-modified-bruck": "bruck",
                 "default-pairwise": "ring"},
    "bcast": {"default-basic-linear": "flattree", "default-binary-tree": "ompi_binary", "default-binomial": "ompi_binomial",
              "default-pipeline": "ompi_pipeline", "default-split-binary-tree": "ompi_split_bintree"},
    "reduce": {"default-binary": "ompi_binary", "default-binomial": "ompi_binomial", "default-chain": "ompi_chain_4",
               "default-in-order-binary": "ompi_in_order_binary", "default-linear": "ompi_basic_linear",
               "default-pipeline": "ompi_pipeline"},
    "gather": {"default-basic-linear": "ompi_basic_linear", "default-binomial": "ompi_binomial",
               "default-linear-sync": "ompi_linear_sync"},
    "scatter": {"default-basic-linear": "ompi_basic_linear", "default-binomial": "ompi_binomial_far"},
    "reduce_scatter": {"default-non-overlapping": "default", "default-recursive-halving": "ompi_basic_recursivehalving",
                       "default-ring": "ompi_ring"},
}
# Segments that nobody set: (collective, algorithm) -> from how many bytes on, segment. Those of Fujitsu's trees follow from times at two
# sizes on 8 nodes (causes.md): chain and pipeline are whole up to 8 MiB. Other numbers of nodes are predicted with them.
SEGMENTS = {"fugaku": {("reduce", "default-binary"): (2**20, 2**16), ("reduce", "default-in-order-binary"): (2**20, 2**16),
                       ("reduce", "default-chain"): (2**26, 2**24), ("reduce", "default-pipeline"): (2**26, 2**24)}}
WITHOUT = {
    "lumi": "default and non_blocking are Cray MPICH's own choice, by rules that are not published",
    "leonardo": "", "mare_nostrum": "",
    "fugaku": "Fujitsu's algorithms for the torus (3dtorus, gtbc, rdbc, trix, blacc, crp, bintree, trinaryx ...) and its own choice; "
              "allgather's linear, whose times are those of gtbc within 1 % from 2 KiB on; gather's simple, whose root takes 11 GB/s and "
              "more, from several at once; allreduce's nonoverlapping, which is not a reduce and a broadcast of those measured beside it",
}

# Platform, network, what the library chooses by itself (a selector), where the search for each figure begins (what the datasheets say,
# or what was assumed of such a machine before anything was compared), and the rows that figures are fitted to or read off, about a tenth of
# the machine's: (collective, algorithm, nodes or nodes x ranks a node, bytes). Thresholds of libraries and sizes of caches are the platform's and are not fitted.
KI, MI = 2**10, 2**20
OVERHEADS = {"send-overhead": "0.3us", "receive-overhead": "0.3us", "rendezvous-overhead": "0.5us", "send-copy": "10GB/s",
             "receive-copy": "10GB/s"}
XEON = {"reduction": "6.6GB/s", "cached-reduction": "13.2GB/s", "copy": "10GB/s", "cached-copy": "20GB/s", "fresh-memory": "8GB/s"}
ZEN = {"reduction": "8GB/s", "cached-reduction": "16GB/s", "copy": "12GB/s", "cached-copy": "24GB/s", "fresh-memory": "8GB/s"}
MACHINES = {
    "mare_nostrum": dict(
        platform="marenostrum5-acc", network="infiniband", names=OPEN_MPI, own={"default_ompi": "openmpi"}, rules="openmpi",
        fit={"start-skew": "2us", "latency": "1.1us", "link-latency": "0.25us", "latency-factor": "1.4", "wire-efficiency": "0.98",
             "pair-bandwidth": "25GB/s", **OVERHEADS, **XEON, "heap-memory": "3GB/s", "datatype": "3us"},
        calibrated=[("gather", "linear_ompi", "32", (256, 16 * KI, 128 * KI, MI, 8 * MI)),
                    ("scatter", "linear_nb_ompi", "32", (256, 128 * KI, MI)),
                    ("alltoall", "modified_bruck_ompi", "32", (256, 128 * KI)),
                    ("allgather", "ring_ompi", "32", (256, 16 * KI, 128 * KI, MI, 8 * MI, 512 * MI)),
                    ("allgather", "neighbor_ompi", "32", (64 * MI, 512 * MI)),
                    ("allgather", "recursive_doubling_ompi", "32", (256,)),
                    ("bcast", "binomial_ompi", "32", (32, 16 * KI, 128 * KI)),
                    ("allreduce", "recursive_doubling_ompi", "32", (MI,)),
                    ("alltoall", "pairwise_ompi", "32", (256,)),
                    ("allreduce", "ring_ompi", "32", (128 * KI, MI, 8 * MI, 64 * MI, 512 * MI)),
                    ("reduce_scatter", "ring_ompi", "32", (64 * MI,)),
                    ("reduce_scatter", "recursive_halving_ompi", "32", (MI, 8 * MI, 64 * MI, 512 * MI))]),
    "leonardo": dict(
        platform="leonardo", network="infiniband", names=OPEN_MPI, own={"default_ompi": "openmpi"}, rules="openmpi",
        # Where nodes are not known: up to 16 in one cell, more at distances as the 32 nodes of one job had them.
        scattered={"from": 16, "step": 34, "nodes": 3456},
        fit={"start-skew": "2us", "latency": "1.1us", "link-latency": "0.2us", "latency-factor": "1.4", "wire-efficiency": "0.98",
             "pair-bandwidth": "25GB/s", **OVERHEADS, **XEON},
        calibrated=[("allgather", "ring_ompi", "4", (256, 8 * KI, 64 * KI)),
                    ("allgather", "recursive_doubling_ompi", "4", (2048, 512 * KI)),
                    ("allgather", "ring_ompi", "32", (2048, 32 * MI, 256 * MI)),
                    ("allgather", "neighbor_ompi", "32", (256 * MI,)),
                    ("reduce_scatter", "recursive_halving_ompi", "64", (64 * MI, 512 * MI)),
                    ("reduce_scatter", "ring_ompi", "64 x 4", (2 * KI,)),
                    ("reduce_scatter", "recursive_halving_ompi", "64 x 4", (MI,)),
                    ("allreduce", "rabenseifner_ompi", "4", (256, 128 * KI, MI, 8 * MI, 64 * MI, 512 * MI))]),
    "lumi": dict(
        platform="lumi-g", network="slingshot", names=MPICH, own={}, rules="mpich",  # which stand for Cray's
        fit={"start-skew": "2us", "latency": "1.8us", "link-latency": "0.35us", "latency-factor": "1.3", "bandwidth-factor": "0.9",
             **OVERHEADS, "send-overhead": "0.4us", "receive-overhead": "0.4us", **ZEN},
        calibrated=[("reduce", "binomial_mpich", "4", (32, 2048, 128 * KI, MI, 64 * MI)),
                    ("reduce", "rabenseifner_mpich", "4", (8 * MI, 512 * MI)),
                    ("allreduce", "recursive_doubling_mpich", "8", (32, 256)),
                    ("allreduce", "recursive_doubling_mpich", "16", (32, 256)),
                    ("allgather", "brucks_mpich", "16", (128 * KI,)),
                    ("allgather", "ring_mpich", "16", (256, 128 * KI, 64 * MI))]),
    "fugaku": dict(
        platform="fugaku", network="tofu", names=FUJITSU, own={},
        # Not latencies: overheads take their place (0.02 us would do), and those of the wire are published.
        fit={"start-skew": "2us", "wire-efficiency": "0.93", **OVERHEADS, "send-overhead": "0.5us", "receive-overhead": "0.5us", **ZEN,
             "datatype": "3us"},
        calibrated=[("allgather", "default-ring", "2x2x2", (32, 256, 2048, 16 * KI, 128 * KI, MI, 64 * MI)),
                    ("bcast", "default-binomial", "4x4x4", (8 * MI, 64 * MI, 512 * MI)),  # these: the order of dimensions
                    ("bcast", "default-binary-tree", "4x4x4", (8 * MI, 64 * MI, 512 * MI)),
                    ("alltoall", "default-pairwise", "4x4x4", (512 * MI,)),
                    ("alltoall", "default-linear", "2x2x2", (512 * MI,)),  # these two: queues that a node sends from
                    ("alltoall", "default-linear", "4x4x4", (512 * MI,)),
                    ("gather", "default-basic-linear", "2x2x2", (256, 16 * KI, MI)),
                    ("scatter", "default-basic-linear", "2x2x2", (256, 16 * KI, MI)),
                    ("alltoall", "default-modified-bruck", "2x2x2", (256, 16 * KI)),
                    ("allgather", "default-recursive-doubling", "4x4x4", (256,)),
                    ("allreduce", "default-ring", "2x2x2", (256, 128 * KI, MI, 8 * MI, 64 * MI)),
                    ("allreduce", "default-recursive_doubling", "2x2x2", (256, 16 * KI, MI, 64 * MI, 512 * MI)),
                    ("reduce", "default-binary", "2x2x2", (MI, 8 * MI, 64 * MI)),
                    ("reduce", "default-in-order-binary", "2x2x2", (MI, 8 * MI, 64 * MI)),
                    ("reduce", "default-chain", "2x2x2", (64 * MI,)),
                    ("reduce", "default-pipeline", "2x2x2", (64 * MI,)),
                    ("reduce", "default-binomial", "2x2x2", (512 * MI,)),
                    ("reduce_scatter", "default-recursive-halving", "2x2x2", (256, 128 * KI, 8 * MI, 512 * MI))]),
}
SHARED_OUT = {"allgather", "gather", "scatter", "alltoall", "reduce_scatter"}  # the kernel is told the share of one rank
REDUCING = {"allreduce", "reduce", "reduce_scatter"}


def ours(row):
    """Our name of a row's algorithm; None where it has none. Where it was not taken the library chose: its rules, where they are known."""
    machine = MACHINES[row["machine"]]
    if not row.get("taken", True) and "rules" in machine:
        return machine["rules"]
    return machine["own"].get(row["algorithm"]) or machine["names"].get(row["collective"], {}).get(row["algorithm"])


def segment_of(row):
    """Bytes of a segment that the library chose by itself; 0: whole messages."""
    least, segment = SEGMENTS.get(row["machine"], {}).get((row["collective"], row["algorithm"]), (math.inf, 0))
    return segment if row["bytes"] >= least else 0


def calibrated_on(row):
    """Whether figures of its platform were fitted to the row or read off it."""
    nodes = row["nodes"] if row["ppn"] == "1" else f"{row['nodes']} x {row['ppn']}"
    return any((row["collective"], row["algorithm"], nodes) == (collective, algorithm, on) and row["bytes"] in sizes
               for collective, algorithm, on, sizes in MACHINES[row["machine"]]["calibrated"])


OWN_CHOICE = {"default_ompi", "default_mpich", "non_blocking_mpich", "default-default"}


def campaign_of(row):
    """What one algorithm did on the same nodes at one time."""
    return row["timestamp"], row["collective"], row["nodes"], row["ppn"], row["algorithm"]


def not_taken(rows):
    """Algorithms that a campaign asked for and did not get, of the rows of one machine: a set of `campaign_of`.

    The times of an algorithm repeat, from 1 KiB on, the library's own choice (or `non_blocking`, the same choice): to 1 % in the median
    and 20 % at most. In another campaign of the machine and collective they differ from it by more than 20 % somewhere. Nothing
    simulated enters. Smaller sizes, for which libraries have ways of their own, go too: what ran there is not known either.
    """
    campaigns = {}
    for row in rows:
        campaigns.setdefault(campaign_of(row)[:4], {}).setdefault(row["algorithm"], {})[row["bytes"]] = row["us"]
    repeats, differs = set(), set()
    for campaign, times in campaigns.items():
        usual = [times[name] for name in times if name in OWN_CHOICE]
        for name, own in times.items():
            if not usual or name in OWN_CHOICE:
                continue
            apart = [min(abs(math.log(us / other[size])) for other in usual) for size, us in own.items() if size >= KI]
            if max(apart) > math.log(1.2):
                differs.add((campaign[1], name))
            elif statistics.median(apart) <= 0.01:
                repeats.add((*campaign, name))
    return {found for found in repeats if (found[1], found[4]) in differs}
