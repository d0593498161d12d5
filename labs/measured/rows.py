#!/usr/bin/env python3
"""Writes the measured points of the labs: rows.py [NETGAUGE.dat]

Collectives are rows of validation/pico/measured.csv, under our names of the algorithms. The ping-pong is the third column
(time of a round trip, microseconds) of NetGauge's output on Tukey, which is not shipped; without it ping-pong.csv stays."""
import csv
import os
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


for lab in LABS:
    collectives(lab)
if len(sys.argv) > 1:
    ping_pong(sys.argv[1])
