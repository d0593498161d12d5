#!/usr/bin/env python3
"""Collectives of the Intel MPI Benchmarks on full nodes of Fulhame: measured beside simulated, or the platform fitted to a tenth of them.

    validation/scaling/imb.py compare ROWS.csv [--rows FILE]     errors by benchmark and number of nodes
    validation/scaling/imb.py calibrate ROWS.csv [--dry-run]     fits platforms/fulhame.yaml

ROWS.csv has columns machine, benchmark, nodes, ranks, bytes, t_avg_us: rows of hpc-uk/archer-benchmarks, which are GPL-3.0 and
therefore not here. What ran is known by Open MPI 4.0's fixed rules (coll_tuned_decision_fixed.c of that version).
"""
import argparse
import csv
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
os.environ.setdefault("ORRERY_DATA", ROOT)  # whichever build runs, the platforms are these
ORRERY = os.environ.get("ORRERY", os.path.join(ROOT, "build", "release", "bin", "orrery"))
PLATFORM = os.path.join(ROOT, "platforms", "fulhame.yaml")
MACHINE = "Fulhame_OMPI4"
KI, MI = 2**10, 2**20


def allgather(ranks, block):
    return "rdb" if ranks * block < 50_000 else "ompi_neighborexchange"  # of powers of two; even numbers


def allgatherv(ranks, block):
    return "ompi_bruck" if ranks * block < 50_000 else "ompi_neighborexchange"


def alltoall(ranks, block):
    return "bruck" if block < 200 and ranks > 12 else "basic_linear" if block < 3000 else "ring"


RULES = {"Allgather": ("allgather", allgather), "Allgatherv": ("allgatherv", allgatherv), "Alltoall": ("alltoall", alltoall),
         "Alltoallv": ("alltoallv", lambda ranks, block: "ring")}

# Where the search for each figure begins (what datasheets say, or what was assumed before anything was compared) and the rows it is
# fitted to: (benchmark, nodes, bytes of a block), 29 of the 280 that have a simulated side.
FIT = {"inside-latency": "0.1us", "inside-send-overhead": "0.1us", "inside-receive-overhead": "0.1us", "copy-bandwidth": "7GB/s",
       "memory-bandwidth": "110GB/s", "message-rate": "20M/s", "latency": "0.9us", "send-overhead": "0.2us",
       "receive-overhead": "0.2us", "rendezvous-overhead": "0.5us", "wire-efficiency": "0.97", "copy": "7GB/s", "cached-copy": "12GB/s"}
FITTED_TO = [("PingPong", 1, (8, 8 * KI, 64 * KI, MI)),
             ("Sendrecv", 1, (8, 8 * KI, 4 * MI)),
             ("Allgather", 1, (8, 4 * KI, 256 * KI)),
             ("Allgather", 2, (8, 4 * KI, MI)),
             ("Allgather", 4, (8, 128)),
             ("Alltoall", 1, (8, KI, 64 * KI, MI)),
             ("Alltoall", 2, (8, 512, 8 * KI, 256 * KI)),
             ("Alltoall", 4, (8, 64 * KI)),
             ("Allgatherv", 2, (32,)),
             ("Alltoallv", 2, (8, 64 * KI))]


def measured(path):
    with open(path, newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["machine"] == MACHINE]
    for row in rows:
        row.update(nodes=int(row["nodes"]), ranks=int(row["ranks"]), bytes=int(row["bytes"]), us=float(row["t_avg_us"]))
        row["calibrated"] = any((row["benchmark"], row["nodes"]) == (benchmark, nodes) and row["bytes"] in sizes
                                for benchmark, nodes, sizes in FITTED_TO)
    return [row for row in rows if is_played(row)]


def is_played(row):
    """Sendrecv is played inside a node; pairs of ping-pong always sit side by side, so those of several nodes say nothing new."""
    if row["bytes"] == 0:
        return False
    return row["benchmark"] in RULES or (row["benchmark"] in ("PingPong", "Sendrecv") and row["nodes"] == 1)


def algorithm(row):
    return RULES[row["benchmark"]][1](row["ranks"], row["bytes"]) if row["benchmark"] in RULES else ""


def groups(rows):
    found = {}
    for row in rows:
        found.setdefault((row["benchmark"], row["nodes"]), []).append(row)
    return found


def scenario(rows, times=None):
    """Rows of one benchmark on so many nodes, as a file; a whole ping-pong there and back is twice its time."""
    first, sizes = rows[0], [f"{row['bytes']}B" for row in rows]
    text = {"source": "hpc-uk/archer-benchmarks", "platform": PLATFORM, "network": "infiniband", "engine": "flow",
            "layout": {"ranks": first["ranks"], "per-node": max(2, first["ranks"] // first["nodes"])}}
    if first["benchmark"] == "PingPong":
        text["kernel"] = {"name": "pingpong"}
        text["sweep"] = {"kernel.sizes": sizes}
    elif first["benchmark"] == "Sendrecv":
        text["kernel"] = {"name": "ring", "concurrency": str(first["ranks"])}
        text["sweep"] = {"kernel.sizes": sizes}
    else:
        text["kernel"] = {"name": "collective", "operation": RULES[first["benchmark"]][0], "element": "1B", "segment": "1TB"}
        text["sweep"] = {"zip": [{"kernel.algorithm": [algorithm(row) for row in rows], "kernel.message": sizes}]}
    if times:
        text["measured"] = times
    return json.dumps(text)  # which is YAML


def seconds(row):
    return row["us"] / 1e6 * (2 if row["benchmark"] == "PingPong" else 1)


def simulate(rows):
    with tempfile.TemporaryDirectory() as folder:
        for (benchmark, nodes), group in groups(rows).items():
            file = os.path.join(folder, f"{benchmark}-{nodes}.yaml")
            with open(file, "w") as out:
                out.write(scenario(group))
            run = subprocess.run([ORRERY, "run", file, "--format", "csv", "--critical-path", "off", "--out", file + ".out"],
                                 capture_output=True, text=True)
            if run.returncode != 0:
                raise SystemExit(run.stderr)
            lines = list(csv.DictReader(run.stdout.splitlines()))
            if len(lines) != len(group):
                raise SystemExit(f"{benchmark} on {nodes} nodes: {len(lines)} results for {len(group)} rows")
            for row, line in zip(group, lines):
                row["simulated"] = float(line["simulated_s"]) * 1e6 / (2 if benchmark == "PingPong" else 1)


def compare(rows, path):
    simulate(rows)
    if path:
        with open(path, "w", newline="") as out:
            writer = csv.writer(out)
            writer.writerow(["benchmark", "nodes", "ranks", "bytes", "algorithm", "measured_us", "simulated_us", "calibrated"])
            for row in rows:
                writer.writerow([row["benchmark"], row["nodes"], row["ranks"], row["bytes"], algorithm(row), row["us"],
                                 f"{row['simulated']:.6g}", row["calibrated"]])
    predicted = [row for row in rows if not row["calibrated"]]
    for (benchmark, nodes), group in groups(predicted).items():
        print_errors(f"{benchmark}, {nodes} nodes" if nodes > 1 else f"{benchmark}, 1 node", group)
    print_errors("all predicted", predicted)
    print_errors("calibrated on", [row for row in rows if row["calibrated"]])


def print_errors(name, rows):
    errors = sorted(abs(row["simulated"] / row["us"] - 1) for row in rows)
    ratios = sorted(row["simulated"] / row["us"] for row in rows)
    print(f"{name:<22} {len(rows):4d} rows   median {statistics.median(errors):6.1%}   90 % within {errors[int(0.9 * len(errors))]:6.1%}"
          f"   simulated / measured {ratios[0]:.2f} .. {statistics.median(ratios):.2f} .. {ratios[-1]:.2f}")


def fitted_values(text):
    return dict(re.findall(r"^ *([\w-]+): \{value: (.*), source: \"fitted to .*\"\}$", text, re.M)
                + re.findall(r"^ *([\w-]+):\n *value: (.*)\n *source: \"fitted to .*\"$", text, re.M))


def calibrate(rows, dry_run):
    rows = [row for row in rows if row["calibrated"]]
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for (benchmark, nodes), group in groups(rows).items():
            files.append(os.path.join(folder, f"{benchmark}-{nodes}.yaml"))
            times = files[-1].replace(".yaml", ".csv")
            with open(times, "w", newline="") as out:
                writer = csv.writer(out)
                collective = group[0]["benchmark"] in RULES
                writer.writerow(["kernel.algorithm", "kernel.message", "time_s"] if collective else ["kernel.sizes", "time_s"])
                writer.writerows([algorithm(row)] * collective + [f"{row['bytes']}B", seconds(row)] for row in group)
            with open(files[-1], "w") as out:
                out.write(scenario(group, times))
        fitted = os.path.join(folder, "fitted.yaml")
        subprocess.run([ORRERY, "calibrate", "--from", ",".join(files), "--fit", ",".join(f"{k}={v}" for k, v in FIT.items()),
                        "--fitted-platform", fitted], check=True)
        with open(fitted) as file:
            text = file.read()
    if dry_run:
        print(text)
        return
    values = fitted_values(text)
    print(f"{len(rows)} rows; put these into {PLATFORM}: {values}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["compare", "calibrate"])
    parser.add_argument("csv")
    parser.add_argument("--rows", metavar="FILE", help="write each row with its two times")
    parser.add_argument("--dry-run", action="store_true", help="print the fitted platform instead of naming its values")
    asked = parser.parse_args()
    rows = measured(asked.csv)
    if not rows:
        raise SystemExit(f"{asked.csv}: no rows of {MACHINE}. Is it imb-visible.csv?")
    compare(rows, asked.rows) if asked.what == "compare" else calibrate(rows, asked.dry_run)


if __name__ == "__main__":
    main()
