#!/usr/bin/env python3
"""Writes the measured points of the labs: rows.py [NETGAUGE.dat]

Collectives are rows of validation/pico/measured.csv, under our names of the algorithms; 'ranks-per-node', 'stencil' and 'noise' are what
own/measure.sh wrote. The ping-pong is the third column (time of a round trip, microseconds) of NetGauge's output on Tukey, which is not
shipped; without it ping-pong.csv stays. 'unequal-nodes', 'hpl-grid' and 'pipeline' are printed values, kept by hand."""
import csv
import os
import statistics
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PICO = os.path.join(HERE, "..", "..", "validation", "pico")
sys.path.insert(0, PICO)
from machines import MACHINES  # noqa: E402

LABS = {"allreduce": ("allreduce", {"mare_nostrum": "32", "leonardo": "16", "lumi": "16", "fugaku": "2x2x2"},
                      {"rdb", "lr", "rab_rdb"}),
        "broadcast": ("bcast", {"mare_nostrum": "32", "fugaku": "2x2x2"},
                      {"flattree", "ompi_binomial", "scatter_LR_allgather", "ompi_pipeline"}),
        "alltoall": ("alltoall", {"mare_nostrum": "32"}, {"basic_linear"})}


def write(name, head, rows):
    with open(os.path.join(HERE, name + ".csv"), "w", newline="") as file:
        for line in head:
            file.write(f"# {line}\n")
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["platform", "line", "x", "y"])
        out.writerows(rows)


def collectives(name):
    collective, nodes, lines = LABS[name]
    best = {}
    with open(os.path.join(PICO, "measured.csv"), newline="") as file:
        for row in csv.DictReader(file):
            about = MACHINES.get(row["machine"], {})
            line = about.get("names", {}).get(collective, {}).get(row["algorithm"])
            if row["collective"] == collective and row["nodes"] == nodes.get(row["machine"]) and row["ppn"] == "1" and line in lines:
                shared = int(row["ranks"]) if collective == "alltoall" else 1  # bytes are of the whole vector
                key = ("any", "MareNostrum 5") if collective == "alltoall" else (about["platform"], line)
                key += (int(row["bytes"]) // shared,)
                best[key] = min(best.get(key, 1e30), float(row["median_ns"]) / 1e9)  # several campaigns: the quietest
    if collective == "bcast":  # for machines of the lab that have none: those of one that has
        text = {"ompi_binomial": "binomial tree on MareNostrum 5", "scatter_LR_allgather": "scatter, allgather on MareNostrum 5"}
        best.update({("any", text[key[1]], key[2]): seconds for key, seconds in best.items() if key[0] == "marenostrum5-acc"})
    head = ["Medians of real runs: HLC-Lab/pico at 413bc5d (De Sensi et al., SC25, arXiv 2508.17311), MIT licence.",
            "Of several campaigns on a machine the fastest. Made by labs/measured/rows.py."]
    write(name, head, [(*key, f"{seconds:.6g}") for key, seconds in sorted(best.items())])


def ping_pong(file):
    rows = {}
    for line in open(file):
        if not line.startswith("#"):
            cells = line.split()
            rows[int(cells[0])] = float(cells[2]) / 2 * 1e-6
    head = ["Half of a round trip between two nodes of Tukey (Argonne, InfiniBand) by NetGauge, as distributed with CODES",
            "(Argonne National Laboratory and others, BSD-like licence, 2019). Made by labs/measured/rows.py."]
    write("ping-pong", head, [("any", "Tukey", size, f"{seconds:.6g}") for size, seconds in sorted(rows.items())])


def own(name):
    """Comments and rows of own/NAME.csv, whose header stands again above each campaign."""
    head, rows, columns = [], [], None
    with open(os.path.join(HERE, "own", name + ".csv"), newline="") as file:
        for line in file:
            if line.startswith("#"):
                head.append(line[2:].strip())
                continue
            cells = next(csv.reader([line]))
            if "time_s" in cells:
                columns = cells
            else:
                rows.append(dict(zip(columns, cells)))
    return head, rows


def medians(rows, *keys):
    """Of the campaigns, in the order of the first."""
    times = {}
    for row in rows:
        times.setdefault(tuple(row[key] for key in keys), []).append(float(row["time_s"]))
    return {key: statistics.median(all_of) for key, all_of in times.items()}


CLUSTER = "measured/own/cluster.yaml"  # as the labs' scenarios name it
EMULATED = ["Real MPI (Open MPI 4.1) on a cluster of four nodes that is emulated on one machine, 100 Mb/s, 250 us (validation/cluster):",
            "the median of three campaigns of 15 runs each. Made by labs/measured/rows.py of own/."]


def campaign(head):
    """When, and under which load."""
    return next(line.split(", on node")[0] + ", AMD EPYC, 2 virtual cores, ranks with real-time priority." for line in head if "UTC" in line)


def ranks_per_node():
    head, rows = own("ranks-per-node")
    lines, shown = [], {"8B": "8 B", "1MiB": "1 MiB"}
    for (message, ranks), time in medians(rows, "kernel.message", "layout.per-node").items():
        lines.append((CLUSTER, message, ranks, f"{time:.6g}"))
        if message in shown:
            lines.append(("any", f"{shown[message]}, emulated cluster", ranks, f"{time:.6g}"))
    write("ranks-per-node", [*EMULATED, campaign(head)], sorted(lines, key=lambda line: line[0]))


def stencil():
    lines = []
    for name, where in (("stencil-apart", "four nodes"), ("stencil-together", "one node")):
        head, rows = own(name)
        for (points, border), time in medians([row for row in rows if row["phase"] == "run"], "kernel.points", "kernel.border").items():
            other = f"{int(points) // 2} x {int(points) // 2} for each of 4 ranks on {where}"
            lines.append((CLUSTER, points if where == "four nodes" else other, border, f"{time:.6g}"))
            lines.append(("any", other, border, f"{time:.6g}"))
    write("stencil", [*EMULATED, campaign(head)], sorted(lines, key=lambda line: line[0]))


def noise():
    head, rows = own("steps")
    write("noise", ["Equal steps on one core, five times 20,000 of them: forty times the mean of the greatest of P drawn ones (own/steps.c), the median of",
                    f"the five. {head[0]}.", "Made by labs/measured/rows.py of own/steps.csv."],
          [("any", "real steps of one core: the slowest of P", ranks, f"{40 * time:.6g}") for (ranks,), time in medians(rows, "ranks").items()])


for lab in LABS:
    collectives(lab)
for make in (ranks_per_node, stencil, noise):
    make()
if len(sys.argv) > 1:
    ping_pong(sys.argv[1])
