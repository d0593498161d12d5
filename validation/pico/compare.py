#!/usr/bin/env python3
"""Measured beside simulated: every row that has a name here and was not calibrated on.

    validation/pico/compare.py [MACHINE ...] [--models hockney,loggp,taulop] [--rows FILE] [--worst N] [--groups]

The platforms are the shipped ones of these names. Prints median and 90 % error by machine and collective, and how
often the fastest algorithm simulated is the fastest measured. --groups: and by ranks a node, algorithm and size, simulated over
measured, so that an error says which way it goes; errors by nodes.
"""
import argparse
import csv
import statistics

from machines import MACHINES, calibrated_on, campaign_of, ours
from rows import key_of, measured, simulated


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def errors_text(name, errors):
    return (f"  {name:<16} {len(errors):4d} rows   median {statistics.median(errors):7.1%}   90 % {percentile(errors, 0.9):7.1%}"
            if errors else f"  {name:<16}    0 rows")


def compared(machine, rows, models):
    times = simulated(machine, rows, models)
    return [dict(row, ours=ours(row), **times.get(key_of(row), {})) for row in rows if ours(row)]


def error_of(row, by="simulated"):
    return abs(row[by] / row["us"] - 1.0)


def ranks(rows, by):
    """Where several algorithms ran on the same nodes at the same time: exact, within a tenth, and what the choice loses."""
    cases = {}
    for row in rows:
        if row["ours"] not in ("openmpi", "mpich"):
            cases.setdefault((row["collective"], row["nodes"], row["ppn"], row["timestamp"], row["bytes"]), []).append(row)
    exact, losses = 0, []
    for case in cases.values():
        if len({row["ours"] for row in case}) < 2:
            continue
        best = min(case, key=lambda row: row["us"])
        chosen = min(case, key=lambda row: row[by])
        exact += best["ours"] == chosen["ours"]
        losses.append(chosen["us"] / best["us"] - 1.0)
    return exact, losses


def print_spread(rows):
    """What no single number can be nearer to than: of a run, its ninth decile over its first; of campaigns, the longest time of the same
    algorithm on as many nodes over the shortest."""
    of_runs = [row["spread"] for row in rows]
    print(f"  spread of a run, 90 % over 10 %: median {statistics.median(of_runs):.2f}, nine in ten within {percentile(of_runs, 0.9):.2f}")
    campaigns = {}
    for row in rows:
        if row["taken"]:
            campaigns.setdefault((row["nodes"], row["ppn"], row["collective"], row["ours"], row["bytes"]), {})[row["timestamp"]] = row["us"]
    apart = [max(times.values()) / min(times.values()) for times in campaigns.values() if len(times) > 1]
    if apart:
        print(f"  campaigns on as many nodes, {len(apart)} rows of several: apart by a median of {statistics.median(apart):.2f}, nine in ten "
              f"within {percentile(apart, 0.9):.2f}")


def report(machine, rows, models):
    """All predicted rows, then without those of algorithms that were not taken."""
    predicted = [row for row in rows if not calibrated_on(row)]
    taken = [row for row in predicted if row["taken"]]
    print(f"{machine}: {len(rows) - len(predicted)} rows calibrated on, {len(predicted)} predicted")
    print_spread(rows)
    for name in sorted({campaign_of(row) for row in rows if not row["taken"]}):
        print(f"  not taken: {' '.join(name)}")
    for kept in [predicted, taken] if len(taken) < len(predicted) else [predicted]:
        if kept is taken:
            print(f"  without those: {len(taken)}")
        for collective in sorted({row["collective"] for row in kept}):
            print(errors_text(collective, [error_of(row) for row in kept if row["collective"] == collective]))
        print(errors_text("all", [error_of(row) for row in kept]))
        for model in models:
            print(errors_text("  " + model, [error_of(row, model) for row in kept if model in row]))
            print(choice_text("  " + model, [row for row in kept if model in row], model))
        print(choice_text("simulated", kept, "simulated"))


def choice_text(name, rows, by):
    exact, losses = ranks(rows, by)
    if not losses:
        return f"  {name:<16} nothing to choose between"
    near = sum(loss <= 0.1 for loss in losses)
    return (f"  {name:<16} fastest of several: {exact} of {len(losses)} the same, {near / len(losses):.0%} within 10 % of it; "
            f"choosing by it loses {statistics.mean(losses):.1%} in the mean, {max(losses):.0%} at most")


SIZES = [(2**11, "to 2 KiB"), (2**17, "to 128 KiB"), (2**23, "to 8 MiB"), (float("inf"), "above")]


def size_class(row):
    return next(name for most, name in SIZES if row["bytes"] <= most)


def print_groups(rows):
    """Simulated over measured: the median of each group; 0.5 is twice too fast."""
    names = [name for _, name in SIZES]
    groups = {}
    for row in rows:
        key = (row["machine"], int(row["ppn"]), row["collective"], row["algorithm"])
        groups.setdefault(key, {}).setdefault(size_class(row), []).append(row["simulated"] / row["us"])
    print(f"simulated / measured{'':48}" + "".join(f"{name:>12}" for name in names))
    for key, sizes in sorted(groups.items()):
        text = "".join(f"{statistics.median(sizes[name]):12.2f}" if name in sizes else f"{'':12}" for name in names)
        print(f"{key[0]:<13}{key[1]:3d} a node  {key[2]:<15}{key[3]:<30}{text}")
    for ppn in sorted({key[1] for key in groups}):
        print(errors_text(f"{ppn} a node", [error_of(row) for row in rows if int(row["ppn"]) == ppn]))
    on = lambda row: (row["machine"], row["nodes"], row["ppn"])
    for key in sorted({on(row) for row in rows}):
        print(errors_text("{} {} x {}".format(*key), [error_of(row) for row in rows if on(row) == key]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("machine", nargs="*")
    parser.add_argument("--models", default="")
    parser.add_argument("--rows")
    parser.add_argument("--worst", type=int, default=0)
    parser.add_argument("--groups", action="store_true")
    options = parser.parse_args()
    models = [model for model in options.models.split(",") if model]
    every = []
    for machine in options.machine or MACHINES:
        rows = [row for row in measured() if row["machine"] == machine]
        found = compared(machine, rows, models)
        report(machine, found, models)
        every += found
    outside = [row for row in every if not calibrated_on(row)]
    for row in sorted(outside, key=error_of, reverse=True)[: options.worst]:
        print(f"  {row['machine']} {row['nodes']} {row['collective']} {row['algorithm']} {row['bytes']} B: measured {row['us']:.1f} us, "
              f"simulated {row['simulated']:.1f} us")
    if options.groups:
        print_groups(outside)
    if options.rows:
        fields = ["machine", "nodes", "ppn", "timestamp", "collective", "algorithm", "ours", "bytes", "us", "p10", "p90", "spread", "taken", "simulated"]
        with open(options.rows, "w", newline="") as file:
            writer = csv.DictWriter(file, fields + models, extrasaction="ignore")
            writer.writeheader()
            writer.writerows(every)


if __name__ == "__main__":
    main()
