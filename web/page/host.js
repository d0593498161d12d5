// A host of WebAssembly's system interface (WASI, preview 1) for one module and one request: files in memory that can be
// read, standard input, output and error, a clock. The same in a Worker and in node.
//
//   const files = new Files({"data/platforms/fermi.yaml": "..."});
//   answer(module, files, {command: "simulate", ...})  ->  {code, out, error, memory}

const wasi = {ok: 0, bad_file: 8, invalid: 28, none: 44, not_there: 52, read_only: 69};
const kinds = {device: 2, folder: 3, file: 4};
const encoder = new TextEncoder(), decoder = new TextDecoder();

// A tree of files; `over` gives one with more files that leaves the first as it is.
class Files {
  constructor(entries = {}, below = null) {
    this.below = below;
    this.bytes = new Map();
    this.folders = new Map([["", new Map()]]);
    for (const [path, content] of Object.entries(entries)) this.add(path, content);
  }
  add(path, content) {
    this.bytes.set(path, typeof content === "string" ? encoder.encode(content) : content);
    let child = path, kind = kinds.file;
    while (child !== "") {
      const cut = child.lastIndexOf("/"), folder = cut < 0 ? "" : child.slice(0, cut);
      if (!this.folders.has(folder)) this.folders.set(folder, new Map());
      this.folders.get(folder).set(child.slice(cut + 1), kind);
      [child, kind] = [folder, kinds.folder];
    }
  }
  over(entries) {
    return new Files(entries, this);
  }
  read(path) {
    return this.bytes.get(path) ?? this.below?.read(path);
  }
  kind(path) {
    return this.bytes.has(path) ? kinds.file : this.folders.has(path) ? kinds.folder : this.below?.kind(path);
  }
  list(path) {
    return new Map([...this.below?.list(path) ?? [], ...this.folders.get(path) ?? []]);
  }
}

// The path of `name` beside the folder `from`, without "." and "..".
function resolved(from, name) {
  const parts = [];
  for (const part of `${from}/${name}`.split("/"))
    if (part === "..")
      parts.pop();
    else if (part !== "" && part !== ".")
      parts.push(part);
  return parts.join("/");
}

class Ended {
  constructor(code) {
    this.code = code;
  }
}

class Host {
  constructor(files, input, environment, tell) {
    this.files = files;
    this.tell = tell;
    this.environment = Object.entries(environment).map(([name, value]) => encoder.encode(`${name}=${value}\0`));
    this.open = new Map([
      [0, {bytes: encoder.encode(input), at: 0}], [1, {written: []}], [2, {written: []}], [3, {folder: ""}]
    ]);
    this.next = 4;
  }
  view() {
    return new DataView(this.memory.buffer);
  }
  at(place, length) {
    return new Uint8Array(this.memory.buffer, place, length);
  }
  path(descriptor, place, length) {
    return resolved(this.open.get(descriptor)?.folder ?? "", decoder.decode(this.at(place, length)));
  }
  number(place, value) {
    this.view().setUint32(place, value, true);
    return wasi.ok;
  }
  large(place, value) {
    this.view().setBigUint64(place, BigInt(value), true);
    return wasi.ok;
  }
  pieces(list, count) {
    const view = this.view();
    return Array.from({length: count}, (_, i) => [view.getUint32(list + 8 * i, true), view.getUint32(list + 8 * i + 4, true)]);
  }
  status(place, kind, size) {
    this.at(place, 64).fill(0);
    this.view().setUint8(place + 16, kind);
    this.large(place + 24, 1);
    return this.large(place + 32, size);
  }
  text(descriptor) {
    const pieces = this.open.get(descriptor).written, all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    let at = 0;
    for (const piece of pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    return decoder.decode(all);
  }
  imports() {
    const calls = {...this.process_calls(), ...this.descriptor_calls(), ...this.path_calls()};
    return new Proxy(calls, {get: (known, name) => known[name] ?? (() => wasi.not_there), has: () => true});
  }
  process_calls() {
    return {
      args_sizes_get: (count, size) => this.number(count, 0) || this.number(size, 0),
      args_get: () => wasi.ok,
      environ_sizes_get: (count, size) => this.number(count, this.environment.length) ||
          this.number(size, this.environment.reduce((sum, text) => sum + text.length, 0)),
      environ_get: (places, buffer) => {
        this.environment.forEach((text, i) => {
          this.number(places + 4 * i, buffer);
          this.at(buffer, text.length).set(text);
          buffer += text.length;
        });
        return wasi.ok;
      },
      clock_time_get: (clock, precision, into) =>
          this.large(into, Math.round((clock === 0 ? Date.now() : performance.now()) * 1e6)),
      clock_res_get: (clock, into) => this.large(into, 1000),
      random_get: (into, length) => {
        for (let at = 0; at < length; at += 65536) crypto.getRandomValues(this.at(into + at, Math.min(65536, length - at)));
        return wasi.ok;
      },
      proc_exit: code => {
        throw new Ended(code);
      },
      sched_yield: () => wasi.ok
    };
  }
  descriptor_calls() {
    return {
      fd_read: (descriptor, list, count, got) => {
        const file = this.open.get(descriptor);
        if (!file?.bytes) return wasi.bad_file;
        let total = 0;
        for (const [place, length] of this.pieces(list, count)) {
          const part = file.bytes.subarray(file.at, file.at + length);
          this.at(place, part.length).set(part);
          file.at += part.length;
          total += part.length;
        }
        return this.number(got, total);
      },
      fd_write: (descriptor, list, count, written) => {
        const file = this.open.get(descriptor);
        if (!file?.written) return wasi.bad_file;
        let total = 0;
        for (const [place, length] of this.pieces(list, count)) {
          file.written.push(this.at(place, length).slice());
          if (descriptor === 2) this.tell?.(decoder.decode(file.written.at(-1)));
          total += length;
        }
        return this.number(written, total);
      },
      fd_seek: (descriptor, offset, whence, into) => {
        const file = this.open.get(descriptor);
        if (!file?.bytes) return wasi.bad_file;
        const at = Number(offset) + [0, file.at, file.bytes.length][whence];
        if (!(at >= 0)) return wasi.invalid;
        file.at = at;
        return this.large(into, at);
      },
      fd_close: descriptor => this.open.delete(descriptor) ? wasi.ok : wasi.bad_file,
      fd_fdstat_get: (descriptor, into) => {
        const file = this.open.get(descriptor);
        if (!file) return wasi.bad_file;
        this.at(into, 24).fill(0);
        this.view().setUint8(into, file.folder !== undefined ? kinds.folder : descriptor < 3 ? kinds.device : kinds.file);
        // All rights; standard error has no place to seek to, which makes it a terminal: progress is drawn anew on it, ten times a second.
        const rights = descriptor === 2 ? 0x1fffffff & ~0x24 : 0x1fffffff;
        return this.large(into + 8, rights) || this.large(into + 16, rights);
      },
      fd_filestat_get: (descriptor, into) => {
        const file = this.open.get(descriptor);
        if (!file) return wasi.bad_file;
        return this.status(into, file.folder !== undefined ? kinds.folder : descriptor < 3 ? kinds.device : kinds.file, file.bytes?.length ?? 0);
      },
      fd_prestat_get: (descriptor, into) => descriptor !== 3 ? wasi.bad_file : this.number(into, 0) || this.number(into + 4, 1),
      fd_prestat_dir_name: (descriptor, into) => {
        if (descriptor !== 3) return wasi.bad_file;
        this.at(into, 1)[0] = "/".charCodeAt(0);
        return wasi.ok;
      },
      fd_readdir: (descriptor, buffer, length, cookie, used) => {
        const folder = this.open.get(descriptor)?.folder;
        if (folder === undefined) return wasi.bad_file;
        let at = 0;
        for (const [i, [name, kind]] of [...this.files.list(folder)].entries()) {
          if (i < Number(cookie)) continue;
          const text = encoder.encode(name), entry = new Uint8Array(24 + text.length), view = new DataView(entry.buffer);
          view.setBigUint64(0, BigInt(i + 1), true);
          view.setBigUint64(8, BigInt(i + 1), true);
          view.setUint32(16, text.length, true);
          view.setUint8(20, kind);
          entry.set(text, 24);
          const part = entry.subarray(0, length - at);
          this.at(buffer + at, part.length).set(part);
          at += part.length;
          if (at >= length) break;
        }
        return this.number(used, at);
      }
    };
  }
  path_calls() {
    return {
      path_filestat_get: (descriptor, flags, place, length, into) => {
        const path = this.path(descriptor, place, length), kind = this.files.kind(path);
        return kind ? this.status(into, kind, this.files.read(path)?.length ?? 0) : wasi.none;
      },
      path_open: (descriptor, look, place, length, creating, rights, inherited, flags, into) => {
        const path = this.path(descriptor, place, length), kind = this.files.kind(path);
        if (!kind) return creating & 1 ? wasi.read_only : wasi.none;
        this.open.set(this.next, kind === kinds.file ? {bytes: this.files.read(path), at: 0} : {folder: path});
        return this.number(into, this.next++);
      },
      path_readlink: () => wasi.invalid
    };
  }
}

// `tell` gets what is written to standard error at once: how far a long run is.
function answer(module, files, request, tell = null) {
  const host = new Host(files, JSON.stringify(request), {ORRERY_DATA: "/data"}, tell);
  const instance = new WebAssembly.Instance(module, {wasi_snapshot_preview1: host.imports()});
  host.memory = instance.exports.memory;
  let code = 0;
  try {
    instance.exports._start();
  } catch (problem) {
    if (problem instanceof Ended) {
      code = problem.code;
    } else {
      const full = host.memory.buffer.byteLength > 3.5 * 2 ** 30;
      return {code: 4, out: "", memory: host.memory.buffer.byteLength,
              error: `${host.text(2)}orrery: the module stopped (${problem.message})${full ? ", its memory of 4 GiB full" : ""}. Fewer ranks or messages?\n`};
    }
  }
  return {code, out: host.text(1), error: host.text(2), memory: host.memory.buffer.byteLength};
}
