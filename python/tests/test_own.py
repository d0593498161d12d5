"""Models, programs and partitioners that are Python functions."""

import pytest

import orrery
from orrery import steps


def halo(rank, ranks):
    for k in range(3):
        yield steps.phase("communication", iteration=k)
        right = steps.isend((rank + 1) % ranks, 65536)
        left = steps.irecv((rank - 1) % ranks, 65536)
        yield right
        yield left
        yield steps.wait(right)
        yield steps.wait_all()
        yield steps.phase("computation", iteration=k)
        yield steps.compute(0.002)


def test_a_model_sees_the_messages_and_its_time_stands_beside_the_others():
    def bytes_over_bandwidth(phase, point):
        assert phase.name == point.compared_phase == "communication"
        return sum(m.size_B for m in phase.messages) / point.bandwidth_B_per_s

    s = orrery.scenario("fermi", "infiniband", {"name": "collective", "operation": "bcast", "algorithm": "flattree"}, ranks=4, per_node=1)
    s.set("engine", "flow").sweep({"kernel.message": ["64KiB", "1MiB"], "network": ["infiniband", "ethernet"]})
    points = s.phases()
    assert [len(point.phases[0].messages) for point in points] == [3, 3, 3, 3]
    assert points[0].settings == {"kernel.message": "64KiB", "network": "infiniband"} and points[0].nodes_of_ranks == [0, 1, 2, 3]
    r = s.set("models", ["hockney", bytes_over_bandwidth]).run()
    mine = r.predictions.where(model="bytes-over-bandwidth")
    assert mine["predicted_s"] == pytest.approx([3 * size / rate for size in (2**16, 2**20) for rate in (4e9, 117687500.0)])
    assert mine["simulated_s"] == r.runs["simulated_s"]


def test_a_model_of_the_whole_run_adds_up_its_phases():
    @orrery.model(name="compute-only", whole_run=True)
    def computing(phase, point):
        return max((sum(c.time_s * c.repeat for c in phase.computes if c.rank == rank) for rank in range(point.ranks)), default=0)

    s = orrery.scenario("fermi", "infiniband", "wave2d", ranks=4, per_node=1, engine="flow", models=[computing])
    row = s.run().predictions[0]
    assert (row["model"], row["predicts"]) == ("compute-only (run)", "run") or row["predicts"] == "run"
    assert 0 < row["predicted_s"] < row["simulated_s"]


def test_a_model_of_a_sweep_over_kernels_is_asked_of_each():
    s = orrery.Scenario("rico-gallego16-m10").set("models", [lambda phase, point: len(phase.messages) * 1e-6])
    r = s.predict()
    assert len(set(r.predictions["predicted_s"])) == 2 and len(r.predictions) == 4


def test_a_program_without_steps_is_refused():
    def forgot_to_yield(rank, ranks):
        orrery.steps.send(1 - rank, 8)

    with pytest.raises(orrery.InputError, match="forgot_to_yield: returns 'None' for rank 0 .*Yield each step?"):
        orrery.Program(forgot_to_yield, ranks=2)


@pytest.mark.parametrize("wrong", [float("nan"), -1.0, None, "fast"])
def test_a_model_that_says_no_time_is_refused(wrong):
    s = orrery.scenario("fermi", "infiniband", "pingpong", ranks=2, per_node=1, models=[orrery.Model(lambda *_: wrong, "mine")])
    with pytest.raises(orrery.InputError, match="mine: says '.*' of phase .* \\(seconds, 0 or more\\)"):
        s.predict()


def test_a_program_takes_the_time_of_its_steps():
    r = orrery.simulate("fermi", "infiniband", orrery.Program(halo, ranks=4), per_node=1)
    assert sum(t for t, phase in zip(r.phases["time_s"], r.phases["phase"]) if phase == "computation") == pytest.approx(3 * 0.002)
    by_hand = orrery.simulate("fermi", "infiniband", {"name": "pingpong"}, ranks=2, per_node=1)
    assert r.makespan_s > 0.006 and by_hand.makespan_s > 0
    assert r.runs["messages"] == [12]


def test_a_program_is_predicted_by_every_model():
    s = orrery.scenario("fermi", "infiniband", orrery.Program(halo, ranks=4), per_node=1, models=["taulop", "hockney"])
    assert all(row["predicted_s"] > 0 for row in s.predict().predictions)


def test_a_program_has_its_ranks():
    r = orrery.simulate("fermi", "infiniband", orrery.Program(lambda rank, ranks: [steps.barrier()], ranks=3))
    assert r.runs["ranks"] == [3] and r.title == "lambda on fermi"


def test_flops_take_the_time_of_the_host():
    def work(rank, ranks):
        yield steps.flops(10.12e9)

    assert orrery.simulate("fermi", "infiniband", orrery.Program(work, ranks=1), per_node=1).makespan_s == pytest.approx(1.0)


def test_every_collective_is_played():
    def all_of_them(rank, ranks):
        yield steps.barrier()
        yield steps.bcast(1000, root=1)
        yield steps.reduce(1000)
        yield steps.allreduce(1000)
        yield steps.alltoall(100)
        yield steps.allgather(100)
        yield steps.gather(100, root=2)
        yield steps.scatter(100)

    r = orrery.simulate("fermi", "infiniband", orrery.Program(all_of_them, ranks=4), per_node=1)
    assert {"bcast", "reduce", "allreduce", "alltoall", "allgather", "gather", "scatter"} <= set(r.collectives["operation"])
    sizes = dict(zip(r.collectives["operation"], r.collectives["size_B"]))
    assert (sizes["bcast"], sizes["alltoall"], sizes["allgather"]) == (1000, 400, 400)


def test_collectives_of_rows_and_columns_count_their_roots_in_them(tmp_path):
    def grid(rank, ranks):
        row = range(rank // 2 * 2, rank // 2 * 2 + 2)
        column = [rank % 2, rank % 2 + 2, rank % 2 + 4]
        yield steps.bcast(1000, root=1, among=row)
        yield steps.allreduce(500, among=column)
        yield steps.barrier()

    program = orrery.Program(grid, ranks=6, path=tmp_path / "grid.ti")
    assert "#orrery 3 on 4 2,3\n3 bcast 1000 1 6\n#orrery 3 on 3 1,3,5\n" in program.path.read_text()
    r = orrery.simulate("fermi", "infiniband", program, per_node=1)
    of = {(row["operation"], row["size_B"]) for row in r.collectives}
    assert {("bcast", 1000), ("allreduce", 500)} <= of
    small = orrery.Program(lambda rank, ranks: [steps.bcast(1000, among=[rank % 2, rank % 2 + 2])], ranks=4)
    assert orrery.simulate("fermi", "infiniband", small, per_node=1).runs["messages"] == [2]


@pytest.mark.parametrize(
    "step, message",
    [
        (lambda: steps.barrier(among=[1, 2]), "rank 0, step 1: barrier is among ranks '1, 2' .* with rank 0 itself"),
        (lambda: steps.barrier(among=[0, 0]), "barrier is among ranks '0, 0' \\(each once"),
        (lambda: steps.bcast(8, root=2, among=[0, 3]), "bcast has root '2' \\(it counts in its 2 ranks"),
        (lambda: steps.send(4, 8), "rank 0, step 1: send names rank '4' \\(ranks are 0 to 3\\)"),
        (lambda: steps.send(1, 1.5), "send: '1.5' is no size in bytes"),
        (lambda: steps.compute(-1), "compute: '-1.0' seconds \\(0 or more\\)"),
        (lambda: steps.phase("two words"), "phase: 'two words' is not one word .* Write 'two-words'?"),
        (lambda: steps.wait(steps.barrier()), "wait: '.*' is no request"),
        (lambda: "send", "rank 0, step 1: ''send'' is no step"),
    ],
)
def test_a_step_that_cannot_be_is_refused(step, message):
    def program(rank, ranks):
        yield step()

    with pytest.raises(orrery.InputError, match=message):
        orrery.Program(program, ranks=4)


def test_seconds_and_flops_do_not_mix():
    def both(rank, ranks):
        yield steps.compute(1.0)
        yield steps.flops(1e9)

    with pytest.raises(orrery.InputError, match="rank 0, step 2: computes 'flops', other steps seconds"):
        orrery.Program(both, ranks=1)


def slices(problem):
    edges = [round(problem.columns * r / problem.ranks) for r in range(problem.ranks + 1)]
    return [(a, 0, b - a, problem.rows) for a, b in zip(edges, edges[1:])]


def test_a_partition_is_played_beside_a_shipped_one():
    kernel = {"name": "summa", "blocks": 16}
    mine = orrery.partition(slices, "fermi", kernel, ranks=4, per_node=2)
    assert mine.problem.columns == 16 and mine.half_perimeters == 4 * (4 + 16) and mine.imbalance == pytest.approx(0)
    assert "<svg" in mine._repr_html_()
    s = orrery.scenario("fermi", "infiniband", kernel, ranks=4, per_node=2, engine="flow")
    r = s.sweep({"partition": [mine, {"algorithm": "even-grid"}]}).run()
    assert r.ranks.where(point=0)["height_blocks"] == [16] * 4 and r.ranks.where(point=1)["height_blocks"] == [8] * 4
    assert r.runs["makespan_s"][0] > r.runs["makespan_s"][1]


@pytest.mark.parametrize(
    "rectangles, message",
    [
        ([(0, 0, 16, 16)], "gives '1' rectangles \\(one for each of 2 ranks\\)"),
        ([(0, 0, 8, 16), (8, 0, 9, 16)], "rank 1 gets '\\(8, 0, 9, 16\\)', outside the grid of 16 x 16 blocks"),
        ([(0, 0, 9, 16), (8, 0, 8, 16)], "block \\(8, 0\\) belongs to rank 0 and rank 1"),
        ([(0, 0, 7, 16), (8, 0, 8, 16)], "block \\(7, 0\\) belongs to no rank"),
        ([(0, 0, 8, 16), (8, 0, 8.5, 16)], "rank 1 gets '\\(8, 0, 8.5, 16\\)' \\(x, y, width and height in whole blocks\\)"),
    ],
)
def test_a_partition_that_is_none_is_refused(rectangles, message):
    with pytest.raises(orrery.InputError, match=message):
        orrery.partition(lambda problem: rectangles, "fermi", {"name": "summa", "blocks": 16}, ranks=2, per_node=1)
