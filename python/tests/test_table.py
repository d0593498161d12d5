import csv
import io

import pytest

import orrery
from orrery.table import Table

TABLE = Table("runs", {"network": ["ib", "eth", "ib"], "kernel.message_B": [64, 64, None], "time_s": [1.5, 0.5, 2.5]})


def test_columns_rows_and_slices():
    assert TABLE.columns == ["network", "kernel.message_B", "time_s"]
    assert len(TABLE) == 3 and TABLE["time_s"] == [1.5, 0.5, 2.5]
    assert TABLE[-1] == {"network": "ib", "kernel.message_B": None, "time_s": 2.5}
    assert [row["network"] for row in TABLE[:2]] == ["ib", "eth"]


def test_a_column_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(orrery.InputError, match=r"runs: no column 'tme' \(known: network, kernel.message_B, time_s\)"):
        TABLE["tme"]


def test_where_takes_values_or_a_function():
    assert TABLE.where(network="ib")["time_s"] == [1.5, 2.5]
    assert TABLE.where({"kernel.message_B": 64}, network="ib")["time_s"] == [1.5]
    assert TABLE.where(lambda row: row["time_s"] > 1)["network"] == ["ib", "ib"]


def test_sort_puts_empty_cells_last_either_way():
    assert TABLE.sort("kernel.message_B", "time_s")["time_s"] == [0.5, 1.5, 2.5]
    assert TABLE.sort("kernel.message_B", descending=True)["kernel.message_B"] == [64, 64, None]


def test_csv_is_read_back():
    rows = list(csv.reader(io.StringIO(TABLE.to_csv())))
    assert rows == [["network", "kernel.message_B", "time_s"], ["ib", "64", "1.5"], ["eth", "64", "0.5"], ["ib", "", "2.5"]]


def test_html_escapes_and_leaves_out_empty_columns():
    page = Table("t", {"<a>": ["x & y"], "empty": [None]})._repr_html_()
    assert "&lt;a&gt;" in page and "x &amp; y" in page and "empty" not in page


def test_pandas_keeps_whole_numbers_whole():
    pandas = pytest.importorskip("pandas")
    frame = TABLE.to_pandas()
    assert list(frame.columns) == TABLE.columns and str(frame["kernel.message_B"].dtype) == "Int64"
    assert frame["kernel.message_B"].isna().tolist() == [False, False, True]
    assert frame.groupby("network")["time_s"].sum().to_dict() == {"ib": 4.0, "eth": 0.5}
    assert isinstance(frame, pandas.DataFrame)


def test_times_are_numbers_for_pandas_where_none_is_known():
    pytest.importorskip("pandas")
    frame = Table("t", {"measured_s": [None, None], "simulated_s": [1.0, 2.0], "failure": [None, None]}).to_pandas()
    assert (frame["measured_s"] - frame["simulated_s"]).isna().all() and str(frame["failure"].dtype) == "object"


def test_a_sentence_is_cut_in_a_terminal_alone():
    table = Table("t", {"binding": ["x" * 200], "time_s": [1.5]})
    assert max(map(len, repr(table).splitlines())) < 80 and "..." in repr(table) and repr(table).endswith("1.5")
    assert "x" * 200 in table._repr_html_() and "x" * 200 in table.to_csv()


def test_a_plot_has_a_line_for_each_value():
    pytest.importorskip("matplotlib")
    table = Table("t", {"n": [1, 2, 1, 2], "net": ["a", "a", "b", "b"], "time_s": [1.0, 2.0, 3.0, 500.0]})
    ax = table.plot("n", "time_s", by="net")
    assert [line.get_label() for line in ax.get_lines()] == ["a", "b"]
    assert [list(line.get_ydata()) for line in ax.get_lines()] == [[1.0, 2.0], [3.0, 500.0]]
    assert (ax.get_xscale(), ax.get_yscale(), ax.get_ylabel()) == ("linear", "log", "time (s)")


def test_axes_that_share_their_scale_show_the_greatest_of_both():
    pyplot = pytest.importorskip("matplotlib.pyplot")
    _, axes = pyplot.subplots(1, 2, sharey=True)
    Table("t", {"n": [1, 2], "time_s": [1.0, 2.0]}).plot("n", "time_s", ax=axes[0])
    Table("t", {"n": [1, 2], "time_s": [1.0, 20.0]}).plot("n", "time_s", ax=axes[1])
    assert axes[0].get_ylim()[0] == 0 and axes[0].get_ylim()[1] > 20
