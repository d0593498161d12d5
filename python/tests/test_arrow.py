"""Arrow's C stream as a consumer reads it: structs are moved, children may be taken alone, everything is released."""

import ctypes
import gc

import pytest

from orrery import arrow
from orrery.table import Table

TABLE = Table(
    "t",
    {
        "words": ["a", None, "ü€", ""],
        "whole": [1, None, -3, 2**62],
        "number": [0.5, 1, None, float("inf")],
        "flag": [True, False, None, True],
        "empty": [None, None, None, None],
        "mixed": [1, "x", None, 2.5],
    },
)


def taken(capsule):
    """The stream out of its capsule, moved as consumers do."""
    address = ctypes.pythonapi.PyCapsule_GetPointer(id(capsule), b"arrow_array_stream")
    theirs = ctypes.cast(address, ctypes.POINTER(arrow.Stream))
    mine = arrow.Stream()
    ctypes.memmove(ctypes.byref(mine), theirs, ctypes.sizeof(mine))
    theirs.contents.release = arrow._release_stream()
    return mine


def moved(one):
    """A struct in another place; the old place is marked as released."""
    other = type(one)()
    ctypes.memmove(ctypes.byref(other), ctypes.byref(one), ctypes.sizeof(one))
    one.release = type(one.release)()
    return other


def bit(address, i):
    return bool(ctypes.cast(address, ctypes.POINTER(ctypes.c_uint8))[i // 8] >> (i % 8) & 1)


def cells(form, column):
    """As a reader of the format finds them."""
    values = []
    for i in range(column.length):
        if column.null_count and not bit(column.buffers[0], i):
            values.append(None)
        elif form == b"b":
            values.append(bit(column.buffers[1], i))
        elif form == b"u":
            offsets = ctypes.cast(column.buffers[1], ctypes.POINTER(ctypes.c_int32))
            values.append(ctypes.string_at(column.buffers[2] + offsets[i], offsets[i + 1] - offsets[i]).decode())
        else:
            kind = {b"l": ctypes.c_int64, b"g": ctypes.c_double}[form]
            values.append(ctypes.cast(column.buffers[1], ctypes.POINTER(kind))[i])
    return values


def read(table):
    stream = taken(table.__arrow_c_stream__())
    gc.collect()
    schema, batch, end = arrow.Schema(), arrow.Array(), arrow.Array()
    assert stream.get_schema(ctypes.byref(stream), ctypes.byref(schema)) == 0
    assert stream.get_next(ctypes.byref(stream), ctypes.byref(batch)) == 0
    assert stream.get_next(ctypes.byref(stream), ctypes.byref(end)) == 0 and not end.release
    stream.release(ctypes.byref(stream))
    assert not stream.release
    schema, batch = moved(schema), moved(batch)
    gc.collect()
    assert schema.format == b"+s" and batch.length == len(table) and batch.n_buffers == 1
    found = {}
    for i in range(schema.n_children):
        form = schema.children[i].contents
        found[form.name.decode()] = (form.format, cells(form.format, batch.children[i].contents))
    batch.release(ctypes.byref(batch))
    schema.release(ctypes.byref(schema))
    assert not batch.release and not schema.release
    return found


def test_a_table_is_read_as_it_is_and_everything_is_released():
    before = len(arrow._held)
    found = read(TABLE)
    assert {name: form for name, (form, _) in found.items()} == {
        "words": b"u",
        "whole": b"l",
        "number": b"g",
        "flag": b"b",
        "empty": b"g",
        "mixed": b"u",
    }
    assert found["words"][1] == TABLE["words"] and found["whole"][1] == TABLE["whole"] and found["number"][1] == TABLE["number"]
    assert found["flag"][1] == TABLE["flag"] and found["empty"][1] == [None] * 4 and found["mixed"][1] == ["1", "x", None, "2.5"]
    assert len(arrow._held) == before


def test_a_table_without_rows_has_its_columns():
    assert read(Table("t", {"a": [], "b": []})) == {"a": (b"g", []), "b": (b"g", [])}


def test_a_capsule_that_nobody_takes_is_released():
    before = len(arrow._held)
    capsule = TABLE.__arrow_c_stream__()
    assert len(arrow._held) == before + 2
    del capsule
    gc.collect()
    assert len(arrow._held) == before


def test_a_column_that_was_taken_alone_outlives_its_batch():
    before = len(arrow._held)
    stream = taken(TABLE.__arrow_c_stream__())
    batch = arrow.Array()
    stream.get_next(ctypes.byref(stream), ctypes.byref(batch))
    stream.release(ctypes.byref(stream))
    whole = moved(batch.children[1].contents)
    batch.release(ctypes.byref(batch))
    gc.collect()
    assert cells(b"l", whole) == TABLE["whole"]
    whole.release(ctypes.byref(whole))
    assert len(arrow._held) == before


def test_consumers_that_are_here_agree():
    pyarrow = pytest.importorskip("pyarrow", minversion="14", reason="not in Debian 12")
    assert pyarrow.table(TABLE).column("whole").to_pylist() == TABLE["whole"]
