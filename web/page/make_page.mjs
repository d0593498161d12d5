// node make_page.mjs SOURCE MODULE OUT: orrery.html, one file with all that it needs.
import {readFileSync, readdirSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import {gzipSync} from "node:zlib";

const [source, module_file, out] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url)), report = join(source, "sim/show/page/html");
const text = path => readFileSync(path, "utf8");

const files = {};
function collect(folder) {
  for (const entry of readdirSync(join(source, folder), {withFileTypes: true})) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) collect(path);
    else if (/[.](yaml|csv|ti|goal|2dist|dat)$/.test(entry.name) || path.startsWith("scenarios/patterns/")) files[`data/${path}`] = text(join(source, path));
  }
}
["platforms", "scenarios"].forEach(collect);

// The report's scripts in the order in which its own build embeds them.
const listed = /set\(report_scripts ([^)]*)\)/.exec(text(join(source, "sim/show/CMakeLists.txt")))[1].trim().split(/\s+/);
const closed = code => code.replaceAll("</", "<\\/");  // nothing in a script ends it
const parts = {
  html: text(join(report, "report.html")),
  css: text(join(report, "report.css")) + text(join(here, "live.css")),
  script: listed.map(name => text(join(report, name))).join("\n"),
  live: text(join(here, "live.js"))
};
const packed = bytes => gzipSync(bytes, {level: 9}).toString("base64");
const values = {
  css: text(join(report, "report.css")) + text(join(here, "page.css")),
  report: JSON.stringify(parts).replaceAll("<", "\\u003c"),
  files: packed(JSON.stringify(files)),
  module: packed(readFileSync(module_file)),
  worker: closed(text(join(here, "host.js")) + text(join(here, "worker.js"))),
  script: closed([...["glossary.js", "ticks.js"].map(name => join(report, name)), ...["ask.js", "words.js", "knobs.js", "editor.js", "terms.js", "shared.js", "slow.js", "answer.js", "drop.js", "formula.js", "markdown.js", "lab_chart.js", "scorm.js", "lab.js", "page.js"].map(name => join(here, name))].map(text).join("\n"))
};
const page = text(join(here, "page.html")).replace(/\{\{(\w+)\}\}/g, (_, name) => values[name]);
writeFileSync(out, page);
console.log(`${out}: ${(page.length / 1e6).toFixed(2)} MB`);
