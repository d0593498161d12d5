// Puts a lab's SCORM 1.2 package behind the run-time of scorm-again, as a learning platform does, and takes the lab:
//   node scorm.mjs PAGE PROGRAM CHROMIUM SCRATCH SCORM-AGAIN
import {spawnSync} from "node:child_process";
import {createServer} from "node:http";
import {mkdirSync, readFileSync, rmSync} from "node:fs";
import {join, resolve} from "node:path";
import {open_browser} from "./browser.mjs";

const [page, program, chromium, scratch, scorm_again] = process.argv.slice(2);
rmSync(scratch, {recursive: true, force: true});
mkdirSync(scratch, {recursive: true});
const problems = [];
const expect = (holds, said) => holds || problems.push(said);
const made = spawnSync(program, ["page", "--lab", "ping-pong", "--scorm", "--page", resolve(page)], {cwd: scratch, encoding: "utf8"});
expect(made.status === 0 && made.stderr.includes("ping-pong.zip"), made.stderr);
const unpacked = spawnSync("unzip", ["-q", "ping-pong.zip", "-d", "package"], {cwd: scratch, encoding: "utf8"});
expect(unpacked.status === 0, `unzip: ${unpacked.error ?? unpacked.stderr}`);
const manifest = readFileSync(join(scratch, "package/imsmanifest.xml"), "utf8");
for (const part of ["<schemaversion>1.2</schemaversion>", 'adlcp:scormtype="sco" href="index.html"', "<title>Ping-pong: when is a message long?</title>"])
  expect(manifest.includes(part), `${part} is not in the manifest`);

// The platform: its API in the window, the page in a frame.
const api = readFileSync(join(scorm_again, "dist/scorm12.js"), "utf8");
const platform = `<!DOCTYPE html><title>A platform</title><script>${api.replaceAll("</script", "<\\/script")}</script><script>
  window.API = new Scorm12API({autocommit: false, lmsCommitUrl: false, logLevel: 5});
  API.loadFromJSON({cmi: {core: {student_id: "1", student_name: "Lovelace, Ada"}}}, "");
</script><iframe src="index.html" style="width: 1200px; height: 900px"></iframe>`;
const server = createServer((request, answer) => {
  answer.setHeader("Content-Type", "text/html; charset=utf-8");
  answer.end(request.url === "/" ? platform : request.url === "/index.html" ? readFileSync(join(scratch, "package/index.html")) : "");
});
await new Promise(done => server.listen(0, "127.0.0.1", done));

const browser = await open_browser(chromium, scratch), {run, until} = browser;
// The page's policy forbids eval, so what is done in the frame is done from outside.
const act = statements => `(document => { ${statements} })(document.querySelector("iframe").contentDocument)`;
const inside = expression => act(`return ${expression};`);
try {
  await browser.open(`http://127.0.0.1:${server.address().port}/`);
  await until(inside(`!!document.querySelector("#student")`));
  expect(await run(inside(`document.querySelector("#student").value`)) === "Ada Lovelace", "the page does not know the student");
  await run(inside(`document.querySelector("#lab-who form button").click()`));
  await until(inside(`!!document.querySelector("#commit")`));
  await run(act(`const field = document.querySelector("#predict input[type=text]"); field.value = "16KiB"; field.dispatchEvent(new Event("input")); document.querySelector("#choose input").click(); document.querySelector("#commit").click();`));
  await until(inside(`!!document.querySelector("#transfer")`), 120);
  await run(act(`const field = document.querySelector("#transfer input[type=text]"); field.value = "16KiB"; field.dispatchEvent(new Event("input")); document.querySelector("#commit-transfer").click(); document.querySelector("#export").click();`));
  await until(`API.LMSGetValue("cmi.core.lesson_status") === "completed"`, 120);
  const shown = await run(inside(`document.querySelector("#lab-export p").textContent`)), [, points, of] = /^([\d.]+) of (\d+) points/.exec(shown);
  const told = Number(await run(`API.LMSGetValue("cmi.core.score.raw")`));
  expect(Math.abs(told - 100 * points / of) <= 1, `the platform was told ${told} of 100, the page shows ${shown}`);
  expect(await run(`API.LMSGetValue("cmi.core.score.max")`) === "100", "no greatest score");
} catch (problem) {
  problems.push(problem.message);
  await browser.picture(join(scratch, "failure.png"));
}
await browser.close();
server.close();
console.log(problems.length === 0 ? "passed" : problems.join("\n"));
process.exit(problems.length === 0 ? 0 : 1);
