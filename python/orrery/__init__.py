"""Orrery from Python: scenarios in, tidy tables out. Standard library only; the simulator runs as a program of its own.

    import orrery
    r = orrery.simulate("fermi", "infiniband", "wave2d", ranks=64, per_node=4)
    r.makespan_s, r.phases, r.links
"""

from . import steps
from .asking import scenario, simulate
from .errors import (
    BoundError,
    DomainError,
    Error,
    InputError,
    InternalError,
    Interrupted,
    NotPossible,
    PointsFailed,
    ProgramMissing,
    ReplayError,
)
from .fit import Fit
from .partitions import Partition, Problem, partition, problem
from .phases import Message, Model, Phase, Point, model
from .child import program, version
from .result import Result, load
from .scenarios import Scenario
from .steps import Program
from .table import Table

__version__ = "1.0.0-rc1"

__all__ = [
    "BoundError", "DomainError", "Error", "Fit", "InputError", "InternalError", "Interrupted", "Message", "Model", "NotPossible",
    "Partition", "Phase", "Point", "PointsFailed", "Problem", "Program", "ProgramMissing", "ReplayError", "Result", "Scenario",
    "Table", "load", "model", "partition", "problem", "program", "scenario", "simulate", "steps", "version",
]  # fmt: skip
