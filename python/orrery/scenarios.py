"""Scenarios: a file with some values changed, or one that is written here."""

from __future__ import annotations

import json
import re
import shlex
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .errors import Error, InputError, Interrupted, PointsFailed, error_of
from .files import made, written
from .fit import Fit, Measured, measured_file
from .flow import flow
from .phases import Model, Point, model_name, read_phases, write_predictions
from .child import call
from .progress import Bar
from .result import Result, load
from .sweeps import Axes, add_axis, assign, checked

SAFE = re.compile(r"[^A-Za-z0-9.-]+")
_REMEDIES_HERE = {  # what is written into a file: the same in Python
    "layout: ...": "Add ranks=8?",
    "kernel: ...": 'Add kernel="wave2d"?',
    "measured: points.csv": "Give rows, or a CSV file?",
}


class Scenario:
    """A question: a program on a platform, settings to sweep over, models.

        s = orrery.Scenario("rico-gallego16-m10")          # a file, or a name of 'orrery list scenarios'
        s.set("layout.row", "M4").sweep({"network": ["infiniband", "ethernet"]})
        r = s.run(jobs=2, out="out/m4")

    `set` and `sweep` change this scenario and return it; `copy` makes another.
    """

    def __init__(self, file_or_name: str | Path) -> None:
        self._file: str | None = str(file_or_name)
        self._keys: dict[str, Any] = {}
        self._name = Path(str(file_or_name)).stem
        self._changes: dict[str, Any] = {}
        self._last: Path | None = None
        self._keeper: Any = None

    def copy(self) -> Scenario:
        other = Scenario.__new__(Scenario)
        other.__dict__ = dict(self.__dict__, _changes=dict(self._changes), _keys=deep_copy(self._keys), _last=None, _keeper=None)
        return other

    def set(self, key: str | Mapping[str, Any], value: Any = None) -> Scenario:
        """Gives a key of the scenario file another value: set("layout.per-node", 8), set({"network": "ethernet"}). Keys
        and values are those of the file ('orrery show reference scenario'); quantities have units, as in "64KiB"."""
        for one, given in key.items() if isinstance(key, Mapping) else [(key, value)]:
            if self._file is None:
                assign(self._keys, one, given)
            else:
                self._changes.pop(one, None)
                self._changes[one] = given
        return self

    def sweep(self, axes: Mapping[str, Sequence[Any] | Axes]) -> Scenario:
        """Plays every combination of these values; the last axis changes fastest. Axes below "zip" take their values
        together: sweep({"zip": {"layout.ranks": [2, 4], "kernel.blocks": [64, 128]}, "network": ["infiniband", "ethernet"]})."""
        for key, values in checked(axes):
            if self._file is not None:
                self.set("sweep.zip" if key == "zip" else key, values)
            elif key == "zip":
                self._keys.setdefault("sweep", {})[key] = values
            else:
                add_axis(self._keys, key, values)
        return self

    def run(
        self,
        *,
        jobs: int = 0,
        out: str | Path | None = None,
        repeat: int = 1,
        progress: bool = True,
        full: bool = False,
        check: bool = False,
    ) -> Result:
        """Simulates every point, asks the models, and returns the result.

        jobs      points at a time; 0: one a core
        out       folder for the report, the tables and what `orrery.load` reads; none: nothing is kept on disk
        repeat    play each point of which something is drawn with so many seeds
        full      keep everything, however large
        check     raise BoundError where a tolerance of the scenario is broken

        A point that cannot finish is a warning and column `failure`; if none can, a ReplayError.
        """
        return self._run(out, ["--jobs", str(jobs), *_repeat(repeat), *_flags(full=full, check=check)], progress, resume=False)

    def run_missing(
        self, *, jobs: int = 0, out: str | Path | None = None, repeat: int = 1, progress: bool = True, full: bool = False
    ) -> Result:
        """As `run`, but points that are finished in `out` (or in the last run, which was stopped) are not played again."""
        return self._run(out, ["--jobs", str(jobs), *_repeat(repeat), *_flags(full=full)], progress, resume=True)

    def predict(self, *models: str | Mapping[str, Any] | Model | Callable[..., float], progress: bool = True) -> Result:
        """What models say, without a simulation: predict("hloggp", mine). Without any: those of the scenario."""
        asked = self.copy()
        if models:
            asked.set("models", list(models))
        elif self._file is None and not self._keys.get("models"):
            raise InputError("predict: no model is named, and the scenario has none. Write predict(\"hloggp\")?")
        return asked._run(None, ["--predict"], progress, resume=False)

    def phases(self, progress: bool = True) -> list[Point]:
        """What models see of each point."""
        with tempfile.TemporaryDirectory(prefix="orrery-") as folder:
            try:
                return read_phases(self._arguments(Path(folder), models=False), progress)
            except Error as error:
                raise self._explained(error, Path(folder)) from None

    def fit(
        self,
        measured: Measured = None,
        *,
        metric: str = "",
        parameters: Sequence[str] = (),
        hold_out: str | int | None = None,
        out: str | Path = "fitted.yaml",
        jobs: int = 0,
        progress: bool = True,
    ) -> Fit:
        """Fits parameters of the platform to times that were measured, and writes the platform with them to `out`.

        measured   a CSV file, or rows with a column for each axis and `time_s`; none: what the scenario names
        metric     what the times are of, if not of the compared phase: "T(m)" of osu_latency beside `pingpong`
        parameters  as in ["latency", "send-overhead=2us"]; none: all that the platform states
        hold_out   "20%" or a number of points that are not fitted to, but judged
        """
        with tempfile.TemporaryDirectory(prefix="orrery-") as folder:
            scenario = self.copy()
            if measured is not None:
                file = measured_file(measured, Path(folder))
                scenario.set("measured", {"file": file, "metric": metric} if metric else file)
            elif metric:
                raise InputError("fit: 'metric' without measured times (it says what these are of). Give rows, or a CSV file?")
            arguments = ["fit", *scenario._arguments(Path(folder), models=False), "--json", "--jobs", str(jobs)]
            arguments += ["--out", str(out)]
            if parameters:
                arguments += ["--parameters", ",".join(parameters)]
            if hold_out is not None:
                arguments += ["--hold-out", str(hold_out)]
            try:
                with Bar(progress) as bar:
                    answer = call(arguments, listen=bar)
            except Error as error:
                rows = f"{folder}/measured.csv"  # which the user has never seen
                if rows in (error.file, error.where):
                    raise error.moved(rows, "measured") from None
                raise scenario._explained(error, Path(folder)) from None
        fit = Fit(json.loads(answer.stdout), Path(out))
        fit.notes = [note.replace(f"{folder}/measured.csv", "measured") for note in fit.notes]
        return fit

    def save(self, path: str | Path) -> Path:
        """Writes the scenario as a file for `orrery run`, `orrery check` and colleagues."""
        if self._file is not None:
            raise InputError(f"{self._file}: is a file already; its changes are in command(). Copy it?")
        if any(callable(one) or isinstance(one, Model) for one in _list(self._keys.get("models"))):
            raise InputError("save: a model that is a Python function cannot stand in a file. Set other models first?")
        return written("save", path, self._text())

    def command(self, out: str | Path = "out") -> str:
        """The line for a terminal that does what `run` does; of a scenario written here after `save("scenario.yaml")`."""
        file = self._file or f"{self._name}.yaml"
        return shlex.join(["orrery", "run", file, *self._overrides(self._changes), "--out", str(out)])

    def _overrides(self, changes: Mapping[str, Any]) -> list[str]:
        return [word for key, value in changes.items() for word in ("--set", f"{key}={flow(value, key)}")]

    def _text(self) -> str:
        lines = [f"# {self._name}.yaml, written by orrery.scenario() in Python"]
        lines += [f"{key}: {flow(value, key)}" for key, value in self._keys.items()]
        return "\n".join(lines) + "\n"

    def _arguments(self, folder: Path, models: bool = True) -> list[str]:
        """The scenario for a command line; what it needs is written into `folder`. Without models: none is asked."""
        changes = dict(self._changes)
        stated = changes.pop("models", self._keys.get("models"))
        own = [one for one in _list(stated) if callable(one) or isinstance(one, Model)]
        without = self.copy()
        without._keys.pop("models", None)
        if self._file is None:
            of_all = models and stated is not None and not own
            text = self._text() if of_all else without._text()
            file = written("scenario", folder / f"{self._name}.yaml", text)
            arguments = [str(file), *self._overrides(changes)]
        else:
            arguments = [self._file, *self._overrides(changes)]
            if models and stated is not None and not own:
                arguments += self._overrides({"models": stated})
        if not models and self._file is not None:
            arguments += ["--set", "models=[]"]
        if models and own:
            arguments += self._overrides({"models": self._written(_list(stated), folder)})
        return arguments

    def _written(self, stated: list[Any], folder: Path) -> list[Any]:
        """The models with files in place of functions."""
        points = self.phases(progress=False)
        entries: list[Any] = []
        for one in stated:
            if not callable(one) and not isinstance(one, Model):
                entries.append(one)
                continue
            mine = one if isinstance(one, Model) else Model(one, model_name(one))
            file = folder / f"predictions-{SAFE.sub('-', mine.name)}.csv"
            write_predictions(file, mine, points)
            entries.append({"name": mine.name, "predictions": str(file.resolve())})
        return entries

    def _explained(self, error: Error, folder: Path) -> Error:
        """Of a file that the user has never seen: its name alone, and what stands in that line."""
        file = folder / f"{self._name}.yaml"
        if self._file is not None or str(file) not in (error.file, error.where):
            return error
        remedies = [_REMEDIES_HERE[text] for text in error.instead if text in _REMEDIES_HERE]
        plain = error.moved(str(file), file.name, remedies[0] if remedies else None)
        lines = file.read_text().splitlines()
        line = lines[error.line - 1] if error.line is not None and error.line <= len(lines) else ""
        if error.value is not None and error.value in line:  # not where something is missing
            plain.add_note(f"{self._name}.yaml, line {error.line}: {line}")
        return plain

    def _run(self, out: str | Path | None, options: list[str], progress: bool, resume: bool) -> Result:
        keeper = None
        if out is not None:
            folder = Path(out)
        elif resume and self._last is not None:
            folder, keeper = self._last, self._keeper
        else:
            keeper = tempfile.TemporaryDirectory(prefix="orrery-")
            folder = Path(keeper.name)
        made("out", folder)
        self._last, self._keeper = folder, keeper
        arguments = ["run", *self._arguments(folder), "--out", str(folder), *options, *_flags(resume=resume)]
        try:
            with Bar(progress) as bar:
                answer = call(arguments, listen=bar, allowed=(0, 4))
        except Error as error:
            raise self._explained(error, folder) from None
        except Interrupted as stop:
            kept = f"interrupted: {stop.problem}" if stop.problem else stop.message
            while_alive = "" if out is not None else ", while this Python lives (run(out=...) keeps them longer)"
            raise Interrupted(f"{kept}\nrun_missing() goes on{while_alive}") from None
        result = load(folder) if answer.exit_code == 0 or (folder / "result.json").is_file() else None
        failures = [row["failure"] for row in result.runs if row["failure"]] if result else []
        if result is None or (answer.exit_code != 0 and not failures):
            raise error_of(answer.exit_code, answer.message, answer.refusal)
        if failures:
            warnings.warn(f"{answer.message}\n{failures[0]}", PointsFailed, stacklevel=3)
        result._keeper = keeper
        return result


def deep_copy(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: deep_copy(one) for key, one in value.items()}
    return [deep_copy(one) for one in value] if isinstance(value, (list, tuple)) else value


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [] if value is None else [value]


def _repeat(times: int) -> list[str]:
    return ["--repeat", str(times)] if times != 1 else []


def _flags(**flags: bool) -> list[str]:
    return [f"--{name}" for name, on in flags.items() if on]
