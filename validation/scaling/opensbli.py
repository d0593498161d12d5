#!/usr/bin/env python3
"""Measured times of OpenSBLI beside a run of the scenarios opensbli-archer2 or opensbli-cirrus: ratios, and a picture.

    orrery run opensbli-archer2 --out FOLDER
    opensbli.py rows.csv FOLDER/result.json [picture.svg]

Rows are GPL-3.0 and yours: columns case, machine, nodes, threads, s_per_iteration, one row a run (archer-benchmarks,
apps/OpenSBLI, results of TGV512ss and TGV1024ss). The picture holds them, so it is yours as well.
"""
import csv
import json
import math
import statistics
import sys

CORES = {"archer2": 128, "cirrus": 36}
COLOURS = {1: "#1b6ca8", 2: "#d1495b", 4: "#2e933c", 8: "#8e6bbf", 16: "#c07f00", 32: "#00838f"}


def measured(path, machine):
    """By points, nodes and threads, medians."""
    runs = {}
    with open(path) as file:
        rows = csv.DictReader(file)
        missing = {"case", "machine", "nodes", "threads", "s_per_iteration"} - set(rows.fieldnames or [])
        if missing:
            sys.exit(f"{path}: no column {', '.join(sorted(missing))}. Is it the right file?")
        for row in rows:
            if row["machine"].lower() == machine:
                points = int(row["case"].removeprefix("TGV").removesuffix("ss"))
                where = points, int(row["nodes"]), int(row["threads"])
                runs.setdefault(where, []).append(float(row["s_per_iteration"]))
    return {where: statistics.median(times) for where, times in runs.items()}


def simulated(result):
    times = {}
    for point in result["points"]:
        asked = {**dict(point["asked"]), **dict(point["settings"])}
        ranks, threads = int(asked["layout.ranks"]), int(asked.get("layout.cores", 1))
        where = int(asked["kernel.points-i"]), ranks * threads // CORES[point["platform"]], threads
        times[where] = next(m["value"] for m in point["metrics"] if m["name"] == "s/iteration")
    return times


def picture(real, ours):
    left, top, wide, high = 60, 20, 420, 320
    times = [*real.values(), *ours.values()]
    low, most = min(times) / 1.3, max(times) * 1.3
    last = max(nodes for _, nodes, _ in ours)

    def at(nodes, seconds):
        return (left + wide * (0.05 + 0.9 * math.log(nodes) / math.log(last)),
                top + high * math.log(most / seconds) / math.log(most / low))

    svg = [f'<rect x="{left}" y="{top}" width="{wide}" height="{high}" fill="none" stroke="#888"/>']
    for points, threads in sorted({(points, threads) for points, _, threads in ours}):
        colour = COLOURS[threads]
        of = sorted(nodes for p, nodes, t in ours if (p, t) == (points, threads))
        path = " L".join("{:.1f} {:.1f}".format(*at(nodes, ours[points, nodes, threads])) for nodes in of)
        svg.append(f'<path d="M{path}" fill="none" stroke="{colour}"/>')
        for nodes in of:
            if (points, nodes, threads) in real:
                x, y = at(nodes, real[points, nodes, threads])
                svg.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="#fff" stroke="{colour}"/>')
        svg.append(f'<text x="{left + wide + 8}" y="{top + 14 + 16 * math.log2(threads)}" fill="{colour}">threads: {threads}</text>')
    for nodes in sorted({nodes for _, nodes, _ in ours}):
        svg.append(f'<text x="{at(nodes, low)[0]:.1f}" y="{top + high + 16}" text-anchor="middle">{nodes}</text>')
    for seconds in (0.5, 1, 2, 5, 10, 20, 50):
        if low < seconds < most:
            svg.append(f'<text x="{left - 6}" y="{at(1, seconds)[1] + 4:.1f}" text-anchor="end">{seconds} s</text>')
    svg.append(f'<text x="{left + wide}" y="{top + high + 32}" text-anchor="end">nodes; lines simulated, circles measured</text>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + wide + 90} {top + high + 44}" font-family="sans-serif" '
            'font-size="11"><rect width="100%" height="100%" fill="#fff"/>' + "".join(svg) + "</svg>\n")


def main():
    with open(sys.argv[2]) as file:
        result = json.load(file)
    machine = result["points"][0]["platform"]
    real, ours = measured(sys.argv[1], machine), simulated(result)
    both = sorted(real.keys() & ours.keys(), key=lambda where: (where[0], where[2], where[1]))
    if not both:
        sys.exit(f"{sys.argv[1]}: no row on {machine} that was simulated. Is it the right file?")
    print("points nodes threads  simulated / measured")
    for where in both:
        print("{:6} {:5} {:7}  {:.3f}".format(*where, ours[where] / real[where]))
    errors = [abs(ours[where] / real[where] - 1) for where in both]
    print(f"{len(both)} points: median error {100 * statistics.median(errors):.1f} %, greatest {100 * max(errors):.1f} %")
    if len(sys.argv) > 3:
        with open(sys.argv[3], "w") as file:
            file.write(picture({where: real[where] for where in both}, ours))


main()
