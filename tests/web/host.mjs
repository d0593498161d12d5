// What the tests in node share: the host as the page has it, and the shipped files of a checkout.
import {readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";

export function load_host(source) {
  const text = readFileSync(join(source, "web/page/host.js"), "utf8");
  return new Function(`${text}\nreturn {Files, answer};`)();
}

// Platforms, layouts and scenarios below /data; a program finds them there as one that is installed does.
export function shipped_files(source, Files) {
  const files = new Files();
  const add = folder => {
    for (const entry of readdirSync(join(source, folder), {withFileTypes: true})) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) add(path);
      else if (!/[.](md|cpp|hpp)$/.test(entry.name)) files.add(`data/${path}`, readFileSync(join(source, path)));
    }
  };
  ["platforms", "scenarios"].forEach(add);
  return files;
}
