// WebKitGTK, whose engine is Safari's, driven by Debian's WebKitWebDriver (package webkit2gtk-driver) on a display of its own
// (xvfb); the same functions as browser.mjs has for Chromium.
import {spawn} from "node:child_process";
import {writeFileSync} from "node:fs";
import {createServer} from "node:net";
import {resolve} from "node:path";
import {by_actions, until_of} from "./driven.mjs";

const free_port = () => new Promise(found => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const {port} = server.address();
    server.close(() => found(port));
  });
});

export async function open_webkit(driver, scratch) {
  const port = await free_port(), base = `http://127.0.0.1:${port}`;
  // xvfb-run finds a display that is free and ends it with the driver.
  const process_of = spawn("xvfb-run", ["-a", "-s", "-screen 0 3900x1100x24", driver, `--port=${port}`], {
    stdio: ["ignore", "ignore", "ignore"],
    detached: true,
    env: {...process.env, HOME: resolve(scratch), WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1", WEBKIT_DISABLE_COMPOSITING_MODE: "1", LIBGL_ALWAYS_SOFTWARE: "1"}
  });
  const end_all = () => {
    try {
      process.kill(-process_of.pid);
    } catch {
      // it has ended
    }
  };
  process.on("exit", end_all);
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => process.exit(1));
  const call = async (method, path, body) => {
    const said = await fetch(base + path, {method, body: body === undefined ? undefined : JSON.stringify(body), signal: AbortSignal.timeout(30000)}), {value} = await said.json();
    if (!said.ok) throw new Error(`${path}: ${value.error}: ${value.message}`);
    return value;
  };
  const end = performance.now() + 20000;
  while (!(await call("GET", "/status").catch(() => null))) {
    if (performance.now() > end) throw new Error(`${driver} does not answer`);
    await new Promise(done => setTimeout(done, 100));
  }
  const {sessionId, capabilities} = await call("POST", "/session", {capabilities: {}});
  const at = `/session/${sessionId}`;
  await call("POST", `${at}/timeouts`, {script: 60000});
  const run = expression => call("POST", `${at}/execute/sync`, {script: expression.startsWith("{") ? expression : `return (${expression});`, args: []});
  const act = actions => call("POST", `${at}/actions`, {actions});
  // What fails in a script is not told by this driver; what was asked for, the page itself says when it is left.
  const problems = [], requests = [];
  const open = async url => {
    requests.push(url, ...await run(`performance.getEntriesByType("resource").map(entry => entry.name)`));
    return call("POST", `${at}/url`, {url});
  };
  return {
    name: `WebKitGTK (${capabilities.browserName} ${capabilities.browserVersion})`,
    problems,
    requests,
    run,
    resize: async (width, height, dark = false) => {
      await call("POST", `${at}/window/rect`, {width, height});
      if (dark) await run(`{ document.documentElement.dataset.theme = "dark"; }`);
    },
    open,
    go: (file, fragment = "") => open(file.startsWith("about:") ? file : `file://${resolve(file)}${fragment}`),
    ...by_actions(act),
    until: until_of(run),
    picture: async file => writeFileSync(file, Buffer.from(await call("GET", `${at}/screenshot`), "base64")),
    close: async () => {
      await call("DELETE", at).catch(() => {});
      end_all();
    }
  };
}
