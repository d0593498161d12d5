#!/usr/bin/env python3
"""Measured, simulated and predicted times by ranks, a panel for each program, as docs/images/pencil-fft.svg.

    for program in isend alltoall p3dfft; do orrery run pencil-fft-$program --out FOLDER/$program; done
    pictures.py FOLDER >docs/images/pencil-fft.svg

A model's time is its messages' and the simulated computation.
"""
import json
import math
import pathlib
import sys

WIDTH, HEIGHT, LEFT, TOP, GAP = 250, 260, 64, 40, 24
PROGRAMS = {"isend": "PencilFFTs, Isend", "alltoall": "PencilFFTs, Alltoallv", "p3dfft": "P3DFFT, Alltoallv"}
COLOURS = {"512": "#1b6ca8", "1024": "#d1495b", "2048": "#2e933c"}
DASHES = {"hockney": "5 3", "loggp": "1 3"}
RANKS, TIMES = (110, 2300), (2e-3, 5.0)


def at(x, ranks, seconds):
    along = (math.log(ranks) - math.log(RANKS[0])) / (math.log(RANKS[1]) - math.log(RANKS[0]))
    up = (math.log(seconds) - math.log(TIMES[0])) / (math.log(TIMES[1]) - math.log(TIMES[0]))
    return x + WIDTH * along, TOP + HEIGHT * (1 - up)


def line(x, points, colour, dash=""):
    path = " ".join(f"{'L' if i else 'M'}{a:.1f} {b:.1f}" for i, (a, b) in enumerate(at(x, *p) for p in points))
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.4" stroke-dasharray="{dash}"/>'


def panel(x, title, points):
    svg = [f'<text x="{x}" y="{TOP - 12}" font-weight="bold">{title}</text>',
           f'<rect x="{x}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#888"/>']
    for ranks in (128, 256, 512, 1024, 2048):
        a, b = at(x, ranks, TIMES[0])
        svg.append(f'<path d="M{a:.1f} {b}v-4" stroke="#888"/><text x="{a:.1f}" y="{b + 15}" text-anchor="middle">{ranks}</text>')
    for size, colour in COLOURS.items():
        of = [p for p in points if dict(p["settings"])["kernel.nx"] == size]
        ranks = [int(dict(p["settings"])["layout.ranks"]) for p in of]
        transform = [next(m for m in p["metrics"] if m["name"] == "transform") for p in of]
        svg.append(line(x, list(zip(ranks, [m["value"] for m in transform])), colour))
        for model, dash in DASHES.items():
            times = [m["value"] - p["simulated_s"] + next(q["predicted_s"] for q in p["predictions"] if q["model"] == model)
                     for p, m in zip(of, transform)]
            svg.append(line(x, list(zip(ranks, times)), colour, dash))
        for r, m in zip(ranks, transform):
            a, b = at(x, r, m["published"])
            svg.append(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.2" fill="#fff" stroke="{colour}" stroke-width="1.6"/>')
        a, b = at(x, ranks[0], transform[0]["published"])
        svg.append(f'<text x="{a + 8:.1f}" y="{b - 6:.1f}" fill="{colour}">{size}³</text>')
    return svg


def main():
    folder = pathlib.Path(sys.argv[1])
    svg = []
    for i, (name, title) in enumerate(PROGRAMS.items()):
        points = json.loads((folder / name / "result.json").read_text())["points"]
        svg += panel(LEFT + i * (WIDTH + GAP), title, points)
    for seconds, text in ((0.01, "10 ms"), (0.1, "100 ms"), (1.0, "1 s")):
        _, b = at(LEFT, RANKS[0], seconds)
        svg.append(f'<path d="M{LEFT} {b:.1f}h4" stroke="#888"/><text x="{LEFT - 6}" y="{b + 4:.1f}" text-anchor="end">{text}</text>')
    wide, bottom = LEFT + 3 * (WIDTH + GAP), TOP + HEIGHT + 44
    x = LEFT
    for mark, text in (('<circle cx="{x}" cy="{y}" r="3.2" fill="#fff" stroke="#444" stroke-width="1.6"/>', "measured"),
                       ('<path d="M{l} {y}h24" stroke="#444"/>', "simulated"),
                       ('<path d="M{l} {y}h24" stroke="#444" stroke-dasharray="5 3"/>', "Hockney"),
                       ('<path d="M{l} {y}h24" stroke="#444" stroke-dasharray="1 3" stroke-width="1.4"/>', "LogGP")):
        svg.append(mark.format(x=x + 12, l=x, y=bottom - 4) + f'<text x="{x + 32}" y="{bottom}">{text}</text>')
        x += 120
    svg.append(f'<text x="{wide - GAP}" y="{bottom}" text-anchor="end">ranks</text>')
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {bottom + 12}" font-family="sans-serif" font-size="11">'
          '<rect width="100%" height="100%" fill="#fff"/>' + "\n".join(svg) + "</svg>")


main()
