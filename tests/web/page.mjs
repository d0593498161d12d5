// Opens orrery.html from file:// in a browser without a window and uses it as a person would, by keyboard where it can be:
//   node page.mjs PAGE PROGRAM BROWSER SCRATCH      BROWSER: Chromium, Firefox, or WebKitWebDriver
import {readFileSync, writeFileSync} from "node:fs";
import {join, resolve} from "node:path";
import {begin, expect} from "./harness.mjs";

const [page, program, path, scratch] = process.argv.slice(2);
const {browser, orrery, run, until, text_of: text_at, test, nameless, expect_quiet, finish} = await begin(program, path, scratch);
const text_of = id => text_at(`#${id}`);
const answered = () => until(`document.getElementById("state").textContent.startsWith("answered")`);
const set = (id, value, event = "change") => run(
    `{ const node = document.getElementById("${id}"); node.value = ${JSON.stringify(value)}; node.dispatchEvent(new Event("${event}")); }`);

// What the program itself says of the scenario that the page shows.
async function makespan_of_program(files = {}) {
  const scenario = await run(`document.getElementById("scenario").value`);
  writeFileSync(join(scratch, "scenario.yaml"), scenario);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(scratch, name), text);
  const ended = orrery("run", "scenario.yaml", "--format", "json", "--out", "out");
  if (ended.status !== 0) throw new Error(`the program refuses the page's scenario: ${ended.stderr}`);
  return JSON.parse(ended.stdout).points[0].run.makespan_s;
}
const makespan_of_page = () => run(`JSON.parse(document.querySelector("#report iframe:not(.next)").contentDocument.getElementById("data").textContent).points[0].makespan_s`);
const report_stands = () => until(`document.querySelectorAll("#report iframe").length === 1 && !document.querySelector("#report iframe.next")`);
async function same_as_program(files) {
  await answered();
  await report_stands();
  const [page_s, program_s] = [await makespan_of_page(), await makespan_of_program(files)];
  expect(page_s === program_s, `the page says ${page_s} s, the program ${program_s} s`);
}

await browser.resize(1280, 1000);
await test("The page answers its first question with the bits of the program", async () => {
  await browser.go(page);
  await same_as_program();
});
await test("A slider moved by the keyboard changes the answer", async () => {
  const before = await text_of("time");
  await run(`document.querySelector("#layout input[type=range]").focus()`);
  for (let presses = 0; presses < 3; presses++) await browser.key("ArrowRight");
  await until(`document.getElementById("time").textContent !== ${JSON.stringify(before)}`);
  await same_as_program();
});
await test("Another program and a parameter typed in are what is asked", async () => {
  await set("kernel", "stencil");
  await answered();
  await run(`{ const knob = [...document.querySelectorAll("#parameters .knob")].find(one => one.textContent === "iterations");
    const field = knob.querySelector('input[type="text"]'); field.value = "3"; field.dispatchEvent(new Event("change")); }`);
  await until(`document.getElementById("scenario").value.includes("iterations: 3")`);
  await same_as_program();
  await set("kernel", "collective");
  await until(`document.getElementById("asked").textContent.startsWith("collective")`);
  await same_as_program();
});
await test("Time lines and the load of the network are drawn", async () => {
  const drawn = await run(`[...document.querySelector("#report iframe").contentDocument.querySelectorAll("details.fold[open]")].map(box => [box.dataset.title, box.querySelectorAll("svg").length])`);
  for (const title of ["Time line of each rank", "Load of the network"])
    expect(drawn.some(([name, drawings]) => name === title && drawings > 0), `'${title}' is not among ${JSON.stringify(drawn)}`);
});
await test("A mistake in the machine's file is told at its line and the answer stays", async () => {
  const before = await text_of("time"), shipped = await run(`document.getElementById("yaml").value`);
  await run(`document.getElementById("edit").open = true`);
  await set("yaml", shipped.replace("sockets:", "socketz:"), "input");
  await until(`document.getElementById("yaml").getAttribute("aria-invalid") === "true"`);
  const line = shipped.split("\n").findIndex(text => text.includes("sockets:")) + 1;
  expect(await run(`document.querySelector("#lines b").textContent`) === String(line), "another line is marked");
  expect((await text_of("yaml-problem")).includes(`machine.yaml:${line}:`), await text_of("yaml-problem"));
  expect(await text_of("time") === before, "the answer changed");
  const slower = shipped.replace(/latency: \{value: [^,]*/, "latency: {value: 30us");
  expect(slower !== shipped, "the test found no latency to change");
  await set("yaml", slower, "input");
  await until(`document.getElementById("yaml").getAttribute("aria-invalid") === "false" && document.getElementById("asked").textContent.includes("changed")`);
  await same_as_program({"machine.yaml": slower});
});
await test("The address holds the whole question", async () => {
  const [address, time, scenario] = [await run("location.hash"), await text_of("time"), await run(`document.getElementById("scenario").value`)];
  await browser.go("about:blank");
  await browser.go(page, address);
  await answered();
  expect(await text_of("time") === time, `${await text_of("time")} instead of ${time}`);
  expect(await run(`document.getElementById("scenario").value`) === scenario, "another scenario");
});
await test("A shipped scenario sweeps, and what it cannot read is refused at its line", async () => {
  await set("shipped", "recorded-programs");
  await until(`/^4 runs/.test(document.getElementById("time").textContent)`);
  await answered();
  await set("scenario", "title: x\nplatfrom: fermi\n", "input");
  await until(`!document.getElementById("problem").hidden`);
  expect((await text_of("problem")).startsWith("scenario.yaml:"), await text_of("problem"));
  await run(`document.getElementById("knobs").click()`);
  await answered();
});
await test("The terms of each formula stand in numbers below its prediction", async () => {
  await set("kernel", "pingpong");
  await run(`{ const type = (label, text) => { const field = document.querySelector(label) ?? [...document.querySelectorAll("#parameters label")].find(one => one.textContent === label).nextSibling;
    field.value = text; field.dispatchEvent(new Event("change")); };
    type('[aria-label="ranks on each node, exactly"]', "1"); type("sizes", "64KiB"); }`);
  await until(`document.querySelectorAll(".formulas h3").length === 2 && document.querySelector(".formulas").textContent.includes("sends 64 KiB")`);
  await answered();
  await run(`document.querySelector(".formulas summary").click()`);
  const terms = await run(`[...document.querySelectorAll(".terms li span")].map(node => node.textContent)`);
  expect(terms.some(text => /^rank \d sends .*: alpha [\d.]+ .s \+ beta m [\d.]+ .s$/.test(text)), terms.join("\n"));
  expect(terms.some(text => /: o [\d.]+ .s \+ \(m - 1\) G [\d.]+ .s \+ L [\d.]+ .s \+ o [\d.]+ .s$/.test(text)), terms.join("\n"));
});
await test("Models are asked beside the simulation and say what they say to the program", async () => {
  await same_as_program();
  const stated = text => JSON.parse(text).points[0].predictions.map(one => `${one.label ?? one.model} ${one.time_s ?? one.predicted_s}`).join("; ");
  const on_page = stated(await run(`document.querySelector("#report iframe:not(.next)").contentDocument.getElementById("data").textContent`));
  const by_program = stated(readFileSync(join(scratch, "out/result.json"), "utf8"));
  expect(on_page === by_program && /hockney .*loggp /.test(on_page), `the page says ${on_page}, the program ${by_program}`);
});
await test("A message goes by in slow motion, step by step with the keyboard", async () => {
  await run(`document.querySelector('#slow button[aria-label="Step back"]').focus()`);
  const steps = [];
  for (let step = 0; step < 4; step++) {
    steps.push(await run(`document.querySelector("#slow .step b").textContent`));
    await run(`document.querySelector('#slow ${browser.enter_clicks === false ? "input" : 'button[aria-label="Step on"]'}').focus()`);
    await (browser.enter_clicks === false ? browser.key("ArrowRight") : browser.key("Enter", "Enter", "\r"));
  }
  for (const [i, said] of ["send overhead (o) on rank 0", "rendezvous handshake from rank 0 to rank 1", "latency (L) from rank 0 to rank 1", "transfer (m G) from rank 0 to rank 1"].entries())
    expect(steps[i].startsWith(`Step ${i + 1} of `) && steps[i].includes(said), steps.join("\n"));
  const total = await run(`slow_motion.steps.reduce((sum, step) => sum + step.end - step.begin, 0) * slow_motion.gantt.tick_s`), makespan = await makespan_of_page();
  expect(Math.abs(total - makespan) < 0.001 * makespan, `the steps are ${total} s, the run ${makespan} s`);
  await run(`document.querySelector("#slow .bar button:nth-child(2)").click()`);
  await until(`document.querySelector("#slow .step b").textContent.startsWith("Step 6 of")`);
  await run(`document.querySelector("#slow .bar button:nth-child(2)").click()`);
});
await test("Every message may be stepped through, from its send to its receive", async () => {
  await run(`{ const what = document.querySelector('#slow select'); what.value = "messages"; what.dispatchEvent(new Event("change")); }`);
  const said = await run(`document.querySelector("#slow .step b").textContent`), sent = await run(`JSON.parse(document.querySelector("#report iframe:not(.next)").contentDocument.getElementById("data").textContent).points[0].messages`);
  expect(said.startsWith(`Message 1 of ${sent}: 64 KiB from rank 0 to rank 1, `), `${said}, of ${sent} messages`);
  const drawn = await run(`[...slow_motion.picture.querySelectorAll("line title")].filter(title => title.textContent === "message").length`);
  expect(drawn === Math.min(sent, 24), `${drawn} of ${sent} messages are drawn`);
  await run(`{ const what = document.querySelector('#slow select'); what.value = "path"; what.dispatchEvent(new Event("change")); }`);
});
const shared = async part => {
  await run(`{ const what = document.querySelector('#slow select'); what.value = "shared"; what.dispatchEvent(new Event("change")); ${part ? `const which = document.querySelector('#slow select[aria-label="Link"]');
    which.value = [...which.options].find(option => option.value.startsWith(${JSON.stringify(part)})).value; which.dispatchEvent(new Event("change"));` : ""} }`);
  return run(`[document.querySelector("#slow .step").textContent, document.querySelector('#slow select[aria-label="Link"]').value]`);
};
await test("Messages that share an adapter stand beside each other, and how many are under way at once is counted", async () => {
  await run(`{ Object.assign(state, {kernel: "collective", parameters: {operation: "gather", algorithm: "default", message: "64KiB"}, ranks: 8, per_node: 1, models: []}); draw_question(); change(); }`);
  await until(`document.getElementById("asked").textContent.startsWith("collective")`);
  await answered();
  const [said, adapter] = await shared();
  // A gather whose receives are all posted at once: seven messages into the root's adapter, all under way together.
  expect(adapter.startsWith("incoming NIC of "), `the adapter that most messages share is ${adapter}`);
  expect(said.includes(`Message 1 of 7 through the ${adapter}: 64 KiB from rank`) && said.includes("up to 7 are under way"), said);
  const drawn = await run(`slow_motion.picture.querySelectorAll("rect").length`);
  expect(drawn === 7, `${drawn} of 7 messages are drawn`);
  const [over_time, in_all] = await run(`(({name, load, bin, capacity_B_per_s}) => [load.reduce((sum, share) => sum + share, 0) / 1000 * bin * slow_motion.gantt.tick_s * capacity_B_per_s,
    JSON.parse(document.querySelector("#report iframe:not(.next)").contentDocument.getElementById("data").textContent).points[0].resources.find(one => one.name === name).carried_B])(slow_motion.link())`);
  expect(Math.abs(over_time / in_all - 1) < 0.02 && in_all >= 7 * 65536, `the link carries ${over_time} bytes over time, ${in_all} in all, 7 messages of 64 KiB went through it`);
});
await test("Messages that share a link between switches are found, and say at what rate they get through", async () => {
  // Leaves of two nodes with one cable up: an all-to-all of four ranks sends four messages up each.
  const tree = (await run(`engine.files["data/platforms/fermi.yaml"]`)).replace("topology: {kind: star}", "topology: {kind: fat-tree, down: [2, 8], up: [1, 1]}");
  await run(`{ Object.assign(state, {yaml: ${JSON.stringify(tree)}, kernel: "collective", parameters: {operation: "alltoall", algorithm: "basic_linear", message: "256KiB"}, ranks: 4, per_node: 1, models: []}); draw_question(); change(); }`);
  await until(`document.getElementById("asked").textContent.includes("changed")`);
  await answered();
  const [said, link] = await shared("uplink of leaf switch 0");
  const messages = await run(`slow_motion.link().messages.map(({rank, peer}) => rank + ">" + peer).sort().join(" ")`);
  expect(messages === "0>2 0>3 1>2 1>3", `${messages} go through the ${link}`);
  expect(new RegExp(`Message 1 of 4 through the ${link}: 256 KiB from rank [01] to rank [23], .* From send to receive that is [\\d.]+ [GM]B/s, of the [\\d.]+ GB/s of the link`).test(said), said);
  // Two cables up between which each message chooses as it goes: those told of each are what it carried, and none is told of both.
  const adaptive = tree.replace("up: [1, 1]}", "up: [1, 2]}\n    routing: {kind: adaptive, paths: 2}");
  await run(`{ Object.assign(state, {yaml: ${JSON.stringify(adaptive)}, ranks: 5}); draw_question(); change(); }`);
  await until(`document.getElementById("asked").textContent.includes("5 ranks")`);
  await answered();
  await shared();
  const up = await run(`(() => {
    const carried = JSON.parse(document.querySelector("#report iframe:not(.next)").contentDocument.getElementById("data").textContent).points[0].resources;
    const on_wire = carried.find(one => one.kind === "nic-out").carried_B / (4 * 256 * 1024);  // headers go along
    return slow_motion.links.filter(one => one.name.includes("uplink of leaf switch 0")).map(({name, messages}) =>
      [messages.map(({rank, peer}) => rank + ">" + peer), on_wire * messages.reduce((sum, {bytes}) => sum + bytes, 0) / (carried.find(one => one.name === name)?.carried_B ?? 0)]);
  })()`);
  expect(up.length === 2 && up.flatMap(([through]) => through).sort().join(" ") === "0>2 0>3 0>4 1>2 1>3 1>4" && up.every(([through]) => through.length > 1), JSON.stringify(up));
  const listed = up.filter(([, share]) => Number.isFinite(share));  // the report has the loads of its busiest resources
  expect(listed.length > 0 && listed.every(([, share]) => Math.abs(share - 1) < 1e-4), JSON.stringify(up));
  // Leonardo's links are too many for each to have its load counted over time.
  await run(`{ Object.assign(state, {yaml: null, platform: "leonardo", network: "infiniband", ranks: 8}); draw_question(); change(); }`);
  await until(`document.getElementById("asked").textContent.startsWith("collective on leonardo")`);
  await answered();
  await shared();
  const [kinds, key, drawing] = await run(`[[...new Set(slow_motion.links.map(one => one.kind))].sort().join(), slow_motion.key.textContent, slow_motion.picture.innerHTML]`);
  expect(kinds.includes("nic-in,nic-out") && key.includes("no single link") && !/NaN|Infinity/.test(drawing), `${kinds}: ${key}`);
  await run(`{ const what = document.querySelector('#slow select'); what.value = "path"; what.dispatchEvent(new Event("change")); Object.assign(state, {yaml: null, platform: "fermi", network: "infiniband", ranks: 4, kernel: "pingpong", parameters: {sizes: "64KiB"}, models: ["hockney", "loggp"]}); draw_question(); change(); }`);
  await until(`document.getElementById("asked").textContent.startsWith("pingpong")`);
  await answered();
});
await test("A long question says how far it is, is stopped by its button and ended by a newer one", async () => {
  const kept = await run("JSON.stringify(state)"), title = await text_of("asked");
  const ask_long = () => run(`{ Object.assign(state, {yaml: null, platform: "dahu", network: "omnipath", kernel: "stencil", parameters: {iterations: "4000"}, ranks: 1024, per_node: 32, models: []}); draw_question(); change(); 0; }`);  // its promise is not waited for
  const told = `/ of 31\\.60M/.test(document.getElementById("state").textContent)`;
  await ask_long();
  await until(told);
  const before = await text_of("state");
  await until(`${told} && document.getElementById("state").textContent !== ${JSON.stringify(before)}`, 2);
  await run(`document.getElementById("stop").click()`);
  await until(`document.getElementById("stop").hidden && !/ of 31\\.60M/.test(document.getElementById("state").textContent)`, 2);
  await ask_long();
  await until(told);
  await run(`{ Object.assign(state, ${kept}); draw_question(); change(); 0; }`);
  await until(`document.getElementById("asked").textContent === ${JSON.stringify(title)} && document.getElementById("state").textContent.startsWith("answered")`, 20);
});
const drop = (name, text) => run(`{ const files = new DataTransfer(); files.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
  document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: files, bubbles: true, cancelable: true})); }`);
await test("A machine dropped in is asked, and a file that is none of the three is refused by name", async () => {
  const shipped = await run(`engine.files["data/platforms/fermi.yaml"]`), other = shipped.replace(/latency: \{value: [^,]*/g, "latency: {value: 77us");
  const before = await text_of("time");
  await drop("mine.yaml", other);
  await until(`document.getElementById("time").textContent !== ${JSON.stringify(before)} && document.getElementById("asked").textContent.includes("changed")`);
  await same_as_program({"machine.yaml": other});
  const renamed = other.replace(/^name: fermi/m, "name: mine").replace(/^  infiniband:/m, "  fabric:").replace(/^  ethernet:/m, "  wire:");
  await drop("renamed.yaml", renamed);
  await until(`document.getElementById("asked").textContent.startsWith("pingpong on mine (changed), fabric") && document.getElementById("state").textContent.startsWith("answered")`);
  expect(await run(`[...document.querySelectorAll("#network option")].map(node => node.value).join()`) === "fabric,wire", "other networks are offered");
  await same_as_program({"machine.yaml": renamed});
  await drop("notes.txt", "hello");
  await until(`!document.getElementById("problem").hidden`);
  expect((await text_of("problem")).startsWith("notes.txt: is neither a machine"), await text_of("problem"));
  await run(`document.getElementById("yaml-reset").click()`);
  await until(`!document.getElementById("asked").textContent.includes("changed")`);
  await answered();
});
await test("A scenario and a result of the program dropped in are shown with its numbers", async () => {
  const scenario = `title: "dropped"\nsource: "a test"\nplatform: fermi\nnetwork: infiniband\nlayout: {ranks: 8, per-node: 1}\nkernel: {name: collective, operation: bcast}\nengine: flow\n`;
  await drop("mine.yaml", scenario);
  await until(`document.getElementById("asked").textContent === "dropped"`);
  await same_as_program();
  const seconds = await makespan_of_program(), result = readFileSync(join(scratch, "out/result.json"), "utf8");
  await run(`document.getElementById("knobs").click()`);
  await until(`document.getElementById("asked").textContent.startsWith("pingpong")`);
  await answered();
  await drop("result.json", result);
  await until(`document.getElementById("asked").textContent === "dropped, as it was run"`);
  await report_stands();
  expect(await makespan_of_page() === seconds, `the page shows ${await makespan_of_page()} s of a result of ${seconds} s`);
  await drop("result.json", result.slice(0, 500));
  await until(`!document.getElementById("problem").hidden`);
  expect((await text_of("problem")).includes("is not JSON"), await text_of("problem"));
});
await test("'orrery page' writes a page that opens with its scenario and the files beside it", async () => {
  writeFileSync(join(scratch, "mine.yaml"), (await run(`engine.files["data/platforms/fermi.yaml"]`)).replace(/latency: \{value: [^,]*/g, "latency: {value: 55us"));
  writeFileSync(join(scratch, "question.yaml"), `title: "written </script> by the program"\nsource: "a test"\nplatform: mine.yaml\nnetwork: infiniband\nlayout: {ranks: 4, per-node: 1}\nkernel: {name: broadcast}\nengine: flow\n`);
  const page_of = words => orrery("page", "--scenario", "question.yaml", ...words);
  const written = page_of(["--page", resolve(page), "-o", "question.html"]);
  expect(written.status === 0 && written.stderr.includes("1 file beside the scenario"), written.stderr);
  const again = page_of(["--page", "question.html", "-o", "other.html"]);
  expect(again.status === 2 && again.stderr.includes("has no place for a question"), again.stderr);
  await browser.go(join(scratch, "question.html"));
  await until(`document.getElementById("asked").textContent === "written </script> by the program"`);
  await same_as_program();
  await browser.go("about:blank");
  await browser.go(page);
  await answered();
});
await test("On paper stands the report itself, not a frame that is cut", async () => {
  await report_stands();
  await run(`dispatchEvent(new Event("beforeprint"))`);
  const [said, folds] = await run(`[document.querySelector("#printed .answer").textContent, document.querySelectorAll("#printed details.fold[open] svg").length]`);
  expect(said === await run(`document.querySelector("#report iframe").contentDocument.querySelector(".answer").textContent`) && folds >= 3, `${folds} drawings below '${said}'`);
  await run(`{ const inside = document.querySelector("#report iframe").contentWindow; inside.dispatchEvent(new inside.Event("afterprint")); dispatchEvent(new Event("afterprint")); }`);
  expect(await run(`document.querySelector("#printed").childElementCount`) === 0, "what was printed stays");
});
await test("Every control has a name", async () => {
  const found = await nameless("body");
  expect(found.length === 0, found.join("\n"));
});
for (const [width, dark] of [[360, true], [390, false], [1280, true], [3840, false]])
  await test(`Nothing sticks out at ${width} pixels`, async () => {
    await browser.resize(width, 900, dark);
    await new Promise(done => setTimeout(done, 400));
    const [wide, window] = await run("[document.documentElement.scrollWidth, innerWidth]");  // a window may refuse to be narrower
    expect(wide <= Math.max(width, window), `the page is ${wide} pixels wide`);
    await browser.picture(join(scratch, `${width}.png`));
  });
await test("A report answers the five questions of its readers on one screen of a phone", async () => {
  const ended = orrery("run", "rico-gallego16-m10", "--out", "sample");
  expect(ended.status === 0, ended.stderr);
  await browser.resize(390, 844);
  await browser.go(resolve(scratch, "sample/report.html"));
  await until(`document.querySelectorAll("#summary .answers dt").length >= 3`);
  const [width, bottom] = await run(`[innerWidth, document.querySelector("#summary .answers").getBoundingClientRect().bottom + scrollY]`);
  expect(width > 400 || bottom <= 1.05 * 844, `its answers end at ${bottom} pixels`);  // fonts differ by a line
});
await test("No script fails and nothing is asked of a network", expect_quiet);

await finish();
