import csv
import json
import os
import subprocess

import pytest

import orrery


def small(**keys):
    return orrery.scenario("fermi", "infiniband", {"name": "collective", "operation": "allreduce"}, ranks=4, per_node=1, engine="flow", **keys)


def test_one_question_has_one_answer_that_the_program_gives_too():
    r = orrery.simulate("fermi", "infiniband", "wave2d", ranks=16, per_node=4)
    said = subprocess.run(
        [str(orrery.program()), "simulate", "--platform", "fermi", "--network", "infiniband", "--kernel", "wave2d", "--ranks", "16"]
        + ["--per-node", "4", "--engine", "flow", "--format", "json"],
        capture_output=True,
        check=True,
    )
    point = json.loads(said.stdout)["points"][0]
    assert r.makespan_s == point["run"]["makespan_s"] and r.simulated_s == point["simulated_s"]
    assert len(r.runs) == 1 and r.runs[0]["ranks"] == 16 and r.runs[0]["kernel"] == "wave2d"


def test_a_sweep_is_a_tidy_table_with_numbers_and_units():
    r = small(models=["hockney", "loggp"]).sweep({"network": ["infiniband", "ethernet"], "kernel.message": ["64B", "8KiB"]}).run()
    assert r.settings == ["network", "kernel.message_B"]
    assert r.runs.select("network", "kernel.message_B").to_csv() == (
        "network,kernel.message_B\r\ninfiniband,64\r\ninfiniband,8192\r\nethernet,64\r\nethernet,8192\r\n"
    )
    assert all(type(cell) is int for cell in r.runs["kernel.message_B"])
    assert all(type(cell) is float for cell in r.runs["simulated_s"])
    assert len(r.predictions) == 8 and set(r.predictions["model"]) == {"hockney", "loggp"}
    for row in r.predictions:
        assert row["mu"] == pytest.approx(max(row["predicted_s"], row["simulated_s"]) / min(row["predicted_s"], row["simulated_s"]))


def test_table_csv_has_the_same_numbers(scratch):
    r = small().sweep({"kernel.message": ["64B", "8KiB"]}).run(out="out")
    rows = list(csv.DictReader((scratch / "out" / "table.csv").open(newline="")))
    assert [int(row["setting.kernel.message_B"]) for row in rows] == r.runs["kernel.message_B"]
    assert [float(row["makespan_s"]) for row in rows] == r.runs["makespan_s"]


def test_axes_of_a_zip_take_their_values_together():
    s = small().sweep({"zip": {"layout.ranks": [2, 4], "kernel.message": ["64B", "8KiB"]}, "network": ["infiniband", "ethernet"]})
    tied = [(2, 64, "infiniband"), (2, 64, "ethernet"), (4, 8192, "infiniband"), (4, 8192, "ethernet")]
    r = s.run()
    assert list(zip(r.runs["layout.ranks"], r.runs["kernel.message_B"], r.runs["network"])) == tied
    assert s.copy().set("layout.ranks", 4).run().runs["ranks"] == [4, 4, 4, 4]  # as --set, it takes the axis out
    assert s.copy().sweep({"layout.ranks": [8, 4]}).run().runs["ranks"] == [8, 8, 4, 4]
    both = small().sweep({"zip": [{"layout.ranks": [2, 4]}, {"kernel.message": ["1B", "2B"], "kernel.repetitions": [1, 2]}]})
    assert len(both.run()) == 4
    assert "sweep" in both.set({"layout.ranks": 4, "kernel.message": "1B"})._keys and len(both.run()) == 2
    assert "zip" not in both.set("kernel.repetitions", 1)._keys["sweep"] and len(both.run()) == 1


def test_axes_of_a_zip_of_a_file_are_those_given(scratch):
    small().sweep({"zip": {"layout.ranks": [2, 4], "kernel.message": ["64B", "8KiB"]}}).save("tied.yaml")
    r = orrery.Scenario("tied.yaml").sweep({"zip": {"layout.ranks": [2, 4, 8], "kernel.message": ["1B", "2B", "3B"]}}).run()
    assert list(zip(r.runs["layout.ranks"], r.runs["kernel.message_B"])) == [(2, 1), (4, 2), (8, 3)]


@pytest.mark.parametrize("zips", [[], {}, 3, "layout.ranks", [{}], ["layout.ranks"]])
def test_a_zip_without_axes_is_refused(zips):
    with pytest.raises(orrery.InputError, match="sweep: 'zip' is .* Write .*zip"):
        small().sweep({"zip": zips})


def test_a_value_of_an_axis_as_a_whole_is_refused():
    s = small().sweep({"kernel": [{"name": "wave2d"}, {"name": "summa"}]})
    with pytest.raises(orrery.InputError, match="set: 'kernel' is a sweep axis and would overwrite 'kernel.points'"):
        s.set("kernel.points", 64)


def test_a_value_follows_from_another():
    r = small().set("kernel.message", "1KiB * layout.ranks").sweep({"layout.ranks": [2, 4]}).run()
    assert r.collectives["size_B"] == [2048, 4096]


def test_links_ranks_phases_and_collectives_add_up():
    r = small().set("kernel.message", "1MiB").run()
    assert len(r.ranks) == 4 and r.ranks["node"] == [0, 1, 2, 3]
    assert all(0 <= row["used_fraction"] <= 1 and row["capacity_B_per_s"] > 0 for row in r.links)
    assert r.collectives[0]["operation"] == "allreduce" and r.collectives[0]["size_B"] == 2**20
    assert sum(row["time_s"] for row in r.phases if row["phase"] == "communication") == pytest.approx(r.simulated_s)


def test_repeats_are_rows():
    s = orrery.scenario("fermi", "infiniband", "stencil", ranks=4, per_node=1, engine="flow", compute={"model": "constant", "noise": 0.1})
    r = s.run(repeat=5)
    assert r.runs["seed"] == [1, 2, 3, 4, 5] and len(set(r.runs["makespan_s"])) == 5
    assert r.makespan_s == sorted(r.runs["makespan_s"])[2]
    assert sum(row["binding"] is not None for row in r.runs) == 1


def test_a_shipped_scenario_is_changed_and_says_its_command():
    s = orrery.Scenario("rico-gallego16-m10").set("models", ["hockney"]).sweep({"network": ["infiniband"]})
    assert s.command("out/x") == "orrery run rico-gallego16-m10 --set 'models=[hockney]' --set 'network=[infiniband]' --out out/x"
    r = s.run()
    assert set(r.predictions["model"]) == {"hockney"} and set(r.runs["network"]) == {"infiniband"}


def test_a_scenario_of_python_is_a_file_that_the_program_runs_to_the_same_numbers(scratch):
    s = small(models=["hockney"], title="A question: with a colon").sweep({"kernel.message": ["64B", "1KiB"]}).set("layout.ranks", 8)
    here = s.run()
    s.save("mine.yaml")
    subprocess.run([str(orrery.program()), "run", "mine.yaml", "--out", "kept"], check=True, capture_output=True)
    there = orrery.load("kept")
    assert there.title == "A question: with a colon"
    assert there.runs.to_csv() == here.runs.to_csv() and there.predictions.to_csv() == here.predictions.to_csv()


def test_set_takes_an_axis_out_of_the_sweep():
    s = small().sweep({"kernel.message": ["64B", "1KiB"]})
    assert len(s.copy().set("kernel.message", "1KiB").run()) == 1 and len(s.run()) == 2


def test_run_missing_plays_only_what_is_new(scratch):
    s = small().sweep({"kernel.message": ["64B", "1KiB"]})
    s.run(out="out")
    before = os.stat("out/points.sqlite").st_size
    r = s.sweep({"kernel.message": ["64B", "1KiB", "16KiB"]}).run_missing(out="out")
    assert r.runs["kernel.message_B"] == [64, 1024, 16384] and before > 0


def test_predict_simulates_nothing():
    r = small().sweep({"network": ["infiniband", "ethernet"]}).predict("hockney", {"name": "taulop", "mode": "algebra"})
    assert r.runs["makespan_s"] == [None, None] and r.broken_tolerances == []
    assert set(zip(r.predictions["model"], r.predictions["mode"])) == {("hockney", None), ("taulop", "algebra")}
    with pytest.raises(orrery.InputError, match="nothing was simulated"):
        small().predict("hockney").makespan_s


def test_predict_without_any_model_is_refused():
    with pytest.raises(orrery.InputError, match='predict: no model is named, and the scenario has none. Write predict\\("hloggp"\\)'):
        small().predict()


def test_models_in_a_file_and_models_of_python_say_the_same(scratch):
    with_models = small(models=["hockney"]).run()
    assert small().predict("hockney").predictions["predicted_s"] == with_models.predictions["predicted_s"]


def test_values_that_are_none_are_refused():
    with pytest.raises(orrery.InputError, match="sweep: 'network' is 'ethernet', not a list of values. Write \\['ethernet'\\]?"):
        small().sweep({"network": "ethernet"})
    with pytest.raises(orrery.InputError, match="kernel.message: is '.*' of type object"):
        small().set("kernel.message", object()).run()
    with pytest.raises(orrery.InputError, match="makespan_s: the result has 2 points"):
        small().sweep({"kernel.message": ["64B", "1KiB"]}).run().makespan_s


def test_load_refuses_what_is_no_run(scratch):
    with pytest.raises(orrery.InputError, match="nowhere: there is no run"):
        orrery.load("nowhere")
    (scratch / "result.json").write_text('{"schema": 99}')
    with pytest.raises(orrery.InputError, match="is of schema '99' \\(this package reads 1\\)"):
        orrery.load(scratch)
    (scratch / "result.json").write_text("{")
    with pytest.raises(orrery.InputError, match="is no result"):
        orrery.load(scratch)


def test_a_kept_run_has_a_report_and_another_has_not():
    r = small().run(out="out")
    assert "<html" in r.report.read_text()[:500].lower() and orrery.load("out").runs.to_csv() == r.runs.to_csv()
    with pytest.raises(orrery.InputError, match='report: the run was not kept. Call run\\(out="FOLDER"\\)'):
        orrery.load("out").__class__(json.loads((r.folder / "result.json").read_text())).report


def test_a_notebook_shows_settings_times_and_models():
    r = small(models=["hockney"]).sweep({"kernel.message": ["64B", "1KiB"]}).run()
    page = r._repr_html_()
    assert page.count("<tr>") == 3 and "kernel.message_B" in page and "hockney_s" in page


def test_a_result_draws_its_times_and_errors():
    pytest.importorskip("matplotlib")
    r = small(models=["hockney"]).sweep({"network": ["infiniband", "ethernet"], "kernel.message": ["64B", "1KiB", "1MiB"]}).run()
    ax = r.plot()
    assert {line.get_label() for line in ax.get_lines()} == {
        "simulated, infiniband",
        "simulated, ethernet",
        "hockney, infiniband",
        "hockney, ethernet",
    }
    assert ax.get_xlabel() == "kernel.message (B)"
    assert len(r.plot(x="ranks").get_lines()) == 12  # of two networks, three sizes, simulated and by the model: a column of runs, which predictions lack
    for wrong in ({"x": "nope"}, {"y": "nope"}, {"by": "nope"}):
        with pytest.raises(orrery.InputError, match="runs: no column 'nope'"):
            r.plot(**wrong)
    with pytest.raises(orrery.InputError, match="plot: no point has both 'ranks' and 'measured_s'"):
        r.plot(x="ranks", y="measured_s")
    assert len(r.plot(y="mu").get_lines()) == 2 and len(r.plot(y="makespan_s").get_lines()) == 2


def test_the_package_finds_a_clone_by_its_folder_and_by_the_variable(monkeypatch, scratch):
    clone = scratch / "clone"
    for folder in ("sim", "platforms", "build/release/bin"):
        (clone / folder).mkdir(parents=True)
    (clone / "orrery").write_text("")
    program = clone / "build" / "release" / "bin" / "orrery"
    program.symlink_to(orrery.program())
    monkeypatch.setenv("ORRERY", str(clone))
    assert orrery.program() == program
    monkeypatch.setenv("ORRERY", "orrery")
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    assert orrery.program() == program and orrery.version() == orrery.__version__


def test_measured_times_fit_a_platform(scratch):
    truth = small().sweep({"kernel.message": ["64B", "16KiB", "1MiB"]}).run()
    rows = [{"kernel.message": f"{row['kernel.message_B']}B", "time_s": 1.3 * row["simulated_s"]} for row in truth.runs]
    s = small().sweep({"kernel.message": ["64B", "16KiB", "1MiB"]})
    fit = s.fit(rows, parameters=["latency", "wire-efficiency"], out="fitted.yaml")
    assert fit.error < 0.25 * fit.error_before and fit.platform.is_file()
    assert fit.parameters["parameter"] == ["latency", "wire-efficiency"] and len(fit.points) == 3
    determined = [name for name, sure in zip(["latency_s", "wire_efficiency"], fit.parameters["determined"]) if sure]
    assert list(fit.changed) == determined and all(value > 0 for value in fit.changed.values())
    better = orrery.scenario("fitted.yaml", "infiniband", {"name": "collective", "operation": "allreduce"}, ranks=4, per_node=1, engine="flow")
    again = better.sweep({"kernel.message": ["64B", "16KiB", "1MiB"]}).run()
    assert again.runs["simulated_s"] == pytest.approx(fit.points["fitted_s"])


def test_measured_rows_are_bare_numbers_as_tables_have_them_and_those_left_out_are_said(scratch):
    sizes = ["64B", "16KiB", "1MiB"]
    s = small().sweep({"kernel.message": sizes})
    truth = s.run().runs
    rows = [{"kernel.message_B": row["kernel.message_B"], "time_s": 1.3 * row["simulated_s"]} for row in truth]
    fit = s.fit(rows, parameters=["latency"], out="fitted.yaml")
    assert len(fit.points) == 3 and fit.notes == []
    fit = s.fit(rows[:2] + [{"kernel.message_B": 1000, "time_s": 1e-3}], parameters=["latency"], out="fitted.yaml")
    assert len(fit.points) == 2 and fit.notes == [
        "measured: 1 of 3 rows is about no point and is not used. measured:4: 'kernel.message_B' is '1000' (1000 B, as it "
        "has no unit), which no point has (points have 64B, 16KiB, 1MiB). Correct it, or add it to the sweep?"
    ]
    assert "note: measured: 1 of 3 rows" in repr(fit)
    with pytest.raises(orrery.InputError, match="^measured:2: 'kernel.message_B' is '1000'"):
        s.fit([{"kernel.message_B": 1000, "time_s": 1e-3}])


def test_half_a_round_trip_is_a_metric_of_a_ping_pong(scratch):
    s = orrery.scenario("fermi", "infiniband", {"name": "pingpong"}, ranks=2, per_node=1, engine="flow")
    s.sweep({"kernel.sizes": ["1KiB", "64KiB"]})
    rows = [{"kernel.sizes": row["kernel.sizes"], "time_us": 1e6 * row["simulated_s"] / 2} for row in s.run().runs]
    halves = s.fit(rows, metric="T(m)", parameters=["latency"], out="fitted.yaml")
    assert halves.error_before < 1e-6 and any("half the round trip" in note for note in halves.notes)
    wrong = s.fit(rows, parameters=["latency"], out="fitted.yaml")
    assert wrong.error_before > 0.6 and any("osu_latency" in note for note in wrong.notes)
    with pytest.raises(orrery.InputError, match="^fit: 'metric' without measured times"):
        s.fit(metric="T(m)")


def test_measured_times_fit_the_platform_of_a_file_with_changes(scratch):
    small().sweep({"kernel.message": ["64B", "1MiB"]}).save("mine.yaml")
    times = orrery.Scenario("mine.yaml").set("network", "ethernet").run().runs
    rows = [{"kernel.message": f"{row['kernel.message_B']}B", "time_s": 1.3 * row["simulated_s"]} for row in times]
    fit = orrery.Scenario("mine.yaml").set("network", "ethernet").fit(rows, parameters=["latency", "bandwidth"])
    assert fit.network == "ethernet" and fit.error < 0.25 * fit.error_before and len(fit.points) == 2
    rows = [{"layout.row": "M1", "time_s": 1e-3}]
    with pytest.raises(orrery.InputError, match="^measured: no column 'kernel' "):
        orrery.Scenario("rico-gallego16-m10").set("network", "ethernet").fit(rows)


def test_numbers_and_arrays_of_numpy_are_values():
    numpy = pytest.importorskip("numpy")
    s = small().set("layout.ranks", numpy.int64(8)).sweep({"kernel.repetitions": numpy.array([1, 2])})
    assert s.run().runs["kernel.repetitions"] == [1, 2] and s.run().runs["ranks"] == [8, 8]


def test_errors_are_against_measured_times_where_there_are_some(scratch):
    s = small(models=["hockney"]).sweep({"kernel.message": ["64B", "1KiB"]})
    assert s.run().predictions["against"] == ["simulated", "simulated"]
    (scratch / "measured.csv").write_text("kernel.message,time_s\n64B,1e-3\n1KiB,2e-3\n")
    r = s.set("measured", "measured.csv").run()
    assert r.predictions["against"] == ["measured", "measured"] and r.predictions["measured_s"] == [1e-3, 2e-3]
    assert r.predictions["relative_error"] == pytest.approx([1 - p / m for p, m in zip(r.predictions["predicted_s"], (1e-3, 2e-3))])


def test_a_result_says_which_rows_its_tables_lack():
    s = orrery.scenario("pod-512", "rails", {"name": "collective", "operation": "alltoall"}, layout={"ranks": 128, "gpus": 8}, engine="flow")
    short, whole = s.run(), s.run(full=True)
    assert "less busy resources; run(full=True) keeps them" in repr(short) and len(short.links) == 500
    assert "run(full=True)" not in repr(whole) and len(whole.links) > 500
