#!/usr/bin/env python3
"""Fits a machine's platform to its calibration subset (machines.py) with `orrery fit`, and writes what was found into the
platform's file.

    validation/pico/calibrate.py [MACHINE ...] [--dry-run]

The search begins at the figures of machines.py, whatever the platform's file has by now. Rows outside the subset are never looked at. What is
replaced are values of the file whose source says that they are fitted; --dry-run leaves it alone.
"""
import csv
import os
import re
import subprocess
import sys
import tempfile

from machines import MACHINES, calibrated_on
from rows import ORRERY, ROOT, groups, key_of, measured, scenario


def write_scenarios(folder, machine, rows):
    """A scenario and its measured times for each group of rows; the names of the scenarios."""
    files = []
    for number, group in enumerate(groups(rows)):
        times = os.path.join(folder, f"rows{number}.csv")
        with open(times, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["kernel.algorithm", "kernel.message", "time_s"])
            writer.writerows([*key_of(row)[-2:-1], f"{key_of(row)[-1]}B", row["us"] / 1e6] for row in group)
        files.append(os.path.join(folder, f"rows{number}.yaml"))
        with open(files[-1], "w") as file:
            file.write(scenario(machine, group, measured=times))
    return files


def fitted_values(text):
    """Key -> value of what a file says is fitted, in either way to write it."""
    line = re.compile(r"^ *([\w-]+): \{value: (.*), source: \"fitted to .*\"\}$", re.M)
    block = re.compile(r"^ *([\w-]+):\n *value: (.*)\n *source: \"fitted to .*\"$", re.M)
    return dict(line.findall(text) + block.findall(text))


def put_into(path, values):
    with open(path) as file:
        text = file.read()
    for key, value in values.items():
        text, found = re.subn(rf"^( *{key}: \{{value: ).*(, source: \"fitted to )", rf"\g<1>{value}\g<2>", text, flags=re.M)
        if found != 1:
            print(f"{path}: {found} values of '{key}' are said to be fitted (1). It was found to be {value}", file=sys.stderr)
    with open(path, "w") as file:
        file.write(text)


def main():
    asked = [word for word in sys.argv[1:] if word != "--dry-run"]
    for machine in asked or MACHINES:
        rows = [row for row in measured() if row["machine"] == machine and calibrated_on(row)]
        with tempfile.TemporaryDirectory() as folder:
            fitted = os.path.join(folder, "fitted.yaml")
            figures = ",".join(f"{name}={start}" for name, start in MACHINES[machine]["fit"].items())
            run = subprocess.run([ORRERY, "fit", ",".join(write_scenarios(folder, machine, rows)), "--parameters", figures, "-o", fitted])
            if run.returncode != 0:
                raise SystemExit(run.returncode)
            with open(fitted) as file:
                values = fitted_values(file.read())
        if "--dry-run" not in sys.argv:
            put_into(os.path.join(ROOT, "platforms", MACHINES[machine]["platform"] + ".yaml"), values)


if __name__ == "__main__":
    main()
