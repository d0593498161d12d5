"""Who gets which blocks of a kernel's grid, by a function of one's own.

    def by_speed(problem):
        "Slices of the columns in proportion to the speeds."
        edges = [round(problem.columns * sum(problem.speeds[:r]) / sum(problem.speeds)) for r in range(problem.ranks + 1)]
        return [(a, 0, b - a, problem.rows) for a, b in zip(edges, edges[1:])]

    mine = orrery.partition(by_speed, platform="fermi", kernel={"name": "summa", "blocks": 64}, ranks=16, per_node=4)
    s.sweep({"partition": [mine, {"algorithm": "beaumont-columns"}]})
"""

from __future__ import annotations

import html
import json
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from .errors import InputError
from .files import written
from .flow import flow
from .child import call


class Rectangle(NamedTuple):
    """Blocks of one rank: `width` columns from `x` on, `height` rows from `y` on."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True)
class Problem:
    """What a partitioner knows: a grid of blocks, and how fast each rank is."""

    columns: int
    rows: int
    speeds: list[float]  # [ranks] flop/s, by the compute model
    nodes: list[str]  # [ranks] name of the node

    @property
    def ranks(self) -> int:
        return len(self.speeds)


Function = Callable[[Problem], Iterable[Sequence[int]]]


class Partition:
    """Rectangles by rank, as a file (.2dist) for `partition=` of a scenario."""

    def __init__(self, name: str, problem: Problem, rectangles: Iterable[Sequence[int]], path: str | Path | None = None) -> None:
        self.name, self.problem = name, problem
        self.rectangles = [_rectangle(name, rank, one) for rank, one in enumerate(rectangles)]
        if len(self.rectangles) != problem.ranks:
            given = len(self.rectangles)
            raise InputError(f"{name}: gives '{given}' rectangles (one for each of {problem.ranks} ranks). Add the others?")
        self._refuse_wrong_cover()
        self._keeper: Any = None
        if path is None:
            self._keeper = tempfile.TemporaryDirectory(prefix="orrery-")
            path = Path(self._keeper.name) / f"{name}.2dist"
        self.path = written(name, path, self._text())

    def as_setting(self) -> dict[str, str]:
        """As `partition` of a scenario."""
        return {"file": str(self.path.resolve())}

    @property
    def imbalance(self) -> float:
        """By how much the slowest rank takes longer than with a perfect split by these speeds: 0.1 is 10 %."""
        blocks, speed = self.problem.columns * self.problem.rows, sum(self.problem.speeds)
        shares = zip(self.rectangles, self.problem.speeds)
        return max((r.width * r.height / blocks) / (s / speed) for r, s in shares) - 1

    @property
    def half_perimeters(self) -> int:
        """Sum of widths and heights in blocks: what the ranks of a matrix product exchange."""
        return sum(r.width + r.height for r in self.rectangles if r.width * r.height)

    def _refuse_wrong_cover(self) -> None:
        columns, rows = self.problem.columns, self.problem.rows
        owner: dict[tuple[int, int], int] = {}
        for rank, r in enumerate(self.rectangles):
            if r.x < 0 or r.y < 0 or r.width < 0 or r.height < 0 or r.x + r.width > columns or r.y + r.height > rows:
                raise InputError(f"{self.name}: rank {rank} gets '{tuple(r)}', outside the grid of {columns} x {rows} blocks. Cut it?")
            for x in range(r.x, r.x + r.width):
                for y in range(r.y, r.y + r.height):
                    if (x, y) in owner:
                        raise InputError(
                            f"{self.name}: block ({x}, {y}) belongs to rank {owner[x, y]} and rank {rank} (each to one). Move an edge?"
                        )
                    owner[x, y] = rank
        if len(owner) < columns * rows:
            x, y = next((x, y) for x in range(columns) for y in range(rows) if (x, y) not in owner)
            raise InputError(f"{self.name}: block ({x}, {y}) belongs to no rank (each to one). Extend a rectangle?")

    def _text(self) -> str:
        p = self.problem
        size = f"{p.columns}" if p.columns == p.rows else f"{p.columns} {p.rows}"
        lines = [f"#size {p.ranks}", f"#N {size}", "#kb 1", "#host rank_intra i j x y w h w*h mem time"]
        seen: dict[str, int] = {}
        for node, r in zip(p.nodes, self.rectangles):
            seen[node] = seen.get(node, -1) + 1
            lines.append(f"{node} {seen[node]} 0 0 {r.x} {r.y} {r.width} {r.height} {r.width * r.height} 0 0")
        return "\n".join(lines) + "\n"

    def __repr__(self) -> str:
        p = self.problem
        return (
            f"{self.name}: {p.columns} x {p.rows} blocks on {p.ranks} ranks, half-perimeters {self.half_perimeters}, "
            f"slowest {100 * self.imbalance:.2f} % over a perfect split"
        )

    def _repr_html_(self) -> str:
        p = self.problem
        scale = 240 / max(p.columns, p.rows)
        shapes = ""
        for rank, r in enumerate(self.rectangles):
            if r.width * r.height == 0:
                continue
            x, y, w, h = (scale * value for value in r)
            colour = f"hsl({rank * 67 % 360},50%,80%)"
            shapes += f'<rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" fill="{colour}" stroke="#333"/>'
            shapes += f'<text x="{x + w / 2:.1f}" y="{y + h / 2 + 4:.1f}" font-size="11" text-anchor="middle">{rank}</text>'
        svg = f'<svg width="{scale * p.columns:.0f}" height="{scale * p.rows:.0f}">{shapes}</svg>'
        return f"<p>{html.escape(repr(self))}</p>{svg}"


def problem(
    platform: str | Path, kernel: str | Mapping[str, Any], *, ranks: int | None = None, per_node: int | None = None, layout: str = ""
) -> Problem:
    """The grid of a kernel, and the speeds of the ranks on a platform; `layout` is TABLE:ROW."""
    spec = {"name": kernel} if isinstance(kernel, str) else dict(kernel)
    arguments = ["partition", "--format", "json", "--platform", str(platform), "--kernel", str(spec.pop("name"))]
    for key, value in spec.items():
        arguments += ["--param", f"{key}={flow(value, key)}"]
    for option, given in (("--ranks", ranks), ("--per-node", per_node), ("--layout", layout or None)):
        if given is not None:
            arguments += [option, str(given)]
    points = json.loads(call(arguments).stdout)["points"]  # one a rank
    values = [{metric["name"]: metric["value"] for metric in point["metrics"]} for point in points]
    columns, rows = (max(round(v[at] + v[side]) for v in values) for at, side in (("x", "width"), ("y", "height")))
    return Problem(columns, rows, [1e9 * v["Gflop/s"] for v in values], [dict(point["settings"])["node"] for point in points])


def partition(
    function: Function,
    platform: str | Path,
    kernel: str | Mapping[str, Any],
    *,
    ranks: int | None = None,
    per_node: int | None = None,
    layout: str = "",
    path: str | Path | None = None,
) -> Partition:
    """Asks `function` who gets what. It returns (x, y, width, height) for each rank, in blocks."""
    asked = problem(platform, kernel, ranks=ranks, per_node=per_node, layout=layout)
    name = str(getattr(function, "__name__", "mine")).strip("<>").replace("_", "-")
    return Partition(name, asked, function(asked), path)


def _rectangle(name: str, rank: int, one: Sequence[int]) -> Rectangle:
    try:
        x, y, width, height = one
        whole = [value.__index__() for value in (x, y, width, height)]
    except (TypeError, ValueError, AttributeError):
        raise InputError(f"{name}: rank {rank} gets '{one!r}' (x, y, width and height in whole blocks). Round them?") from None
    return Rectangle(*whole)
