"""A table by columns: numbers are numbers, and a column's name ends with its unit.

    >>> table = Table("runs", {"kernel.points": [512, 2048], "makespan_s": [0.5, 1.5]})
    >>> table["makespan_s"]
    [0.5, 1.5]
    >>> table.where(lambda row: row["makespan_s"] > 1)[0]
    {'kernel.points': 2048, 'makespan_s': 1.5}
"""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union, overload

from .errors import InputError
from .files import written

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas

Cell = Union[None, bool, int, float, str]
Row = dict[str, Cell]
Condition = Union[Callable[[Row], bool], Mapping[str, Any]]

UNITS = ("_s", "_B", "_B_per_s", "_flop_per_s", "_flop", "_Hz", "_s_per_B", "_per_s", "_fraction")  # ends of columns
_SHOWN_MAX = 30  # rows of a table in a notebook
_WIDE_MAX = 48  # letters of a cell in a terminal


class Table:
    """Rows and named columns. An empty cell is None."""

    def __init__(self, name: str, columns: Mapping[str, Sequence[Cell]]) -> None:
        self.name = name
        self._columns: dict[str, list[Cell]] = {key: list(cells) for key, cells in columns.items()}
        if len({len(cells) for cells in self._columns.values()}) > 1:
            raise ValueError(f"columns of '{name}' differ in length")

    @classmethod
    def of_rows(cls, name: str, rows: Sequence[Mapping[str, Cell]], columns: Sequence[str] = ()) -> Table:
        """Columns in the order in which rows first have them, after those named."""
        keys = dict.fromkeys(columns)
        for row in rows:
            keys.update(dict.fromkeys(row))
        return cls(name, {key: [row.get(key) for row in rows] for key in keys})

    @property
    def columns(self) -> list[str]:
        return list(self._columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), []))

    def __iter__(self) -> Iterator[Row]:
        return (dict(zip(self._columns, cells)) for cells in zip(*self._columns.values()))

    def __contains__(self, column: object) -> bool:
        return column in self._columns

    @overload
    def __getitem__(self, key: str) -> list[Cell]: ...

    @overload
    def __getitem__(self, key: int) -> Row: ...

    @overload
    def __getitem__(self, key: slice) -> Table: ...

    def __getitem__(self, key: str | int | slice) -> list[Cell] | Row | Table:
        """A column by name, a row by number, some rows by slice."""
        if isinstance(key, slice):
            return Table(self.name, {name: cells[key] for name, cells in self._columns.items()})
        if isinstance(key, int):
            return {name: cells[key] for name, cells in self._columns.items()}
        return list(self._column(key))

    def _column(self, name: str) -> list[Cell]:
        if name not in self._columns:
            raise InputError(f"{self.name}: no column '{name}' (known: {', '.join(self._columns)})")
        return self._columns[name]

    def where(self, condition: Condition | None = None, **equal: Cell) -> Table:
        """Rows that a function accepts, or whose columns have these values: where(network="ethernet"),
        where({"kernel.points": 512})."""
        if callable(condition):
            if equal:
                raise TypeError("where() takes a function or values of columns, not both")
            keep = [condition(row) for row in self]
        else:
            wanted = {**(condition or {}), **equal}
            chosen = [(self._column(name), value) for name, value in wanted.items()]
            keep = [all(cells[i] == value for cells, value in chosen) for i in range(len(self))]
        return Table(self.name, {name: [c for c, k in zip(cells, keep) if k] for name, cells in self._columns.items()})

    def sort(self, *columns: str, descending: bool = False) -> Table:
        """By these columns; empty cells come last."""

        def key(i: int) -> list[tuple[bool, Any]]:
            return [((cell is None) != descending, cell if cell is not None else 0) for cell in (c[i] for c in by)]

        by = [self._column(column) for column in columns]
        order = sorted(range(len(self)), key=key, reverse=descending)
        return Table(self.name, {name: [cells[i] for i in order] for name, cells in self._columns.items()})

    def select(self, *columns: str) -> Table:
        return Table(self.name, {column: self._column(column) for column in columns})

    def to_pandas(self) -> pandas.DataFrame:
        """A DataFrame (needs pandas, 1.5 or later). Whole numbers with empty cells become Int64;
        times and other columns with a unit are numbers also where all their cells are empty."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_pandas() needs pandas: 'apt-get install python3-pandas', or 'pip install pandas'") from error
        frame = pandas.DataFrame(dict(self._columns.items()))
        for name, cells in self._columns.items():
            given = [cell for cell in cells if cell is not None]
            if len(given) < len(cells) and given and all(type(cell) is int for cell in given):
                frame[name] = pandas.array(cells, dtype="Int64")
            elif not given and name.endswith(UNITS):
                frame[name] = frame[name].astype("float64")
        return frame

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """For pyarrow.table(table), polars.DataFrame(table), duckdb and others: Arrow's C stream. A requested schema is not met."""
        from .arrow import stream_of

        return stream_of(self._columns)

    def to_csv(self, path: str | Path | None = None) -> str:
        """As CSV text, which is written to `path` if there is one."""
        out = io.StringIO()
        writer = csv.writer(out)
        writer.writerow(self._columns)
        writer.writerows(["" if cell is None else cell for cell in row.values()] for row in self)
        if path is not None:
            written("to_csv", path, out.getvalue())
        return out.getvalue()

    def plot(
        self, x: str, y: str | Sequence[str], by: str | None = None, ax: matplotlib.axes.Axes | None = None
    ) -> matplotlib.axes.Axes:
        """Columns `y` over column `x`, a line for each value of column `by`. Returns matplotlib's axes (needs matplotlib)."""
        from .plot import lines

        ys = [y] if isinstance(y, str) else list(y)
        return lines({name: self._column(name) for name in (x, *ys, *([by] if by else []))}, x, ys, by, ax)

    def _shown(self) -> list[str]:
        """Columns that say something: not those without any value, nor the numbers that only name points."""
        return [name for name, cells in self._columns.items() if name != "id" and any(c is not None for c in cells)]

    def __repr__(self) -> str:
        names = self._shown()
        rows = [[_short(_text(self._columns[name][i])) for name in names] for i in range(min(len(self), _SHOWN_MAX))]
        widths = [max(len(name), *(len(row[c]) for row in rows), 0) for c, name in enumerate(names)]
        lines = ["  ".join(name.rjust(width) for name, width in zip(names, widths))]
        lines += ["  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in rows]
        if len(self) > _SHOWN_MAX:
            lines.append(f"... and {len(self) - _SHOWN_MAX} more rows")
        return "\n".join([f"{self.name}: {len(self)} rows", *lines])

    def _repr_html_(self) -> str:
        names = self._shown()
        first = {name: next(cell for cell in self._columns[name] if cell is not None) for name in names}
        head = "".join(f"<th{_align(first[name])}>{html.escape(name)}</th>" for name in names)
        body = ""
        for i in range(min(len(self), _SHOWN_MAX)):
            cells = [self._columns[name][i] for name in names]
            body += "<tr>" + "".join(f"<td{_align(cell)}>{html.escape(_text(cell))}</td>" for cell in cells) + "</tr>"
        more = f"<p>... and {len(self) - _SHOWN_MAX} more rows</p>" if len(self) > _SHOWN_MAX else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _align(cell: Cell) -> str:
    return ' style="text-align:right"' if isinstance(cell, (int, float)) else ' style="text-align:left"'


def _short(text: str) -> str:
    """A sentence does not push the other columns off a terminal."""
    return text if len(text) <= _WIDE_MAX else text[: _WIDE_MAX - 3] + "..."


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    return f"{cell:.5g}" if isinstance(cell, float) else str(cell)
