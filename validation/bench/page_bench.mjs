// How long the page takes to answer: every program as the page first asks it on RANKS ranks of dahu, eight on a node, without models
// or with those named.
// Of RUNS answers each, the median time of the engine in its Worker, until the time is said, until the report stands, and of Chromium the processor
// time of all its processes, which other programs on the computer hardly change.
//   node [--experimental-websocket] validation/bench/page_bench.mjs build/web/orrery.html BROWSER [RANKS] [RUNS] [hockney,loggp]
//   node validation/bench/page_bench.mjs build/web/web/orrery.wasm node [RANKS] [RUNS]
// BROWSER: the path of chromium, firefox-esr (with --experimental-websocket) or WebKitWebDriver. The second form asks the module the same
// in node and tells processor time, for a computer that does other things.
import {readFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import {open_any} from "../../tests/web/browser.mjs";
import {load_host, shipped_files} from "../../tests/web/host.mjs";

const [page, path, ranks = "256", runs = "5", models = ""] = process.argv.slice(2);
const median = values => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

function in_node() {
  const source = join(dirname(fileURLToPath(import.meta.url)), "../.."), {Files, answer} = load_host(source);
  const files = shipped_files(source, Files), module = new WebAssembly.Module(readFileSync(page)), path = "data/scenarios/question.yaml", rows = [];
  const first = new Function(`return ${/const first_parameters = ([^;]*);/.exec(readFileSync(join(source, "web/page/page.js"), "utf8"))[1]}`)();
  for (const {name, needs_file} of JSON.parse(answer(module, files, {command: "catalogue"}).out).kernels) {
    if (needs_file) continue;
    const asked = files.over({[path]: `title: bench\nsource: bench\nplatform: dahu\nnetwork: omnipath\nlayout: {ranks: ${ranks}, per-node: 8}\nkernel: ${JSON.stringify({name, ...first[name]})}\nengine: flow\n`});
    const one = () => {
      const began = process.cpuUsage(), said = answer(module, asked, {command: "run", scenario: path, format: "page"}), {user, system} = process.cpuUsage(began);
      if (said.code !== 0) throw new Error(said.error.trim());
      return [(user + system) / 1000, JSON.parse(said.out).points[0].messages];
    };
    try {
      const taken = Array.from({length: Number(runs)}, one);
      rows.push([name, taken[0][1], median(taken.map(([ms]) => ms))]);
    } catch (problem) {
      console.error(`${name}: ${problem.message}`);
    }
  }
  console.log(`node ${process.version}, ${ranks} ranks, processor time, medians of ${runs}\n\n| program | messages | answer ms |\n|---|---|---|`);
  for (const [name, messages, ms] of rows.sort((a, b) => b[2] - a[2])) console.log(`| ${name} | ${messages.toLocaleString("en-US")} | ${ms.toFixed(0)} |`);
  console.log(`\n${rows.filter(row => row[2] <= 200).length} of ${rows.length} within 200 ms`);
  process.exit(0);
}
if (path === "node") in_node();

const browser = await open_any(path, tmpdir());
await browser.resize(1280, 1000);
await browser.go(page);
await browser.until(`document.getElementById("state").textContent.startsWith("answered")`);
const machine = {platform: "dahu", network: "omnipath", ranks: Number(ranks), per_node: 8, models: models.split(",").filter(Boolean), yaml: null, scenario: null};
// One question as a knob asks it; a thousandth of a second is what browsers tell.
const timed = kernel => browser.run(`(async () => {
  Object.assign(state, ${JSON.stringify(machine)}, {kernel: ${JSON.stringify(kernel)}, parameters: {...first_parameters[${JSON.stringify(kernel)}]}});
  const wait = ready => new Promise(done => { const look = () => ready() ? done() : setTimeout(look, 1); look(); });
  await wait(() => !document.querySelector("#report iframe.next"));
  const began = performance.now();
  ask();
  await wait(() => busy_since === null);
  const said = performance.now() - began, refused = !$("problem").hidden;
  if (refused) return [$("problem").textContent];
  await wait(() => $("state").textContent.startsWith("answered"));  // models too
  await wait(() => !document.querySelector("#report iframe.next"));
  const [, number, unit] = /engine took ([\\d.]+) (.*)$/.exec($("state").textContent);
  return ["", Number(number) * {s: 1000, ms: 1, µs: 0.001}[unit], said, performance.now() - began, JSON.parse($("report").querySelector("iframe").contentDocument.getElementById("data").textContent).points[0].messages];
})()`);

const with_processor = browser.processor_s ? [" processor ms |", "---|"] : ["", ""];
console.log(`${browser.name}, ${ranks} ranks, medians of ${runs}\n\n| program | messages | engine ms | time said ms | report drawn ms |${with_processor[0]}\n|---|---|---|---|---|${with_processor[1]}`);
const rows = [];
for (const kernel of await browser.run("catalogue.kernels.map(kernel => kernel.name)")) {
  const taken = [];
  for (let run = 0; run < Number(runs) && taken.at(-1)?.[0] !== "refused"; run++) {
    const before = await browser.processor_s?.(), [problem, ...times] = await timed(kernel);
    if (!problem && browser.processor_s) times.push(1000 * (await browser.processor_s() - before));
    taken.push(problem ? ["refused", problem] : times);
  }
  if (taken[0][0] === "refused") console.error(`${kernel}: ${taken[0][1].split("\n")[0]}`);
  else rows.push([kernel, taken[0][3], ...taken[0].flatMap((_, i) => i === 3 ? [] : [median(taken.map(times => times[i]))])]);
}
for (const [kernel, messages, ...times] of rows.sort((a, b) => b[3] - a[3])) console.log(`| ${kernel} | ${messages.toLocaleString("en-US")} | ${times.map(ms => ms.toFixed(0)).join(" | ")} |`);
console.log(`\n${rows.filter(row => row[3] <= 200).length} of ${rows.length} within 200 ms`);
await browser.close();
