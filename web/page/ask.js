// The engine: a Worker that answers one question at a time. A newer question ends the one under way.
const $ = id => document.getElementById(id);

function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on"))
      node.addEventListener(name.slice(2), value);
    else
      node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat());
  return node;
}

async function unpacked(id) {
  const packed = Uint8Array.from(atob($(id).textContent), letter => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

class Engine {
  static async load() {
    const [bytes, files] = await Promise.all([unpacked("module"), unpacked("files")]);
    const engine = new Engine();
    engine.files = JSON.parse(new TextDecoder().decode(files));
    engine.module = await WebAssembly.compile(bytes);
    engine.code = URL.createObjectURL(new Blob([$("worker").textContent.replaceAll("<\\/", "</")], {type: "text/javascript"}));
    engine.spare = engine.started();
    return engine;
  }
  started() {
    const worker = new Worker(this.code);
    worker.postMessage({module: this.module, files: this.files});
    return worker;
  }
  // A lane has one question under way at most: asking again ends the one before, whose promise stays open.
  lane() {
    let worker = null, under_way = null, number = 0;
    const end = () => {
      if (under_way === null) return;
      worker.terminate();
      [worker, under_way] = [null, null];
    };
    const ask = (request, files, told = () => {}) => new Promise((answered, failed) => {
      end();
      if (worker === null) {
        worker = this.spare ?? this.started();
        this.spare = null;
        setTimeout(() => this.spare ??= this.started());
      }
      const id = under_way = ++number;
      worker.onmessage = ({data}) => {
        if (data.id !== id) return;
        if (data.told !== undefined) return told(data.told);
        under_way = null;
        answered(data);
      };
      worker.onerror = event => {
        end();
        failed(new Error(event.message));
      };
      worker.postMessage({id, request, files});
    });
    return {ask, end};
  }
}

const time_units = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]];
function time_text(seconds, digits = 4) {
  if (!(seconds > 0)) return seconds === 0 ? "0 s" : "–";
  const [factor, unit] = time_units.find(([f]) => seconds >= f) ?? time_units.at(-1);
  return `${Number((seconds / factor).toPrecision(digits))} ${unit}`;
}

// What stands in an address: deflated, in letters that an address may have.
async function to_fragment(state) {
  const stream = new Blob([JSON.stringify(state)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
async function from_fragment(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), letter => letter.charCodeAt(0));
  return JSON.parse(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text());
}

function save(name, text) {
  const link = el("a", {href: URL.createObjectURL(new Blob([text], {type: "text/yaml"})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
