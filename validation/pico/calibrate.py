#!/usr/bin/env python3
"""Fits a machine's figures to its calibration subset (machines.py) and writes them to fitted/<machine>.json.

    validation/pico/calibrate.py [MACHINE ...]

The rows of the subset have closed forms in the figures: t(n) one message, r(n) reducing, c(n) copying, f(n) fresh memory, m the
vector, p = 2^k ranks. What is minimised is the mean of |ln(closed form / measured)|, by a pattern search in the logarithms of
the figures: each in turn is tried larger and smaller by the step, which is halved when nothing helps. Rows outside the subset are never
looked at, nor is anything simulated.
"""
import json
import math
import os
import sys

from machines import MACHINES, calibrated_on, ours
from rows import HERE, measured

# Where the search begins. Times in us, rates in GB/s; `efficiency` is payload over what the adapter carries.
FIGURES = {"latency": 1.5, "eager-copy": 6.0, "efficiency": 0.95, "reduction": 6.0, "cache-factor": 2.0, "fresh-memory": 8.0}
LIMITS = {"efficiency": (0.8, 1.0), "cache-factor": (1.0, 8.0), "fresh-memory": (0.5, 100.0), "eager-copy": (1.0, 50.0)}
FRESH_FROM = 32 * 2**20


def with_rates(values):
    """Copying a byte moves two, reducing one moves three; in caches both are so much faster. The subset cannot tell them apart."""
    v = dict(values, copy=1.5 * values["reduction"])
    for name in ("reduction", "copy"):
        v["cached-" + name] = values["cache-factor"] * v[name]
    return v


def closed_form(row, about, v):
    m, p = float(row["bytes"]), row["ranks"]
    k, eager = round(math.log2(p)), about["eager"]
    cached = m <= about["cache"]

    def t(n):
        copies = 2 * n / (v["eager-copy"] * 1e3) if n < eager else v["latency"] * about["handshake"]
        return v["latency"] + 2 * about["overhead"] + copies + n / (about["bandwidth"] * v["efficiency"] * 1e3)

    def r(n):
        return n / (v["cached-reduction" if cached else "reduction"] * 1e3)

    def c(n):
        return n / (v["cached-copy" if cached else "copy"] * 1e3)

    def f(n):
        return n / (v["fresh-memory"] * 1e3) if n >= FRESH_FROM else 0.0

    halves = [m / 2**i for i in range(1, k + 1)]
    return {
        ("allgather", "NTSLR"): lambda: c(m / p) + (p - 1) * t(m / p),
        ("alltoall", "ring"): lambda: c(m / p) + (p - 1) * t(m / p),
        ("allreduce", "lr"): lambda: c(m) + f(2 * m / p) + (p - 1) * (2 * t(m / p) + r(m / p)),
        ("allreduce", "rdb"): lambda: c(m) + f(m) + k * (t(m) + r(m)),
        ("allreduce", "rab_rdb"): lambda: c(m) + f(m) + sum(2 * t(n) + r(n) for n in halves),
        ("reduce_scatter", "ompi_basic_recursivehalving"):
            lambda: 2 * f(m) + c(m) + sum(t(n) + r(n) for n in halves) + c(m / p),
        ("reduce", "scatter_gather"): lambda: c(m) + 2 * f(m) + sum(2 * t(n) + r(n) for n in halves),
        ("reduce", "binomial"): lambda: c(m) + 2 * f(m) + k * (t(m) + r(m)),
    }[row["collective"], "lr" if row["collective"] == "allreduce" and ours(row) == "lr" and m / 4 >= p else
      "rdb" if row["collective"] == "allreduce" and m / 4 < p else
      "binomial" if row["collective"] == "reduce" and m / 4 < p else ours(row)]()


def figures_of(machine, values):
    """The values as changes to the machine's platform file."""
    values = with_rates(values)
    about = MACHINES[machine]
    eager, start = about["eager"], about["overhead"]
    end = start + eager / (values["eager-copy"] * 1e3)
    # Short messages are copied into and out of the library's buffers by the cores, long ones are not.
    overhead = [{"from": "0B", "time": f"{start:.6g}us"}, {"from": f"{eager - 1}B", "time": f"{end:.6g}us"},
                {"from": f"{eager}B", "time": f"{start:.6g}us"}]
    rates = {name: f"{values[name]:.6g}GB/s" for name in ("reduction", "copy", "cached-reduction", "cached-copy", "fresh-memory")}
    rates["cache"] = f"{about['cache']}B"
    return {"networks": {about["network"]: {"latency": f"{values['latency']:.6g}us",
                                            "protocol": {"send-overhead": overhead, "receive-overhead": overhead,
                                                         "wire-efficiency": f"{values['efficiency']:.6g}",
                                                         "eager": f"{eager}B"}}},
            "node-types": {about["type"]: {"local-work": rates}}}


def error(machine, values, rows):
    rates = with_rates(values)
    return sum(abs(math.log(closed_form(row, MACHINES[machine], rates) / row["us"])) for row in rows) / len(rows)


def fit(machine, rows):
    values, step = dict(FIGURES), math.log(1.6)
    best = error(machine, values, rows)
    while step > 0.002:
        improved = False
        for name in values:
            for direction in (step, -step):
                low, high = LIMITS.get(name, (1e-3, 1e3))
                trial = dict(values, **{name: min(high, max(low, values[name] * math.exp(direction)))})
                found = error(machine, trial, rows)
                if found < best - 1e-9:
                    values, best, improved = trial, found, True
                    break
        if not improved:
            step /= 2
    return values, best


def main():
    os.makedirs(os.path.join(HERE, "fitted"), exist_ok=True)
    for machine in sys.argv[1:] or MACHINES:
        rows = [row for row in measured() if row["machine"] == machine and calibrated_on(row)]
        values, best = fit(machine, rows)
        rounded = {name: float(f"{value:.4g}") for name, value in values.items()}
        print(f"{machine}: {len(rows)} rows, mean |ln(closed form / measured)| {best:.3f}, {rounded}")
        with open(os.path.join(HERE, "fitted", machine + ".json"), "w") as file:
            json.dump({"rows": len(rows), "mean_abs_log_error": round(best, 4), "figures": rounded}, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
