#!/usr/bin/env python3
"""Measured times of OpenSBLI on ARCHER2 beside a run of the scenario opensbli-archer2: a table of ratios, and a picture.

    orrery run opensbli-archer2 --out FOLDER
    opensbli.py rows.csv FOLDER/result.json [picture.svg]

Rows are GPL-3.0 and yours: columns case, machine, nodes, ranks, threads, s_per_iteration (archer-benchmarks,
apps/OpenSBLI/TGV1024ss/results/ARCHER2; one row a run). The picture holds them, so it is yours as well.
"""
import csv
import json
import math
import statistics
import sys

CORES = 128
COLOURS = {1: "#1b6ca8", 2: "#d1495b", 4: "#2e933c", 8: "#8e6bbf", 16: "#c07f00", 32: "#00838f"}


def measured(path):
    """By nodes and threads, medians."""
    runs = {}
    with open(path) as file:
        rows = csv.DictReader(file)
        missing = {"case", "machine", "nodes", "threads", "s_per_iteration"} - set(rows.fieldnames or [])
        if missing:
            sys.exit(f"{path}: no column {', '.join(sorted(missing))}. Is it the right file?")
        for row in rows:
            if row["case"] == "TGV1024ss" and row["machine"] == "ARCHER2":
                runs.setdefault((int(row["nodes"]), int(row["threads"])), []).append(float(row["s_per_iteration"]))
    return {where: statistics.median(times) for where, times in runs.items()}


def simulated(path):
    times = {}
    with open(path) as file:
        for point in json.load(file)["points"]:
            settings = dict(point["settings"])
            ranks, threads = int(settings["layout.ranks"]), int(settings["layout.cores"])
            times[ranks * threads // CORES, threads] = next(
                m["value"] for m in point["metrics"] if m["name"] == "s/iteration")
    return times


def picture(real, ours):
    left, top, wide, high = 60, 20, 420, 320
    def at(nodes, seconds):
        return left + wide * math.log2(nodes / 1.7) / math.log2(38 / 1.7), top + high * math.log(12 / seconds) / math.log(12 / 0.3)
    svg = [f'<rect x="{left}" y="{top}" width="{wide}" height="{high}" fill="none" stroke="#888"/>']
    for threads, colour in COLOURS.items():
        of = sorted(nodes for nodes, t in ours if t == threads)
        path = " L".join("{:.1f} {:.1f}".format(*at(nodes, ours[nodes, threads])) for nodes in of)
        svg.append(f'<path d="M{path}" fill="none" stroke="{colour}"/>')
        for nodes in of:
            if (nodes, threads) in real:
                x, y = at(nodes, real[nodes, threads])
                svg.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="#fff" stroke="{colour}"/>')
        svg.append(f'<text x="{left + wide + 8}" y="{top + 14 + 16 * math.log2(threads)}" fill="{colour}">{threads} threads</text>')
    for nodes in (2, 4, 8, 16, 32):
        svg.append(f'<text x="{at(nodes, 1)[0]:.1f}" y="{top + high + 16}" text-anchor="middle">{nodes}</text>')
    for seconds in (0.5, 1, 2, 5, 10):
        svg.append(f'<text x="{left - 6}" y="{at(2, seconds)[1] + 4:.1f}" text-anchor="end">{seconds} s</text>')
    svg.append(f'<text x="{left + wide}" y="{top + high + 32}" text-anchor="end">nodes; lines simulated, circles measured</text>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + wide + 90} {top + high + 44}" font-family="sans-serif" '
            'font-size="11"><rect width="100%" height="100%" fill="#fff"/>' + "".join(svg) + "</svg>\n")


def main():
    real, ours = measured(sys.argv[1]), simulated(sys.argv[2])
    both = sorted(real.keys() & ours.keys(), key=lambda where: (where[1], where[0]))
    if not both:
        sys.exit(f"{sys.argv[1]}: no row of TGV1024ss on ARCHER2 that was simulated. Is it the right file?")
    print("nodes threads  simulated / measured")
    for where in both:
        print(f"{where[0]:5} {where[1]:7}  {ours[where] / real[where]:.3f}")
    errors = [abs(ours[where] / real[where] - 1) for where in both]
    print(f"{len(both)} points: median error {100 * statistics.median(errors):.1f} %, greatest {100 * max(errors):.1f} %")
    if len(sys.argv) > 3:
        with open(sys.argv[3], "w") as file:
            file.write(picture(real, ours))


main()
