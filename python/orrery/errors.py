"""What the program refuses, as exceptions: the message as it stands on a terminal, and its parts as fields.

    >>> import orrery
    >>> try:
    ...     orrery.simulate("fermi", "infinband", "wave2d", ranks=4, per_node=1)
    ... except orrery.InputError as error:
    ...     print(error.line, error.value, error.remedy)
    2 infinband Did you mean 'infiniband'?

The program hands the fields over as data (sim/show/result/refusal_json.hpp). No sentence is taken apart here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Error(Exception):
    """Something the program refused or could not do.

    message    the whole text, as a terminal shows it
    exit_code  of the program; 0 when the program was not asked
    where      what the message is about: a place in a file, an option, a kernel
    file, line, column   the place, where it is one; else None
    subject    the key or option whose value is wrong, where there is one
    value      the value that is wrong
    problem    what is wrong with it
    rule       what holds there
    remedy     what the message suggests
    instead    the texts that may be written for the value, often none

    A field is None where the message has no such part, and for what this package refuses before it asks the program.
    """

    exit_code = 0

    def __init__(self, message: str, refusal: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        known: Mapping[str, Any] = refusal or {}
        self.message = message
        self.where: str | None = known.get("place")
        self.file: str | None = known.get("file")
        self.line: int | None = known.get("line")
        self.column: int | None = known.get("column")
        self.subject: str | None = known.get("subject")
        self.value: str | None = known.get("value")
        self.problem: str | None = known.get("problem")
        self.rule: str | None = known.get("rule")
        self.remedy: str | None = known.get("remedy")
        self.instead: list[str] = list(known.get("instead", ()))

    def moved(self, old: str, new: str, remedy: str | None = None) -> Error:
        """The same error about another file, with another remedy if one is given; in its message, too."""
        message = self.message.replace(old, new, 1)
        if remedy and self.remedy:
            message = message.replace(self.remedy, remedy, 1)
        error = type(self)(message)
        error.__dict__.update(self.__dict__, message=message)
        error.where = self.where.replace(old, new, 1) if self.where else None
        error.file = self.file.replace(old, new, 1) if self.file else None
        error.remedy = remedy or self.remedy
        return error


class InputError(Error):
    """A file, an option or an argument is wrong; the message says where."""

    exit_code = 2


class DomainError(Error):
    """A formula was used outside its range."""

    exit_code = 3


class ReplayError(Error):
    """A program cannot finish (a deadlock, say), or a simulation crashed."""

    exit_code = 4


class BoundError(Error):
    """A tolerance of the scenario is broken (`run(check=True)`)."""

    exit_code = 5


class NotPossible(Error):
    """Not possible on this machine, such as a package that cannot be installed."""

    exit_code = 77


class InternalError(Error):
    """A bug in Orrery: please report it. This Python goes on."""

    exit_code = 1


class ProgramMissing(Error):
    """No orrery program was found, or not the one that this package belongs to."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, or the stop button. What ended before is kept: `run_missing` goes on."""

    def __init__(self, message: str, problem: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.problem = problem  # what stopped and what is kept, without how a terminal goes on


class PointsFailed(UserWarning):
    """Some points could not finish; column `failure` of the runs says why. The others are in the result."""


_KINDS = {kind.exit_code: kind for kind in (InputError, DomainError, ReplayError, BoundError, NotPossible)}


def error_of(exit_code: int, message: str, refusal: Mapping[str, Any] | None = None) -> Error:
    """The exception for the exit code of the program."""
    return _KINDS.get(exit_code, InternalError)(message, refusal)
