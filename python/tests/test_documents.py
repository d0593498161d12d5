"""The ```python blocks of every page work, in order, in one empty folder; what a page shows is what is printed."""

import contextlib
import io
import math
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(page for page in DOCS.glob("*.md") if "```python\n" in page.read_text())
_BLOCK = re.compile(r"(<!-- not-tested: [^>]+ -->\n)?```python\n(.*?)```\n(?:\n((?:    [^\n]*\n)+))?", re.S)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def same(shown, printed):
    """Words exactly, numbers to 2 %, '...' for what is left out; white space does not count."""
    at = 0
    words = printed.split()
    wanted = shown.split()
    skipping = False
    for word in wanted:
        if word == "...":
            skipping = True
            continue
        while skipping and at < len(words) and not alike(word, words[at]):
            at += 1
        if at >= len(words) or not alike(word, words[at]):
            return False
        skipping, at = False, at + 1
    return skipping or at == len(words)


def alike(a, b):
    if _NUMBER.sub("0", a) != _NUMBER.sub("0", b):
        return False
    return all(math.isclose(float(x), float(y), rel_tol=0.02, abs_tol=last_digit(x)) for x, y in zip(_NUMBER.findall(a), _NUMBER.findall(b)))


def last_digit(number):
    """What one of it is worth where there is a point: 0.01 of 2.71."""
    digits, _, power = number.partition("e")
    return 1.01 * 10 ** (int(power or 0) - len(digits.partition(".")[2])) if "." in digits else 0.0


def test_there_are_pages():
    assert {"python.md", "python-models.md", "python-programs.md", "python-partitions.md"} <= {page.name for page in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_page_works(page):
    if "plot(" in page.read_text():
        pytest.importorskip("matplotlib")
    if "to_pandas(" in page.read_text():
        pytest.importorskip("pandas")
    names = {"__name__": "page"}
    ran = 0
    for skipped, code, shown in _BLOCK.findall(page.read_text()):
        if skipped:
            continue
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(code, page.name, "exec"), names)
        ran += 1
        if shown:
            assert same(shown, out.getvalue()), f"{page.name} shows\n{shown}\nand its block prints\n{out.getvalue()}"
    assert ran > 0


def test_the_comparison_sees_what_differs():
    assert same("a 1.00 ... end", "a 1.01 b c end") and same("a ...", "a b")
    assert not same("a 1.00", "a 1.05") and not same("a b", "a") and not same("a", "a b")
