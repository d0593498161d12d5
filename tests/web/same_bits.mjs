// Plays the same with the program and with the WebAssembly module, and compares result.json byte for byte, all but what a
// clock says:
//   node same_bits.mjs kernels|scenarios|refusals MODULE PROGRAM SOURCE SCRATCH
// Every kernel is played with its defaults (larger where one says so below); one that only refuses is a failure.
import {spawnSync} from "node:child_process";
import {mkdirSync, readFileSync, rmSync} from "node:fs";
import {join} from "node:path";
import {load_host, shipped_files} from "./host.mjs";

const [kind, module_file, program, source, scratch] = process.argv.slice(2);
const {Files, answer} = load_host(source);
const files = shipped_files(source, Files), module = new WebAssembly.Module(readFileSync(module_file));

// What says how long this machine took, and where the files lie.
const without_clock = text => text.replace(/"wall_clock": *\{[^}]*\}/g, "").replaceAll("/data/", "").replaceAll(source + "/", "");

function program_says(words) {
  const ended = spawnSync(program, words, {cwd: scratch, encoding: "utf8", maxBuffer: 1 << 30, env: {...process.env, ORRERY_DATA: source}});
  return {code: ended.status, out: without_clock(ended.stdout), error: without_clock(ended.stderr)};
}
function module_says(request) {
  const said = answer(module, files, request);
  return {code: said.code, out: without_clock(said.out), error: without_clock(said.error)};
}
const words_of = ({command, ...options}) => [...command.split(" "), ...Object.entries(options).flatMap(
    ([name, value]) => name === "scenario" || name === "file" || name === "what" || name === "name" ? [value] :
        value === true ? [`--${name}`] : [value].flat().flatMap(one => [`--${name}`, String(one)]))];

let failed = 0, passed = 0;
function first_difference(a, b) {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return `at character ${at}:\n  program ${a.slice(Math.max(0, at - 60), at + 60)}\n  module  ${b.slice(Math.max(0, at - 60), at + 60)}`;
}
function same(name, request, words, plays = true) {
  const expected = program_says(words), got = module_says(request);
  const problem = expected.code !== got.code ? `the program ends with ${expected.code}, the module with ${got.code}:\n${expected.error}${got.error}` :
      plays && expected.code !== 0 ? `is refused: ${expected.error}` :
      !plays && expected.code === 0 ? "is not refused" :
      expected.out !== got.out ? first_difference(expected.out, got.out) :
      !plays && expected.error.replace(/^--/, "") !== got.error.replace(/^--/, "") ? first_difference(expected.error, got.error) :
      plays && expected.out.length < 40 ? "says nothing" : "";
  if (problem) {
    failed++;
    console.log(`${name}: ${problem}`);
  } else {
    passed++;
  }
}

const usual = {command: "simulate", platform: "fermi", network: "infiniband", ranks: 16, "per-node": 4, engine: "flow", format: "json"};
// What has no sensible default: a file to play, a machine that a model of 70 billion parameters fits on.
const of_kernel = {
  "trace": {param: ["file=scenarios/traces/jacobi.ti", "compute=false"], ranks: 12},
  "training-step": {platform: "pod-512", network: "rails", ranks: 64, "per-node": 0, gpus: 8, "ignore-memory": true}
};

function kernels() {
  const names = program_says(["list", "kernels", "--names"]).out.trim().split("\n");
  for (const kernel of names) {
    const request = {...usual, kernel, ...of_kernel[kernel]};
    same(kernel, request, words_of(request));
  }
}

function scenarios() {
  const names = readFileSync(join(source, "tests/web/scenarios.txt"), "utf8").split("\n").filter(line => line && !line.startsWith("#"));
  for (const scenario of names) {
    const request = {command: "run", scenario, engine: "flow", format: "json"};
    same(scenario, request, [...words_of(request), "--out", `out-${scenario}`]);
  }
}

function refusals() {
  const refused = (name, request, words = words_of(request)) => same(name, request, words, false);
  refused("unknown platform", {...usual, platform: "fermy", kernel: "wave2d"});
  refused("unknown kernel", {...usual, kernel: "wave3d"});
  refused("parameter out of range", {...usual, kernel: "wave2d", param: ["steps=-1"]});
  refused("unit missing", {...usual, kernel: "pingpong", param: ["message=8"]});
  refused("too many ranks", {...usual, kernel: "wave2d", ranks: 100000});
  refused("no such scenario", {command: "run", scenario: "rico-gallego16-m11", engine: "flow"});
  same("check", {command: "check", file: "scenarios/hpl-small.yaml"}, ["check", "scenarios/hpl-small.yaml"].map((w, i) => w), true);
}

rmSync(scratch, {recursive: true, force: true});
mkdirSync(scratch, {recursive: true});
({kernels, scenarios, refusals})[kind]();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
