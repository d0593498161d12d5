#!/usr/bin/env python3
"""Collectives measured on GPU nodes beside the same ones simulated and by model nccl.

    validation/nccl/compare.py [--worst 10] [--csv FILE]

Prints errors by system, of all rows and of those that nothing was calibrated on. Exits with 1 when a simulated ring is above what
its adapters carry, or the median error of a system above 15 %.
"""
import argparse
import csv
import os
import subprocess
import sys
import tempfile
from statistics import median

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ORRERY = os.environ.get("ORRERY", os.path.join(ROOT, "build", "release", "bin", "orrery"))
LIMIT = 0.15

# start of the measured system's name -> (words, platform, B/s that a node's adapters carry)
SYSTEMS = {
    "p4de": ("2 x 8 A100", "p4d", 50e9),
    "p5.48": ("2 x 8 H100", "p5", 400e9),
    "8xH200 NVSwitch": ("8 x H200, as NCCL chose", "p5en", None),
    "H200 NVSwitch": ("4 to 8 H200, ring and NVLS", "p5en", None),
    "8xH200, p5en": ("4 x 8 H200", "p5en", 400e9),
}
ALGORITHMS = {"auto": "nccl", "auto (NVLS from 2 MiB)": "nccl", "Ring": "nccl_ring", "Ring (NVLS off)": "nccl_ring",
              "NVLS": "nccl_nvls", "NVLSTree": "nccl_nvls_tree"}

# (words, GPUs of a node, algorithm, bytes): rows that figures of the platforms were taken from; README.md says which.
CALIBRATED = {("2 x 8 A100", 8, "auto", 8), ("2 x 8 A100", 8, "auto", 32 << 10), ("2 x 8 A100", 8, "auto", 2 << 30),
              ("2 x 8 H100", 8, "auto", 8), ("2 x 8 H100", 8, "auto", 256 << 20),
              ("4 to 8 H200, ring and NVLS", 8, "Ring (NVLS off)", 8 << 30), ("4 to 8 H200, ring and NVLS", 8, "NVLS", 8 << 30),
              ("8 x H200, as NCCL chose", 8, "auto (NVLS from 2 MiB)", 8 << 20)}


def measured():
    with open(os.path.join(HERE, "measured.csv"), newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["words"], row["platform"], row["nics"] = next(v for k, v in SYSTEMS.items() if row["system"].startswith(k))
        for key in ("nodes", "gpus_per_node", "bytes"):
            row[key] = int(row[key])
        row["us"] = float(row["time_us"])
        row["ours"] = ALGORITHMS[row["algorithm"]]
        row["calibrated"] = (row["words"], row["gpus_per_node"], row["algorithm"], row["bytes"]) in CALIBRATED
        shared_out = row["collective"] in ("allgather", "reduce_scatter")
        row["message"] = row["bytes"] // (row["nodes"] * row["gpus_per_node"] if shared_out else 1)
    return rows


def simulate(rows):
    groups = {}
    for row in rows:
        key = (row["platform"], row["nodes"], row["gpus_per_node"], row["collective"], row["ours"])
        groups.setdefault(key, []).append(row)
    with tempfile.TemporaryDirectory() as folder:
        for (platform, nodes, gpus, collective, algorithm), group in groups.items():
            sizes = ", ".join(f"{size}B" for size in sorted({row["message"] for row in group}))
            text = (f"source: validation/nccl\nplatform: {platform}\nnetwork: efa\nengine: flow\n"
                    f"layout: {{gpus: {gpus}, ranks: {nodes * gpus}}}\n"
                    f"kernel: {{name: collective, operation: {collective}, algorithm: {algorithm}, element: 4B}}\n"
                    f"models: [nccl]\nsweep: {{kernel.message: [{sizes}]}}\n")
            path = os.path.join(folder, "s.yaml")
            with open(path, "w") as file:
                file.write(text)
            run = subprocess.run([ORRERY, "run", path, "--format", "csv", "--critical-path", "off", "--out",
                                  os.path.join(folder, "out")], capture_output=True, text=True)
            if run.returncode != 0:
                raise SystemExit(run.stderr)
            lines = list(csv.DictReader(run.stdout.splitlines()))
            for row, line in ((row, line) for row in group for line in lines):
                if bytes_of(line["setting.kernel.message"]) == row["message"]:
                    row["simulated"] = float(line["simulated_s"]) * 1e6
                    row["model"] = float(line["predicted_s"]) * 1e6


def bytes_of(text):
    for unit, factor in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3), ("B", 1)):
        if text.endswith(unit):
            return round(float(text[: -len(unit)]) * factor)
    raise ValueError(text)


def busbw(row, us):
    n = row["nodes"] * row["gpus_per_node"]
    return row["bytes"] / us / 1e3 * (n - 1) / n * (2 if row["collective"] == "allreduce" else 1)


def errors(rows, what):
    return sorted(abs(row[what] - row["us"]) / row["us"] for row in rows)


def summary(rows, what):
    if not rows:
        return "-"
    found = errors(rows, what)
    return f"{100 * median(found):.1f} % / {100 * found[min(len(found) - 1, int(0.9 * len(found)))]:.1f} %"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worst", type=int, default=0)
    parser.add_argument("--csv")
    options = parser.parse_args()
    rows = measured()
    simulate(rows)
    failed = False
    print("| system | rows | calibrated on | simulated: median / 90 % | predicted rows alone | model nccl |")
    print("|---|---|---|---|---|---|")
    for words in dict.fromkeys(row["words"] for row in rows):
        here = [row for row in rows if row["words"] == words]
        others = [row for row in here if not row["calibrated"]]
        failed |= median(errors(others, "simulated")) > LIMIT
        print(f"| {words} | {len(here)} | {len(here) - len(others)} | {summary(here, 'simulated')} | {summary(others, 'simulated')} "
              f"| {summary(others, 'model')} |")
    print(f"all {len(rows)} rows: simulated {summary(rows, 'simulated')}, model {summary(rows, 'model')}")
    for row in rows:
        if row["ours"] == "nccl_ring" and row["nics"] and busbw(row, row["simulated"]) > row["nics"] / 1e9:
            failed = True
            print(f"above its adapters: {row['words']} {row['bytes']} B")
    for row in sorted(rows, key=lambda row: -abs(row["simulated"] / row["us"] - 1))[: options.worst]:
        print(f"{row['words']:28} {row['gpus_per_node']} {row['collective']:10} {row['algorithm']:22} {row['bytes']:>12} B  measured "
              f"{row['us']:10.1f}  simulated {row['simulated']:10.1f}  model {row['model']:10.1f} us")
    if options.csv:
        with open(options.csv, "w", newline="") as file:
            out = csv.writer(file)
            out.writerow(["system", "gpus_per_node", "collective", "algorithm", "bytes", "measured_us", "simulated_us", "model_us",
                          "measured_GBs", "simulated_GBs", "calibrated"])
            for row in rows:
                out.writerow([row["words"], row["gpus_per_node"], row["collective"], row["algorithm"], row["bytes"], row["us"],
                              f"{row['simulated']:.2f}", f"{row['model']:.2f}", f"{busbw(row, row['us']):.2f}",
                              f"{busbw(row, row['simulated']):.2f}", row["calibrated"]])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
