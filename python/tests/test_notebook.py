"""In a notebook: the bar, the stop button, and what a cell shows."""

import os
import queue
import time
from pathlib import Path

import pytest

import orrery

jupyter = pytest.importorskip("jupyter_client")
pytest.importorskip("ipykernel")


@pytest.fixture
def notebook(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(orrery.__file__).resolve().parents[1]))
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    manager, client = jupyter.manager.start_new_kernel(kernel_name="python3")
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def said(client, until, seconds=60.0):
    """Messages of the kernel up to the first that `until` accepts."""
    messages, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            messages.append(client.get_iopub_msg(timeout=1))
        except queue.Empty:
            continue
        if until(messages[-1]):
            return messages
    raise AssertionError(f"not said in {seconds} s: {messages}")


def idle(message):
    return message["msg_type"] == "status" and message["content"]["execution_state"] == "idle"


def programs():
    found = []
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = line.read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0] == os.fsencode(orrery.program()) and any(b"stopped-by-a-button" in word for word in words):
            found.append(line)
    return found


def test_the_stop_button_ends_the_program_and_the_kernel_goes_on(notebook):
    manager, client = notebook
    client.execute(
        "import orrery\norrery.scenario('fermi', 'infiniband', {'name': 'wave2d', 'iterations': 10**7}, ranks=64, per_node=4, engine='flow', "
        "name='stopped-by-a-button').run()"
    )
    bar = said(client, lambda m: m["msg_type"] == "update_display_data" and "<progress" in m["content"]["data"].get("text/html", ""))
    assert "simulating on flow" in bar[-1]["content"]["data"]["text/html"] and programs()
    manager.interrupt_kernel()
    error = [m["content"] for m in said(client, idle) if m["msg_type"] == "error"]
    assert error[0]["ename"] == "Interrupted" and "run_missing() goes on" in error[0]["evalue"]
    assert not programs()
    assert any(answers(client, "1 + 1") for _ in range(20))  # a kernel drops what it is sent soon after an error


def answers(client, code):
    client.execute(code)
    return any(m["msg_type"] == "execute_result" for m in said(client, idle))


def test_a_cell_shows_a_table(notebook):
    _, client = notebook
    client.execute("import orrery\norrery.simulate('fermi', 'infiniband', 'pingpong', ranks=2, per_node=1)")
    shown = [m["content"]["data"] for m in said(client, idle) if m["msg_type"] == "execute_result"]
    assert "<table>" in shown[0]["text/html"] and "makespan_s" in shown[0]["text/plain"]
