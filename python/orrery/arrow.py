"""Tables for pyarrow, polars, duckdb and others that read Arrow's C stream interface, with ctypes alone.

A stream of one batch, a struct of the columns: booleans as bits, whole numbers as int64, numbers as float64, words as UTF-8.
What a consumer holds stays in `_held` until it calls the release callback of it, as the interface demands: structs may be moved, so a
callback knows its own by `private_data`, never by its address.

Source   https://arrow.apache.org/docs/format/CDataInterface.html, CStreamInterface.html and CDataInterface/PyCapsuleInterface.html
Checked  python/tests/test_arrow.py
"""

from __future__ import annotations

import ctypes
import errno
import itertools
from array import array
from collections.abc import Mapping, Sequence
from typing import Any

_NULLABLE = 2


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


_release_schema = ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))
_release_array = ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))
_release_stream = ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))
_get_schema = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Schema))
_get_next = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))
_get_last_error = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(Stream))
_destroy_capsule = ctypes.CFUNCTYPE(None, ctypes.c_void_p)

Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
    ("dictionary", ctypes.POINTER(Schema)),
    ("release", _release_schema),
    ("private_data", ctypes.c_void_p),
]
Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))),
    ("dictionary", ctypes.POINTER(Array)),
    ("release", _release_array),
    ("private_data", ctypes.c_void_p),
]
Stream._fields_ = [
    ("get_schema", _get_schema),
    ("get_next", _get_next),
    ("get_last_error", _get_last_error),
    ("release", _release_stream),
    ("private_data", ctypes.c_void_p),
]

_held: dict[int, Any] = {}  # what consumers hold, by private_data
_numbers = itertools.count(1)


def _hold(what: Any) -> int:
    number = next(_numbers)
    _held[number] = what
    return number


@_release_schema
def _schema_released(schema: Any) -> None:
    one = schema.contents
    for i in range(one.n_children):
        child = one.children[i]
        if child.contents.release:
            child.contents.release(child)
    _held.pop(one.private_data, None)
    one.release = _release_schema()


@_release_array
def _array_released(made: Any) -> None:
    one = made.contents
    for i in range(one.n_children):
        child = one.children[i]
        if child.contents.release:
            child.contents.release(child)
    _held.pop(one.private_data, None)
    one.release = _release_array()


def _fill_schema(into: Schema, form: bytes, name: bytes, flags: int, children: Sequence[Schema]) -> None:
    pointers = (ctypes.POINTER(Schema) * len(children))(*map(ctypes.pointer, children))
    into.format, into.name, into.metadata, into.flags = form, name, None, flags
    into.n_children, into.children = len(children), pointers
    into.dictionary, into.release = ctypes.POINTER(Schema)(), _schema_released
    into.private_data = _hold((form, name, pointers, children))


def _fill_array(into: Array, length: int, nulls: int, buffers: Sequence[Any], children: Sequence[Array]) -> None:
    addresses = (ctypes.c_void_p * len(buffers))(*[None if one is None else ctypes.addressof(one) for one in buffers])
    pointers = (ctypes.POINTER(Array) * len(children))(*map(ctypes.pointer, children))
    into.length, into.null_count, into.offset, into.n_buffers = length, nulls, 0, len(buffers)
    into.buffers, into.n_children, into.children = addresses, len(children), pointers
    into.dictionary, into.release = ctypes.POINTER(Array)(), _array_released
    into.private_data = _hold((addresses, buffers, pointers, children))


def _bits(flags: Sequence[bool]) -> Any:
    packed = bytearray((len(flags) + 7) // 8)
    for i, flag in enumerate(flags):
        if flag:
            packed[i // 8] |= 1 << (i % 8)
    return _buffer(bytes(packed))


def _buffer(data: bytes) -> Any:
    return ctypes.create_string_buffer(data, len(data) + 8)  # never of no bytes: an address is demanded


def form_of(cells: Sequence[Any]) -> str:
    """Arrow's name of the column's type: b bool, l int64, g float64, u UTF-8."""
    given = [cell for cell in cells if cell is not None]
    if given and all(isinstance(cell, bool) for cell in given):
        return "b"
    if any(isinstance(cell, (str, bool)) for cell in given):
        return "u"
    whole = given and all(isinstance(cell, int) and -(2**63) <= cell < 2**63 for cell in given)
    return "l" if whole else "g"


def _column(cells: Sequence[Any]) -> Array:
    form = form_of(cells)
    nulls = sum(cell is None for cell in cells)
    valid = _bits([cell is not None for cell in cells]) if nulls else None
    if form == "b":
        buffers = [valid, _bits([bool(cell) for cell in cells])]
    elif form == "u":
        words = [b"" if cell is None else str(cell).encode() for cell in cells]
        offsets = array("i", [0, *itertools.accumulate(map(len, words))])
        buffers = [valid, _buffer(offsets.tobytes()), _buffer(b"".join(words))]
    else:
        values = array("q" if form == "l" else "d", [0 if cell is None else cell for cell in cells])
        buffers = [valid, _buffer(values.tobytes())]
    made = Array()
    _fill_array(made, len(cells), nulls, buffers, [])
    return made


@_get_schema
def _schema(stream: Any, out: Any) -> int:
    children = []
    for name, cells in _held[stream.contents.private_data][0].items():
        child = Schema()
        _fill_schema(child, form_of(cells).encode(), name.encode(), _NULLABLE, [])
        children.append(child)
    _fill_schema(out.contents, b"+s", b"", 0, children)
    return 0


@_get_next
def _batch(stream: Any, out: Any) -> int:
    held = _held[stream.contents.private_data]
    columns: Mapping[str, Sequence[Any]] = held[0]
    if held[1]:
        out.contents.release = _release_array()  # the end
        return 0
    held[1] = True
    try:
        rows = len(next(iter(columns.values()), []))
        _fill_array(out.contents, rows, 0, [None], [_column(cells) for cells in columns.values()])
    except Exception:  # too little memory, say: it may not pass into the consumer's C
        return errno.EIO
    return 0


@_get_last_error
def _error(stream: Any) -> None:
    return None


@_release_stream
def _stream_released(stream: Any) -> None:
    _held.pop(stream.contents.private_data, None)
    stream.contents.release = _release_stream()


_NAME = b"arrow_array_stream"
_python = ctypes.pythonapi
_python.PyCapsule_New.restype = ctypes.py_object
_python.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, _destroy_capsule]
_python.PyCapsule_GetPointer.restype = ctypes.c_void_p
_python.PyCapsule_GetPointer.argtypes = [ctypes.c_void_p, ctypes.c_char_p]


@_destroy_capsule
def _capsule_destroyed(capsule: int) -> None:
    address = _python.PyCapsule_GetPointer(capsule, _NAME)
    stream = ctypes.cast(address, ctypes.POINTER(Stream))
    if stream.contents.release:  # nobody took it
        stream.contents.release(stream)
    _held.pop(-address, None)


def stream_of(columns: Mapping[str, Sequence[Any]]) -> Any:
    """A capsule "arrow_array_stream"."""
    stream = Stream(_schema, _batch, _error, _stream_released, _hold([columns, False]))
    address = ctypes.addressof(stream)
    _held[-address] = stream  # the struct itself, until the capsule goes
    return _python.PyCapsule_New(address, _NAME, _capsule_destroyed)
