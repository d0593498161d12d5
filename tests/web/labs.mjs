// Takes every lab as a student would, in headless Chromium from file://, by clicks and keys, from the question to the file
// that is handed in, and has the program mark that file:
//   node labs.mjs PAGE PROGRAM CHROMIUM SCRATCH
import {writeFileSync} from "node:fs";
import {join, resolve} from "node:path";
import {begin, expect} from "./harness.mjs";

const [page, program, chromium, scratch] = process.argv.slice(2);
const {browser, orrery, click, run, until, type, text_of, test, nameless, expect_quiet, finish} = await begin(program, chromium, scratch);
const student = "Ada Lovelace";

const written = (value, unit) => unit === "time" ? `${value * 1e6}us` : unit === "data" ? `${Math.round(value)}B` : String(value);

async function answer(id, question, choice) {
  if (question.choices) return click(`#${id} label:nth-of-type(${choice}) input`);
  await type(`#${id} input[type=text]`, written(question.answer.right * 1.05, question.unit));
}

const names = orrery("list", "labs", "--names").stdout.trim().split("\n");
await browser.resize(1280, 1000);
for (const name of names)
  await test(`${name}: from the question to a result that the program marks`, async () => {
    const made = orrery("page", "--lab", name, "--page", resolve(page), "-o", `${name}.html`);
    expect(made.status === 0, made.stderr);
    const lab = JSON.parse(orrery("lab", "show", name, "--student", student, "--solution", "--format", "json").stdout);
    await browser.go(join(scratch, `${name}.html`));
    await until(`document.querySelector("#student")`);
    expect(!(await run(`document.getElementById("opened").textContent`)).includes("## Solution"), "the student's page has the teacher's notes");
    await type("#student", student);
    await browser.key("Enter", "Enter", "\r");
    await until(`document.querySelector("#lab-predict")`);
    for (const [word, value] of Object.entries(lab.drawn))
      if (word.endsWith(".name")) expect((await text_of("#lab-question")).includes(value), `'${value}' is not in the question`);
    expect(await run(`document.querySelector("#commit").disabled`), "one may commit to nothing");
    expect(await run(`!document.querySelector("#chart") && !the_lab.asked.shown && [...document.querySelectorAll(".verdict")].every(one => one.textContent === "")`), "the answer is there before the prediction");
    await answer("predict", lab.predict);
    if (lab.choose) await answer("choose", lab.choose, 1 + lab.choose.choices.findIndex(one => one.value === lab.choose.answer.right));
    if (lab.formula) await type("#formula", `${lab.formula.write} + 1us`);
    await click("#commit");
    await until(`document.querySelector("#chart svg polyline")`, 120);
    expect(await run(`[...document.querySelectorAll("#predict input, #choose input, #formula")].every(one => one.disabled)`), "what was committed may be changed");
    expect((await text_of("#predict .verdict")).includes(lab.predict.answer.text.replace("us", "µs")) || (await text_of("#predict .verdict")).includes("within what counts as right"), await text_of("#predict .verdict"));
    if (lab.choose) expect((await text_of("#choose .verdict")) === "That is it.", await text_of("#choose .verdict"));
    const drawn = await text_of("#chart .keys"), unspaced = text => text.replace(/\s/g, "");
    for (const line of Object.values(lab.chart.lines)) expect(unspaced(drawn).includes(unspaced(line || "simulated")), `no line '${line}' in '${drawn}'`);
    if (lab.formula) expect(drawn.includes("your formula"), drawn);
    expect(drawn.includes("measured"), drawn);
    expect(await run(`document.querySelectorAll("#chart circle[r='9']").length`) === lab.predict.answer.points.filter(point => point.state === "").length, "the points of the answer are not ringed");
    const odd = await run(`[...document.querySelectorAll("#chart svg text[text-anchor=end]")].map(node => node.textContent).filter(text => /^[0-9]/.test(text) && text.match(/[0-9]/g).length > 3)`);
    expect(odd.length === 0, `odd numbers on an axis: ${odd}`);
    if (lab.steps) {
      await until(`document.querySelector("#lab-steps svg")`, 60);
      const before = await text_of("#lab-steps .step");
      await click('#lab-steps button[aria-label="Step on"]');
      expect(await text_of("#lab-steps .step") !== before || before.startsWith("Step 1 of 1:"), "a step changes nothing");
    }
    if (lab.knob) {
      const other = lab.knob.values.find(value => value !== lab.knob.at), before = await text_of("#lab-steps > .hint:last-of-type");
      await run(`{ const knob = document.querySelector("#knob"); knob.value = ${JSON.stringify(other)}; knob.dispatchEvent(new Event("change")); }`);
      await until(`document.querySelector("#lab-steps > .hint:last-of-type").textContent.startsWith("The whole run takes") && document.querySelector("#lab-steps > .hint:last-of-type").textContent !== ${JSON.stringify(before)}`);
    }
    if (lab.breaks) {
      await click("#break");
      expect((await text_of("#chart .keys")).includes(lab.chart.broken) && lab.chart.broken !== "broken", await text_of("#chart .keys"));
    }
    if (lab.transfer) {
      await answer("transfer", lab.transfer, 1);
      await click("#commit-transfer");
      await until(`document.querySelector("#lab-transfer svg polyline")`);
    }
    for (const [width, dark] of [[1280, false], [390, true]]) {
      await browser.resize(width, 1000, dark);
      await new Promise(done => setTimeout(done, 300));
      const wide = await run("document.documentElement.scrollWidth");
      expect(wide <= width, `${wide} pixels wide at ${width}`);
      for (const part of ["predict", "answer", "steps", "export"]) {
        await run(`document.getElementById("lab-${part}")?.scrollIntoView({behavior: "instant"})`);
        await browser.picture(join(scratch, `${name}-${width}-${part}.png`));
      }
    }
    await browser.resize(1280, 1000);
    await click("#export");
    await until(`document.querySelector("#lab-export .hint").textContent.startsWith("Saved")`, 120);
    writeFileSync(join(scratch, `${name}.json`), await run("the_lab.result"));
    const marked = orrery("lab", "check", `${name}.json`, "--format", "json");
    expect(marked.status === 0, marked.stdout + marked.stderr);
    const [one] = JSON.parse(marked.stdout).results;
    expect((await text_of("#lab-export p")).startsWith(`${Number(one.points.toPrecision(3))} of ${one.of} points`), `${await text_of("#lab-export p")}; the program says ${one.points} of ${one.of}`);
    expect(one.parts[0].credit === 1 && one.student === student, JSON.stringify(one));
  });
await test("A teacher's page has the solution and the answers for a name", async () => {
  expect(orrery("page", "--lab", "ping-pong", "--teacher", "--page", resolve(page), "-o", "teacher.html").status === 0, "no page");
  await browser.go(join(scratch, "teacher.html"));
  await until(`document.querySelector("#student")`);
  await type("#student", student);
  await browser.key("Enter", "Enter", "\r");
  await until(`document.querySelector("#lab-teacher dd")`);
  const lab = JSON.parse(orrery("lab", "show", "ping-pong", "--student", student, "--solution", "--format", "json").stdout), said = await text_of("#lab-teacher");
  for (const words of [lab.predict.answer.text, "Common mistakes"]) expect(said.includes(words), said);
});
await test("A formula that cannot be read is told and cannot be committed", async () => {
  const problem = await run(`["L +", "(L", "L + x", "1 2", "log3(m)"].map(text => { try { formula(text, ["L", "m"]); return "none"; } catch (wrong) { return wrong.message; } }).join("; ")`);
  expect(problem === "something is missing at the end; ')' is missing at the end; 'x' is none of L, m; '2' was not expected; 'log3' is none of L, m", problem);
  const value = await run(`formula("2 * (P - 1) * (L + 64KiB / P / B) - -1us ^ 1", ["P", "L", "B"])({P: 4, L: 1e-6, B: 1e9})`);
  expect(Math.abs(value - (6 * (1e-6 + 65536 / 4 / 1e9) + 1e-6)) < 1e-15, String(value));
});
await test("Every control has a name, no script fails and nothing is asked of a network", async () => {
  const found = await nameless(".is-lab #lab");
  expect(found.length === 0, found.join("\n"));
  expect_quiet();
});

await finish();
