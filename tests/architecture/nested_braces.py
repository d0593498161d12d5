#!/usr/bin/env python3
"""GCC 12 destroys a member twice where an aggregate is made with braces inside braces, and what comes after them throws:

    PointSpec point{.platform = {.name = text, .where = "--platform"}, .layout = layout_from(flags)};   // twice
    PointSpec point{.platform = PlatformSpec{.name = text, ...}, .layout = layout_from(flags)};         // once

So the inner braces of a member that owns something have their type in front, if anything after them may throw. Lists whose
type is not written (`return {...}`) are judged where they have designators.
Usage: nested_braces.py SOURCE"""
import re
import sys
import tempfile
from pathlib import Path

FOLDERS = ("sim", "platforms", "kernels", "models", "validation", "web")
OWNS = re.compile(r"std::(string|vector|map|set|function|deque|unordered_map|shared_ptr|unique_ptr|multimap|list)\b")
QUIET = re.compile(  # calls that throw nothing but for want of memory, which ends the program
    r"(std::(move|to_string|string|vector|min|max|pair|size|make_shared|make_unique|optional|ref)|fmt::format|static_cast<[^()]*>|"
    r"(\.|->)(size|empty|front|back|begin|end|str|string|si|ranks|c_str|first|second|get|has_value|value_or|nodes))\($"
)


def plain(text):
    """The text without comments, and with strings emptied: as long as it was."""
    def blank(found):
        piece = found.group()
        return re.sub(r"[^\n]", " ", piece) if piece.startswith("/") else piece[0] + "_" * (len(piece) - 2) + piece[-1]
    text = re.sub(r'R"(\w*)\((.*?)\)\1"', lambda raw: '"' + re.sub(r"[^\n]", "_", raw.group()[1:-1]) + '"', text, flags=re.S)
    return re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9a-zA-Z])'(?:\\.|[^'\\\n])'", blank, text, flags=re.S)


def closing(text, at):
    """Of the bracket that opens at `at`."""
    depth = 0
    for here in range(at, len(text)):
        depth += (text[here] in "([{") - (text[here] in ")]}")
        if depth == 0:
            return here
    return len(text)


def split(text, separator):
    """[(offset, piece)] at `separator` outside of brackets."""
    pieces, begin, here = [], 0, 0
    while here < len(text):
        if text[here] in "([{":
            here = closing(text, here)
        elif text[here] == separator:
            pieces.append((begin, text[begin:here]))
            begin = here + 1
        here += 1
    return [*pieces, (begin, text[begin:])] if text[begin:].strip() else pieces


class Structs:
    """Aggregates by name: their members in order, [(type, name)]."""

    def __init__(self, texts):
        self.members = {}
        for text in texts:
            for found in re.finditer(r"\bstruct (\w+)(?: final)?\s*(?::\s*(?:public )?([\w:]+)\s*)?\{", text):
                body = text[found.end() : closing(text, found.end() - 1)]
                if re.search(rf"(?:^|[^~\w]){found.group(1)}\(|\bvirtual\b|\bprivate:", body):
                    continue  # has a constructor
                members = [(found.group(2), "")] if found.group(2) else []
                for _, piece in split(re.sub(r"\{[^{}]*\}(?!\s*[;,])", "", body), ";"):
                    piece = re.sub(r"\s+", " ", piece.split("{")[0].split("=")[0]).strip()
                    one = re.fullmatch(r"(?:mutable )?((?:const )?[\w:]+(?:<.*>)?(?: ?[*&])?) (\w+(?: ?, ?\w+)*)", piece)
                    if one and not re.match(r"(using|static|friend|struct|enum|return|template|class|typedef)\b", piece):
                        members += [(one.group(1), name.strip()) for name in one.group(2).split(",")]
                self.members.setdefault(found.group(1), []).append(members)

    def owns(self, kind, seen=()):
        if OWNS.search(kind):
            return True
        name = kind.split("::")[-1]
        return name not in seen and any(
            self.owns(inner, (*seen, name)) for members in self.members.get(name, []) for inner, _ in members
        )

    def owning_aggregate(self, kind):
        return kind.split("::")[-1] in self.members and self.owns(kind)

    def member_kinds(self, names, element, position):
        """What the member may be that an element of a list sets; `names`: structs that the list may be of."""
        designated = re.match(r"\s*\.(\w+)\s*=", element)
        for name in names:
            for members in self.members[name]:
                for place, (kind, member) in enumerate(members):
                    if member == designated.group(1) if designated else place == position:
                        yield kind


def may_throw(text):
    return any(not QUIET.search(text[: call.end()]) for call in re.finditer(r"[\w>]\(", text))


def inner_braces(element):
    """Where an element's own braces open, if no type stands before them."""
    found = re.match(r"\s*(?:\.\w+\s*=\s*)?(?=\{)", element)
    return found.end() if found else None


def judged(structs, names, text, begin, problems):
    """Elements of the list that opens at `begin`, and of the lists in it."""
    inside = text[begin + 1 : closing(text, begin)]
    elements = split(inside, ",")
    for position, (offset, element) in enumerate(elements):
        opens = inner_braces(element)
        if opens is None or closing(element, opens) == opens + 1:
            continue
        kinds = {kind.split("::")[-1] for kind in structs.member_kinds(names, element, position) if structs.owning_aggregate(kind)}
        if not kinds:
            continue
        if any(may_throw(later) for _, later in elements[position + 1 :]):
            problems.append((begin + 1 + offset + opens, sorted(kinds)[0]))
        judged(structs, kinds, text, begin + 1 + offset + opens, problems)


def names_before(structs, text, at):
    """The structs that a list which opens at `at` may be of."""
    typed = re.search(r"([\w:]+)(?:\s+\w+)?(?:\s*=)?\s*\(?$", text[max(0, at - 200) : at])
    if typed and typed.group(1).split("::")[-1] in structs.members:
        return {typed.group(1).split("::")[-1]}
    if not re.match(r"\s*\.\w+\s*=", text[at + 1 : at + 200]):
        return set()
    elements = split(text[at + 1 : closing(text, at)], ",")
    designators = [re.match(r"\s*\.(\w+)\s*=", element) for _, element in elements]
    if not designators or not all(designators):
        return set()
    wanted = {found.group(1) for found in designators}
    return {
        name
        for name, all_members in structs.members.items()
        if any(wanted <= {member for _, member in members} for members in all_members)
    }


def all_problems(root):
    files = {path: plain(path.read_text()) for folder in FOLDERS for path in sorted((root / folder).rglob("*.[ch]pp"))}
    structs = Structs(files.values())
    for path, text in files.items():
        problems = []
        for brace in re.finditer(r"\{", text):
            if names := names_before(structs, text, brace.start()):
                judged(structs, names, text, brace.start(), problems)
        for at, kind in sorted(set(problems)):
            yield f"{path.relative_to(root)}:{text.count(chr(10), 0, at) + 1}: braces of a member, and what comes after them may throw. Write '{kind}{{...}}'?"


PLANTED = """struct Inner { std::string name; int count = 0; };
struct Plain { int a, b; };
struct Outer { Inner inner; Plain plain; std::string text; };
void f() {
  Outer a{.inner = {.name = x, .count = 1}, .text = throws(x)};
  Outer b{{x, 1}, {}, throws(x)};
  use(Outer{.inner = Inner{.name = x}, .text = throws(x)});
  Outer c{.inner = {.name = throws(x)}, .text = "(x)"};
  Outer d{.plain = {1, 2}, .text = throws(x)};
  Outer e{.inner = {}, .text = throws(x)};
  use({.inner = {x}, .plain = {1, 2}, .text = throws(x)});
  Outer g{.inner = {x}, .text = fmt::format("{}", x)};
}
"""


def check_planted():
    with tempfile.TemporaryDirectory() as scratch:
        (Path(scratch) / "sim").mkdir()
        (Path(scratch) / "sim" / "planted.cpp").write_text(PLANTED)
        found = [int(one.split(":")[1]) for one in all_problems(Path(scratch))]
        if found != [5, 6, 11]:
            sys.exit(f"nested_braces.py: planted braces of lines 5, 6 and 11, found {found}")


check_planted()
found = list(all_problems(Path(sys.argv[1])))
print("\n".join(found))
sys.exit(1 if found else 0)
