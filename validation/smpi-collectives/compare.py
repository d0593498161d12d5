#!/usr/bin/env python3
"""The kernel 'collective' beside SMPI: same platform, same algorithm forced on both, one rank per node.

    validation/smpi-collectives/compare.py [--ranks 7,8,16] [--sizes 1024,1048576] [--only bcast/NTSL]

Prints one row per algorithm (the largest deviation over ranks, sizes and roots) and every deviation above 1 % with its
explanation. Exits with 1 when one is above 1 % and not explained below, or when SMPI gave no time.
"""
import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ROOTED = {"bcast", "reduce", "scatter", "gather"}
TOLERANCE = 0.01
SELECTOR = "smpi-openmpi"  # against SMPI's selector 'ompi'

# Algorithms that SMPI lacks.
NOT_IN_SMPI = {"bcast/ompi_binary", "bcast/ompi_binomial", "bcast/ompi_knomial", "reduce/two_level", "allreduce/two_level",
               "scatterv/ompi_basic_linear", "gatherv/ompi_basic_linear", "allgatherv/NTSLR", "allgatherv/bruck",
               "allgatherv/spreading_simple"}

# operation/algorithm -> why SMPI takes another time.
REMAINDER = ("SMPI reduces the elements that are left over when p does not divide their number by a collective of its own; "
             "here some shares hold one more, as in Open MPI")
ENVELOPE = "SMPI's envelope adds 16 B to each message: 1.6 % of a segment of 1 KiB, and not nothing to an empty signal"
EXPLAINED = {
    "bcast/SMP_binomial": "SMPI first sends the message from another root to member 0; here, as in MPICH, it goes to the "
                          "leader of the root's node, which with one rank per node is the root",
    "barrier/ompi_basic_linear": ENVELOPE,
    "bcast/ompi_split_bintree": ENVELOPE,
    "reduce/ompi_pipeline": ENVELOPE,
    "allreduce/lr": REMAINDER,
    "allreduce/ompi_ring_segmented": REMAINDER,
    "allgatherv/GB": "SMPI's gatherv posts all receives at once; Open MPI's receives in rank order, as here",
    "reduce_scatter/default": "SMPI always reduces by its linear default; here by what the selector chooses",
    "alltoall/mvapich2_scatter_dest": "SMPI sends a rank's block for itself through its NIC (one block's time more); "
                                      "here it does not travel",
}

# Where SMPI cannot be asked for everything.
SIZES = {
    # Below two segments SMPI runs SMP_linear, whose messages between nodes nobody receives when nodes have one rank.
    "bcast/ompi_split_bintree": lambda size: size >= 4096,
    # SMPI matches the eager first part with the receive that is posted for the second, larger part, and deadlocks.
    "gather/ompi_linear_sync": lambda size: size < 8192,
}
POWERS_OF_TWO = {"allgather/pair", "allgatherv/pair", "alltoall/pair", "alltoallv/pair"}  # SMPI refuses other numbers
# Made of other operations, which are forced in SMPI to what Open MPI's tables choose here: ranks, sizes, options.
MADE_OF = {
    "allreduce/redbcast": (8, [65536, 1048576], ["--cfg=smpi/reduce:ompi_binomial", "--cfg=smpi/bcast:flattree"]),
    "allgather/GB": (8, [16384, 65536], ["--cfg=smpi/gather:ompi_basic_linear", "--cfg=smpi/bcast:flattree"]),
    "allgatherv/GB": (8, [16384, 65536], ["--cfg=smpi/gather:ompi_basic_linear", "--cfg=smpi/bcast:flattree"]),
}
TWO_ONLY = {"barrier/ompi_two_procs"}

def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def algorithms(orrery):
    """(operation, algorithm) as Orrery lists them, less what SMPI does not have."""
    _, out, _ = run([orrery, "list", "collectives"])
    pairs = [tuple(line.split()[:2]) for line in out.splitlines() if line.strip() and not line[0].isspace()]
    known = [(o, a) for o, a in pairs if o != "selector" and "%s/%s" % (o, a) not in NOT_IN_SMPI]
    return known + [(o, SELECTOR) for o in dict.fromkeys(o for o, _ in known)]


class Smpi:
    def __init__(self, orrery, folder):
        self.folder, self.program = folder, os.path.join(folder, "collective")
        self.platform = os.path.join(folder, "platform.xml")
        code, out, err = run([orrery, "export", "--format", "simgrid-xml", "--platform", os.path.join(HERE, "star.yaml"),
                              "--network", "plain", "--kernel", "barrier", "--ranks", "2", "-o", self.platform])
        if code:
            sys.exit(err)
        self.options = shlex.split(out)
        code, _, err = run(["smpicc", "-O1", "-w", os.path.join(HERE, "collective.c"), "-o", self.program, "-lm"])
        if code:
            sys.exit(err)

    def times(self, operation, algorithm, ranks, root, sizes, parts):
        """Seconds by size, or the reason why there are none."""
        hosts = os.path.join(self.folder, "hosts-%d" % ranks)
        with open(hosts, "w") as file:
            file.writelines("node-%d\n" % n for n in range(ranks))
        choice = [] if operation.endswith("v") and operation[:-1] in ("scatter", "gather") else [
            "--cfg=smpi/%s:%s" % (operation, algorithm)]
        if algorithm == SELECTOR:
            choice = ["--cfg=smpi/coll-selector:ompi"]
        code, out, err = run(["smpirun", "-no-privatize", "-np", str(ranks), "-platform", self.platform, "-hostfile", hosts,
                              "--cfg=smpi/simulate-computation:no", "--cfg=smpi/wtime:0", "--log=root.thres:critical"]
                             + self.options + choice + parts + [self.program, operation, str(root)] + [str(s) for s in sizes])
        spans = {}
        for line in out.splitlines():
            words = line.split()
            if len(words) == 4 and words[0].isdigit():
                begin, end = spans.get(int(words[1]), (1e300, 0.0))
                spans[int(words[1])] = (min(begin, float(words[2])), max(end, float(words[3])))
        if code or len(spans) < len(set(sizes)):
            return None, (err.strip().splitlines() or ["no times"])[-1]
        return {size: end - begin for size, (begin, end) in spans.items()}, ""


def orrery_time(orrery, operation, algorithm, ranks, root, size):
    parameters = {"operation": operation, "algorithm": algorithm, "message": "%dB" % size, "root": str(root)}
    command = [orrery, "simulate", "--platform", os.path.join(HERE, "star.yaml"), "--network", "plain", "--kernel",
               "collective", "--ranks", str(ranks), "--per-node", "1", "--format", "json"]
    for name, value in parameters.items():
        command += ["--param", "%s=%s" % (name, value)]
    code, out, err = run(command)
    if code:
        sys.exit(err)
    return json.loads(out)["points"][0]["run"]["makespan_s"]


def main():
    line = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    line.add_argument("--orrery", default=os.path.join(ROOT, "build/release/bin/orrery"))
    line.add_argument("--ranks", default="7,8,16")
    line.add_argument("--sizes", default="1024,16384,65536,1048576")
    line.add_argument("--only", default="")
    asked = line.parse_args()
    counts = [int(n) for n in asked.ranks.split(",")]
    sizes = [int(n) for n in asked.sizes.split(",")]
    failed = False
    deviations = []
    print("| operation | algorithm | cases | largest deviation | at |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        smpi = Smpi(asked.orrery, folder)
        for operation, algorithm in algorithms(asked.orrery):
            if asked.only and asked.only not in "%s/%s" % (operation, algorithm):
                continue
            name = "%s/%s" % (operation, algorithm)
            worst, where, cases, refusal = 0.0, "", 0, ""
            only_ranks, only_sizes, parts = MADE_OF.get(name, (2 if name in TWO_ONLY else 0, sizes, []))
            for ranks in [only_ranks] if only_ranks else counts:
                if name in POWERS_OF_TWO and ranks & (ranks - 1):
                    continue
                for root in ([0, 3] if operation in ROOTED else [0]):
                    those = [8] if operation == "barrier" else [m for m in only_sizes if SIZES.get(name, bool)(m)]
                    theirs, why = smpi.times(operation, algorithm, ranks, root, those, parts)
                    if theirs is None:
                        refusal = "SMPI on %d ranks: %s" % (ranks, why)
                        continue
                    for size, seconds in theirs.items():
                        ours = orrery_time(asked.orrery, operation, algorithm, ranks, root, size)
                        cases += 1
                        deviation = ours / seconds - 1.0 if seconds > 0 else float(ours > 0)
                        text = "p=%d root %d, %d B: %.3f us, SMPI %.3f us" % (ranks, root, size, ours * 1e6, seconds * 1e6)
                        if abs(deviation) > TOLERANCE:
                            deviations.append((operation, algorithm, deviation, text))
                        if abs(deviation) >= abs(worst):
                            worst, where = deviation, text
            print("| %s | %s | %d | %+.3f %% | %s |" % (operation, algorithm, cases, 100 * worst, where + (
                "; " + refusal if refusal else "")), flush=True)
            if refusal or cases == 0 or (abs(worst) > TOLERANCE and name not in EXPLAINED):
                failed = True
    print("\nAbove 1 %:" if deviations else "\nNothing above 1 %.")
    for name in dict.fromkeys("%s/%s" % (o, a) for o, a, _, _ in deviations):
        of_name = [d for d in deviations if "%s/%s" % d[:2] == name]
        least, most = min(d[2] for d in of_name), max(d[2] for d in of_name)
        worst = max(of_name, key=lambda d: abs(d[2]))[3]
        print("- %s, %d cases, %+.1f %% to %+.1f %% (%s): %s" % (
            name, len(of_name), 100 * least, 100 * most, worst, EXPLAINED.get(name, "NOT EXPLAINED")))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
