// A headless Chromium spoken to over a pipe (DevTools), without a package and without a port.
import {spawn} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join, resolve} from "node:path";
import {until_of} from "./driven.mjs";

// By the name of its program: Firefox, WebKit or Chromium.
export async function open_any(path, scratch) {
  if (/firefox[^/]*$/.test(path)) return (await import("./firefox.mjs")).open_firefox(path, scratch);
  if (/WebKitWebDriver$/.test(path)) return (await import("./webkit.mjs")).open_webkit(path, scratch);
  return open_browser(path, scratch);
}

export async function open_browser(chromium, scratch = tmpdir()) {
  const profile = mkdtempSync(join(scratch, "chromium-"));
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
                 "--disable-component-update", "--disable-sync", "--remote-debugging-pipe", `--user-data-dir=${profile}`, "about:blank"];
  const process_of = spawn(chromium, flags, {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]});
  process.on("exit", () => process_of.kill("SIGKILL"));  // also when a test fails before it closes
  const waiting = new Map(), problems = [], requests = [];
  let number = 0, received = "";
  process_of.stdio[4].on("data", piece => {
    received += piece;
    for (let end = received.indexOf("\0"); end >= 0; end = received.indexOf("\0")) {
      const message = JSON.parse(received.slice(0, end));
      received = received.slice(end + 1);
      if (message.id) {
        waiting.get(message.id)(message);
        waiting.delete(message.id);
      } else if (message.method === "Runtime.exceptionThrown") {
        problems.push(message.params.exceptionDetails.exception?.description ?? message.params.exceptionDetails.text);
      } else if (message.method === "Log.entryAdded" && message.params.entry.level === "error") {
        problems.push(message.params.entry.text);
      } else if (message.method === "Network.requestWillBeSent") {
        requests.push(message.params.request.url);
      }
    }
  });
  const call = (method, params, sessionId) => new Promise((done, failed) => {
    waiting.set(++number, message => message.error ? failed(new Error(`${method}: ${message.error.message}`)) : done(message.result));
    process_of.stdio[3].write(JSON.stringify({id: number, method, params: params ?? {}, sessionId}) + "\0");
  });
  const {targetId} = await call("Target.createTarget", {url: "about:blank"});
  const {sessionId} = await call("Target.attachToTarget", {targetId, flatten: true});
  const on_page = (method, params) => call(method, params, sessionId);
  for (const domain of ["Runtime", "Page", "Log", "Network"]) await on_page(`${domain}.enable`);
  const run = async expression => {
    const said = await on_page("Runtime.evaluate", {expression, awaitPromise: true, returnByValue: true});
    if (said.exceptionDetails) throw new Error(`${expression}: ${said.exceptionDetails.exception?.description ?? said.exceptionDetails.text}`);
    return said.result.value;
  };
  return {
    name: (await call("Browser.getVersion")).product.replace("HeadlessChrome", "Chromium").replace("/", " "),
    processor_s: async () => (await call("SystemInfo.getProcessInfo")).processInfo.reduce((sum, {cpuTime}) => sum + cpuTime, 0),  // of all its processes
    problems,
    requests,
    run,
    resize: (width, height, dark = false) => Promise.all([
      on_page("Emulation.setDeviceMetricsOverride", {width, height, deviceScaleFactor: 1, mobile: false}),
      on_page("Emulation.setEmulatedMedia", {features: [{name: "prefers-color-scheme", value: dark ? "dark" : "light"}]})
    ]),
    open: url => on_page("Page.navigate", {url}),
    go: (file, fragment = "") => on_page("Page.navigate", {url: `file://${resolve(file)}${fragment}`}),
    key: async (key, code = key, text = undefined) => {
      for (const type of ["keyDown", "keyUp"]) await on_page("Input.dispatchKeyEvent", {type, key, code, text: type === "keyDown" ? text : undefined, windowsVirtualKeyCode: {Tab: 9, Enter: 13, ArrowRight: 39, ArrowLeft: 37}[key] ?? 0});
    },
    click: async (x, y) => {
      for (const type of ["mousePressed", "mouseReleased"]) await on_page("Input.dispatchMouseEvent", {type, x, y, button: "left", clickCount: 1});
    },
    type: text => on_page("Input.insertText", {text}),
    until: until_of(run),
    picture: async file => writeFileSync(file, Buffer.from((await on_page("Page.captureScreenshot", {format: "png", captureBeyondViewport: false})).data, "base64")),
    close: async () => {
      await call("Browser.close").catch(() => {});
      await new Promise(done => process_of.exitCode !== null ? done() : process_of.on("exit", done));
      rmSync(profile, {recursive: true, force: true, maxRetries: 10, retryDelay: 100});
    }
  };
}
