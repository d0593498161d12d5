#!/usr/bin/env python3
"""Measured beside simulated: every row that has a name here and was not calibrated on.

    validation/pico/compare.py [MACHINE ...] [--models hockney,loggp,taulop] [--datasheet] [--rows FILE] [--worst N]

--datasheet takes the shipped platform as it is, with nothing fitted. Prints median and 90 % error by machine and collective, and how
often the fastest algorithm simulated is the fastest measured.
"""
import argparse
import csv
import json
import os
import statistics

from calibrate import figures_of
from machines import MACHINES, calibrated_on, ours
from rows import HERE, key_of, measured, simulated


def fitted(machine):
    with open(os.path.join(HERE, "fitted", machine + ".json")) as file:
        return figures_of(machine, json.load(file)["figures"])


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def errors_text(name, errors):
    return (f"  {name:<16} {len(errors):4d} rows   median {statistics.median(errors):7.1%}   90 % {percentile(errors, 0.9):7.1%}"
            if errors else f"  {name:<16}    0 rows")


def compared(machine, rows, figures, models):
    times = simulated(machine, figures, rows, models)
    return [dict(row, ours=ours(row), **times[key_of(row)]) for row in rows if ours(row)]


def error_of(row, by="simulated"):
    return abs(row[by] / row["us"] - 1.0)


def ranks(rows):
    """Where several algorithms ran on the same nodes at the same time: exact, within a tenth, and what the choice loses."""
    cases = {}
    for row in rows:
        if row["ours"] not in ("openmpi", "mpich"):
            cases.setdefault((row["collective"], row["nodes"], row["ppn"], row["timestamp"], row["bytes"]), []).append(row)
    exact, losses = 0, []
    for case in cases.values():
        if len({row["ours"] for row in case}) < 2:
            continue
        best = min(case, key=lambda row: row["us"])
        chosen = min(case, key=lambda row: row["simulated"])
        exact += best["ours"] == chosen["ours"]
        losses.append(chosen["us"] / best["us"] - 1.0)
    return exact, losses


def report(machine, rows, models):
    outside = [row for row in rows if not calibrated_on(row)]
    print(f"{machine}: {len(rows) - len(outside)} rows calibrated on, {len(outside)} predicted")
    for collective in sorted({row["collective"] for row in outside}):
        print(errors_text(collective, [error_of(row) for row in outside if row["collective"] == collective]))
    print(errors_text("all", [error_of(row) for row in outside]))
    for model in models:
        print(errors_text("  " + model, [error_of(row, model) for row in outside if model in row]))
    exact, losses = ranks(outside)
    if losses:
        near = sum(loss <= 0.1 for loss in losses)
        print(f"  fastest of several: {exact} of {len(losses)} the same, {near / len(losses):.0%} within 10 % of it; "
              f"choosing by simulation loses {statistics.mean(losses):.1%} in the mean, {max(losses):.0%} at most")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("machine", nargs="*")
    parser.add_argument("--models", default="")
    parser.add_argument("--datasheet", action="store_true")
    parser.add_argument("--rows")
    parser.add_argument("--worst", type=int, default=0)
    options = parser.parse_args()
    models = [model for model in options.models.split(",") if model]
    every = []
    for machine in options.machine or MACHINES:
        rows = [row for row in measured() if row["machine"] == machine]
        found = compared(machine, rows, {} if options.datasheet else fitted(machine), models)
        report(machine, found, models)
        every += found
    outside = [row for row in every if not calibrated_on(row)]
    for row in sorted(outside, key=error_of, reverse=True)[: options.worst]:
        print(f"  {row['machine']} {row['nodes']} {row['collective']} {row['algorithm']} {row['bytes']} B: measured {row['us']:.1f} us, "
              f"simulated {row['simulated']:.1f} us")
    if options.rows:
        fields = ["machine", "nodes", "ppn", "timestamp", "collective", "algorithm", "ours", "bytes", "us", "spread", "simulated"]
        with open(options.rows, "w", newline="") as file:
            writer = csv.DictWriter(file, fields + models, extrasaction="ignore")
            writer.writeheader()
            writer.writerows(every)


if __name__ == "__main__":
    main()
