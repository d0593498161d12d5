#!/usr/bin/env python3
"""Tools of docs/table-2.md; Python's standard library only.

  tools.py averages DIR...               per cell: simulated time, average mu, and (x..) the geometric mean of
                                         predicted / simulated, which tells too high from too low
  tools.py wave2d-chart DIR              SVG: Wave2D 256 on InfiniBand by layout
  tools.py scale-processes FACTOR FILE   the file with the overheads and gaps of HLogGP's processes multiplied
"""
import json
import math
import re
import sys


def averages(folder):
    with open(folder + "/result.json", encoding="utf-8") as file:
        points = json.load(file)["points"]
    cells, models = {}, []
    for point in points:
        cell = cells.setdefault(" ".join(v for k, v in point["settings"] if k != "layout.row"), ([], {}))
        cell[0].append(point["simulated_s"])
        for p in point["predictions"]:
            model = " ".join(filter(None, (p["model"], p["mode"])))
            if model not in models:
                models.append(model)
            cell[1].setdefault(model, []).append(p["predicted_s"] / point["simulated_s"])
    print(f"{folder:<46} {'simulated':>12}" + "".join(f"{m.replace('taulop ', '').replace('overhead=', ''):>20}" for m in models))
    for name, (simulated, ratios) in cells.items():
        line = f"{name:<46} {1e3 * sum(simulated) / len(simulated):9.3f} ms"
        for model in models:
            r = ratios[model]
            mu = sum(max(x, 1 / x) for x in r) / len(r)
            line += f"{mu:11.3f} (x{math.exp(sum(map(math.log, r)) / len(r)):6.3f})"
        print(line)


def rows(path):
    """Lines of a parameter file with the model and table that each belongs to."""
    model = table = ""
    with open(path, encoding="utf-8") as file:
        for line in file:
            if found := re.match(r"  (\w+):$", line):
                model = found[1]
            if found := re.match(r"      - name: (\w+)$", line):
                table = found[1]
            yield model, table, line


def wave2d_chart(folder):
    def series(model, mode):
        with open(folder + "/result.json", encoding="utf-8") as file:
            points = json.load(file)["points"]
        points = [p for p in points if p["settings"][:2] == [["kernel", "wave2d points=256"], ["network", "infiniband"]]]
        if not model:
            return [p["simulated_s"] for p in points]
        return [q["predicted_s"] for p in points for q in p["predictions"] if (q["model"], q["mode"]) == (model, mode)]

    def y(microseconds):  # one decade is 90 high
        return 270 - 90 * math.log10(microseconds)

    lines = [("timeline, o in every slice", "#b35900", "6 4", series("taulop", "timeline overhead=per-slice")),
             ("algebra, as printed", "#0b62a4", "6 4", series("taulop", "algebra")),
             ("simulated", "#555", "4", series("", "")),
             ("timeline, o once", "#b35900", "", series("taulop", "timeline"))]
    print('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 350" font-family="sans-serif" font-size="12">')
    print("<title>Wave2D, N = 256, InfiniBand: one iteration, in microseconds</title>")
    print('<rect width="720" height="350" fill="white"/>')
    print('<text x="50" y="20">Wave2D, N = 256, InfiniBand: time of one iteration, us</text>')
    for value in (1, 10, 100):
        print(f'<path d="M50 {y(value)}H545" stroke="#ccc"/><text x="44" y="{y(value) + 4}" text-anchor="end">{value}</text>')
    for i in range(16):
        print(f'<text x="{60 + 31 * i}" y="330" text-anchor="middle">M{i + 1}</text>')
    for name, colour, style, times in lines:
        at = [(60 + 31 * i, round(y(1e4 * t), 1)) for i, t in enumerate(times)]  # 100 iterations
        dash = f' stroke-dasharray="{style}"' if " " in style else ""
        width = style if style and " " not in style else "2"
        path = "L".join(f"{px} {py}" for px, py in at)
        print(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dash}/>')
        print(f'<text x="{at[-1][0] + 12}" y="{at[-1][1] + 4}" fill="{colour}">{name}</text>')
    print("</svg>")


def scale_processes(factor, path):
    for model, table, line in rows(path):
        row = re.match(r"( +- \[)(.*)\]$", line)
        if model == "hloggp" and table == "process" and row:
            values = (repr(float(v) * float(factor)) for v in row[2].split(","))
            line = f"{row[1]}{', '.join(values)}]\n"
        sys.stdout.write(line)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["averages", *folders] if folders:
            for each in folders:
                averages(each)
        case ["wave2d-chart", folder]:
            wave2d_chart(folder)
        case ["scale-processes", number, file]:
            scale_processes(number, file)
        case _:
            sys.exit(__doc__)
