"""A bar for long runs: in a terminal a line that is redrawn, in a notebook one that is updated, elsewhere nothing."""

from __future__ import annotations

import html
import shutil
import sys
import time
from typing import Any

from .child import Event

_SILENT_S = 0.5  # what ends sooner needs no bar


class Bar:
    """Shows the progress events of the program."""

    def __init__(self, wanted: bool = True) -> None:
        self._begin = time.monotonic()
        self._notebook = wanted and _in_notebook()
        self._terminal = wanted and not self._notebook and sys.stderr.isatty()
        self._handle: Any = None
        self._drawn = False

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if not self._drawn:
            return
        if self._terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        elif self._handle is not None:
            self._handle.update(_Html(""))

    def __call__(self, event: Event) -> None:
        if not (self._notebook or self._terminal) or time.monotonic() - self._begin < _SILENT_S:
            return
        share, words = share_of(event), words_of(event)
        if self._terminal:
            width = shutil.get_terminal_size().columns - 1
            filled = int(24 * share)
            line = f"[{'#' * filled}{'.' * (24 - filled)}] {words}"
            print(f"\r\033[K{line[:width]}", end="", file=sys.stderr, flush=True)
        else:
            shown = _Html(f'<progress value="{share:.3f}" max="1"></progress> {html.escape(words)}')
            if self._handle is None:
                from IPython.display import display  # only inside a notebook, which has it

                self._handle = display(shown, display_id=True)
            else:
                self._handle.update(shown)
        self._drawn = True


def share_of(event: Event) -> float:
    """How much is done, 0 to 1: by messages where they are counted, else by points."""
    expected = event.get("expected_messages") or 0
    if expected and event["messages"] <= expected:
        return float(event["messages"]) / float(expected)
    return float(event["done"]) / float(event["total"]) if event["total"] else 0.0


def words_of(event: Event) -> str:
    """ "simulating on flow 3/8, about 12 s left, 48,213 of 91,000 messages": a narrow terminal shows the first words."""
    text = f"{event['what']} {event['done']}/{event['total']}"
    share = share_of(event)
    if 0.02 < share < 1:
        text += f", about {event['elapsed_s'] * (1 - share) / share:.0f} s left"
    if event.get("expected_messages"):
        text += f", {event['messages']:,} of {event['expected_messages']:,} messages"
    return text


class _Html:
    def __init__(self, text: str) -> None:
        self._text = text

    def _repr_html_(self) -> str:
        return self._text


def _in_notebook() -> bool:
    shell: Any = sys.modules.get("IPython")
    current = shell.get_ipython() if shell is not None else None
    return current is not None and type(current).__name__ == "ZMQInteractiveShell"
