"""What the program refuses, as exceptions: the message as it stands on a terminal, and its parts as fields.

    >>> error = InputError.of("mine.yaml:42:14: 'latency' is '1.3' without a unit (ns, us, ms, s, min, h). Write '1.3us'?")
    >>> error.file, error.line, error.column, error.value, error.remedy
    ('mine.yaml', 42, 14, '1.3', "Write '1.3us'?")
"""

from __future__ import annotations

import re

_PLACE = re.compile(r"(?P<file>[^:\n]+):(?P<line>\d+)(?::(?P<column>\d+))?: ")
_WHERE = re.compile(r"(?P<where>[^:\n']+): ")
_VALUES = (re.compile(r"\bis '([^']*)'"), re.compile(r"\bhas [^'(]*'([^']*)'"), re.compile(r"'([^']*)'"))
_SENTENCE = re.compile(r"[.)] (?=[A-Z][^?]*\?\s*$)")


class Error(Exception):
    """Something the program refused or could not do.

    message    the whole text, as a terminal shows it
    exit_code  of the program; 0 when the program was not asked
    where      what the message is about: a place in a file, an option, a kernel
    file, line, column   the place, where it is one; else None
    value      the value that is wrong, where the message has one
    remedy     what the message suggests, where it does
    """

    exit_code = 0

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        self.where: str | None = None
        self.file: str | None = None
        self.line: int | None = None
        self.column: int | None = None
        place = _PLACE.match(message)
        if place:
            self.where = place.group(0)[:-2]
            self.file, self.line = place["file"], int(place["line"])
            self.column = int(place["column"]) if place["column"] else None
        elif where := _WHERE.match(message):
            self.where = where["where"]
        said = message[len(self.where) + 2 :] if self.where else message
        self.remedy = _remedy(said)
        self.value = _value(said[: -len(self.remedy)] if self.remedy else said)

    @classmethod
    def of(cls, message: str) -> Error:
        return cls(message)


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

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class PointsFailed(UserWarning):
    """Some points could not finish; column `failure` of the runs says why. The others are in the result."""


_KINDS = {kind.exit_code: kind for kind in (InputError, DomainError, ReplayError, BoundError, NotPossible)}


def error_of(exit_code: int, message: str) -> Error:
    """The exception for the exit code of the program."""
    return _KINDS.get(exit_code, InternalError).of(message)


def _remedy(said: str) -> str | None:
    text = said.rstrip()
    if not text.endswith("?"):
        return None
    starts = [match.end() for match in _SENTENCE.finditer(text)]
    return text[starts[-1] :] if starts else None


def _value(said: str) -> str | None:
    for form in _VALUES:
        if found := form.search(said):
            return found[1]
    return None
