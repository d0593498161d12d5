// A headless Firefox spoken to by WebDriver BiDi, which it has built in; the same functions as browser.mjs has for Chromium.
// Its WebSocket is node's own (node --experimental-websocket, from 20.10 on).
import {spawn} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {join, resolve} from "node:path";
import {by_actions, until_of} from "./driven.mjs";

// Where Firefox says that it listens.
function address_of(process_of) {
  return new Promise((found, failed) => {
    let said = "";
    process_of.stderr.on("data", piece => {
      said += piece;
      const address = /WebDriver BiDi listening on (\S+)/.exec(said);
      if (address) found(address[1]);
    });
    process_of.on("exit", code => failed(new Error(`Firefox ended with ${code}: ${said.slice(-500)}`)));
  });
}

export async function open_firefox(firefox, scratch) {
  const profile = mkdtempSync(join(scratch, "firefox-"));
  writeFileSync(join(profile, "user.js"), `user_pref("remote.active-protocols", 1);\nuser_pref("app.update.enabled", false);\nuser_pref("datareporting.policy.dataSubmissionEnabled", false);\n`);
  const process_of = spawn(firefox, ["--headless", "--no-remote", "--new-instance", "--profile", profile, "--remote-debugging-port", "0", "about:blank"],
                           {stdio: ["ignore", "ignore", "pipe"], env: {...process.env, MOZ_HEADLESS: "1", HOME: profile}});
  process.on("exit", () => process_of.kill("SIGKILL"));  // also when a test fails before it closes
  const socket = new WebSocket(`${await address_of(process_of)}/session`);
  await new Promise((open, failed) => [socket.onopen, socket.onerror] = [open, failed]);
  const waiting = new Map(), problems = [], requests = [];
  let number = 0;
  socket.onmessage = ({data}) => {
    const message = JSON.parse(data);
    if (message.id) {
      waiting.get(message.id)(message);
      waiting.delete(message.id);
    } else if (message.method === "log.entryAdded" && message.params.level === "error") {
      problems.push(message.params.text);
    } else if (message.method === "network.beforeRequestSent") {
      requests.push(message.params.request.url);
    }
  };
  const call = (method, params = {}, seconds = 60) => new Promise((done, failed) => {
    const late = setTimeout(() => failed(new Error(`${method}: no answer after ${seconds} s`)), 1000 * seconds);
    waiting.set(++number, message => {
      clearTimeout(late);
      if (message.type === "error") failed(new Error(`${method}: ${message.message}`));
      else done(message.result);
    });
    socket.send(JSON.stringify({id: number, method, params}));
  });
  const {capabilities} = await call("session.new", {capabilities: {}});
  await call("session.subscribe", {events: ["log.entryAdded", "network.beforeRequestSent"]});
  const [{context}] = (await call("browsingContext.getTree")).contexts;
  const run = async expression => {
    const said = await call("script.evaluate", {expression, target: {context}, awaitPromise: true, resultOwnership: "none", serializationOptions: {maxObjectDepth: 3}});
    if (said.type === "exception") throw new Error(`${expression}: ${said.exceptionDetails.text}`);
    return plain(said.result);
  };
  const act = actions => call("input.performActions", {context, actions});
  const open = url => call("browsingContext.navigate", {context, url, wait: "complete"});
  return {
    name: `Firefox ${capabilities.browserVersion}`,
    problems,
    requests,
    enter_clicks: false,  // its window is never the active one, where Enter does not press the button that has the focus
    run,
    resize: async (width, height, dark = false) => {
      await call("browsingContext.setViewport", {context, viewport: {width, height}});
      if (dark) await run(`document.documentElement.dataset.theme = "dark"; 0`);
    },
    open,
    go: (file, fragment = "") => open(file.startsWith("about:") ? file : `file://${resolve(file)}${fragment}`),
    ...by_actions(act),
    until: until_of(run),
    picture: async file => writeFileSync(file, Buffer.from((await call("browsingContext.captureScreenshot", {context})).data, "base64")),
    close: async () => {
      const ended = process_of.exitCode !== null ? null : new Promise(done => process_of.on("exit", done));
      const late = setTimeout(() => process_of.kill("SIGKILL"), 10000);
      await call("browser.close", {}, 5).catch(() => process_of.kill());
      await ended;
      clearTimeout(late);
      rmSync(profile, {recursive: true, force: true, maxRetries: 10, retryDelay: 100});
    }
  };
}

// A value of the protocol as JavaScript has it.
function plain({type, value}) {
  if (type === "null") return null;
  if (type === "array") return value.map(plain);
  if (type === "object") return Object.fromEntries(value.map(([name, one]) => [name, plain(one)]));
  return value;
}
