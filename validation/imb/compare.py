#!/usr/bin/env python3
"""Collectives that fill their nodes, measured by Intel MPI Benchmarks, beside the same simulated on the shipped platforms.

    validation/imb/compare.py ROWS.csv [MACHINE ...] [--most-bytes 65536] [--groups]

ROWS.csv is not shipped, as its licence is the GPL: results of github.com/hpc-uk/archer-benchmarks at f644ea4b, restated as a table with the
columns machine, benchmark, nodes, ranks, bytes, t_max_us. Rows that parameters of a platform were read off are not compared.
"""
import argparse
import csv
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
os.environ.setdefault("ORRERY_DATA", ROOT)
ORRERY = os.environ.get("ORRERY", os.path.join(ROOT, "build", "release", "bin", "orrery"))

# Name in the rows -> platform, network, rules of the library. MPICH's stand for Intel's, which are not published, and for MVAPICH's.
MACHINES = {
    "Fulhame_OMPI4": ("fulhame", "infiniband", "openmpi"),
    "Fulhame_OMPI4_32cpn": ("fulhame", "infiniband", "openmpi"),
    "Fulhame_MVAPICH231_32cpn": ("fulhame", "infiniband", "mpich"),
    "ARCHER2_CrayMPICH8015": ("archer2", "slingshot", "cray-mpich"),
    "Cirrus_IMPI18": ("cirrus", "infiniband", "mpich"),
    "Isambard_CrayMPICH776": ("isambard", "aries", "cray-mpich"),
}
COLLECTIVES = {"Allgather": "allgather", "Allgatherv": "allgatherv", "Alltoall": "alltoall", "Alltoallv": "alltoallv",
               "Allreduce": "allreduce"}
# Sizes of the rows that parameters were read off, by machine, benchmark and nodes.
READ_OFF = {
    ("Fulhame_OMPI4", "Allgather", 1): (1,),
    ("Fulhame_OMPI4", "Allgather", 2): (1,),
    ("Fulhame_OMPI4", "Allgatherv", 2): (1,),
    ("Fulhame_OMPI4", "Alltoall", 1): (1,),
    ("Fulhame_OMPI4", "Alltoall", 2): (2**18,),
    ("Fulhame_OMPI4", "Alltoallv", 1): (1,),
    ("Fulhame_OMPI4", "Alltoallv", 2): (1, 16, 32, 64, 256),
    ("Fulhame_OMPI4_32cpn", "Alltoall", 1): (1,),
    ("Fulhame_OMPI4_32cpn", "Alltoallv", 1): (1,),
    ("ARCHER2_CrayMPICH8015", "Allgather", 2): (1,),
    ("ARCHER2_CrayMPICH8015", "Allgatherv", 2): (1,),
    ("ARCHER2_CrayMPICH8015", "Alltoall", 1): (1,),
    ("ARCHER2_CrayMPICH8015", "Alltoall", 2): (2**18,),
    ("ARCHER2_CrayMPICH8015", "Alltoallv", 2): (2, 4, 8, 16, 32, 64, 128),
    ("Cirrus_IMPI18", "Allgather", 2): (1,),
    ("Cirrus_IMPI18", "Allgatherv", 2): (1,),
    ("Cirrus_IMPI18", "Alltoall", 1): (1,),
    ("Cirrus_IMPI18", "Alltoall", 2): (2**18,),
    ("Cirrus_IMPI18", "Alltoallv", 2): (4, 256, 512),
    ("Isambard_CrayMPICH776", "Allgather", 1): (1,),
    ("Isambard_CrayMPICH776", "Allgather", 2): (1, 8192, 2**16),
    ("Isambard_CrayMPICH776", "Allgatherv", 2): (1,),
    ("Isambard_CrayMPICH776", "Alltoall", 1): (1,),
    ("Isambard_CrayMPICH776", "Alltoall", 2): (2**18,),
    ("Isambard_CrayMPICH776", "Alltoallv", 2): (1,),
}
# Of Open MPI 4.0, below 50,000 B in all and on one node.
SHORT = {"Allgather": "rdb", "Allgatherv": "ompi_bruck"}


def algorithm(row):
    """The rules of the library, but for allgathers of Fulhame: Open MPI 4.0 changes to neighbour exchange at 50,000 B in all, and below that
    fewer bytes pass between nodes than its recursive doubling sends, which gathering and broadcasting stands for."""
    if row["benchmark"] not in SHORT or "OMPI" not in row["machine"]:
        return MACHINES[row["machine"]][2]
    if row["ranks"] * row["bytes"] >= 50000:
        return "ompi_neighborexchange"
    return "gather_bcast" if row["nodes"] > 1 else SHORT[row["benchmark"]]


def read_off(row):
    """Whether a parameter of the platform was read off this row."""
    return row["bytes"] in READ_OFF.get((row["machine"], row["benchmark"], row["nodes"]), ())


def rows_of(path, machines, most):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    times = {}
    for row in rows:
        key = (row["machine"], row["benchmark"], int(row["nodes"]), int(row["ranks"]), int(row["bytes"]))
        if key[0] in machines and key[1] in COLLECTIVES and 0 < key[4] <= most:
            times.setdefault(key, []).append(float(row["t_max_us"]))
    fields = ("machine", "benchmark", "nodes", "ranks", "bytes")
    return [dict(zip(fields, key), us=statistics.median(us)) for key, us in times.items()]


def simulate(rows):
    """Of one machine, benchmark and number of nodes, by bytes: in order."""
    return [us for name, some in itertools.groupby(rows, algorithm) for us in play(name, list(some))]


def play(name, rows):
    platform, network, _ = MACHINES[rows[0]["machine"]]
    per_node = rows[0]["ranks"] // rows[0]["nodes"]
    scenario = {"source": "archer-benchmarks", "platform": platform, "network": network, "engine": "flow",
                "layout": {"ranks": rows[0]["ranks"], "per-node": per_node},
                "kernel": {"name": "collective", "operation": COLLECTIVES[rows[0]["benchmark"]], "algorithm": name,
                           "element": "4B" if rows[0]["benchmark"] == "Allreduce" else "1B"},
                "sweep": {"kernel.message": [f"{row['bytes']}B" for row in rows]}}
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "rows.yaml")
        with open(file, "w") as out:
            out.write(json.dumps(scenario))
        run = subprocess.run([ORRERY, "run", file, "--format", "csv", "--critical-path", "off", "--out", file + ".out"], capture_output=True,
                             text=True)
    if run.returncode != 0:
        raise SystemExit(run.stderr)
    return [float(line["simulated_s"]) * 1e6 for line in csv.DictReader(run.stdout.splitlines())]


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rows")
    parser.add_argument("machine", nargs="*")
    parser.add_argument("--most-bytes", type=int, default=65536)
    parser.add_argument("--groups", action="store_true")
    options = parser.parse_args()
    rows = rows_of(options.rows, options.machine or MACHINES, options.most_bytes)
    groups = {}
    for row in rows:
        groups.setdefault((row["machine"], row["benchmark"], row["nodes"]), []).append(row)
    errors = {}
    for (machine, benchmark, nodes), group in sorted(groups.items()):
        group.sort(key=lambda row: row["bytes"])
        for row, us in zip(group, simulate(group)):
            row["ratio"] = us / row["us"]
        if options.groups:
            text = " ".join(f"{row['ratio']:.2f}" for row in group)
            print(f"{machine} {benchmark} {nodes} x {group[0]['ranks'] // nodes}: {text}")
        errors.setdefault((machine, benchmark), []).extend(abs(row["ratio"] - 1) for row in group if not read_off(row))
    for (machine, benchmark), found in errors.items():
        print(f"{machine:<24}{benchmark:<12}{len(found):4d} rows   median {statistics.median(found):6.1%}   90 % {percentile(found, 0.9):6.1%}")
    print(f"{'all':<36}{sum(map(len, errors.values())):4d} rows   median {statistics.median(sum(errors.values(), [])):6.1%}", file=sys.stdout)


if __name__ == "__main__":
    main()
