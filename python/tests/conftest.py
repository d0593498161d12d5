"""Tests of the Python package; run by ctest (python.*), or `python3 -m pytest python/tests` in a clone that is built."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ.setdefault("MPLBACKEND", "Agg")


@pytest.fixture(autouse=True)
def scratch(tmp_path, monkeypatch):
    """Each test has an empty folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
