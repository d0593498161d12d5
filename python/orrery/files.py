"""Files that this package writes: what the system refuses is an orrery.Error, as every refusal is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import InputError

_SHOWN = 80


def shown(value: object) -> str:
    """For a message: at most 80 characters, also of a number that Python does not print."""
    try:
        text = str(value)
    except ValueError:  # Python prints no more than 4,300 digits
        text = "a number of thousands of digits"
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


@contextmanager
def using(where: str, path: str | Path) -> Iterator[None]:
    """What is done with a file or folder, and nothing else."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{where}: '{_end(path)}' cannot be used ({error.strerror or error}). Choose another name?") from error
    except ValueError as error:  # a NUL, or half of a character
        raise InputError(f"{where}: {_end(path)!r} is no name of a file ({error}). Choose another name?") from error


def written(where: str, path: str | Path, text: str) -> Path:
    """The file, with this text and no other line ends than its own."""
    with using(where, path):
        file = Path(path)
        file.write_text(text, newline="")
        return file


def made(where: str, path: str | Path) -> Path:
    """The folder, which is there now."""
    with using(where, path):
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        return folder


def _end(path: str | Path) -> str:
    """The end of a long path says more than its beginning."""
    text = str(path)
    return text if len(text) <= _SHOWN else "..." + text[3 - _SHOWN :]
