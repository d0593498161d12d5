"""A finished run as tidy tables, read from its `result.json`."""

from __future__ import annotations

import html
import json
import webbrowser
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import InputError
from .files import using
from .rows import front_of, links_of, named_rows, ranks_of, runs_of, settings_of
from .table import Cell, Row, Table

if TYPE_CHECKING:
    import matplotlib.axes

_SCHEMA = 1
_OPEN: list[Any] = []  # folders of reports that a browser shows; kept until Python ends


class Result:
    """What a scenario ended in.

    runs         a row for each run: of a point that was repeated, one for each seed
    predictions  a row for each point and model, with its error
    phases       a row for each phase and iteration of a point
    links        a row for each link, adapter and memory: what it carried, how long it was busy
    collectives  a row for each kind of call
    ranks        a row for each rank: where it ran, what it spent its time on

    Every table has a column for each setting of the sweep, and `point`, the number of the point.
    """

    def __init__(self, data: dict[str, Any], folder: Path | None = None, keeper: Any = None) -> None:
        self._keeper = keeper  # of a temporary folder, which lives as long as this
        self.folder = folder
        self.name: str = data["name"]
        self.title: str = data["title"]
        self.engine: str = data["engine"]
        self.version: str = data["orrery"]
        self.notes: list[str] = data["notes"]
        self.broken_tolerances: list[str] = data["broken_tolerances"]
        self.left_out: str | None = data.get("left_out")
        self._points: list[dict[str, Any]] = data["points"]

    def __len__(self) -> int:
        """How many points there are."""
        return len(self._points)

    @property
    def settings(self) -> list[str]:
        """The columns that distinguish the points: the axes of the sweep, with units where they have some."""
        return list(dict.fromkeys(key for point in self._points for key in settings_of(point)))

    @cached_property
    def runs(self) -> Table:
        rows = [row for number, point in enumerate(self._points) for row in runs_of(number, point)]
        return self._table("runs", rows)

    @cached_property
    def predictions(self) -> Table:
        rows = []
        for number, point in enumerate(self._points):
            for one in point["predictions"]:
                whole = one["predicts"] == "run"
                simulated = point.get("run", {}).get("makespan_s") if whole else point.get("simulated_s")
                measured = None if whole else point.get("measured_s")
                known = [real for real in ("measured", "simulated") if f"against_{real}" in one]
                against = one[f"against_{known[0]}"] if known else {}
                rows.append(
                    front_of(number, point)
                    | {
                        "model": one["model"],
                        "mode": one["mode"] or None,
                        "predicts": one["predicts"],
                        "fitted": one["fitted"],
                        "predicted_s": one["predicted_s"],
                        "simulated_s": simulated,
                        "measured_s": measured,
                        "against": known[0] if known else None,
                        "relative_error": against.get("relative_error"),
                        "mu": against.get("mu"),
                        "note": "; ".join(one["notes"]) or None,
                    }
                )
        return self._table("predictions", rows)

    @cached_property
    def phases(self) -> Table:
        return self._rows_of("phases", lambda point: named_rows(point.get("run", {}).get("phases")))

    @cached_property
    def collectives(self) -> Table:
        return self._rows_of("collectives", lambda point: named_rows(point.get("run", {}).get("collectives")))

    @cached_property
    def links(self) -> Table:
        return self._rows_of("links", links_of)

    @cached_property
    def ranks(self) -> Table:
        return self._rows_of("ranks", ranks_of)

    def _rows_of(self, name: str, rows_of: Any) -> Table:
        rows = [front_of(number, point) | row for number, point in enumerate(self._points) for row in rows_of(point)]
        return self._table(name, rows)

    def _table(self, name: str, rows: Sequence[Row]) -> Table:
        return Table.of_rows(name, rows, columns=["point", *self.settings])

    @property
    def makespan_s(self) -> float:
        """Of the whole run, in seconds; of a result of several points ask `runs`."""
        return self._only("makespan_s")

    @property
    def simulated_s(self) -> float:
        """Of the compared phase, in seconds; of a result of several points ask `runs`."""
        return self._only("simulated_s")

    def _only(self, column: str) -> float:
        if len(self._points) != 1:
            raise InputError(f"{column}: the result has {len(self._points)} points. Ask runs[\"{column}\"]?")
        point = self._points[0]
        times = {time["phase"]: time["median_s"] for time in point.get("repeats", {}).get("times", [])}
        own = point.get("simulated_s") if column == "simulated_s" else times.get("", point.get("run", {}).get("makespan_s"))
        if own is None:
            raise InputError(f"{column}: nothing was simulated. Call run()?")
        return float(own)

    @property
    def report(self) -> Path:
        """The page of the run, which any browser opens without a network."""
        if self.folder is None or not (self.folder / "report.html").is_file():
            raise InputError("report: the run was not kept. Call run(out=\"FOLDER\")?")
        return self.folder / "report.html"

    def open_report(self) -> None:
        _OPEN.append(self._keeper)
        webbrowser.open(self.report.resolve().as_uri())

    def plot(self, x: str | None = None, y: str = "time", by: str | None = None, ax: Any = None) -> matplotlib.axes.Axes:
        """`time` (of the compared phase: simulated, measured, predicted), `mu` or `relative_error` of the models, or any
        column of `runs`, over a setting. Needs matplotlib."""
        from .plot import draw, label_of

        axes = self.settings
        if x is None:
            if not axes:
                raise InputError("plot: the result has one point, and nothing to put on x. Sweep something?")
            x = max(axes, key=lambda axis: (_numeric(self.runs[axis]), len(set(self.runs[axis]))))
        for column in (x, by):
            if column is not None:
                self.runs[column]  # refused where there is none
        groups = [by] if by else [axis for axis in axes if axis != x and len(set(self.runs[axis])) > 1]
        named = y in ("time", "mu", "relative_error")
        series: dict[str, tuple[list[Cell], list[Cell]]] = {}
        for name, row in self._drawn(y) if named else (("", row | {"value": value}) for row, value in zip(self.runs, self.runs[y])):
            value = row["value"]
            if row.get(x) is None or value is None:
                continue
            words = [name] if name else []
            words += [str(row[group]) for group in groups]
            xs, ys = series.setdefault(", ".join(words), ([], []))
            xs.append(row[x])
            ys.append(value)
        if not series:
            raise InputError(f"plot: no point has both '{x}' and '{y}'. Draw another column?")
        titles = {"time": "time of the compared phase (s)", "mu": "mu = max / min", "relative_error": "relative error"}
        return draw([(name, *points) for name, points in series.items()], label_of(x), titles.get(y, label_of(y)), ax)

    def _drawn(self, y: str) -> Iterable[tuple[str, Row]]:
        if y == "time":
            for row in self.runs:
                yield "simulated", row | {"value": row["simulated_s"]}
                yield "measured", row | {"value": row.get("measured_s")}
        of_point = {row["point"]: row for row in self.runs}  # columns that predictions lack
        for row in self.predictions:
            if y == "time" and row["predicts"] == "run":
                continue  # no time of the compared phase
            label = str(row["model"]) + (f" ({row['mode']})" if row["mode"] else "")
            yield label, of_point[row["point"]] | row | {"value": row["predicted_s"] if y == "time" else row[y]}

    def _summary(self) -> list[str]:
        lines = [point["failure"] for point in self._points if point.get("failure")]
        if len(self._points) == 1 and self._points[0]["binding"]:
            lines.append(self._points[0]["binding"])
        return lines + self.broken_tolerances + [f"note: {note}" for note in self.notes] + self._rows_left_out()

    def _rows_left_out(self) -> list[str]:
        """What tables lack; curves and matrices are in none."""
        parts = (self.left_out or "").removesuffix("; --full writes them").split(", ")
        of_tables = (" less busy resources", "(their sums are kept)", " ranks")
        rows = [part for part in parts if part.endswith(of_tables) and " over time " not in part]
        return [f"left out: {', '.join(rows)}; run(full=True) keeps them"] if rows else []

    def __repr__(self) -> str:
        points = f"{len(self._points)} point{'' if len(self._points) == 1 else 's'}"
        return "\n".join([f"{self.title}: {points}, {self.engine or 'nothing simulated'}", repr(self._overview()), *self._summary()])

    def _repr_html_(self) -> str:
        notes = "".join(f"<li>{html.escape(line)}</li>" for line in self._summary())
        return f"<h4>{html.escape(self.title)}</h4>{self._overview()._repr_html_()}" + (f"<ul>{notes}</ul>" if notes else "")

    def _overview(self) -> Table:
        """A row a point: its settings, its times, and what each model says."""
        rows = []
        for number, point in enumerate(self._points):
            row = front_of(number, point) | {
                "simulated_s": point.get("simulated_s"),
                "measured_s": point.get("measured_s"),
                "published_s": point.get("published_s"),
                "makespan_s": point.get("run", {}).get("makespan_s"),
            }
            for one in point["predictions"]:
                label = one["model"] + (f" ({one['mode']})" if one["mode"] else "")
                row[f"{label}_s"] = one["predicted_s"]
            rows.append(row)
        return self._table("points", rows)


def load(path: str | Path) -> Result:
    """A run that was kept: the folder of `orrery run --out` or `run(out=...)`, or its result.json."""
    with using("load", path):
        file = Path(path)
        if file.is_dir():
            file = file / "result.json"
        there = file.is_file()
    if not there:
        raise InputError(f"{path}: there is no run (no result.json). Run 'orrery run SCENARIO --out {path}'?")
    with using("load", path):
        text = file.read_bytes()
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file}: is no result ({error}). Run it again?") from error
    if not isinstance(data, dict) or data.get("schema") != _SCHEMA:
        found = data.get("schema") if isinstance(data, dict) else None
        raise InputError(f"{file}: is of schema '{found}' (this package reads {_SCHEMA}). Install the package of that version?")
    return Result(data, file.parent)


def _numeric(cells: Sequence[Cell]) -> bool:
    return all(isinstance(cell, (int, float)) for cell in cells)
