#!/usr/bin/env python3
"""The documents of this tree as a site, by Debian's mkdocs: docs/site/build.py [OUTPUT [PROGRAM]]   (default: build/site ./orrery)

Copies every README, every page of docs and every file that one of them links to, lets PROGRAM make the sample report, builds with
mkdocs --strict, and checks that each link and each anchor of the site leads somewhere. Search needs neither a network nor a web server: build/site/index.html opens from disk.
Ends with 77 where mkdocs is not installed (apt-get install mkdocs mkdocs-material).
"""

import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

import glossary

root = pathlib.Path(__file__).resolve().parents[2]
link = re.compile(r"(!?\[[^\]]*\]\()([^)\s]+)(\))")
outside = re.compile(r"^([a-z]+:|//|#)")
# The report that README.md has a picture of. In the tree the pages link to the picture: a report has a line for each change of the program.
sample_scenario = "rico-gallego16-m10"
sample_picture, sample_report = "[sample report](images/report.png)", "[sample report](sample/report.html)"


def documents() -> list[pathlib.Path]:
    """Pages in the order of their paths; nothing of build folders, outputs or test scratch, nor what is read in a lab: it belongs into the page of
    the lab, and has the teacher's solution."""
    found = [root / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "CODE_OF_CONDUCT.md")]
    for folder in ("docs", "kernels", "labs", "models", "packaging", "platforms", "python", "scenarios", "sim", "tests", "validation", "web"):
        found += sorted((root / folder).rglob("*.md"))
    return [path for path in found if path.is_file() and (path.parent != root / "labs" or path.name == "README.md")]


def linked(text: str) -> str:
    """Without code, in which brackets are no links."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    text = re.sub(r"^    .*$", "", text, flags=re.M)
    return re.sub(r"`[^`\n]*`", "", text)


def stage(sources: pathlib.Path) -> list[str]:
    """Pages and what they link to, below `sources`; sentences on links that lead nowhere."""
    shutil.rmtree(sources, ignore_errors=True)
    problems = []
    for page in documents():
        text = page.read_text()
        into = sources / page.relative_to(root)
        into.parent.mkdir(parents=True, exist_ok=True)
        for _, target, _ in link.findall(linked(text)):
            if outside.match(target):
                continue
            path = (page.parent / urllib.parse.unquote(target.split("#")[0])).resolve()
            if not path.exists() or not path.is_relative_to(root):
                problems.append(f"{page.relative_to(root)}: links to '{target}', which is not there")
            elif path.is_file() and path.suffix != ".md":
                copy = sources / path.relative_to(root)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)

        def folder_as_page(match: re.Match[str]) -> str:
            before, target, after = match.groups()
            path = (page.parent / target.split("#")[0]).resolve()
            if not outside.match(target) and any(part.startswith(".") for part in path.relative_to(root).parts):
                return before[before.index("[") + 1 : -2]  # mkdocs leaves such files out
            if not outside.match(target) and path.is_dir():
                if (path / "README.md").is_file():
                    target = target.rstrip("/") + "/README.md"
                else:  # a folder without a page: its name as text
                    return before[before.index("[") + 1 : -2]
            return before + target + after

        into.write_text(link.sub(folder_as_page, text))
    return problems


def add_sample_report(sources: pathlib.Path, program: str) -> list[str]:
    """Runs the scenario of the sample and puts its report beside the pages, which link to it from now on."""
    with tempfile.TemporaryDirectory() as scratch:
        ran = subprocess.run([program, "run", sample_scenario, "--out", scratch], capture_output=True, text=True)
        if ran.returncode != 0:
            return [f"{program} run {sample_scenario}: ends with {ran.returncode}: {ran.stderr}"]
        (sources / "docs/sample").mkdir(parents=True, exist_ok=True)
        shutil.copyfile(pathlib.Path(scratch) / "report.html", sources / "docs/sample/report.html")
    page = sources / "docs/README.md"
    if sample_picture not in page.read_text():
        return [f"docs/README.md: has no {sample_picture}, which the site makes a link to the report"]
    page.write_text(page.read_text().replace(sample_picture, sample_report))
    return []


def search_from_disk(site: pathlib.Path) -> list[str]:
    """The theme reads its index and starts its worker over HTTP, which a browser refuses to pages of a file: those get both as a script."""
    index = json.loads((site / "search/search_index.json").read_text())
    workers = list(site.glob("assets/javascripts/workers/search.*.js"))
    if len(workers) != 1:
        return [f"the theme has {len(workers)} workers for its search, for one: pages opened from disk would find nothing"]
    worker = json.dumps(workers[0].read_text())
    (site / "search/from_disk.js").write_text(
        # After loading: the theme loses an index that is there before it listens.
        f'var __search = {{index: new Promise(done => addEventListener("load", () => setTimeout(done, 200, {json.dumps(index)}))),\n  worker: URL.createObjectURL(new Blob([{worker}], {{type: "text/javascript"}}))}};\n'
    )
    bundle = re.compile(r'<script src="([^"]*)assets/javascripts/bundle\.')
    problems = []
    for path in site.rglob("*.html"):
        text = path.read_text()
        if not (found := bundle.search(text)):
            continue
        loader = f"""<script>if (location.protocol === "file:") document.write('<script src="{found[1]}search/from_disk.js"><\\/script>')</script>\n      """
        path.write_text(text[: found.start()] + loader + text[found.start() :])
        if not (path.parent / found[1] / "search/from_disk.js").exists() and path.name != "404.html":
            problems.append(f"{path.relative_to(site)}: does not find search/from_disk.js")
    return problems


class Page(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.targets.append(value)
            if name in ("id", "name") and value:
                self.anchors.add(value)


def check(site: pathlib.Path) -> tuple[int, list[str]]:
    """How many links of the site were looked at, and those that lead nowhere or elsewhere for a script, style or font."""
    pages: dict[pathlib.Path, Page] = {}
    for path in site.rglob("*.html"):
        if "sample" in path.parts or path.name == "404.html":  # a report, checked by tests/browser; a page served anywhere
            continue
        pages[path] = Page()
        pages[path].feed(path.read_text())
    looked, problems = 0, []
    for path, page in pages.items():
        for target in page.targets:
            if outside.match(target) and not target.startswith("#"):
                continue
            looked += 1
            file, _, anchor = target.partition("#")
            to = (path.parent / urllib.parse.unquote(file)).resolve() if file else path
            if to.is_dir():
                to = to / "index.html"
            if not to.exists():
                problems.append(f"{path.relative_to(site)}: '{target}' leads nowhere")
            elif anchor and to in pages and urllib.parse.unquote(anchor) not in pages[to].anchors:
                problems.append(f"{path.relative_to(site)}: '{target}' has no such place")
        for text in re.findall(r"<(?:script|link)[^>]*(?:src|href)=\"(https?:[^\"]*)\"", path.read_text()):
            if "rel=\"canonical\"" not in text:
                problems.append(f"{path.relative_to(site)}: needs {text} from elsewhere")
    return looked, problems


def main() -> int:
    if (root / "docs/glossary.md").read_text() != glossary.page():
        print("docs/glossary.md: not the words of sim/show/page/html/glossary.js. Make it anew: docs/site/glossary.py >docs/glossary.md")
        return 1
    if shutil.which("mkdocs") is None:
        print("SKIP: mkdocs is not installed (apt-get install mkdocs mkdocs-material)")
        return 77
    site = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else root / "build/site").resolve()
    sources = root / "build/site-sources"
    problems = stage(sources)
    if not problems:
        problems = add_sample_report(sources, sys.argv[2] if len(sys.argv) > 2 else str(root / "orrery"))
    if not problems:
        material = pathlib.Path("/usr/share/mkdocs/themes/material")  # where Debian has it
        theme = f"name: null\n  custom_dir: {material}" if material.is_dir() else "name: mkdocs"
        config = root / "build/mkdocs.yml"
        config.write_text((root / "docs/site/mkdocs.yml").read_text().replace("name: material", theme))
        built = subprocess.run(
            ["mkdocs", "build", "--quiet", "--strict", "--config-file", config, "--site-dir", site], capture_output=True, text=True
        )
        if built.returncode != 0:
            problems = [built.stdout + built.stderr]
        elif material.is_dir():
            problems = search_from_disk(site)
    if not problems:
        looked, problems = check(site)
        if looked < 1000:
            problems.append(f"only {looked} links were found: look again")
        print(f"{site}: {looked} links, {len(problems)} lead nowhere")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


sys.exit(main())
