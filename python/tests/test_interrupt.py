"""Ctrl-C, the stop button, and a Python that dies: none leaves a program behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import orrery
from orrery import child

PACKAGE = Path(orrery.__file__).resolve().parents[1]
LONG = "orrery.scenario('fermi', 'infiniband', {'name': 'wave2d', 'iterations': 10**7}, ranks=64, per_node=4, engine='flow')"


def programs_of(pid):
    """Children of a process that have not ended."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(words[1]) == pid and words[0] != "Z":
            found.append(int(stat.parent.name))
    return found


def wait_until(condition, seconds=60.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def begin(code):
    """A Python of its own that has begun to simulate, and its program."""
    env = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    python = subprocess.Popen([sys.executable, "-c", code], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    wait_until(lambda: programs_of(python.pid))
    program = programs_of(python.pid)[0]
    wait_until(lambda: any(f"{program}" == p.parent.name and p.read_bytes().find(b"run") > 0 for p in Path("/proc").glob(f"{program}/cmdline")))
    time.sleep(0.5)
    return python, program


def gone(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.parametrize("whole_group", [False, True], ids=["stop button", "Ctrl-C in a terminal"])
def test_an_interrupt_ends_the_program_and_this_python_goes_on(whole_group):
    python, program = begin(f"import orrery\ntry:\n  {LONG}.run()\nexcept KeyboardInterrupt as stop:\n  print('went on:', type(stop).__name__, stop)")
    if whole_group:
        os.killpg(python.pid, signal.SIGINT)
    else:
        python.send_signal(signal.SIGINT)
    out, err = python.communicate(timeout=60)
    assert python.returncode == 0 and out.startswith("went on: Interrupted interrupted"), out + err
    assert gone(program)


def test_an_interrupt_that_nobody_catches_ends_with_a_traceback_and_no_program():
    python, program = begin(f"import orrery\n{LONG}.run()")
    python.send_signal(signal.SIGINT)
    _, err = python.communicate(timeout=60)
    assert python.returncode != 0 and "Interrupted" in err
    assert gone(program)


def test_a_python_that_is_killed_takes_its_program_along():
    python, program = begin(f"import orrery\n{LONG}.run()")
    python.kill()
    python.communicate()
    wait_until(lambda: gone(program))


def test_finished_points_are_kept_and_the_run_goes_on():
    s = orrery.scenario("fermi", "infiniband", "wave2d", ranks=64, per_node=4, engine="flow")
    s.sweep({"kernel.iterations": [10, 20, 10**7]})
    seen = []

    def stop_after_two():
        wait_until(lambda: any(event["done"] == 2 and "simulating" in event["what"] for event in seen))
        os.kill(os.getpid(), signal.SIGINT)

    heard = child._Conversation._events

    def listen(conversation, data):
        conversation._listen = seen.append
        heard(conversation, data)

    child._Conversation._events = listen
    try:
        threading.Thread(target=stop_after_two, daemon=True).start()
        with pytest.raises(orrery.Interrupted, match="(?s)2 of 3 points .*run_missing\\(\\) goes on") as stop:
            s.run(jobs=1)
    finally:
        child._Conversation._events = heard
    assert isinstance(stop.value, KeyboardInterrupt)
    r = s.sweep({"kernel.iterations": [10, 20, 30]}).run_missing()
    assert len(r) == 3 and None not in r.runs["makespan_s"]


def test_a_program_that_ignores_an_interrupt_is_killed_at_the_second(monkeypatch, scratch):
    (scratch / "deaf").write_text("#!/bin/sh\ntrap '' INT\necho deaf >&2\nwhile :; do sleep 0.05; done\n")
    (scratch / "deaf").chmod(0o755)
    monkeypatch.setenv("ORRERY", str(scratch / "deaf"))

    def twice():
        for _ in range(2):
            time.sleep(0.7)
            os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=twice, daemon=True).start()
    with pytest.raises(orrery.Interrupted):
        orrery.version()
    assert programs_of(os.getpid()) == []
