#!/usr/bin/env python3
"""How far runs of `orrery-rates` differ. Usage: spread.py FOLDER, where FOLDER/run-*/KERNEL.csv and iterations-KERNEL.csv are.

For each kernel: the rates at a few sizes (least, median, greatest of the runs), the median and the greatest of
greatest / least - 1 over all sizes, and how far the line through the samples is from single runs of 64 iterations and more.
"""
import csv
import pathlib
import statistics
import sys


def rows(file):
    with open(file) as text:
        return list(csv.DictReader(line for line in text if not line.startswith("#")))


def rates(files):
    """Of each size that all runs have, what they measured in Gflop/s."""
    runs = [{float(row["size_flop"]): float(row["speed_flop_per_s"]) / 1e9 for row in rows(file)} for file in files]
    return {size: [run[size] for run in runs] for size in sorted(runs[0]) if all(size in run for run in runs)}


def print_sizes(kernel, files):
    of_size = rates(files)
    spread = [100 * (max(values) / min(values) - 1) for values in of_size.values()]
    print(f"{kernel}: {len(files)} runs, greatest / least - 1: median {statistics.median(spread):.0f} %, most {max(spread):.0f} %")
    for size in list(of_size)[::8]:
        values = of_size[size]
        print(f"  {size:12.6g} flop  {min(values):6.2f} {statistics.median(values):6.2f} {max(values):6.2f} Gflop/s")


def print_iterations(kernel, files):
    for file in files:
        errors = [100 * (float(row["predicted_s"]) / float(row["measured_s"]) - 1)
                  for row in rows(file) if row["kind"] == "run" and int(row["iterations"]) >= 64]
        print(f"{kernel}, {file.parent.name}: line over run - 1: median {statistics.median(map(abs, errors)):.1f} %, "
              f"most {max(errors, key=abs):+.0f} %, longest {errors[-1]:+.1f} %")


folder = pathlib.Path(sys.argv[1])
for name in sorted({file.name for file in folder.glob("run-*/*.csv")}):
    found = sorted(folder.glob("run-*/" + name))
    (print_iterations if name.startswith("iterations-") else print_sizes)(name.removesuffix(".csv"), found)
