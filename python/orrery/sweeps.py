"""Values and axes of a scenario that is written in Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Union

from .errors import InputError

Axes = Mapping[str, Sequence[Any]]
Keys = dict[str, Any]


def checked(axes: Mapping[str, Union[Sequence[Any], Axes]]) -> Iterator[tuple[str, Any]]:
    """Each axis with the list of its values; of "zip" a dictionary of axes, or a list of such."""
    for key, values in axes.items():
        if key != "zip":
            yield key, _values(key, values)
            continue
        groups = [values] if isinstance(values, Mapping) else list(values) if isinstance(values, (list, tuple)) else []
        if not groups or not all(isinstance(group, Mapping) and group for group in groups):
            raise InputError(
                f"sweep: 'zip' is '{values}' (axes that take their values together, or a list of such). Write "
                '{"zip": {"layout.ranks": [2, 4], "kernel.points": [64, 128]}}?'
            )
        tied = [{path: _values(path, one) for path, one in group.items()} for group in groups]
        yield key, tied[0] if isinstance(values, Mapping) else tied


def _values(key: str, values: Any) -> list[Any]:
    if isinstance(values, (str, bytes, Mapping)) or not hasattr(values, "__iter__"):
        raise InputError(f"sweep: '{key}' is '{values}', not a list of values. Write [{values!r}]?")
    listed = list(values)
    if not listed:
        raise InputError(f"sweep: '{key}' has no values. Give one or more?")
    return listed


def add_axis(keys: Keys, key: str, values: list[Any]) -> None:
    """Replaces the values of an axis, in its 'zip' too; what has none is an axis of its own."""
    sweep = keys.setdefault("sweep", {})
    for group in _zips(sweep):
        if key in group:
            group[key] = values
            return
    sweep[key] = values


def assign(keys: Keys, path: str, value: Any) -> None:
    """As --set does: a value of a section that is a mere name moves into it, and a swept value is swept no more."""
    sweep = keys.get("sweep")
    if isinstance(sweep, dict):
        _end_axis(sweep, path)
    at = keys
    *sections, last = path.split(".")
    for word in sections:
        inner = at.get(word)
        if not isinstance(inner, dict):
            inner = {} if inner is None else {"name": inner}
            at[word] = inner
        at = inner
    at[last] = {"name": value} if path == "kernel" and isinstance(value, str) else value


def _end_axis(sweep: Keys, path: str) -> None:
    for axis in [*sweep, *(axis for group in _zips(sweep) for axis in group)]:
        if path.startswith(f"{axis}."):
            raise InputError(
                f"set: '{axis}' is a sweep axis and would overwrite '{path}' (only the whole axis can be set). Set '{axis}'?"
            )
    sweep.pop(path, None)
    for group in _zips(sweep):
        group.pop(path, None)
    if "zip" in sweep:
        left = [group for group in _zips(sweep) if group]
        if left:
            sweep["zip"] = left
        else:
            del sweep["zip"]


def _zips(sweep: Keys) -> list[Keys]:
    zips = sweep.get("zip", [])
    return [zips] if isinstance(zips, dict) else list(zips)
