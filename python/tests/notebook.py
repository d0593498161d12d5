"""Notebooks as they are kept: without outputs and counts. notebook.py strip|stripped FILE..."""

import json
import sys
from pathlib import Path


def stripped(notebook):
    for cell in notebook["cells"]:
        cell["metadata"] = {}
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
    notebook["metadata"] = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}, "language_info": {"name": "python"}}
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    asked, *files = sys.argv[1:]
    for file in map(Path, files):
        text = stripped(json.loads(file.read_text()))
        if asked == "strip":
            file.write_text(text)
        elif file.read_text() != text:
            sys.exit(1)
