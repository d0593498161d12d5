"""What a model sees of a program, and a model of one's own as a function of it.

    def one_card(phase, point):
        "Every node's card carries one message at a time."
        busy = collections.Counter()
        for m in phase.messages:
            if not point.same_node(m.sender, m.receiver):
                for rank in (m.sender, m.receiver):
                    busy[point.nodes_of_ranks[rank]] += point.latency_s + m.size_B / point.bandwidth_B_per_s
        return max(busy.values(), default=0.0)

    orrery.Scenario("halo.yaml").set("models", ["hloggp", one_card]).run()
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from .errors import InputError
from .files import shown, written
from .progress import Bar
from .child import call


class Message(NamedTuple):
    """One transmission of a phase."""

    sender: int
    receiver: int
    size_B: float
    repeat: int  # a train of so many equal messages; size_B is all of it
    stage: int  # number of its stage in Phase.stages, or its dependency level
    blocking: bool
    overlapped: bool  # its sender computed while it was under way
    collective: int | None  # number in Phase.collectives
    after: list[int]  # messages of the phase that end before this one starts


class Compute(NamedTuple):
    """A compute step of one rank, and the time that the scenario's compute model gives it."""

    rank: int
    work: str
    size_flop: float
    time_s: float
    repeat: int
    overlapped: bool


class Collective(NamedTuple):
    operation: str
    algorithm: str
    size_B: float
    root: int
    ranks: list[int]


class Stage(NamedTuple):
    name: str
    composition: str  # "sequence" or "set"


@dataclass(frozen=True)
class Phase:
    """Messages and computing of one iteration; `repeat` consecutive iterations are just like it."""

    name: str
    repeat: int
    first_iteration: int
    ranks: int
    stages: list[Stage]
    messages: list[Message] = field(repr=False)
    computes: list[Compute] = field(repr=False)
    collectives: list[Collective] = field(repr=False)


@dataclass(frozen=True)
class Point:
    """A point of a scenario: its settings, its machine, and the phases of its program."""

    settings: dict[str, str]  # what distinguishes it, as the scenario writes it
    values: dict[str, str]  # every value of the scenario by path
    kernel: str
    platform: str
    network: str
    latency_s: float  # of that network
    bandwidth_B_per_s: float  # of an adapter, each direction
    compared_phase: str
    nodes_of_ranks: list[int]
    phases: list[Phase] = field(repr=False)

    @property
    def ranks(self) -> int:
        return len(self.nodes_of_ranks)

    def same_node(self, a: int, b: int) -> bool:
        return self.nodes_of_ranks[a] == self.nodes_of_ranks[b]


Function = Callable[[Phase, Point], float]


@dataclass(frozen=True)
class Model:
    """A function that says how many seconds one repetition of a phase takes.

    whole_run  its times of all phases are added up and stand beside the makespan; else only the compared phase is asked
    """

    function: Function
    name: str
    whole_run: bool = False

    def time_s(self, point: Point) -> float:
        """Of the compared phase, or the whole run."""
        total = 0.0
        for phase in point.phases:
            if self.whole_run or phase.name == point.compared_phase:
                total += phase.repeat * self._of(phase, point)
        return total

    def _of(self, phase: Phase, point: Point) -> float:
        time = self.function(phase, point)
        if not isinstance(time, (int, float)) and hasattr(time, "item"):
            time = time.item()
        if isinstance(time, bool) or not isinstance(time, (int, float)) or not _is_time(time):
            raise InputError(
                f"{self.name}: says '{shown(time)}' of phase {phase.name} at {point.settings or 'the only point'} (seconds, 0 or more). "
                "Return a number?"
            )
        return float(time)


def _is_time(value: float) -> bool:
    try:
        return math.isfinite(value) and value >= 0
    except OverflowError:  # a whole number beyond what a float holds
        return False


def model(function: Function | None = None, *, name: str | None = None, whole_run: bool = False) -> Any:
    """As a decorator: @orrery.model, or @orrery.model(name="one-card", whole_run=True)."""

    def made(one: Function) -> Model:
        return Model(one, name or model_name(one), whole_run)

    return made if function is None else made(function)


def model_name(function: Any) -> str:
    """one_card as "one-card"; tables and files call it so."""
    name = str(getattr(function, "__name__", type(function).__name__)).strip("<>").replace("_", "-").lower()
    return name or "mine"


def read_phases(arguments: Sequence[str], progress: bool = True) -> list[Point]:
    """Of `orrery show phases` with these arguments."""
    with Bar(progress) as bar:
        answer = call(["show", "phases", *arguments], listen=bar)
    return [_point(one) for one in json.loads(answer.stdout)["points"]]


def write_predictions(path: Path, one: Model, points: Sequence[Point]) -> None:
    """The CSV that `predictions:` of a scenario reads: a row a point."""
    axes = list(dict.fromkeys(key for point in points for key in point.settings))
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([*axes, "phase", "time_s"])
    for point in points:
        cells = [point.settings.get(axis, "*") for axis in axes]
        phase = "run" if one.whole_run else point.compared_phase
        writer.writerow([*cells, phase, repr(one.time_s(point))])
    written(f"model {shown(one.name)}", path, out.getvalue())


def _point(data: dict[str, Any]) -> Point:
    network = data["network"]
    return Point(
        settings=dict(data["settings"]),
        values=data["values"],
        kernel=data["kernel"],
        platform=data["platform"],
        network=network["name"],
        latency_s=network["latency_s"],
        bandwidth_B_per_s=network["bandwidth_B_per_s"],
        compared_phase=data["compared_phase"],
        nodes_of_ranks=data["nodes_of_ranks"],
        phases=[_phase(phase) for phase in data["phases"]],
    )


def _phase(data: dict[str, Any]) -> Phase:
    return Phase(
        name=data["name"],
        repeat=data["repeat"],
        first_iteration=data["first_iteration"],
        ranks=data["ranks"],
        stages=[Stage(*stage) for stage in data["stages"]],
        messages=[Message(*row) for row in data["messages"]["rows"]],
        computes=[Compute(*row) for row in data["computes"]["rows"]],
        collectives=[Collective(**one) for one in data["collectives"]],
    )
