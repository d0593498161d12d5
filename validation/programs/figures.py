#!/usr/bin/env python3
"""Figures of a compute model and of shared memory, from what one rank and a ping-pong measured. campaign.sh calls it.

    figures.py FOLDER        reads linpack-steps.csv, fourier-steps.csv, benchmarks.csv; writes figures.csv, two-cores.yaml

Compute: seconds = flop_s flops + byte_s bytes for each kind of work, by least squares of relative errors over the sizes.
Of Linpack's panels, whose steps are measured together: what dgemm and dtrsm leave, by the flops of dgemv.
Shared memory: T(m) = send overhead + receive overhead + latency + m / copy bandwidth, by the median of one byte's and the
slope between it and the longest message.
"""
import csv
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent


def rows(path):
    with open(path) as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def fit(samples):
    """samples: (flops, bytes, seconds). Coefficients of flops and bytes, neither below 0."""
    def solve(columns):
        # of relative errors: each row divided by its seconds
        a = [[sample[c] / sample[2] for c in columns] for sample in samples]
        n = len(columns)
        m = [[sum(row[i] * row[j] for row in a) for j in range(n)] + [sum(row[i] for row in a)] for i in range(n)]
        for i in range(n):
            for j in range(n):
                if i != j and m[i][i] != 0.0:
                    factor = m[j][i] / m[i][i]
                    m[j] = [x - factor * y for x, y in zip(m[j], m[i])]
        return [m[i][n] / m[i][i] if m[i][i] != 0.0 else 0.0 for i in range(n)]

    columns = [c for c in (0, 1) if any(sample[c] > 0.0 for sample in samples)]
    found = dict(zip(columns, solve(columns)))
    if any(value < 0.0 for value in found.values()):
        found = min(({c: solve([c])[0]} for c in columns),
                    key=lambda one: sum((sum(one[c] * s[c] for c in one) / s[2] - 1.0) ** 2 for s in samples))
    return found.get(0, 0.0), found.get(1, 0.0)


def of_work(table, work, phases=None):
    return [(float(r["flops"]), float(r["traffic_B"]), float(r["time_s"])) for r in table
            if r["work"] == work and (phases is None or r["phase"] in phases) and float(r["time_s"]) > 0.0]


def linpack(table):
    figures = {work: fit(of_work(table, work, {"update"})) for work in ("dgemm", "dtrsm", "dlaswp04t")}
    figures["dtrsv"] = fit(of_work(table, "dtrsv"))
    left = []
    for order in sorted({r["kernel.order"] for r in table}, key=int):
        panel = [r for r in table if r["kernel.order"] == order and r["phase"] == "panel"]
        seconds = sum(float(r["time_s"]) for r in panel)
        for r in panel:
            if r["work"] in ("dgemm", "dtrsm"):
                flop_s, byte_s = figures[r["work"]]
                seconds -= flop_s * float(r["flops"]) + byte_s * float(r["traffic_B"])
        vectors = [r for r in panel if r["work"] == "dgemv"]
        left.append((sum(float(r["flops"]) for r in vectors), 0.0, max(seconds, 1e-9)))
    figures["dgemv"] = fit(left)
    for work in ("idamax", "dscal", "dlaswp02n"):
        figures[work] = (1e-15, 0.0)  # in the figure of dgemv: all of a panel was measured together
    copy = figures["dlaswp04t"]
    figures["dlacpy"] = figures["dlatcpy"] = copy
    figures["daxpy"] = figures["dtrsv"]
    return figures


def fourier(table):
    return {work: fit(of_work(table, work)) for work in ("fft", "copy")}


def channel(table):
    times = {float(r["message_B"]): float(r["time_s"]) for r in table if r["id"].startswith("pingpong/shared-memory")}
    overhead = {end: next(float(r["time_s"]) for r in table if r["id"].endswith("/" + end)) for end in ("send", "receive")}
    least, most = min(times), max(times)
    slope = (times[most] - times[least]) / (most - least)
    short = min(times[m] for m in times if m <= 1024)
    latency = max(short - overhead["send"] - overhead["receive"], 1e-8)
    return overhead["send"], overhead["receive"], latency, 1.0 / slope


def main():
    folder = pathlib.Path(sys.argv[1])
    figures = {**linpack(rows(folder / "linpack-steps.csv")), **fourier(rows(folder / "fourier-steps.csv"))}
    with open(folder / "figures.csv", "w") as out:
        out.write("# written by figures.py from linpack-steps.csv and fourier-steps.csv\nwork,flop_s,byte_s\n")
        for work, (flop_s, byte_s) in figures.items():
            out.write(f"{work},{flop_s:.6g},{byte_s:.6g}\n")
    send, receive, latency, bandwidth = channel(rows(folder / "benchmarks.csv"))
    text = (HERE / "two-cores.yaml").read_text()
    text = text[text.index("name:"):]
    text = re.sub(r"shared-memory: \{[^}]*\}", f"shared-memory: {{latency: {latency * 1e6:.4g}us, send-overhead: "
                  f"{send * 1e6:.4g}us, receive-overhead: {receive * 1e6:.4g}us, eager: 4KiB, handshake: 0, copies: "
                  "[1, 0], copy-mode: sequential}", text)
    text = re.sub(r"copy-bandwidth: \S+", f"copy-bandwidth: {bandwidth / 1e9:.4g}GB/s", text)
    text = re.sub(r"memory-bandwidth: \S+", f"memory-bandwidth: {4 * bandwidth / 1e9:.4g}GB/s", text)
    text = text.replace('assumed: "until it is measured"', 'source: "benchmarks.csv; memory-bandwidth and core-speed assumed"')
    (folder / "two-cores.yaml").write_text("# Written by figures.py from benchmarks.csv.\n" + text)


if __name__ == "__main__":
    main()
