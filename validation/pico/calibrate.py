#!/usr/bin/env python3
"""Fits a machine's figures to its calibration subset (machines.py) and writes them to fitted/<machine>.json.

    validation/pico/calibrate.py [MACHINE ...]

The rows of the subset are simulated; what is minimised is the mean of |ln(simulated / measured)|, by a pattern search in the
logarithms of the figures: each in turn is tried larger and smaller by the step, which is halved once that gains less than 1 %. Rows outside the
subset are never looked at.
"""
import json
import math
import os
import sys

from machines import MACHINES, REDUCING, calibrated_on
from rows import HERE, key_of, measured, simulated

# Where the search begins. Times in us, rates in GB/s; `efficiency` is payload over what the adapter carries.
FIGURES = {"latency": 1.2, "hop": 0.3, "send": 0.2, "receive": 0.05, "send-copy": 12.0, "receive-copy": 8.0, "rendezvous": 0.5,
           "efficiency": 0.93, "reduction": 7.0, "cached-reduction": 15.0, "copy": 10.0, "fresh-memory": 8.0, "heap-memory": 3.0,
           "cached-copy": 20.0, "pair": 25.0, "fetch": 0.5, "skew": 2.0}
LIMITS = {"efficiency": (0.1, 1.0), "send": (0.02, 5.0), "receive": (0.02, 5.0), "send-copy": (1.0, 100.0),
          "receive-copy": (1.0, 100.0), "rendezvous": (0.02, 20.0), "reduction": (1.0, 15.0), "cached-reduction": (1.0, 50.0), "copy": (1.0, 50.0), "hop": (0.05, 2.0), "skew": (0.01, 10.0)}
FIRST_STEP, LAST_STEP = math.log(1.5), 0.04


def figures_of(machine, values):
    """The values as changes to the machine's platform file."""
    about, eager = MACHINES[machine], MACHINES[machine]["eager"]

    def overhead(start, rate, rendezvous):
        # Short messages are copied into and out of the library's buffers by the cores, long ones are not.
        return [{"from": "0B", "time": f"{start:.6g}us"}, {"from": f"{eager - 1}B", "time": f"{start + eager / (rate * 1e3):.6g}us"},
                {"from": f"{eager}B", "time": f"{rendezvous:.6g}us"}]

    protocol = {"send-overhead": overhead(values["send"], values["send-copy"], values["send"]),
                "receive-overhead": overhead(values["receive"], values["receive-copy"], values["rendezvous"]),
                "wire-efficiency": f"{values['efficiency']:.6g}", "eager": f"{eager}B", "handshake": about["handshake"]}
    if "fetch" in values:  # what does not travel in the request itself is fetched by the adapter, over PCI Express
        protocol["latency-factor"] = [{"from": "0B", "factor": 1}, {"from": f"{about['inline'] + 1}B", "factor": round(1 + values["fetch"] / values["latency"], 4)},
                                      {"from": f"{eager}B", "factor": 1}]
    if "pair" in values:
        protocol |= {"pair-bandwidth": f"{values['pair']:.6g}GB/s", "pair-from": f"{about['pair_from']}B"}
    names = ("reduction", "copy", "cached-reduction", "cached-copy", "fresh-memory", "heap-memory")
    rates = {name: f"{values[name]:.6g}GB/s" for name in names if name in values}
    rates |= {"cached-copy": rates.get("cached-copy", rates["copy"]), "cache": f"{about['cache']}B"}
    if "fresh_from" in about:
        rates["fresh-from"] = f"{about['fresh_from']}B"
    network = {"latency": f"{values['latency']:.6g}us", "link-latency": f"{values['hop']:.6g}us", "protocol": protocol}
    return {"start-skew": f"{values.get('skew', 0.0):.6g}us", "networks": {about["network"]: network},
            "node-types": {about["type"]: {"local-work": rates}}}


REDUCING_ALONE = {"reduction", "cached-reduction", "heap-memory"}


def error(machine, values, rows, known):
    """Mean |ln(simulated / measured)|. `known`: what was simulated before, by collective and the figures that matter to it."""
    total = 0.0
    for collective in sorted({row["collective"] for row in rows}):
        of = [row for row in rows if row["collective"] == collective]
        matter = tuple(sorted((name, value) for name, value in values.items() if collective in REDUCING or name not in REDUCING_ALONE))
        if (collective, matter) not in known:
            times = simulated(machine, figures_of(machine, values), of)
            known[collective, matter] = sum(abs(math.log(times[key_of(row)]["simulated"] / row["us"])) for row in of)
        total += known[collective, matter]
    return total / len(rows)


def fit(machine, rows):
    values, step = {name: FIGURES[name] for name in MACHINES[machine]["fitted"]}, FIRST_STEP
    known = {}
    best, last = error(machine, values, rows, known), dict.fromkeys(values, 1)
    while step > LAST_STEP:
        before = best
        for name in values:
            for direction in (last[name], -last[name]):  # first the way that helped before
                low, high = LIMITS.get(name, (1e-3, 1e3))
                trial = dict(values, **{name: min(high, max(low, values[name] * math.exp(direction * step)))})
                found = error(machine, trial, rows, known) if trial != values else best
                if found < best - 1e-4:
                    values, best, last[name] = trial, found, direction
                    break
        print(f"  {machine}: step {step:.3f}, error {best:.4f}", file=sys.stderr, flush=True)
        if best > 0.99 * before:
            step /= 2
    return values, best


def main():
    os.makedirs(os.path.join(HERE, "fitted"), exist_ok=True)
    for machine in sys.argv[1:] or MACHINES:
        rows = [row for row in measured() if row["machine"] == machine and calibrated_on(row)]
        values, best = fit(machine, rows)
        rounded = {name: float(f"{value:.4g}") for name, value in values.items()}
        print(f"{machine}: {len(rows)} rows, mean |ln(simulated / measured)| {best:.3f}, {rounded}")
        with open(os.path.join(HERE, "fitted", machine + ".json"), "w") as file:
            json.dump({"rows": len(rows), "mean_abs_log_error": round(best, 4), "figures": rounded}, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
