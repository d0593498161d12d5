"""A platform's parameters fitted to measured times."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Union

from .errors import InputError
from .files import shown, using, written
from .table import Table

Measured = Union[str, Path, Table, Sequence[Mapping[str, Any]], Any]  # the last: a DataFrame


class Fit:
    """What `Scenario.fit` found.

    platform      the file with the fitted parameters, for `scenario(platform=...)`
    parameters    a row a parameter: before, fitted, whether the points determine it
    changed       what the platform now has instead, by name and unit: {"latency_s": 1.3e-06, "reduction_B_per_s": 8e9}
    points        a row a point: measured, simulated before and after, whether it was held out
    error, error_before   mean of |ln(simulated / measured)|
    notes         what to know beside that: rows that are not used, times that may be of something else
    """

    def __init__(self, data: dict[str, Any], platform: Path) -> None:
        self.platform = platform
        self.name: str = data["platform"]
        self.network: str = data["network"]
        self.error: float = data["error"]
        self.error_before: float = data["error_before"]
        self.simulations: int = data["simulations"]
        self.parameters = Table.of_rows("parameters", data["parameters"])
        self.changed: dict[str, float] = {
            _with_unit(row["parameter"], row["unit"]): row["fitted"]
            for row in data["parameters"]
            if row["determined"] and row["fitted"] != row["before"]
        }
        self.points = Table.of_rows("points", data["points"])
        self.notes: list[str] = data.get("notes", [])

    def _headline(self) -> str:
        return (
            f"{self.name}, {self.network}: mean |ln(simulated / measured)| {self.error:.4f}, before {self.error_before:.4f}; "
            f"{self.simulations} simulations; {self.platform}"
        )

    def __repr__(self) -> str:
        return "\n".join([self._headline(), repr(self.parameters), *(f"note: {note}" for note in self.notes)])

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>note: {html.escape(note)}</p>" for note in self.notes)
        return f"<p>{html.escape(self._headline())}</p>{self.parameters._repr_html_()}{notes}"


def _with_unit(parameter: str, unit: str) -> str:
    """As columns of tables are called; a share or a factor has no unit."""
    return parameter.replace("-", "_") + {"s": "_s", "B/s": "_B_per_s"}.get(unit, "")


def measured_file(measured: Measured, folder: Path) -> str:
    """The CSV that `measured:` of a scenario reads; rows are written into `folder`."""
    if isinstance(measured, (str, Path)):
        with using("measured", measured):
            return str(Path(measured).resolve())
    if hasattr(measured, "to_dict") and hasattr(measured, "columns"):  # a DataFrame
        measured = measured.to_dict("records")
    rows = list(measured)
    if not rows or not all(isinstance(row, Mapping) for row in rows):
        raise InputError("measured: has no rows (a CSV file, or rows with 'time_s' and the axes of the sweep). Name the file?")
    file = folder / "measured.csv"
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(rows[0]), restval="")
    columns = dict.fromkeys(key for row in rows for key in row)
    if missing := [key for key in columns if key not in rows[0]]:
        raise InputError(f"measured: a row has '{shown(missing[0])}', which the first has not (all have one form). Add it there?")
    writer.writeheader()
    writer.writerows(rows)
    return str(written("measured", file, out.getvalue()))
