// How much longer the WebAssembly module takes than the program, on the same requests: medians of --runs alternating runs, the
// simulation alone as result.json has it (wall_clock of the run), and the whole answer.
//   node validation/bench/web_bench.mjs build/web/web/orrery.wasm build/release/bin/orrery [RUNS]
import {spawnSync} from "node:child_process";
import {readFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import {load_host, shipped_files} from "../../tests/web/host.mjs";

const [module_file, program, runs = "5"] = process.argv.slice(2);
const source = join(dirname(fileURLToPath(import.meta.url)), "../..");
const {Files, answer} = load_host(source), files = shipped_files(source, Files), module = new WebAssembly.Module(readFileSync(module_file));

const cases = {
  "stencil, 64 ranks": {platform: "fermi", network: "infiniband", kernel: "stencil", ranks: 64, "per-node": 4},
  "stencil, 256 ranks": {platform: "dahu", kernel: "stencil", ranks: 256, "per-node": 8},
  "stencil, 1,024 ranks": {platform: "dahu", kernel: "stencil", ranks: 1024, "per-node": 32, param: ["iterations=200"]},
  "allreduce of 1 MiB, 1,024 ranks": {platform: "dahu", kernel: "collective", ranks: 1024, "per-node": 32, param: ["operation=allreduce", "message=1MiB"]},
  "summa, 64 ranks": {platform: "fermi", network: "infiniband", kernel: "summa", ranks: 64, "per-node": 4}
};
const median = values => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const simulated = text => Number(/"simulation_s": *([-+.\de]+)/.exec(text)[1]);

console.log("| case | messages | simulation: program ms | module ms | ratio | answer: program ms | module ms |\n|---|---|---|---|---|---|---|");
for (const [name, options] of Object.entries(cases)) {
  const request = {command: "simulate", ...options, engine: "flow", format: "json"};
  const words = ["simulate", ...Object.entries(request).filter(([key]) => key !== "command").flatMap(([key, value]) => [value].flat().flatMap(one => [`--${key}`, String(one)]))];
  const taken = {program: [], module: [], program_all: [], module_all: []};
  let messages = 0;
  for (let run = 0; run < Number(runs); run++) {
    let began = performance.now();
    const native = spawnSync(program, words, {encoding: "utf8", maxBuffer: 1 << 30, env: {...process.env, ORRERY_DATA: source}});
    taken.program_all.push(performance.now() - began);
    if (native.status !== 0) throw new Error(`${name}: ${native.stderr}`);
    began = performance.now();
    const said = answer(module, files, request);
    taken.module_all.push(performance.now() - began);
    if (said.code !== 0) throw new Error(`${name}: ${said.error}`);
    taken.program.push(1000 * simulated(native.stdout));
    taken.module.push(1000 * simulated(said.out));
    messages = JSON.parse(said.out).points[0].run.messages;
  }
  const [p, m, pa, ma] = Object.values(taken).map(median), ms = value => value.toFixed(value < 10 ? 1 : 0);
  console.log(`| ${name} | ${messages.toLocaleString("en-US")} | ${ms(p)} | ${ms(m)} | ${(m / p).toFixed(1)} | ${ms(pa)} | ${ms(ma)} |`);
}
