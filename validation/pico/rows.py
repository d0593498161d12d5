"""Measured rows, and the same rows simulated."""
import csv
import json
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from machines import MACHINES, REDUCING, SHARED_OUT, ours, segment_of

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
    return [row for row in rows if row["us"] > 0.1]  # Leonardo's allgathers of 32 B on 32 nodes took 28 ns: nothing was sent


def tofu_nodes(shape):
    """Nodes of a block of Fugaku: each axis runs through X, Y, Z and in turn through a, b, c, whose dimensions are 2, 3, 2."""
    def along(length):  # (coordinate, coordinate inside a group), neighbours in the torus
        return [(0, i) for i in range(length)] if length == 2 else [(0, 0), (0, 1), (1, 1), (1, 0)]
    sizes = [int(n) for n in shape.split("x")]
    index = lambda x, y, z: x[0] + 4 * (y[0] + 4 * (z[0] + 4 * (x[1] + 2 * (y[1] + 3 * z[1]))))
    return [index(x, y, z) for z in along(sizes[2]) for y in along(sizes[1]) for x in along(sizes[0])]


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
    if machine == "fugaku":
        layout["node-list"] = tofu_nodes(first["nodes"])
    elif allocation(first):
        layout["node-list"] = allocation(first)
    text = {"source": "HLC-Lab/pico", "platform": about["platform"], "network": about["network"],
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
