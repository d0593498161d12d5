"""Rows of tidy tables, from a point of `result.json`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .table import UNITS, Cell, Row


def settings_of(point: dict[str, Any]) -> Row:
    """Of a setting with a unit its number ("kernel.message_B"), of plain numbers theirs, else its words."""
    quantities: dict[str, float] = point.get("quantities", {})
    row: Row = {}
    for key, text in point["settings"]:
        column = next((name for name in quantities if name.startswith(key) and name[len(key) :] in UNITS), None)
        if column is not None:
            row[column] = _whole(quantities[column])
        else:
            row[key] = _number(text)
    return row


def _whole(value: float) -> Cell:
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _number(text: str) -> Cell:
    for kind in (int, float):
        try:
            value = kind(text)
        except ValueError:
            continue
        return value if value == value and abs(value) != float("inf") and "_" not in text else text
    return text


def front_of(number: int, point: dict[str, Any]) -> Row:
    return {"point": number} | settings_of(point)


def runs_of(number: int, point: dict[str, Any]) -> Iterable[Row]:
    run = point.get("run", {})
    front = front_of(number, point)
    for key, text in (("kernel", point["kernel"]), ("platform", point["platform"]), ("network", point["network"])):
        front.setdefault(key, text)
    layout = point["layout"]
    front.setdefault("layout", point["layout_name"] or None)
    front["ranks"] = layout.get("ranks_left_out", len(layout["ranks"]))
    compared: Row = {"compared_phase": point["compared_phase"]}
    metrics: Row = {_metric_column(metric): metric["value"] for metric in point.get("metrics", [])}
    known: Row = {"measured_s": point.get("measured_s"), "published_s": point.get("published_s")}
    repeats = point.get("repeats")
    if repeats is None:
        ends: Row = {"seed": None, "simulated_s": point.get("simulated_s"), "makespan_s": run.get("makespan_s")}
        words: Row = {"messages": run.get("messages"), "binding": point["binding"] or None, "failure": point.get("failure")}
        yield front | compared | ends | known | words | metrics | {"id": point["id"]}
        return
    of_phase = {time["phase"]: time["times_s"] for time in repeats["times"]}
    for k, seed in enumerate(repeats["seeds"]):
        shown = seed == repeats["shown_seed"]  # the others' metrics and causes were not kept
        ends = {"seed": seed, "simulated_s": of_phase[point["compared_phase"]][k], "makespan_s": of_phase[""][k]}
        words = {"messages": run["messages"] if shown else None, "binding": point["binding"] if shown else None, "failure": None}
        yield front | compared | ends | known | words | (metrics if shown else dict.fromkeys(metrics)) | {"id": point["id"]}


def _metric_column(metric: dict[str, Any]) -> str:
    unit = str(metric["unit"]).replace("/", "_per_")
    column = str(metric["name"]).replace("/", "_per_")
    return f"{column}_{unit}" if unit and not column.endswith(unit) else column


def named_rows(table: dict[str, Any] | None) -> Iterable[Row]:
    if table is None:
        return []
    return (dict(zip(table["columns"], row)) for row in table["rows"])


def links_of(point: dict[str, Any]) -> Iterable[Row]:
    makespan = point.get("run", {}).get("makespan_s")
    for one in point.get("run", {}).get("resources", []):
        row: Row = {key: one[key] for key in ("name", "kind", "capacity_B_per_s", "carried_B", "busy_s")}
        could = one["capacity_B_per_s"] * makespan
        yield row | {"used_fraction": one["carried_B"] / could if could else None}


def ranks_of(point: dict[str, Any]) -> Iterable[Row]:
    times = dict(point.get("run", {}).get("activity_times", {}))
    group = times.pop("ranks_per_group", 1)
    places = list(named_rows({"columns": point["layout"].get("columns", []), "rows": point["layout"]["ranks"]}))
    cut = point.get("partition")
    shares = list(named_rows({"columns": cut["columns"], "rows": cut["ranks"]})) if cut else []
    names = point["node_names"]
    count = len(places) if places else max((len(cells) for cells in times.values()), default=0)
    for rank in range(count):
        row: Row = {"rank": rank if places else rank * group}
        if places:
            place = places[rank]
            node = int(str(place["node"]))
            row |= {"node": node, "node_name": names[node] if node < len(names) else None}
            row |= {key: place[key] for key in ("cores", "gpu", "socket_of_node")}
        if shares:
            row |= {f"{key}_blocks": value for key, value in shares[rank].items()}
        if group == 1 or not places:
            row |= {key: cells[rank] for key, cells in times.items()}
        if group > 1 and not places:
            row["ranks_averaged"] = group
        yield row
