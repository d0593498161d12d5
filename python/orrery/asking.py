"""Scenarios that are put together in Python."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .errors import InputError
from .result import Result
from .scenarios import SAFE, Scenario, deep_copy
from .steps import Program

_SHORT = ("ranks", "per_node")  # words that no file has


def _title(kernel: Any, platform: Any) -> str:
    """ "wave2d on fermi" """
    program = kernel.get("name") if isinstance(kernel, Mapping) else getattr(kernel, "name", kernel)
    machine = platform.get("name") if isinstance(platform, Mapping) else platform
    return f"{program} on {machine}"


def scenario(
    platform: str | Path | Mapping[str, Any],
    network: str | None = None,
    kernel: str | Mapping[str, Any] | Any = None,
    *,
    ranks: int | None = None,
    per_node: int | None = None,
    name: str = "scenario",
    source: str = "asked from Python",
    **keys: Any,
) -> Scenario:
    """A scenario that is written here; its keys are those of a scenario file, with '_' for '-':

        orrery.scenario(platform="fermi", network="infiniband", kernel={"name": "summa", "blocks": 64},
                        ranks=64, per_node=8, models=["hloggp", "taulop"])

    `ranks` and `per_node` are short for layout={"ranks": ..., "per-node": ...}.
    """
    for key in keys:
        if meant := difflib.get_close_matches(key, _SHORT, 1, 0.75):
            raise InputError(f"scenario: unknown key '{key}'. Did you mean '{meant[0]}'?")
    made = Scenario(name)
    made._file, made._name = None, SAFE.sub("-", name)
    given: dict[str, Any] = {"title": _title(kernel, platform), "source": source, "platform": platform, "network": network}
    given["layout"] = keys.pop("layout", None)
    given["kernel"] = {"name": kernel} if isinstance(kernel, str) else kernel
    short = {key: value for key, value in (("ranks", ranks), ("per-node", per_node)) if value is not None}
    if isinstance(kernel, Program) and not short and given["layout"] is None:
        short["ranks"] = kernel.ranks
    if short:
        given["layout"] = {**(given["layout"] or {}), **short}
    given.update({key.replace("_", "-"): value for key, value in keys.items()})
    made._keys = deep_copy({key: value for key, value in given.items() if value is not None})
    return made


def simulate(
    platform: str | Path | Mapping[str, Any],
    network: str | None = None,
    kernel: str | Mapping[str, Any] | Any = None,
    **keys: Any,
) -> Result:
    """One question: orrery.simulate("fermi", "infiniband", "wave2d", ranks=64, per_node=4).makespan_s

    Takes what `scenario` takes, plays it with the flow engine unless `engine` says otherwise, and returns the result.
    """
    run = {key: keys.pop(key) for key in ("jobs", "out", "repeat", "progress", "full") if key in keys}
    keys.setdefault("engine", "flow")
    return scenario(platform, network, kernel, **keys).run(**run)
