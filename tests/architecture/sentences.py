#!/usr/bin/env python3
"""No program reads a sentence. What is refused, answered or noted has fields (sim/core/refusal.hpp, AnswerPart); a sentence is
for people, and may be said better at any time.

Found is a sentence (a message, the text of an error or answer, a note) that is searched, split, matched or cut. Programs of
others (CLI11, nlohmann, SQLite, an MPI) have sentences alone: LIBRARIES names the places that read them.
Usage: sentences.py SOURCE"""
import re
import sys
from pathlib import Path

CUT = r"(?:find|rfind|substr|starts_with|ends_with|find_first_of|find_last_of|replace|contains)"
RULES = {
    ".cpp": [
        # const std::string said = error.what(); ... said.find("...")
        re.compile(r"\b(?:error|refusal|stop|refused|known|missing)\.what\(\)(?:\)|;)?\s*\.\s*" + CUT + r"\("),
        re.compile(r"std::string(?:_view)? (\w+)[ (={]+[^;]*\.what\(\)[^;]*;(?:(?!\n}\n).)*?\b\1\." + CUT + r"\(", re.S),
        re.compile(r"\b(?:refusal\(\)\.text\(\)|(?:refusal|problem|failure)\.text\(\)|binding|run_text\(\)|phase_text\(\))\s*\.\s*" + CUT + r"\("),
    ],
    ".py": [
        re.compile(r"\b(?:error|stop|answer|said|exc|e)\.(?:message|problem|remedy)\.(?:split|startswith|endswith|replace|find|index|partition)\("),
        re.compile(r"str\((?:error|e|exc|stop)\)\.(?:split|startswith|endswith|replace|find|index|partition)\("),
        re.compile(r"\.(?:search|match|fullmatch|findall|split|sub)\([^()]*\b(?:message|problem|remedy|str\(error\)|note)\b"),
        re.compile(r"re\.compile\([^\n]*(?:is '|has \[)"),
    ],
    ".js": [
        re.compile(r"\b(?:run|phase|said|note|notes\[\d\]|message|failure|binding|answer(?:\.run|\.phase|\[\d\])|problem|error)\.(?:split|match|replace|search|startsWith|endsWith|slice|indexOf)\("),
        re.compile(r"\.exec\((?:note|said|message|run|phase|error|problem|data\.notes\[\d\])\b"),
    ],
}
LIBRARIES = {  # file: whose sentences it reads
    "sim/cli/command_line.cpp": "CLI11",
    "sim/show/result/json_text.cpp": "nlohmann/json",
    "web/page/page.js": "a line of progress, which the program draws anew, is left out of what is shown",
}
FOLDERS = ("sim", "platforms", "kernels", "models", "validation", "web", "python/orrery")


def found_in(name, text):
    for rule in RULES.get(Path(name).suffix, ()):
        for hit in rule.finditer(text):
            line = text.count("\n", 0, hit.start()) + 1
            yield f"{name}:{line}: reads a sentence: {' '.join(hit.group().split())[:100]}"


def found(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = str(path.relative_to(root))
            if path.suffix in RULES and "node_modules" not in path.parts and name not in LIBRARIES:
                yield from found_in(name, path.read_text())


PLANTED = {
    "a.cpp": ['const std::string said = error.what();\n  if (said.find("of kind") != 0) throw;', "error.what().substr(3)",
              'answer.run_text().substr(0, 3)'],
    "a.py": ['kept = stop.message.split("Go on with:")[0]', "found = form.search(message)", '_V = re.compile(r"\\bis \'([^\']*)\'")'],
    "a.js": ['run.replace(/ of the run is /, " of it is ")', "group.said.split(\"; \")", "/^.*?[.?!]/.exec(note)"],
}
FINE = {
    "a.cpp": ["throw InputError(error.refusal().at(where));", "const std::string file = path.what; file.find('a')"],
    "a.py": ["if error.file == rows:", "name.split('.')"],
    "a.js": ["const [of_run, ...more] = group.said;", "label.replace(/a/, 'b')"],
}


def main():
    for name, texts in PLANTED.items():
        for text in texts:
            if not list(found_in(name, text)):
                sys.exit(f"the planted reader is not found: {text}")
    for name, texts in FINE.items():
        for text in texts:
            if list(found_in(name, text)):
                sys.exit(f"taken for a reader: {text}")
    root = Path(sys.argv[1])
    for name in LIBRARIES:
        if not (root / name).is_file():
            sys.exit(f"LIBRARIES names '{name}', which is no file")
    hits = list(found(root))
    print("\n".join(hits))
    sys.exit(1 if hits else 0)


main()
