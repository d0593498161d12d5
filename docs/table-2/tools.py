#!/usr/bin/env python3
"""Tools of docs/table-2.md; Python's standard library only.

  tools.py averages DIR...               per cell: simulated time, average mu, and (x..) the geometric mean of
                                         predicted / simulated, which tells too high from too low
  tools.py zero-overhead FILE            the parameter file with the overheads of tau-Lop set to 0
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
    print(f"{folder:<46} {'simulated':>12}" + "".join(f"{m:>18}" for m in models))
    for name, (simulated, ratios) in cells.items():
        line = f"{name:<46} {1e3 * sum(simulated) / len(simulated):9.3f} ms"
        for model in models:
            r = ratios[model]
            mu = sum(max(x, 1 / x) for x in r) / len(r)
            line += f"{mu:9.3f} (x{math.exp(sum(map(math.log, r)) / len(r)):6.3f})"
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


def zero_overhead(path):
    for model, _, line in rows(path):
        if model == "taulop":  # columns: message_B, overhead_s, L1_s ...
            line = re.sub(r"^( +- \[[^,]+, )[^,]+", r"\g<1>0", line)
        sys.stdout.write(line)


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
        case ["zero-overhead", file]:
            zero_overhead(file)
        case ["scale-processes", number, file]:
            scale_processes(number, file)
        case _:
            sys.exit(__doc__)
