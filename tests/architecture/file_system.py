#!/usr/bin/env python3
"""Calls of std::filesystem that throw: a name that is too long, a loop of links or a folder that nobody may enter would
end the program as an internal error. Each call gives an error_code, or asks sim/config/folders.hpp.
Usage: file_system.py SOURCE"""
import re
import sys
import tempfile
from pathlib import Path

THROWS = (
    "absolute|canonical|copy|copy_file|copy_symlink|create_directories|create_directory|create_hard_link|create_symlink|"
    "current_path|directory_iterator|equivalent|exists|file_size|hard_link_count|is_block_file|is_character_file|"
    "is_directory|is_empty|is_fifo|is_other|is_regular_file|is_socket|is_symlink|last_write_time|permissions|proximate|"
    "read_symlink|recursive_directory_iterator|relative|remove|remove_all|rename|resize_file|space|status|"
    "symlink_status|temp_directory_path|weakly_canonical"
)
CALL = re.compile(rf"\b(?:std::filesystem|fs)::({THROWS})(?:\s+\w+)?\(")
ITERATES = re.compile(r"for \([^;()]*:\s*(?:std::filesystem|fs)::(?:recursive_)?directory_iterator")
FOLDERS = ("sim", "platforms", "kernels", "models", "validation", "web")


def arguments(text, at):
    """Those of the call whose bracket opens just before `at`."""
    depth, begin, found = 0, at, []
    for here in range(at, len(text)):
        letter = text[here]
        if letter in "([{":
            depth += 1
        elif depth == 0 and letter in ",)":
            found.append(text[begin:here].strip())
            begin = here + 1
            if letter == ")":
                return found
        elif letter in ")]}":
            depth -= 1
    return found


def problems(path):
    text = re.sub(r"//[^\n]*", lambda comment: " " * len(comment.group()), path.read_text())
    codes = set(re.findall(r"std::error_code\s*&?\s*(\w+)", text))
    states = set(re.findall(r"(\w+) = fs::(?:symlink_)?status\(", text))  # is_directory(file_status) cannot throw
    for call in CALL.finditer(text):
        given = arguments(text, call.end())
        if given == [""] and call.group(1) == "directory_iterator":
            continue  # the end of one
        last = given[-1] if given else ""
        if last in codes or last in states or re.match(r"(?:std::filesystem|fs)::(?:symlink_)?status\(", last):
            continue
        yield text.count("\n", 0, call.start()) + 1, f"{call.group(1)} without an error_code throws"
    for loop in ITERATES.finditer(text):
        yield text.count("\n", 0, loop.start()) + 1, "a loop over a folder throws where the next entry cannot be read"


def all_problems(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.[ch]pp")):
            for line, problem in problems(path):
                yield f"{path.relative_to(root)}:{line}: {problem}. Ask sim/config/folders.hpp?"


def check_planted():
    with tempfile.TemporaryDirectory() as scratch:
        planted = Path(scratch) / "sim" / "planted.cpp"
        planted.parent.mkdir()
        planted.write_text(
            "void f() {\n"
            "  std::error_code failed;\n"
            "  fs::exists(path(a, b), failed);\n"
            "  fs::exists(path(a, failed));\n"
            "  const auto there = fs::symlink_status(a, failed);\n"
            "  if (fs::is_directory(there)) return;\n"
            "  std::filesystem::current_path();\n"
            "  // fs::current_path()\n"
            "  for (const auto& entry : fs::directory_iterator(a, failed)) use(entry);\n"
            "  for (; !failed && at != fs::directory_iterator(); at.increment(failed)) use(at);\n"
            "}\n"
        )
        found = [int(one.split(":")[1]) for one in all_problems(Path(scratch))]
        if found != [4, 7, 9]:
            sys.exit(f"file_system.py: planted calls of lines 4, 7 and 9, found {found}")


check_planted()
found = list(all_problems(Path(sys.argv[1])))
print("\n".join(found))
sys.exit(1 if found else 0)
