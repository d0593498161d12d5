"""The orrery program: where it is, and how it is run so that Ctrl-C ends it and nothing it does ends this Python."""

from __future__ import annotations

import errno
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional

from .errors import InputError, InternalError, Interrupted, ProgramMissing, error_of
from .files import shown

Event = dict[str, Any]
Listener = Optional[Callable[[Event], None]]

_GRACE_S = 20.0  # from Ctrl-C until a program that does not end is killed


def program() -> Path:
    """The program that is run: what ORRERY names, the clone this package lies in, an installed one.

    Never one that a folder above the present one has: others may write there.
    """
    if named := os.environ.get("ORRERY"):
        return _named(Path(named).expanduser())
    clone = Path(__file__).resolve().parents[2]
    if built := _built_in(clone):
        return built
    beside = Path(sys.prefix) / "bin" / "orrery"
    if beside.is_file() and os.access(beside, os.X_OK):
        return beside
    if on_path := shutil.which("orrery"):
        return Path(on_path)
    if _is_clone(clone):
        raise ProgramMissing(f"orrery: '{clone}' is not built yet. Run './orrery --version' there once?")
    raise ProgramMissing(
        "orrery: there is no such program (ORRERY is not set, PATH has none). Run './orrery install' in a clone, or set "
        "ORRERY to the clone?"
    )


def version() -> str:
    """Of the program, as in "0.1.0"."""
    return call(["--version"]).stdout.decode().split()[-1]


def _is_clone(folder: Path) -> bool:
    return (folder / "orrery").is_file() and (folder / "platforms").is_dir() and (folder / "sim").is_dir()


def _built_in(folder: Path) -> Path | None:
    built = folder / "build" / "release" / "bin" / "orrery"
    return built if _is_clone(folder) and built.is_file() else None


def _named(path: Path) -> Path:
    if path.is_dir():
        if built := _built_in(path):
            return built
        raise ProgramMissing(f"ORRERY: '{path}' is no clone that was built. Run './orrery --version' there once?")
    if path.is_file() and os.access(path, os.X_OK):
        return path
    if found := shutil.which(str(path)):
        return Path(found)
    raise ProgramMissing(f"ORRERY: '{path}' is no program. Unset it, or name a clone?")


@dataclass
class Answer:
    """What a finished program said."""

    stdout: bytes
    stderr: str
    exit_code: int
    message: str  # of the error it ended with, or nothing
    refusal: dict[str, Any] | None = None  # its fields


def call(arguments: Sequence[str], listen: Listener = None, allowed: Sequence[int] = (0,)) -> Answer:
    """Runs the program to its end and returns what it printed; `listen` hears its progress.

    Raises the exception of its exit code unless that is allowed, and Interrupted on Ctrl-C, once the program has ended.
    """
    command = [str(program()), *arguments]
    answer, interrupted = _run(command, listen)
    if interrupted or answer.exit_code in (130, -signal.SIGINT, -signal.SIGTERM):
        raise Interrupted(answer.message or "interrupted", (answer.refusal or {}).get("problem"))
    if answer.exit_code < 0:
        name = signal.Signals(-answer.exit_code).name
        raise InternalError(f"orrery: was ended by {name}: {' '.join(command)}")
    if answer.exit_code not in allowed:
        raise error_of(answer.exit_code, answer.message, answer.refusal)
    return answer


def _run(command: list[str], listen: Listener) -> tuple[Answer, bool]:
    hear, tell = os.pipe()
    try:
        # A group of its own: a terminal's Ctrl-C reaches this Python alone, which hands it on once (a second would kill).
        # When this Python dies the pipe breaks, which ends the program.
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(tell,),
            process_group=0,
            env={**os.environ, "ORRERY_EVENTS": str(tell)},
        )
    except ValueError as error:  # a NUL, or half of a character
        os.close(hear)
        wrong = next((word for word in command if "\0" in word or not _is_text(word)), "")
        raise InputError(f"orrery: {shown(wrong)!r} cannot be given to a program ({error}). Write it otherwise?") from error
    except OSError as error:
        os.close(hear)
        if error.errno == errno.E2BIG:
            size = sum(len(word) for word in command)
            raise InputError(f"orrery: {size} characters are too many for a command ({error.strerror}). Write a scenario file?") from error
        raise ProgramMissing(f"orrery: '{command[0]}' cannot be run ({error.strerror}). Build it again?") from error
    finally:
        os.close(tell)
    conversation = _Conversation(child, hear, listen)
    try:
        conversation.hold()
    except BaseException:
        conversation.kill()
        raise
    finally:
        conversation.close()
    return conversation.answer(), conversation.interrupted


def _is_text(word: str) -> bool:
    try:
        os.fsencode(word)
    except UnicodeError:
        return False
    return True


class _Conversation:
    """Reads everything a program says until it has ended; Ctrl-C is handed on to it."""

    def __init__(self, child: subprocess.Popen[bytes], hear: int, listen: Listener) -> None:
        assert child.stdout is not None and child.stderr is not None
        self._child, self._listen, self._hear = child, listen, hear
        self._said: dict[int, list[bytes]] = {child.stdout.fileno(): [], child.stderr.fileno(): [], hear: []}
        self._out, self._err = child.stdout.fileno(), child.stderr.fileno()
        self._line = b""
        self._refusal: dict[str, Any] | None = None
        self._stop_by: float | None = None
        self.interrupted = False

    def hold(self) -> None:
        with selectors.DefaultSelector() as selector:
            for number in self._said:
                selector.register(number, selectors.EVENT_READ)
            while selector.get_map():
                try:
                    self._read(selector)
                except KeyboardInterrupt:
                    self._hand_on()
                if self._stop_by is not None and time.monotonic() > self._stop_by:
                    self.kill()
        while True:
            try:
                self._child.wait()
                return
            except KeyboardInterrupt:
                self._hand_on()

    def _hand_on(self) -> None:
        if self.interrupted:  # asked twice: it shall end at once
            self.kill()
        else:
            self.interrupted = True
            self._stop_by = time.monotonic() + _GRACE_S
            self._child.send_signal(signal.SIGINT)

    def _read(self, selector: selectors.BaseSelector) -> None:
        for key, _ in selector.select(timeout=0.5):
            data = os.read(key.fd, 1 << 16)
            if not data:
                selector.unregister(key.fd)
            elif key.fd == self._hear:
                self._events(data)
            else:
                self._said[key.fd].append(data)

    def _events(self, data: bytes) -> None:
        *lines, self._line = (self._line + data).split(b"\n")
        for line in lines:
            event = json.loads(line)
            if event["event"] == "error":
                # A program of another version has no fields.
                self._refusal = event.get("refusal") or {"message": event.get("message", "")}
            elif self._listen is not None and not self.interrupted:
                self._listen(event)

    def kill(self) -> None:
        try:
            os.killpg(self._child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def close(self) -> None:
        self._child.wait()
        os.close(self._hear)
        for stream in (self._child.stdout, self._child.stderr):
            if stream is not None:
                stream.close()

    def answer(self) -> Answer:
        stderr = b"".join(self._said[self._err]).decode(errors="replace")
        code = self._child.returncode
        message = self._refusal["message"] if self._refusal else stderr.strip() if code else ""
        return Answer(b"".join(self._said[self._out]), stderr, code, message, self._refusal)
