#!/usr/bin/env python3
"""The words of the report and of the page in a browser as a document: docs/site/glossary.py >docs/glossary.md

Their one list is `glossary` in sim/show/page/html/glossary.js; build.py refuses a docs/glossary.md that is not made from it.
"""

import json
import pathlib
import re

root = pathlib.Path(__file__).resolve().parents[2]


def page() -> str:
    """The document, with words in alphabetical order."""
    script = (root / "sim/show/page/html/glossary.js").read_text()
    terms = json.loads(re.search(r"const glossary = (\[.*?^\]);", script, re.S | re.M).group(1))
    lines = ["# Words", "", "These are the words of reports, of the page in a browser and of these documents. Reports and the page show the meaning at the word.", "",
             "| word | meaning |", "|---|---|"]
    for term, meaning in sorted(terms, key=lambda entry: entry[0].lower()):
        lines.append(f"| **{term}** | {meaning} |".replace("||", r"\|\|"))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(page(), end="")
