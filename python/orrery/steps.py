"""A program as a Python generator: what one rank does, in MPI order.

    from orrery import steps

    def halo(rank, ranks):
        for k in range(10):
            yield steps.phase("communication", iteration=k)
            right = steps.isend((rank + 1) % ranks, 64 * 1024)
            left = steps.irecv((rank - 1) % ranks, 64 * 1024)
            yield right
            yield left
            yield steps.wait_all()
            yield steps.phase("computation")
            yield steps.compute(0.002)

    orrery.simulate("fermi", "infiniband", steps.Program(halo, ranks=16), per_node=4)

The generator is asked once for each rank, and its steps are written as a trace (docs/traces.md), which is a kernel like any other.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Union

from .errors import InputError
from .files import shown, using

ANY_RANK, ANY_TAG = -555, -444
_SPEED = 1e9  # flop/s of the hosts that a trace in seconds is written for
_BYTE = 6  # MPI's type, as SMPI numbers it


@dataclass(frozen=True)
class Step:
    """One step; made by the functions below."""

    call: str
    numbers: tuple[float, ...] = ()
    word: str = ""
    peer: int | None = None  # whose number must be one of the ranks, or of `among`
    among: tuple[int, ...] | None = None  # the ranks of a collective, where it is not of all

    def __bool__(self) -> bool:  # 'if steps.isend(...)' is a slip: a step does something only when it is yielded
        raise TypeError("a step is not a truth value. Yield it?")


def compute(seconds: float) -> Step:
    """Computes for so long, whatever the host. A program says all its computing in seconds, or all of it in flops."""
    return Step("compute", (_number("compute", seconds, "seconds"),), "seconds")


def flops(amount: float) -> Step:
    """Computes so many flops, at the speed of the rank's host."""
    return Step("compute", (_number("flops", amount, "flops"),), "flops")


def send(to: int, size_B: int, tag: int = 0) -> Step:
    return Step("send", (to, tag, _bytes("send", size_B)), peer=to)


def recv(sender: int, size_B: int, tag: int = 0) -> Step:
    """`sender` may be ANY_RANK, `tag` ANY_TAG."""
    return Step("recv", (sender, tag, _bytes("recv", size_B)), peer=sender)


def isend(to: int, size_B: int, tag: int = 0) -> Step:
    return Step("isend", (to, tag, _bytes("isend", size_B)), peer=to)


def irecv(sender: int, size_B: int, tag: int = 0) -> Step:
    return Step("irecv", (sender, tag, _bytes("irecv", size_B)), peer=sender)


def wait(request: Step) -> Step:
    """For a step that `isend` or `irecv` made and that was yielded before; of equal ones the oldest."""
    if not isinstance(request, Step) or request.call not in ("isend", "irecv"):
        raise InputError(f"wait: '{request}' is no request (what isend or irecv returned). Wait for that?")
    return Step(f"wait-{request.call}", request.numbers[:2])


def wait_all() -> Step:
    """For everything that is open."""
    return Step("waitall")


Among = Union[Sequence[int], None]


def barrier(among: Among = None) -> Step:
    """This and the following collectives: of all ranks, or of those of `among`, in the order of their communicator."""
    return _collective("barrier", (), among)


def bcast(size_B: int, root: int = 0, among: Among = None) -> Step:
    """`root` counts in `among`, as MPI counts in a communicator."""
    return _collective("bcast", (_bytes("bcast", size_B), root, _BYTE), among, root)


def reduce(size_B: int, root: int = 0, among: Among = None) -> Step:
    return _collective("reduce", (_bytes("reduce", size_B), 0, root, _BYTE), among, root)


def allreduce(size_B: int, among: Among = None) -> Step:
    return _collective("allreduce", (_bytes("allreduce", size_B), 0, _BYTE), among)


def alltoall(size_B: int, among: Among = None) -> Step:
    """`size_B` from each rank to each."""
    return _collective("alltoall", (_bytes("alltoall", size_B), size_B, _BYTE, _BYTE), among)


def allgather(size_B: int, among: Among = None) -> Step:
    """`size_B` of each rank."""
    return _collective("allgather", (_bytes("allgather", size_B), size_B, _BYTE, _BYTE), among)


def gather(size_B: int, root: int = 0, among: Among = None) -> Step:
    """`size_B` of each rank."""
    return _collective("gather", (_bytes("gather", size_B), size_B, root, _BYTE, _BYTE), among, root)


def scatter(size_B: int, root: int = 0, among: Among = None) -> Step:
    """`size_B` to each rank."""
    return _collective("scatter", (_bytes("scatter", size_B), size_B, root, _BYTE, _BYTE), among, root)


def _collective(call: str, numbers: tuple[float, ...], among: Among, root: int | None = None) -> Step:
    return Step(call, numbers, peer=root, among=None if among is None else tuple(among))


def phase(name: str, iteration: int | None = None) -> Step:
    """What follows belongs to this phase: results and models group steps by it. Phase "communication" is compared."""
    if not re.fullmatch(r"\S+", name):
        raise InputError(f"phase: '{name}' is not one word (results are grouped by it). Write '{'-'.join(name.split())}'?")
    if iteration is not None and not 0 <= iteration.__index__() < 2**32 - 1:
        raise InputError(f"phase: iteration '{iteration}' is no number of one (0 or more). Count from 0?")
    return Step("phase", () if iteration is None else (iteration.__index__(),), name)


Generator = Callable[[int, int], Iterable[Step]]


class Program:
    """A program for `kernel=`: what `function(rank, ranks)` yields for each rank, as a trace.

    path  the trace: kept where it is said, else as long as this object
    """

    def __init__(self, function: Generator, ranks: int, path: str | Path | None = None) -> None:
        if ranks < 1:
            raise InputError(f"Program: '{ranks}' ranks are too few (1 or more). Give their number?")
        self.ranks = ranks
        self.name = str(getattr(function, "__name__", "program")).strip("<>")
        self._keeper: Any = None
        if path is None:
            self._keeper = tempfile.TemporaryDirectory(prefix="orrery-")
            path = Path(self._keeper.name) / f"{self.name}.ti"
        with using("Program", path):
            self.path = Path(path)
            file = self.path.open("w")
        with file:
            seconds = _Clock()
            for rank in range(ranks):
                text = "".join(_lines(function, rank, ranks, seconds))
                with using("Program", path):
                    file.write(text)

    def kernel(self, **parameters: Any) -> dict[str, Any]:
        """As kernel of a scenario, with parameters of 'orrery show kernel trace': kernel(collectives="mpich")."""
        return {"name": "trace", "file": str(self.path.resolve()), **parameters}

    def as_setting(self) -> dict[str, Any]:
        return self.kernel()

    def __repr__(self) -> str:
        return f"Program({self.name}, ranks={self.ranks}, path='{self.path}')"


@dataclass
class _Clock:
    """Whether the program counts in seconds or in flops: a trace has one speed. And the numbers of its communicators."""

    unit: str = ""
    communicators: dict[tuple[int, ...], int] = field(default_factory=dict)


def _lines(function: Generator, rank: int, ranks: int, clock: _Clock) -> Iterable[str]:
    if rank == 0:
        yield f"#orrery 0 speed {_SPEED:g}\n" if _in_seconds(function, ranks, clock) else ""
    yield f"{rank} init\n"
    iteration: tuple[float, ...] = ()
    for number, step in enumerate(_steps_of(function, rank, ranks)):
        at = f"rank {rank}, step {number + 1}"
        if not isinstance(step, Step):
            raise InputError(f"{at}: '{step!r}' is no step (what functions of orrery.steps return). Yield one?")
        if step.among is not None:
            _require_communicator(step, rank, ranks, at)
            number = clock.communicators.setdefault(step.among, len(clock.communicators) + 1)
            yield f"#orrery {rank} on {number} {','.join(map(str, step.among))}\n"
        elif step.peer is not None and step.peer != ANY_RANK and not 0 <= step.peer < ranks:
            raise InputError(f"{at}: {step.call} names rank '{step.peer}' (ranks are 0 to {ranks - 1}). Take it modulo {ranks}?")
        if step.call == "compute" and clock.unit != step.word:
            raise InputError(f"{at}: computes '{step.word}', other steps {clock.unit} (a program has one of the two). Use one?")
        if step.call == "phase" and step.numbers and step.numbers != iteration:
            iteration = step.numbers
            yield f"#orrery {rank} iteration {iteration[0]:.0f}\n"
        yield from _line(step, rank)
    yield f"{rank} finalize\n"


def _steps_of(function: Generator, rank: int, ranks: int) -> Iterable[Step]:
    steps = function(rank, ranks)
    if not isinstance(steps, Iterable):
        name = getattr(function, "__name__", "program")
        raise InputError(f"{name}: returns '{steps!r}' for rank {rank} (a generator of steps). Yield each step?")
    return steps


def _require_communicator(step: Step, rank: int, ranks: int, at: str) -> None:
    among = step.among or ()
    if rank not in among or len(set(among)) < len(among) or not all(0 <= one < ranks for one in among):
        raise InputError(
            f"{at}: {step.call} is among ranks '{', '.join(map(str, among))}' (each once, of 0 to {ranks - 1}, with rank {rank} itself). "
            "Correct them?"
        )
    if step.peer is not None and not 0 <= step.peer < len(among):
        raise InputError(f"{at}: {step.call} has root '{step.peer}' (it counts in its {len(among)} ranks, from 0). Take it modulo {len(among)}?")


def _in_seconds(function: Generator, ranks: int, clock: _Clock) -> bool:
    """By the first computing step of any rank; a program without any counts in nothing."""
    for rank in range(ranks):
        for step in _steps_of(function, rank, ranks):
            if isinstance(step, Step) and step.call == "compute":
                clock.unit = step.word
                return step.word == "seconds"
    return False


def _line(step: Step, rank: int) -> Iterable[str]:
    if step.call == "phase":
        yield f"#orrery {rank} phase {step.word}\n"
    elif step.call == "compute":
        amount = step.numbers[0] * (_SPEED if step.word == "seconds" else 1.0)
        yield f"{rank} compute {amount!r}\n"
    elif step.call == "wait-isend":
        yield f"{rank} wait {rank} {step.numbers[0]} {step.numbers[1]}\n"
    elif step.call == "wait-irecv":
        yield f"{rank} wait {step.numbers[0]} {rank} {step.numbers[1]}\n"
    else:
        yield " ".join([str(rank), step.call, *map(str, step.numbers)]) + "\n"


def _number(call: str, value: float, unit: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) and not hasattr(value, "__float__"):
        raise InputError(f"{call}: '{shown(value)}' is no number of {unit}. Give one?")
    try:
        number = float(value)
    except OverflowError:
        number = float("inf")
    if not 0.0 <= number < float("inf"):
        raise InputError(f"{call}: '{number}' {unit} (0 or more). Give how long it takes?")
    return number


def _bytes(call: str, value: int) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__") or not 0 <= value < 2**63:
        raise InputError(f"{call}: '{shown(value)}' is no size in bytes (a whole number from 0 to 2^63 - 1). Round it?")
    return int(value)


__all__: Union[list[str], tuple[str, ...]] = [
    "ANY_RANK", "ANY_TAG", "Program", "Step", "allgather", "allreduce", "alltoall", "barrier", "bcast", "compute", "flops",
    "gather", "irecv", "isend", "phase", "recv", "reduce", "scatter", "send", "wait", "wait_all",
]  # fmt: skip
