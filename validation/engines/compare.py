#!/usr/bin/env python3
"""Both engines on a long contended run, as samples of one distribution.  compare.py [RUNS [FOLDER]]

One halo exchange of 64 ranks whose bandwidths differ by k * 1e-12 from run to run, on both engines. Writes
FOLDER/growth.svg (how far a run drifts from its neighbour, iteration by iteration) and FOLDER/makespans.svg, prints
the figures of README.md. Exit code 1: the two samples are told apart (Kolmogorov-Smirnov p < 0.001, or means further
apart than chance puts them once in a thousand).
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


def play(job):
    """Ends of the iterations, in seconds."""
    engine, nudge = job
    said = subprocess.run([ORRERY, "simulate", "--platform", str(platform(nudge)), "--engine", engine, *OPTIONS],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if said.returncode != 0:
        sys.exit(said.stderr)
    ends = [0.0] * ITERATIONS
    for row in json.loads(said.stdout)["points"][0]["run"]["phases"]["rows"]:
        ends[row[1]] = max(ends[row[1]], row[5])
    return ends


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


def growth_figure(curves):
    """Relative difference of the ends of the iterations, logarithmic; nothing is drawn where there is none."""
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
    for k in range(0, ITERATIONS + 1, 100):
        parts.append(text(left + wide * k / ITERATIONS, top + high + 18, k))
    parts.append(text(left + wide / 2, top + high + 36, "iteration"))
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


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    jobs = [(engine, nudge) for engine in ENGINES for nudge in range(RUNS)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        ends = dict(zip(jobs, pool.map(play, jobs)))
    curves = [(f"{engine}: bandwidth nudged by 1e-12", COLOURS[engine], apart(ends[engine, 0], ends[engine, 1]))
              for engine in ENGINES]
    curves.append(("simgrid against flow", COLOURS["between"], apart(ends["simgrid", 0], ends["flow", 0])))
    (FOLDER / "growth.svg").write_text(growth_figure(curves))
    shown = [0, 25, 50, 75, 100, 150, 200, 300, ITERATIONS - 1]
    print("end of iteration".ljust(38), *(f"{k:>8}" for k in shown))
    for label, _, values in curves:
        print(label.ljust(38), *(f"{values[k]:8.1e}" for k in shown))
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
