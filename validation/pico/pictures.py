#!/usr/bin/env python3
"""Measured and simulated times by size, a panel for each collective, as docs/images/pico-<machine>.svg.

    validation/pico/compare.py --rows rows.csv && validation/pico/pictures.py rows.csv

Points are measured medians with bars from the first to the ninth decile, lines are simulated; of each collective the campaign with the most algorithms
(not those that were not taken: machines.py).
"""
import csv
import math
import os
import sys

from rows import ROOT

WIDTH, HEIGHT, LEFT, TOP, GAP, COLUMNS = 270, 190, 52, 34, 62, 3
COLOURS = ["#1b6ca8", "#d1495b", "#2e933c", "#8e6bbf", "#c07f00", "#00838f", "#6d4c41", "#5f6b7a"]
NAMES = {"mare_nostrum": "MareNostrum 5", "leonardo": "Leonardo", "lumi": "LUMI", "fugaku": "Fugaku"}


def bytes_text(size):
    for unit, factor in (("MiB", 2**20), ("KiB", 2**10)):
        if size >= factor:
            return f"{size // factor} {unit}"
    return f"{size} B"


def time_text(us):
    return f"{us / 1e6:g} s" if us >= 1e6 else f"{us / 1e3:g} ms" if us >= 1e3 else f"{us:g} us"


def short(algorithm):
    return algorithm.removeprefix("default-").removesuffix("_ompi").removesuffix("_mpich")


def panels(rows):
    campaigns = {}
    for row in rows:
        if row["taken"] == "True" and row["ours"] not in ("openmpi", "mpich"):
            campaigns.setdefault((row["collective"], row["nodes"], row["ppn"], row["timestamp"]), []).append(row)
    best = {}
    for (collective, nodes, ppn, _), of in campaigns.items():
        if len({row["algorithm"] for row in of}) > len({row["algorithm"] for row in best.get(collective, ("", []))[1]}):
            best[collective] = (f"{collective}, {nodes} nodes", of)
    return [best[collective] for collective in sorted(best)]


def panel(title, rows, x0, y0):
    sizes = [int(row["bytes"]) for row in rows]
    times = [float(row[name]) for row in rows for name in ("us", "simulated")]
    low, high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
    first, last = math.log2(min(sizes)), math.log2(max(sizes))

    def at(size, us):
        return (x0 + WIDTH * (math.log2(size) - first) / max(last - first, 1),
                y0 + HEIGHT * (high - math.log10(us)) / max(high - low, 1))

    svg = [f'<text x="{x0}" y="{y0 - 10}" class="title">{title}</text>',
           f'<rect x="{x0}" y="{y0}" width="{WIDTH}" height="{HEIGHT}" class="frame"/>']
    for decade in range(low, high + 1):
        y = at(2**first, 10.0**decade)[1]
        svg.append(f'<line x1="{x0}" x2="{x0 + WIDTH}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>'
                   f'<text x="{x0 - 5}" y="{y + 4:.1f}" text-anchor="end">{time_text(10.0**decade)}</text>')
    for size in (min(sizes), max(sizes)):
        svg.append(f'<text x="{at(size, 10.0**low)[0]:.1f}" y="{y0 + HEIGHT + 14}" text-anchor="middle">{bytes_text(size)}</text>')
    for number, name in enumerate(sorted({row["algorithm"] for row in rows})):
        colour = COLOURS[number % len(COLOURS)]
        of = sorted((row for row in rows if row["algorithm"] == name), key=lambda row: int(row["bytes"]))
        line = " ".join("{:.1f},{:.1f}".format(*at(int(row["bytes"]), float(row["simulated"]))) for row in of)
        svg.append(f'<polyline points="{line}" fill="none" stroke="{colour}"/>')
        for row in of:
            x, y = at(int(row["bytes"]), float(row["us"]))
            ends = [at(int(row["bytes"]), float(row[end]))[1] for end in ("p10", "p90")]
            svg.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{ends[0]:.1f}" y2="{ends[1]:.1f}" stroke="{colour}" stroke-width="1.6"/>')
            svg.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.4" fill="{colour}"/>')
        svg.append(f'<text x="{x0 + 8}" y="{y0 + 14 + 11 * number}" fill="{colour}">{short(name)}</text>')
    return svg


def picture(machine, rows):
    all_panels = panels(rows)
    lines = (len(all_panels) + COLUMNS - 1) // COLUMNS
    width, height = LEFT + COLUMNS * (WIDTH + GAP), TOP + 10 + lines * (HEIGHT + GAP)
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="10">',
           '<style>.frame{fill:none;stroke:#888}.grid{stroke:#ddd}.title{font-size:12px;font-weight:bold}</style>',
           f'<rect width="{width}" height="{height}" fill="white"/>',
           f'<text x="{LEFT}" y="14">{NAMES[machine]}: points measured (median; bars: 10 to 90 % of its iterations), lines simulated; whole vector</text>']
    for number, (title, of) in enumerate(all_panels):
        svg += panel(title, of, LEFT + (number % COLUMNS) * (WIDTH + GAP), TOP + 14 + (number // COLUMNS) * (HEIGHT + GAP))
    return "\n".join(svg + ["</svg>", ""])


def main():
    with open(sys.argv[1], newline="") as file:
        rows = list(csv.DictReader(file))
    for machine in NAMES:
        of = [row for row in rows if row["machine"] == machine]
        if of:
            with open(os.path.join(ROOT, "docs", "images", f"pico-{machine.replace('_', '-')}.svg"), "w") as file:
                file.write(picture(machine, of))


if __name__ == "__main__":
    main()
