"""Python values as YAML on one line, as scenario files and --set take them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from typing import Any

from .errors import InputError
from .files import shown

_PLAIN = re.compile(r"[A-Za-z0-9./][A-Za-z0-9_./%+-]*")
_WORDS = {"null", "true", "false", "yes", "no", "on", "off", "~"}


def flow(value: Any, where: str) -> str:
    """{"name": "wave2d", "points": 512} as {name: wave2d, points: 512}."""
    if hasattr(value, "as_setting"):
        return flow(value.as_setting(), where)
    if hasattr(value, "tolist"):  # of numpy, whose numbers are floats that show themselves otherwise
        return flow(value.tolist(), where)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) >= 10**300:
        raise InputError(f"{where}: is '{shown(value)}' (a number has at most 300 digits). Write a smaller one?")
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, os.PathLike):
        return flow(os.fspath(value), where)
    if isinstance(value, str):
        plain = _PLAIN.fullmatch(value) and value.lower() not in _WORDS
        return value if plain else json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{flow(str(key), where)}: {flow(one, f'{where}.{key}')}" for key, one in value.items()) + "}"
    if isinstance(value, (list, tuple, range)):
        return "[" + ", ".join(flow(one, where) for one in value) + "]"
    raise InputError(
        f"{where}: is '{value!r}' of type {type(value).__name__} (values are numbers, words, lists and dictionaries). Write a word?"
    )
