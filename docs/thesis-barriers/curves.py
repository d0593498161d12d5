#!/usr/bin/env python3
"""Pictures of docs/thesis-barriers.md; Python's standard library only.

  curves.py figures NAME TABLE.csv     simulated and predicted curves and errors of meyer12-barriers-NAME, as SVG (figures 5.6-5.13)
  curves.py hybrid FOLDER              'orrery barrier --format json --simulate' of many ranks, FOLDER/{8,12}-RANKS.json (figures 7.6, 7.7)
"""
import csv
import glob
import json
import os
import re
import sys

LOOK = {"linear": ("#0072b2", ""), "tree": ("#d55e00", "6 3"), "dissemination": ("#009e73", "2 2"),
        "library's tree": ("#d55e00", "6 3"), "hybrid": ("#0072b2", ""), "dissemination ": ("#009e73", "2 2"),
        "mpich_smp": ("#cc79a7", "8 3 2 3")}
STYLE = (".t{fill:#1c2330}.m{fill:#5b6575}.g{stroke:#d9dee7;fill:none}.f{stroke:#8a94a6;fill:none}.p{fill:#fff}"
         "@media (prefers-color-scheme:dark){.t{fill:#e6e9ef}.m{fill:#a3acba}.g{stroke:#333c4a}.f{stroke:#6b7587}.p{fill:#151a22}}")


def steps(limit):
    for power in range(-4, 6):
        for digit in (1, 2, 5):
            if limit / (digit * 10.0 ** power) <= 6:
                return digit * 10.0 ** power
    return limit


def panel(left, top, width, height, title, unit, curves, limit, nodes):
    """curves: {name: [(ranks, value)]}; values above `limit` leave the panel. `nodes`: ranks at which a node more is used."""
    last = max(x for points in curves.values() for x, _ in points)
    px = lambda x: left + width * x / last
    py = lambda y: top + height * (1 - y / limit)
    out = [f'<text class="t" x="{left}" y="{top - 10}">{title}</text>']
    step = steps(limit)
    for k in range(int(limit / step + 1e-9) + 1):
        out.append(f'<path class="g" d="M{left} {py(k * step):.1f}h{width}"/><text class="m" x="{left - 6}" y="{py(k * step) + 4:.1f}" '
                   f'text-anchor="end">{k * step:g}</text>')
    for x in range(nodes, last + 1, nodes):
        out.append(f'<path class="g" d="M{px(x):.1f} {top}v{height}"/>')
        if last <= 64 or x % (2 * nodes) == 0:
            out.append(f'<text class="m" x="{px(x):.1f}" y="{top + height + 14}" text-anchor="middle">{x}</text>')
    out.append(f'<rect class="f" x="{left}" y="{top}" width="{width}" height="{height}"/>'
               f'<text class="m" x="{left + width / 2}" y="{top + height + 28}" text-anchor="middle">ranks</text>'
               f'<text class="m" x="{left - 34}" y="{top - 10}" text-anchor="start">{unit}</text>')
    clip = f"c{left:.0f}x{top:.0f}"
    out.append(f'<clipPath id="{clip}"><rect x="{left}" y="{top}" width="{width}" height="{height}"/></clipPath>')
    for name, points in curves.items():
        colour, dash = LOOK[name]
        path = "L".join(f"{px(x):.1f} {py(y):.1f}" for x, y in sorted(points))
        out.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="1.6" stroke-dasharray="{dash}" clip-path="url(#{clip})"/>')
    return "\n".join(out)


def drawing(title, panels, names, file):
    columns = 3 if len(panels) > 2 else 2
    width, height = 60 + 300 * columns, 70 + 250 * ((len(panels) + columns - 1) // columns)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
           f'font-family="system-ui, sans-serif" font-size="11" role="img"><title>{title}</title><style>{STYLE}</style>'
           f'<rect class="p" width="{width}" height="{height}"/>']
    for i, (name, unit, curves, limit, nodes) in enumerate(panels):
        out.append(panel(60 + 300 * (i % columns), 60 + 250 * (i // columns), 240, 175, name, unit, curves, limit, nodes))
    for i, name in enumerate(names):
        colour, dash = LOOK[name]
        out.append(f'<path d="M{60 + 150 * i} 20h28" stroke="{colour}" stroke-width="1.8" stroke-dasharray="{dash}" fill="none"/>'
                   f'<text class="t" x="{94 + 150 * i}" y="24">{name}</text>')
    with open(file, "w", encoding="utf-8") as svg:
        svg.write("\n".join(out) + "\n</svg>\n")
    print(file)


def figures(name, table):
    nodes = 8 if name == "8x2x4" else 12
    simulated, predicted = {}, {"none": {}, "counted": {}}
    for row in csv.DictReader(open(table, encoding="utf-8")):
        algorithm, ranks = row["setting.kernel.algorithm"], int(row["setting.layout.ranks"])
        simulated.setdefault(algorithm, {})[ranks] = 250 * float(row["simulated_s"])  # a fourth, in ms
        which = "none" if "none" in row["mode"] else "counted"
        predicted[which].setdefault(algorithm, {})[ranks] = 250 * float(row["predicted_s"])
    curve = lambda of: {a: list(v.items()) for a, v in of.items()}
    error = lambda which, relative: {a: [(p, abs(predicted[which][a][p] - t) / (t if relative else 1)) for p, t in v.items()]
                                     for a, v in simulated.items()}
    drawing(f"Barriers on ntnu-{name}: simulated and predicted",
            [("simulated", "ms", curve(simulated), 0.5, nodes),
             ("equation 5.4 without acknowledgement", "ms", curve(predicted["none"]), 0.5, nodes),
             ("equation 5.4 as printed", "ms", curve(predicted["counted"]), 1.0, nodes),
             ("absolute error, as printed", "ms", error("counted", False), 1.0, nodes),
             ("relative error, without acknowledgement", "", error("none", True), 4.0, nodes),
             ("relative error, as printed", "", error("counted", True), 8.0, nodes)],
            list(simulated), f"{os.path.dirname(os.path.abspath(__file__))}/curves-{name}.svg")


def hybrid(folder):
    panels = []
    for short, name in ((8, "8x2x4"), (12, "12x2x6")):
        curves = {"library's tree": [], "hybrid": [], "mpich_smp": [], "dissemination ": []}
        for file in glob.glob(f"{folder}/{short}-*.json"):
            ranks = int(re.search(r"-(\d+)\.json", file)[1])
            rows = {dict(row["settings"])["barrier"]: row for row in json.load(open(file, encoding="utf-8"))["points"]}
            for curve, algorithm in (("library's tree", "ompi_tree"), ("hybrid", "hybrid"), ("mpich_smp", "mpich_smp"),
                                     ("dissemination ", "dissemination")):
                if algorithm in rows:
                    curves[curve].append((ranks, 1e3 * rows[algorithm]["simulated_s"]))
        tree, own = dict(curves["library's tree"]), dict(curves["hybrid"])
        ratios = [tree[p] / own[p] for p in sorted(own) if p in tree and p >= 40]
        print(f"{name}: from 40 ranks the library's tree takes {min(ratios):.2f} to {max(ratios):.2f} times the hybrid's time")
        panels.append((f"ntnu-{name}, simulated", "ms", curves, 0.4, short))
    drawing("The barrier made for each number of ranks, and others", panels, list(panels[0][2]),
            f"{os.path.dirname(os.path.abspath(__file__))}/hybrid.svg")


if __name__ == "__main__":
    {"figures": figures, "hybrid": hybrid}[sys.argv[1]](*sys.argv[2:])
