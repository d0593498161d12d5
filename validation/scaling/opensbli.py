#!/usr/bin/env python3
"""Measured times of OpenSBLI beside runs of the scenarios opensbli-<machine>: ratios, and pictures by ranks.

    for machine in archer2 cirrus archer isambard; do orrery run opensbli-$machine --out FOLDER/$machine; done
    opensbli.py rows.csv FOLDER/* [--times times.svg] [--ratios docs/images/opensbli.svg]

Rows are GPL-3.0 and yours: columns case, machine, nodes, threads, s_per_iteration, one row a run (archer-benchmarks,
apps/OpenSBLI, results of TGV512ss and TGV1024ss). The picture of times holds them, so it is yours as well; that of ratios has simulated and predicted times
by measured ones. A model's time is its messages' and the simulated computation.
"""
import argparse
import csv
import json
import math
import os
import statistics
import sys

CORES = {"archer2": 128, "cirrus": 36, "archer": 24, "isambard": 64}
NAMES = {"archer2": "ARCHER2", "cirrus": "Cirrus", "archer": "ARCHER", "isambard": "Isambard"}
COLOURS = {(1024, 1): "#1b6ca8", (1024, 2): "#d1495b", (1024, 4): "#2e933c", (1024, 8): "#8e6bbf", (1024, 16): "#c07f00",
           (1024, 32): "#00838f", (512, 1): "#6d4c41"}
DASHES = {"simulated": "", "hockney": "5 3", "loggp": "1 3"}
WIDTH, HEIGHT, LEFT, TOP, GAP = 250, 230, 56, 40, 40


def measured(path):
    """By machine, points, nodes and threads, medians."""
    runs = {}
    with open(path) as file:
        rows = csv.DictReader(file)
        missing = {"case", "machine", "nodes", "threads", "s_per_iteration"} - set(rows.fieldnames or [])
        if missing:
            sys.exit(f"{path}: no column {', '.join(sorted(missing))}. Is it the right file?")
        for row in rows:
            points = int(row["case"].removeprefix("TGV").removesuffix("ss"))
            where = row["machine"].lower(), points, int(row["nodes"]), int(row["threads"])
            runs.setdefault(where, []).append(float(row["s_per_iteration"]))
    return {where: statistics.median(times) for where, times in runs.items()}


def simulated(folder):
    """By machine, points, nodes and threads: ranks, and seconds an iteration by the simulation and by each model."""
    with open(os.path.join(folder, "result.json")) as file:
        result = json.load(file)
    times = {}
    for point in result["points"]:
        asked = {**dict(point["asked"]), **dict(point["settings"])}
        machine, ranks, threads = point["platform"], int(asked["layout.ranks"]), int(asked.get("layout.cores", 1))
        where = machine, int(asked["kernel.points-i"]), ranks * threads // CORES[machine], threads
        of = {"simulated": next(m["value"] for m in point["metrics"] if m["name"] == "s/iteration")}
        for prediction in point["predictions"]:
            of[prediction["model"]] = of["simulated"] + (prediction["predicted_s"] - point["simulated_s"]) / int(asked["kernel.iterations"])
        times[where] = {"ranks": ranks, **of}
    return times


class Panel:
    def __init__(self, x, title, ranks, low, most):
        self.x, self.ranks, self.low, self.most = x, (min(ranks) / 1.3, max(ranks) * 1.3), low, most
        self.svg = [f'<text x="{x}" y="{TOP - 12}" font-weight="bold">{title}</text>',
                    f'<rect x="{x}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#888"/>']
        powers = [2**k for k in range(15) if self.ranks[0] <= 2**k <= self.ranks[1]]
        for one in powers[:: 1 + len(powers) // 6]:
            a, b = self.at(one, low)
            self.svg.append(f'<path d="M{a:.1f} {b}v-4" stroke="#888"/><text x="{a:.1f}" y="{b + 15}" text-anchor="middle">{one}</text>')

    def at(self, ranks, value):
        along = math.log(ranks / self.ranks[0]) / math.log(self.ranks[1] / self.ranks[0])
        return self.x + WIDTH * along, TOP + HEIGHT * math.log(self.most / value) / math.log(self.most / self.low)

    def level(self, value, text, line=False):
        _, b = self.at(self.ranks[0], value)
        self.svg.append(f'<path d="M{self.x} {b:.1f}h{WIDTH if line else 4}" stroke="#888" stroke-width="0.7"/>'
                        f'<text x="{self.x - 6}" y="{b + 4:.1f}" text-anchor="end">{text}</text>')

    def line(self, points, colour, dash):
        path = " L".join("{:.1f} {:.1f}".format(*self.at(*p)) for p in sorted(points))
        self.svg.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="1.4" stroke-dasharray="{dash}"/>')

    def circle(self, ranks, value, colour):
        a, b = self.at(ranks, value)
        self.svg.append(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="#fff" stroke="{colour}" stroke-width="1.5"/>')


def picture(real, ours, ratios):
    svg = []
    machines = [machine for machine in CORES if any(where[0] == machine for where in ours)]
    for number, machine in enumerate(machines):
        here = {where: of for where, of in ours.items() if where[0] == machine}
        values = [of[name] / (real[where] if ratios else 1) for where, of in here.items() for name in DASHES if name in of]
        values += [1.0] if ratios else [real[where] for where in here]
        panel = Panel(LEFT + number * (WIDTH + LEFT), NAMES[machine], [of["ranks"] for of in here.values()], min(values) / 1.1, max(values) * 1.1)
        for value in (0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.2) if ratios else (0.2, 0.5, 1, 2, 5, 10, 20, 50):
            if panel.low < value < panel.most:
                panel.level(value, f"{value:g}" if ratios else f"{value:g} s", ratios and value == 1)
        for points, threads in sorted({(where[1], where[3]) for where in here}):
            lines = {where: of for where, of in here.items() if (where[1], where[3]) == (points, threads)}
            for name, dash in DASHES.items():
                panel.line([(of["ranks"], of[name] / (real[where] if ratios else 1)) for where, of in lines.items() if name in of],
                           COLOURS[points, threads], dash)
            for where, of in lines.items():
                panel.circle(of["ranks"], of["simulated"] / real[where] if ratios else real[where], COLOURS[points, threads])
        svg += panel.svg
    return framed(svg, len(machines), ratios, sorted({(where[1], where[3]) for where in ours}))


def framed(svg, panels, ratios, kinds):
    wide, bottom = LEFT + panels * (WIDTH + LEFT), TOP + HEIGHT + 40
    x = LEFT
    for points, threads in kinds:
        text = f"{points}³" + (f", {threads} threads" if threads > 1 else "")
        svg.append(f'<text x="{x}" y="{bottom}" fill="{COLOURS[points, threads]}">{text}</text>')
        x += 92
    x = LEFT
    for name, dash in DASHES.items():
        text = {"simulated": "simulated", "hockney": "Hockney", "loggp": "LogGP"}[name] + (" / measured" if ratios else "")
        svg.append(f'<path d="M{x} {bottom + 16}h24" stroke="#444" stroke-dasharray="{dash}"/><text x="{x + 30}" y="{bottom + 20}">{text}</text>')
        x += 160
    if not ratios:
        svg.append(f'<circle cx="{x + 12}" cy="{bottom + 16}" r="3" fill="#fff" stroke="#444"/><text x="{x + 30}" y="{bottom + 20}">measured</text>')
    svg.append(f'<text x="{wide - LEFT}" y="{bottom}" text-anchor="end">ranks</text>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {bottom + 32}" font-family="sans-serif" font-size="11">'
            '<rect width="100%" height="100%" fill="#fff"/>' + "\n".join(svg) + "</svg>\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rows")
    parser.add_argument("folder", nargs="+")
    parser.add_argument("--times")
    parser.add_argument("--ratios")
    options = parser.parse_args()
    real, ours = measured(options.rows), {}
    for folder in options.folder:
        ours.update(simulated(folder))
    ours = {where: of for where, of in ours.items() if where in real}
    if not ours:
        sys.exit(f"{options.rows}: no row that was simulated. Is it the right file?")
    print("machine   points nodes threads  simulated / measured")
    for where in sorted(ours, key=lambda where: (where[0], where[1], where[3], where[2])):
        print("{:9} {:6} {:5} {:7}  {:.3f}".format(*where, ours[where]["simulated"] / real[where]))
    for machine in sorted({where[0] for where in ours}):
        for name in DASHES:
            errors = [abs(of[name] / real[where] - 1) for where, of in ours.items() if where[0] == machine and name in of]
            if errors:
                print(f"{machine}, {name}: {len(errors)} points, median error {statistics.median(errors):.1%}, greatest {max(errors):.1%}")
    for path, ratios in ((options.times, False), (options.ratios, True)):
        if path:
            with open(path, "w") as file:
                file.write(picture(real, ours, ratios))


main()
