#!/usr/bin/env python3
"""Both engines on long contended runs: do they part as each parts from itself?  compare.py [RUNS [FOLDER]]

The pivot exchange of HPL on 64 ranks, column by column, each engine against itself with the copy bandwidth nudged by
1e-14, and the engines against each other: FOLDER/pivots.svg. One halo exchange of 64 ranks whose bandwidths differ by
k * 1e-12 from run to run, on both engines: FOLDER/growth.svg (how far a run drifts from its neighbour, iteration by
iteration) and FOLDER/makespans.svg. Prints the figures of README.md. Exit code 1: the engines part faster than one from
itself (ten times, over the columns in which all are below 1e-6), or the two samples are told apart
(Kolmogorov-Smirnov p < 0.001, or means further apart than chance puts them once in a thousand).
"""
import json
import math
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import mean, stdev

HERE = Path(__file__).resolve().parent
ORRERY = os.environ.get("ORRERY", str(HERE.parents[1] / "orrery"))
RUNS = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 40
if len(sys.argv) > 1 and (not sys.argv[1].isdigit() or RUNS < 8):
    sys.exit(f"compare.py: '{sys.argv[1]}' is not a number of runs, 8 or more. Write 'compare.py 40 out/engines'?")
FOLDER = Path(sys.argv[2] if len(sys.argv) > 2 else "out/engines")
ITERATIONS = 400
ENGINES = ("simgrid", "flow")
COLOURS = {"simgrid": "#2471a3", "flow": "#c0392b", "between": "#7d3c98"}
PIVOTS = ("--network star --ranks 64 --per-node 8 --kernel hpl --param order=128 --param block=128 --param mapping=column "
          "--param compute=false --trace-ranks 0 --format json").split()
OPTIONS = (f"--network narrow --ranks 64 --compute constant --compute-param host-spread=0.1 --compute-param noise=0.1 "
           f"--kernel wave2d --partition even-grid --param points=1024 --param element=512B --param barrier=none "
           f"--param iterations={ITERATIONS} --format json").split()


def platform(nudge):
    """The cluster with the bandwidth of its network (1 + nudge * 1e-12) times as high."""
    path = FOLDER / f"platform-{nudge}.yaml"
    whole, network = (HERE / "contended.yaml").read_text().split("networks:")
    value = f"10.{nudge:011d}GB/s"  # 10 GB/s * (1 + nudge * 1e-12)
    path.write_text(whole + "networks:" + network.replace("value: 10GB/s", "value: " + value))
    return path


def simulate(platform_file, engine, options):
    said = subprocess.run([ORRERY, "simulate", "--platform", str(platform_file), "--engine", engine, *options],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if said.returncode != 0:
        sys.exit(said.stderr)
    return said.stdout


def play(job):
    """Ends of the iterations, in seconds."""
    engine, nudge = job
    ends = [0.0] * ITERATIONS
    for row in json.loads(simulate(platform(nudge), engine, OPTIONS))["points"][0]["run"]["phases"]["rows"]:
        ends[row[1]] = max(ends[row[1]], row[5])
    return ends


def columns(engine, nudge):
    """When rank 0 knows the pivot of each column: the third wait of its exchange with the seven others of its node."""
    path, trace = FOLDER / f"pivots-{nudge}.yaml", FOLDER / f"pivots-{engine}-{nudge}.json"
    value = f"6.{6 * nudge:014d}GB/s"  # 6 GB/s * (1 + nudge * 1e-14)
    path.write_text((HERE / "pivots.yaml").read_text().replace("value: 6GB/s", "value: " + value))
    simulate(path, engine, PIVOTS + ["--trace", str(trace)])
    waits = [e for e in json.loads(trace.read_text())["traceEvents"]
             if e["ph"] == "X" and e["pid"] == 0 and e["name"] == "wait"]
    return [1e-6 * (e["ts"] + e["dur"]) for e in waits][2:3 * 128:3]


def apart(one, other):
    return [abs(a - b) / a for a, b in zip(one, other)]


def kolmogorov_smirnov(a, b):
    """Largest distance of two empirical distributions, and how likely one as large is for one distribution.

    p = 2 sum_k (-1)^(k-1) exp(-2 k^2 t^2), t = (s + 0.12 + 0.11 / s) D, s = sqrt(n m / (n + m)): Stephens, Journal of
    the Royal Statistical Society B 32(1), 1970.
    """
    distance = max(abs(sum(x <= v for x in a) / len(a) - sum(x <= v for x in b) / len(b)) for v in a + b)
    s = math.sqrt(len(a) * len(b) / (len(a) + len(b)))
    t = (s + 0.12 + 0.11 / s) * distance
    if t < 0.2:
        return distance, 1.0
    return distance, min(1.0, max(0.0, 2 * sum((-1) ** (k - 1) * math.exp(-2 * k * k * t * t) for k in range(1, 101))))


def svg(width, height, parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
            f'font-size="12"><rect width="100%" height="100%" fill="#ffffff"/>' + "\n".join(parts) + "</svg>\n")


def text(x, y, words, anchor="middle", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{words}</text>'


def growth_figure(curves, of, step):
    """Relative difference of the end of each iteration (or whatever `of` says), logarithmic; nothing is drawn where there is none."""
    left, top, wide, high, least = 64, 16, 560, 280, -16
    parts = []
    for power in range(least, 1, 2):
        y = top + high * power / least
        parts.append(f'<line x1="{left}" x2="{left + wide}" y1="{y:.1f}" y2="{y:.1f}" stroke="#dddddd"/>')
        parts.append(text(left - 8, y + 4, f"1e{power}", "end"))
    for n, (label, colour, values) in enumerate(curves):
        points = " ".join(f"{left + wide * k / (len(values) - 1):.1f},{top + high * max(math.log10(v), least) / least:.1f}"
                          for k, v in enumerate(values) if v > 0)
        y = top + high + 56 + 18 * n
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.3"/>')
        parts.append(f'<line x1="{left}" x2="{left + 32}" y1="{y - 4}" y2="{y - 4}" stroke="{colour}" stroke-width="2"/>')
        parts.append(text(left + 40, y, label, "start"))
    count = len(curves[0][2])
    for k in range(0, count + 1, step):
        parts.append(text(left + wide * k / count, top + high + 18, k))
    parts.append(text(left + wide / 2, top + high + 36, of))
    parts.append(text(14, top + high / 2, "relative difference of its end", "middle",
                      f'transform="rotate(-90 14 {top + high / 2})"'))
    return svg(left + wide + 20, top + high + 56 + 18 * len(curves), parts)


def makespan_figure(samples):
    """Both empirical distribution functions."""
    left, top, wide, high = 64, 16, 560, 240
    values = sorted(v for sample in samples.values() for v in sample)
    low, span = values[0], (values[-1] - values[0]) or 1.0
    x = lambda v: left + wide * (v - low) / span  # noqa: E731
    parts = []
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = top + high * (1 - share)
        parts.append(f'<line x1="{left}" x2="{left + wide}" y1="{y}" y2="{y}" stroke="#dddddd"/>')
        parts.append(text(left - 8, y + 4, f"{100 * share:.0f} %", "end"))
    for n, (engine, sample) in enumerate(samples.items()):
        points, share = f"{left},{top + high}", 0
        for value in sorted(sample):
            points += f" {x(value):.1f},{top + high * (1 - share / len(sample)):.1f}"
            share += 1
            points += f" {x(value):.1f},{top + high * (1 - share / len(sample)):.1f}"
        points += f" {left + wide},{top}"
        parts.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[engine]}" stroke-width="1.6"/>')
        parts.append(text(left + 8, top + 16 + 18 * n, f"{engine}, {len(sample)} runs", "start",
                          f'fill="{COLOURS[engine]}"'))
    for k in range(5):
        parts.append(text(left + wide * k / 4, top + high + 18, f"{1e3 * (low + span * k / 4):.4f}"))
    parts.append(text(left + wide / 2, top + high + 36, "makespan, ms"))
    return svg(left + wide + 40, top + high + 48, parts)


def growth(nudged, ends, of, step, shown):
    """The three curves of how runs part, as a figure and a table."""
    curves = [(f"{engine}: {nudged}", COLOURS[engine], apart(ends[engine, 0], ends[engine, 1]))
              for engine in ENGINES]
    curves.append(("simgrid against flow", COLOURS["between"], apart(ends["simgrid", 0], ends["flow", 0])))
    print(f"end of {of}".ljust(40), *(f"{k:>8}" for k in shown))
    for label, _, values in curves:
        print(label.ljust(40), *(f"{values[k]:8.1e}" for k in shown))
    return [values for _, _, values in curves], growth_figure(curves, of, step)


def compare_pivots():
    ends = {(engine, nudge): columns(engine, nudge) for engine in ENGINES for nudge in (0, 1)}
    curves, figure = growth("copy bandwidth nudged by 1e-14", ends, "column", 16, [5, 13, 21, 29, 37, 45, 53, 61, 127])
    (FOLDER / "pivots.svg").write_text(figure)
    below = [k for k in range(5, len(curves[0])) if all(0 < values[k] < 1e-6 for values in curves)]
    grown = [values[below[-1]] / values[below[0]] for values in curves]
    print(f"growth from column {below[0]} to {below[-1]}:", *(f"{g:.1e}" for g in grown))
    if grown[2] > 10 * max(grown[:2]):
        sys.exit("the engines part faster than one of them from itself")


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    compare_pivots()
    jobs = [(engine, nudge) for engine in ENGINES for nudge in range(RUNS)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        ends = dict(zip(jobs, pool.map(play, jobs)))
    (FOLDER / "growth.svg").write_text(
        growth("bandwidth nudged by 1e-12", ends, "iteration", 100, [0, 25, 50, 75, 100, 150, 200, 300, ITERATIONS - 1])[1])
    samples = {engine: [ends[engine, nudge][-1] for nudge in range(RUNS)] for engine in ENGINES}
    (FOLDER / "makespans.svg").write_text(makespan_figure(samples))
    for engine, sample in samples.items():
        print(f"{engine:8} mean {1e3 * mean(sample):.5f} ms, standard deviation {1e2 * stdev(sample) / mean(sample):.4f} %, "
              f"from {1e3 * min(sample):.5f} to {1e3 * max(sample):.5f} ms")
    a, b = samples.values()
    middle = 1e2 * (mean(b) / mean(a) - 1)
    half = 1e2 * 1.96 * math.sqrt(stdev(a) ** 2 / len(a) + stdev(b) ** 2 / len(b)) / mean(a)
    distance, p = kolmogorov_smirnov(a, b)
    print(f"flow against simgrid: mean {middle:+.4f} % (95 % interval {middle - half:+.4f} to {middle + half:+.4f} %); "
          f"Kolmogorov-Smirnov D = {distance:.3f}, p = {p:.3f}")
    if p < 0.001 or abs(middle) > 3.29 / 1.96 * half:
        sys.exit("the engines are told apart")


main()
