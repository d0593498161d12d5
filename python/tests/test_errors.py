import sys

import pytest

import orrery
from orrery import child


def test_an_error_has_the_fields_that_the_program_hands_over(scratch):
    (scratch / "mine.yaml").write_text("source: me\nplatform: fermi\nnetwork: infiniband\nlayout: {ranks: 4}\n"
                                       "kernel: {name: collective, message: 64}\n")
    with pytest.raises(orrery.InputError) as caught:
        orrery.Scenario("mine.yaml").run()
    error = caught.value
    assert (error.where, error.file, error.line, error.column) == ("mine.yaml:5:37", "mine.yaml", 5, 37)
    assert (error.subject, error.value, error.problem) == ("message", "64", "'message' is '64' without a unit")
    assert error.rule.startswith("B, KiB") and error.remedy == "Write '64B'?" and error.instead == ["64B"]


def test_an_error_about_an_option_has_no_file():
    with pytest.raises(orrery.InputError) as caught:
        orrery.Scenario("rico-gallego16-m10").run(jobs=-1)
    error = caught.value
    assert (error.where, error.file, error.value, error.instead) == ("--jobs", None, "-1", ["--jobs 2"])


def test_no_field_is_read_out_of_a_sentence():
    error = orrery.InputError("mine.yaml:42:14: 'latency' is '1.3' without a unit (ns, us). Write '1.3us'?")
    assert (error.file, error.line, error.value, error.remedy) == (None, None, None, None)


def test_a_wrong_file_is_an_input_error_with_its_place(scratch):
    (scratch / "bad.yaml").write_text("source: me\nplatform: fermi\nnetwork: infiniband\nlayout: {ranks: 4}\nkernel: {name: wave3d}\n")
    with pytest.raises(orrery.InputError) as caught:
        orrery.Scenario("bad.yaml").run()
    error = caught.value
    assert (error.exit_code, error.file, error.line, error.column, error.value) == (2, "bad.yaml", 5, 16, "wave3d")
    assert error.remedy == "Did you mean 'wave2d'?"
    assert str(error).startswith("bad.yaml:5:16: unknown kernel 'wave3d' (known: ")


def test_an_error_in_a_scenario_of_python_shows_the_line():
    s = orrery.scenario("fermi", "infiniband", {"name": "wave2d", "pionts": 512}, ranks=4, per_node=1)
    for ask in (s.run, s.phases):
        with pytest.raises(orrery.InputError) as caught:
            ask()
        error = caught.value
        assert str(error).startswith("scenario.yaml:7:32: unknown parameter 'pionts' (known: ") and error.value == "pionts"
        assert error.__notes__ == ["scenario.yaml, line 7: kernel: {name: wave2d, pionts: 512}"]


def test_what_is_missing_is_in_no_line():
    with pytest.raises(orrery.InputError, match="scenario.yaml:2:1: the file has no 'network'") as caught:
        orrery.simulate("fermi", kernel="wave2d", ranks=4)
    assert not hasattr(caught.value, "__notes__")


def test_what_is_missing_is_said_in_words_of_python():
    with pytest.raises(orrery.InputError, match="no 'layout'") as caught:
        orrery.simulate("fermi", "infiniband", "wave2d")
    assert caught.value.remedy == "Add ranks=8?" and str(caught.value).endswith("Add ranks=8?")
    with pytest.raises(orrery.InputError, match="^question.yaml: no measured times .* Give rows, or a CSV file?"):
        orrery.scenario("fermi", "infiniband", "wave2d", ranks=4, per_node=1, name="question").fit()
    with pytest.raises(orrery.InputError, match="scenario: unknown key 'rank'. Did you mean 'ranks'?"):
        orrery.simulate("fermi", "infiniband", "wave2d", rank=4)


def test_a_deadlock_is_a_replay_error_and_this_python_goes_on():
    def both_wait(rank, ranks):
        yield orrery.steps.recv(1 - rank, 8)
        yield orrery.steps.send(1 - rank, 8)

    with pytest.raises(orrery.ReplayError) as caught:
        orrery.simulate("fermi", "infiniband", orrery.Program(both_wait, ranks=2), per_node=1)
    assert "rank 0" in str(caught.value) and "rank 1" in str(caught.value)


def test_a_point_that_fails_is_a_warning_and_a_row_and_the_others_are_there():
    s = orrery.scenario("fermi", "infiniband", "wave2d", ranks=4, per_node=1, engine="flow")
    programs = []
    for name, first in (("fine", "send"), ("stuck", "recv")):

        def two(rank, ranks, first=first):
            order = ["send", "recv"] if (rank == 0 and first == "send") else ["recv", "send"]
            for step in order:
                yield getattr(orrery.steps, step)(1 - rank, 8)

        programs.append(orrery.Program(two, ranks=2, path=f"{name}.ti"))
    s.set("layout", {"ranks": 2, "per-node": 1}).sweep({"kernel": programs})
    with pytest.warns(orrery.PointsFailed, match="1 point could not finish"):
        r = s.run()
    assert r.runs["failure"][0] is None and "rank 0" in r.runs["failure"][1]
    assert r.runs["makespan_s"][0] > 0 and r.runs["makespan_s"][1] is None


def test_broken_tolerances_are_a_bound_error_when_asked_for():
    s = orrery.scenario("fermi", "infiniband", "wave2d", ranks=4, per_node=1, models=["hockney"], engine="flow")
    s.set("tolerance", [{"model": "hockney", "mu": 1.0}])
    assert len(s.run().broken_tolerances) == 1
    with pytest.raises(orrery.BoundError, match="1 of the stated tolerances is broken"):
        s.run(check=True)


def test_a_wrong_program_is_named(monkeypatch, scratch):
    monkeypatch.setenv("ORRERY", str(scratch / "nowhere"))
    with pytest.raises(orrery.ProgramMissing, match="ORRERY: '.*/nowhere' is no program. Unset it, or name a clone?"):
        orrery.version()
    monkeypatch.setenv("ORRERY", str(scratch))
    with pytest.raises(orrery.ProgramMissing, match="is no clone that was built"):
        orrery.version()


def test_a_program_that_crashes_is_an_internal_error(monkeypatch, scratch):
    (scratch / "crash").write_text("#!/bin/sh\nkill -SEGV $$\n")
    (scratch / "crash").chmod(0o755)
    monkeypatch.setenv("ORRERY", str(scratch / "crash"))
    with pytest.raises(orrery.InternalError, match="was ended by SIGSEGV"):
        orrery.version()


def huge(phase, point):
    return 10**400


LONG = "x" * 300


def program(rank, ranks):
    yield orrery.steps.compute(1.0)


def a_row():
    return orrery.simulate("fermi", "infiniband", "wave2d", ranks=2, per_node=1).runs


WRONG = {
    "name of a scenario": lambda: orrery.simulate("fermi", "infiniband", "wave2d", ranks=2, per_node=1, name=LONG),
    "name of a model": lambda: orrery.scenario(
        "fermi", "infiniband", "wave2d", ranks=2, per_node=1, models=[orrery.Model(lambda phase, point: 1.0, LONG)]
    ).run(),
    "folder": lambda: orrery.simulate("fermi", "infiniband", "wave2d", ranks=2, per_node=1, out=LONG),
    "folder below a file": lambda: orrery.simulate("fermi", "infiniband", "wave2d", ranks=2, per_node=1, out="file/out"),
    "folder with NUL": lambda: orrery.simulate("fermi", "infiniband", "wave2d", ranks=2, per_node=1, out="a\0b"),
    "word with NUL": lambda: orrery.Scenario("rico-gallego16-m10").set("network", "a\0b").run(),
    "platform with NUL": lambda: orrery.Scenario("rico\0gallego").run(),
    "half of a character": lambda: orrery.Scenario("rico\ud800").run(),
    "too long a command": lambda: orrery.Scenario("rico-gallego16-m10").set("title", "x" * 3_000_000).run(),
    "saved name": lambda: orrery.scenario("fermi", "infiniband", "wave2d", ranks=2).save(LONG),
    "table": lambda: a_row().to_csv("none/t.csv"),
    "program": lambda: orrery.steps.Program(program, ranks=2, path="none/p.ti"),
    "loaded": lambda: orrery.load("y" * 5000),
    "measured": lambda: orrery.scenario("fermi", "infiniband", "wave2d", ranks=2).fit("a\0b"),
    "model's answer": lambda: orrery.scenario("fermi", "infiniband", "wave2d", ranks=2, per_node=1).predict(huge),
    "value": lambda: orrery.scenario("fermi", "infiniband", {"name": "wave2d", "points": 10**400}, ranks=2).run(),
    "value that cannot be printed": lambda: orrery.scenario("fermi", "infiniband", {"name": "wave2d", "points": 10**5000}, ranks=2).run(),
    "seconds": lambda: orrery.steps.compute(10**400),
    "bytes": lambda: orrery.steps.send(0, 10**5000),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_the_system_or_python_refuses_is_an_error_of_orrery(what, scratch):
    (scratch / "file").write_text("")
    with pytest.raises(orrery.Error) as caught:
        WRONG[what]()
    assert caught.value.exit_code in (0, 2) and len(caught.value.message) < 400


def test_a_name_too_long_for_a_file_is_said_in_a_sentence():
    with pytest.raises(orrery.InputError) as caught:
        WRONG["name of a scenario"]()
    assert str(caught.value).startswith("scenario: '...xxx")
    assert str(caught.value).endswith("x.yaml' cannot be used (File name too long). Choose another name?")


def test_a_number_with_a_leading_zero_is_refused():
    s = orrery.scenario("fermi", "infiniband", "wave2d", ranks=2, per_node=1).sweep({"kernel.points": ["01", 64]})
    with pytest.raises(orrery.InputError, match="is '01' with a leading zero .*Write '1'\\?"):
        s.run()


def test_a_program_in_a_folder_above_is_not_run(scratch, monkeypatch):
    for folder in ("platforms", "sim", "build/release/bin", "home/me"):
        (scratch / folder).mkdir(parents=True)
    planted = scratch / "build/release/bin/orrery"
    for file in (scratch / "orrery", planted):
        file.write_text("#!/bin/sh\ntouch planted\n")
        file.chmod(0o755)
    monkeypatch.chdir(scratch / "home/me")
    monkeypatch.delenv("ORRERY", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(sys, "prefix", "/nowhere")
    monkeypatch.setattr(child, "__file__", "/nowhere/a/b/child.py")
    with pytest.raises(child.ProgramMissing, match="there is no such program"):
        child.program()
