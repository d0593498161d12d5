"""Figures with matplotlib, if it is there: a line for each series, told apart by colour, marker and dash."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import matplotlib.axes

_MARKERS, _DASHES = "osD^vP*X", ("-", "--", "-.", ":")
_UNITS = {"_B_per_s": "B/s", "_flop_per_s": "flop/s", "_s": "s", "_B": "B", "_fraction": "share"}


def new_axes() -> matplotlib.axes.Axes:
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plot() needs matplotlib: 'apt-get install python3-matplotlib', or 'pip install matplotlib'") from error
    _, ax = pyplot.subplots(figsize=(6.0, 3.6), constrained_layout=True)
    return ax


def lines(
    columns: Mapping[str, Sequence[Any]], x: str, ys: list[str], by: str | None, ax: matplotlib.axes.Axes | None
) -> matplotlib.axes.Axes:
    groups = columns[by] if by else [None] * len(columns[x])
    series: list[tuple[str, list[Any], list[Any]]] = []
    for group in dict.fromkeys(groups) if by else [None]:
        for y in ys:
            rows = zip(groups, columns[x], columns[y])
            points = [(a, b) for its, a, b in rows if its == group and a is not None and b is not None]
            words = [str(group)] if by else []
            words += [_title(y)] if len(ys) > 1 or not by else []
            series.append((", ".join(words), [a for a, _ in points], [b for _, b in points]))
    return draw(series, label_of(x), label_of(ys[0]) if len(ys) == 1 else f"time in {_UNITS.get(_suffix(ys[0]), '')}", ax)


def draw(
    series: list[tuple[str, list[Any], list[Any]]], x_label: str, y_label: str, ax: matplotlib.axes.Axes | None = None
) -> matplotlib.axes.Axes:
    """Numbers on x are joined, words are not. Axes are logarithmic where values span a factor of 30."""
    ax = ax or new_axes()
    xs = [x for _, points, _ in series for x in points]
    words = any(isinstance(x, str) for x in xs)
    for number, (name, a, b) in enumerate(series):
        pairs = list(zip(a, b)) if words else sorted(zip(a, b))
        style = "none" if words else _DASHES[number // len(_MARKERS) % len(_DASHES)]
        ax.plot(
            [str(p) if words else p for p, _ in pairs],
            [q for _, q in pairs],
            label=name,
            marker=_MARKERS[number % len(_MARKERS)],
            linestyle=style,
            markersize=4,
        )
    if not words and _wide(xs):
        ax.set_xscale("log", base=2 if all(float(x).is_integer() and x > 0 for x in xs) else 10)
        ticks = sorted(set(xs))
        if len(ticks) <= 12:
            ax.set_xticks(ticks, [f"{tick:g}" if tick < 10_000 else _short(tick) for tick in ticks])
            ax.minorticks_off()
    if _wide([y for _, _, points in series for y in points]):
        ax.set_yscale("log")
    else:
        ax.autoscale(axis="y")  # with what stands in axes that share this one
        ax.set_ylim(bottom=0)
    ax.set_xlabel(x_label)
    ax.set_ylabel(y_label)
    if len(series) > 1:
        ax.legend(frameon=False, fontsize="small")
    ax.grid(alpha=0.3)
    return ax


def label_of(column: str) -> str:
    """ "kernel.message_B" as "kernel.message (B)" """
    suffix = _suffix(column)
    return f"{column[: -len(suffix)]} ({_UNITS[suffix]})" if suffix else column


def _title(column: str) -> str:
    suffix = _suffix(column)
    return column[: -len(suffix)] if suffix else column


def _suffix(column: str) -> str:
    return next((suffix for suffix in _UNITS if column.endswith(suffix)), "")


def _short(value: float) -> str:
    for power, name in ((30, "Gi"), (20, "Mi"), (10, "Ki")):
        if value >= 2**power and value % 2**power == 0:
            return f"{value / 2**power:g}{name}"
    return f"{value:.3g}"


def _wide(values: list[Any]) -> bool:
    return bool(values) and min(values) > 0 and max(values) >= 30 * min(values)
