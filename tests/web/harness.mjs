// What tests of pages share: an empty scratch folder, a browser, the program, sentences that hold or do not, and clicks where a person clicks.
import {spawnSync} from "node:child_process";
import {mkdirSync, rmSync} from "node:fs";
import {join} from "node:path";
import {open_any} from "./browser.mjs";

export function expect(holds, said) {
  if (!holds) throw new Error(said);
}

export async function begin(program, path, scratch) {
  rmSync(scratch, {recursive: true, force: true});
  mkdirSync(scratch, {recursive: true});
  const browser = await open_any(path, scratch), {run} = browser;
  const orrery = (...words) => spawnSync(program, words, {cwd: scratch, encoding: "utf8", maxBuffer: 1 << 28});
  const failures = [];
  let passed = 0;

  // The middle of what is clicked lies under the pointer, once the page has come to rest.
  async function click(selector) {
    const [x, y, there] = await run(`(async () => {
      const node = document.querySelector(${JSON.stringify(selector)}), place = () => { const box = node.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
      for (let before = null, rests = 0; rests < 3;) {
        node.scrollIntoView({block: "center", behavior: "instant"});
        await new Promise(done => requestAnimationFrame(() => setTimeout(done, 20)));
        const now = String(place());
        rests = now === before ? rests + 1 : 0;
        before = now;
      }
      return [...place(), node.contains(document.elementFromPoint(...place()))]; })()`);
    expect(there, `something lies over ${selector}`);
    await browser.click(x, y);
  }
  return {
    browser,
    orrery,
    click,
    run,
    until: browser.until,
    type: async (selector, text) => {
      await click(selector);
      await run(`document.querySelector(${JSON.stringify(selector)}).select()`);
      await browser.type(text);
    },
    text_of: selector => run(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ""`),
    test: async (sentence, body) => {
      try {
        await body();
        passed++;
      } catch (problem) {
        failures.push(sentence);
        console.log(`${sentence}: ${problem.message}`);
        await browser.picture(join(scratch, `failure-${failures.length}.png`));
      }
    },
    nameless: within => run(`[...document.querySelectorAll("${within} :is(button, input, select, textarea, summary)")].filter(node => !(node.labels?.length || node.getAttribute("aria-label") || node.getAttribute("aria-labelledby") || (["BUTTON", "SUMMARY"].includes(node.tagName) && node.textContent.trim()))).map(node => node.outerHTML.slice(0, 80))`),
    expect_quiet: () => {
      expect(browser.problems.length === 0, browser.problems.join("\n"));
      const asked = browser.requests.filter(url => !/^(file:|blob:|data:|about:)/.test(url));
      expect(asked.length === 0 && browser.requests.length > 0, asked.join("\n"));
    },
    finish: async () => {
      await browser.close();
      console.log(`${browser.name}: ${passed} passed, ${failures.length} failed`);
      process.exit(failures.length === 0 && passed > 0 ? 0 : 1);
    }
  };
}
