"""What the bar says of the program's events."""

import sys

import pytest

import orrery
from orrery import child, progress

RUN = {"event": "progress", "what": "simulating on flow", "done": 3, "total": 8, "detail": "", "elapsed_s": 10.0}
COUNTED = RUN | {"messages": 25000, "expected_messages": 100000, "simulated_s": 0.01}


def test_messages_are_a_better_measure_than_points():
    assert progress.share_of(RUN) == 3 / 8 and progress.share_of(COUNTED) == 0.25
    assert progress.share_of(RUN | {"done": 0, "total": 0}) == 0


def test_time_left_comes_before_what_a_narrow_terminal_cuts():
    assert progress.words_of(COUNTED) == "simulating on flow 3/8, about 30 s left, 25,000 of 100,000 messages"
    assert progress.words_of(RUN | {"done": 8}) == "simulating on flow 8/8"


class Terminal:
    def __init__(self):
        self.text = ""

    def isatty(self):
        return True

    def write(self, text):
        self.text += text

    def flush(self):
        pass


def test_a_terminal_shows_a_line_and_takes_it_away(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setattr(progress, "_SILENT_S", 0)
    with progress.Bar() as bar:
        bar(COUNTED)
    drawn, left = terminal.text.split("\r\033[K")[1:]
    assert drawn == "[######..................] simulating on flow 3/8, about 30" and left == ""


@pytest.mark.parametrize("wanted", [True, False])
def test_a_file_gets_no_bar(monkeypatch, capsys, wanted):
    monkeypatch.setattr(progress, "_SILENT_S", 0)
    with progress.Bar(wanted) as bar:
        bar(COUNTED)
    assert capsys.readouterr() == ("", "")


def test_the_program_tells_of_its_progress():
    heard = []
    arguments = ["simulate", "--platform", "fermi", "--network", "infiniband", "--kernel", "wave2d", "--ranks", "16", "--engine", "flow"]
    child.call([*arguments, "--param", "iterations=3000"], listen=heard.append)
    assert {"simulating on flow", "collecting wave2d"} <= {event["what"] for event in heard}
    last = [event for event in heard if "messages" in event][-1]
    assert last["done"] == last["total"] == 1 and last["messages"] <= last["expected_messages"]
    assert orrery.version() == orrery.__version__
