"""Measured rows, and the same rows simulated."""
import csv
import json
import math
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from machines import MACHINES, REDUCING, SHARED_OUT, campaign_of, not_taken, ours, segment_of

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
os.environ.setdefault("ORRERY_DATA", ROOT)  # whichever build runs, the platforms are these
ORRERY = os.environ.get("ORRERY", os.path.join(ROOT, "build", "release", "bin", "orrery"))


def measured():
    with open(os.path.join(HERE, "measured.csv"), newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["bytes"], row["ranks"] = int(row["bytes"]), int(row["ranks"])
        row["us"] = float(row["median_ns"]) / 1e3
        row["p10"], row["p90"] = float(row["p10_ns"]) / 1e3, float(row["p90_ns"]) / 1e3
        row["spread"] = float(row["p90_ns"]) / float(row["p10_ns"])
    for machine in MACHINES:
        here = [row for row in rows if row["machine"] == machine]
        absent = not_taken(here)
        for row in here:
            row["taken"] = campaign_of(row) not in absent
    return [row for row in rows if row["us"] > 0.1]  # Leonardo's allgathers of 32 B on 32 nodes took 28 ns: nothing was sent


def cycle(length, inner):
    """Places of an axis on a line of `inner` = 2 or 3 places in groups of a longer one, each beside the next and the last beside the first."""
    if length <= inner:
        return [(0, i) for i in range(length)]
    if length % 2:
        raise SystemExit(f"an axis of {length} nodes (even, or at most {inner}) closes to no ring of two lines")
    half = length // 2
    return [(0, 0)] + [(x, 1) for x in range(half)] + [(x, 0) for x in range(half - 1, 0, -1)]


def tofu_block(shape):
    """A block of Fugaku: its dimensions as the platform has them (c, b, a, Z, Y, X), and its nodes in the order of the ranks.

    An axis runs through X, Y or Z and in turn through a, b or c (2, 3, 2), as 8 and 64 nodes say. Of two axes the longer is folded through X,
    a, Z and c, the shorter through Y and b; one axis through all: assumed, so that neighbours are neighbours.
    """
    axes = [int(n) for n in shape.split("x")]
    if len(axes) == 3:
        x, y, z = cycle(axes[0], 2), cycle(axes[1], 3), cycle(axes[2], 2)
        places = [(i, j, k) for k in z for j in y for i in x]
    else:
        across, rest = folded(max(axes)), cycle(min(axes) if len(axes) == 2 else 1, 3)
        pairs = [(f, j) for j in rest for f in across] if axes[0] == max(axes) else [(f, j) for f in across for j in rest]
        places = [(i, j, k) for (i, k), j in pairs]
    longest = [1 + max(place[axis][0] for place in places) for axis in range(3)]
    index = lambda x, y, z: z[1] + 2 * (y[1] + 3 * (x[1] + 2 * (z[0] + longest[2] * (y[0] + longest[1] * x[0]))))
    return [2, 3, 2, *reversed(longest)], [index(*place) for place in places]


def folded(length):
    """A ring of places through X, a, Z and c: line by line there and back, and home along the first place of each line."""
    wide = next((w for w in range(2 * round(length**0.5 / 2), 1, -2) if length % w == 0 and length // w % 2 == 0), None)
    if wide is None:
        raise SystemExit(f"an axis of {length} nodes does not fold into a square of even sides")
    x, z = cycle(wide, 2), cycle(length // wide, 2)
    return [(i, k) for row, k in enumerate(z) for i in (x if row % 2 == 0 else reversed(x))]


def allocation(row):
    """The nodes that a run had, where they are known."""
    file = os.path.join(HERE, "alloc", f"{row['machine']}_{row['timestamp']}.csv")
    return file if os.path.exists(file) else None


def scenario(machine, rows, models=(), measured=None):
    """A scenario for rows of one collective on the same nodes. Sizes times algorithms: a few points more than there are rows."""
    first, about = rows[0], MACHINES[machine]
    shared_out = first["collective"] in SHARED_OUT
    messages = sorted({row["bytes"] // (first["ranks"] if shared_out else 1) for row in rows})
    layout = {"ranks": first["ranks"], "per-node": int(first["ppn"])}
    platform = about["platform"]
    if machine == "fugaku":
        dimensions, layout["node-list"] = tofu_block(first["nodes"])
        platform = {"name": platform, "node-types": {"a64fx": {"count": math.prod(dimensions)}},
                    "networks": {"tofu": {"topology": {"dimensions": dimensions}}}}
    elif allocation(first):
        layout["node-list"] = allocation(first)
    elif about.get("scattered") and first["ranks"] // int(first["ppn"]) > about["scattered"]["from"]:
        nodes = first["ranks"] // int(first["ppn"])
        step = min(about["scattered"]["step"], about["scattered"]["nodes"] // nodes)
        layout["node-list"] = [i * step for i in range(nodes)]
    text = {"source": "HLC-Lab/pico", "platform": platform, "network": about["network"],
            "engine": "flow", "layout": layout,
            "kernel": {"name": "collective", "operation": first["collective"],
                       "segment": f"{cut_into(first)}B" if cut_into(first) else "1TB",
                       "element": "4B" if first["collective"] in REDUCING else "1B"},
            "sweep": {"kernel.algorithm": sorted({ours(row) for row in rows}), "kernel.message": [f"{m}B" for m in messages]}}
    if models:
        text["models"] = list(models)
    if measured:
        text["measured"] = measured
    return json.dumps(text)  # which is YAML


def cut_into(row):
    """Bytes of a segment; 0: unsegmented, as nearly everything was run, which to a split tree means halves."""
    return row["bytes"] // 2 if ours(row) == "ompi_split_bintree" else segment_of(row)


def groups(rows):
    found = {}
    for row in rows:
        if ours(row):
            key = (row["collective"], row["nodes"], row["ppn"], allocation(row), cut_into(row))
            found.setdefault(key, []).append(row)
    return found.values()


def simulated(machine, rows, models=()):
    """(collective, nodes, ppn, allocation, our algorithm, message) -> {"simulated": us, model: us}."""
    times = {}
    with tempfile.TemporaryDirectory() as folder:
        files, of_file = [], []
        for number, group in enumerate(groups(rows)):
            files.append(os.path.join(folder, f"s{number}.yaml"))
            of_file.append(group[0])
            with open(files[-1], "w") as file:
                file.write(scenario(machine, group, models))
        def play(file):
            return subprocess.run([ORRERY, "run", file, "--format", "csv", "--critical-path", "off", "--out", file + ".out"],
                                  capture_output=True, text=True)

        with ThreadPoolExecutor(2) as pool:
            runs = list(pool.map(play, files))
        for run, first in zip(runs, of_file):
            if run.returncode != 0:
                raise SystemExit(run.stderr)
            for line in csv.DictReader(run.stdout.splitlines()):
                key = (first["collective"], first["nodes"], first["ppn"], allocation(first), line["setting.kernel.algorithm"],
                       bytes_of(line["setting.kernel.message"]))
                found = times.setdefault(key, {})
                found["simulated"] = float(line["simulated_s"]) * 1e6
                if line["model"]:
                    found[line["model"]] = float(line["predicted_s"]) * 1e6
    return times


def bytes_of(text):
    for unit, factor in (("TB", 1e12), ("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10), ("GB", 1e9), ("MB", 1e6), ("KB", 1e3),
                         ("kB", 1e3), ("B", 1)):
        if text.endswith(unit):
            return round(float(text[: -len(unit)]) * factor)
    raise ValueError(text)


def key_of(row):
    shared_out = row["collective"] in SHARED_OUT
    message = row["bytes"] // (row["ranks"] if shared_out else 1)
    return (row["collective"], row["nodes"], row["ppn"], allocation(row), ours(row), message)
