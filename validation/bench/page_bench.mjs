// How long the page in a browser takes to answer: every program with its default parameters on RANKS ranks of dahu, eight on a node, without
// models. Of RUNS answers each, the median time of the engine in its Worker, until the time is said, and until the report stands.
//   node [--experimental-websocket] validation/bench/page_bench.mjs build/web/orrery.html BROWSER [RANKS] [RUNS]
// BROWSER: the path of chromium, firefox-esr (with --experimental-websocket) or WebKitWebDriver.
import {tmpdir} from "node:os";
import {open_any} from "../../tests/web/browser.mjs";

const [page, path, ranks = "256", runs = "5"] = process.argv.slice(2);
const browser = await open_any(path, tmpdir()), median = values => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
await browser.resize(1280, 1000);
await browser.go(page);
await browser.until(`document.getElementById("state").textContent.startsWith("answered")`);
const machine = {platform: "dahu", network: "omnipath", ranks: Number(ranks), per_node: 8, parameters: {}, models: [], yaml: null, scenario: null};
// One question as a knob asks it; a thousandth of a second is what browsers tell.
const timed = kernel => browser.run(`(async () => {
  Object.assign(state, ${JSON.stringify(machine)}, {kernel: ${JSON.stringify(kernel)}});
  const wait = ready => new Promise(done => { const look = () => ready() ? done() : setTimeout(look, 1); look(); });
  await wait(() => !document.querySelector("#report iframe.next"));
  const began = performance.now();
  ask();
  await wait(() => busy_since === null);
  const said = performance.now() - began, refused = !$("problem").hidden;
  if (refused) return [$("problem").textContent];
  await wait(() => !document.querySelector("#report iframe.next"));
  const [, number, unit] = /engine took ([\\d.]+) (.*)$/.exec($("state").textContent);
  return ["", Number(number) * {s: 1000, ms: 1, µs: 0.001}[unit], said, performance.now() - began, JSON.parse($("report").querySelector("iframe").contentDocument.getElementById("data").textContent).points[0].messages];
})()`);

console.log(`${browser.name}, ${ranks} ranks, medians of ${runs}\n\n| program | messages | engine ms | time said ms | report drawn ms |\n|---|---|---|---|---|`);
const rows = [];
for (const kernel of await browser.run("catalogue.kernels.map(kernel => kernel.name)")) {
  const taken = [];
  for (let run = 0; run < Number(runs) && taken.at(-1)?.[0] !== "refused"; run++) {
    const [problem, ...times] = await timed(kernel);
    taken.push(problem ? ["refused", problem] : times);
  }
  if (taken[0][0] === "refused") console.error(`${kernel}: ${taken[0][1].split("\n")[0]}`);
  else rows.push([kernel, taken[0][3], ...[0, 1, 2].map(i => median(taken.map(times => times[i])))]);
}
for (const [kernel, messages, ...times] of rows.sort((a, b) => b[3] - a[3])) console.log(`| ${kernel} | ${messages.toLocaleString("en-US")} | ${times.map(ms => ms.toFixed(0)).join(" | ")} |`);
console.log(`\n${rows.filter(row => row[3] <= 200).length} of ${rows.length} within 200 ms`);
await browser.close();
