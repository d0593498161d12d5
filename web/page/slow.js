// Slow motion: the critical path of a run as a space-time diagram, ranks above each other, time to the right. A message is
// a line from its sender to its receiver, each part of it (overhead, handshake, latency, transfer) in its colour; who
// steps through it sees what each costs, and what held it back.
const part_of = {
  "computation": ["computation", "", "--compute"],
  "send-overhead": ["send overhead", "o", "--send"],
  "receive-overhead": ["receive overhead", "o", "--send"],
  "probe": ["probing", "", "--c6"],
  "handshake": ["rendezvous handshake", "", "--c3"],
  "latency": ["latency", "L", "--c4"],
  "transfer": ["transfer", "m G", "--path"],
  "copy": ["copy in memory", "", "--c8"],
  "unexpected-copy": ["copy of an unexpected message", "", "--c8"],
  "staging": ["staging", "", "--c7"],
  "shared-cores": ["waiting for a shared core", "", "--wait"],
  "sleep": ["sleep", "", "--wait"],
  "message": ["message", "", "--c3"]
};
const activity_look = [["computes", "--compute"], ["sends", "--send"], ["receives", "--receive"], ["waits", "--wait"], ["is in a barrier", "--barrier"]];
const rows_most = 16, steps_around = 24;

function svg_part(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function steps_of_path(gantt) {
  const {kinds, segments, resources} = gantt.path, steps = [];
  for (let i = 0; i < segments.length; i += 6) {
    const [kind, rank, peer, begin, end, held] = segments.slice(i, i + 6);
    if (end > begin) steps.push({kind: kinds[kind], rank, peer, begin, end, held: held < -1 ? "" : held === -1 ? "the limit of one message" : resources[held]});
  }
  return steps;
}
// Consecutive parts between the same two ranks are one line: where a part begins and ends on it goes by time.
function lines_of(steps) {
  steps.forEach((step, i) => {
    if (step.peer < 0) return;
    const same = other => other && other.rank === step.rank && other.peer === step.peer;
    let [first, last] = [i, i];
    while (same(steps[first - 1])) first--;
    while (same(steps[last + 1])) last++;
    [step.line_begin, step.line_end] = [steps[first].begin, steps[last].end];
  });
  return steps;
}

// Round times below a drawing whose right end is at `to`, with so many digits that neighbours differ.
function time_axis(from, to, left, right, bottom) {
  const marks = ticks(from, to, false, right - left > 430 ? 6 : 3), digits = Math.max(4, Math.ceil(Math.log10(marks.at(-1) / (marks.at(-1) - marks.at(-2)))) + 2) || 4;
  return marks.flatMap(mark => {
    const x = left + (right - left) * (mark - from) / (to - from || 1);
    return [svg_part("line", {class: "s-grid", x1: x, x2: x, y1: bottom - 4, y2: bottom}),
            svg_part("text", {class: "s-muted", x, y: bottom + 13, "text-anchor": x < left + 30 ? "start" : x > right - 30 ? "end" : "middle"}, time_text(mark, digits))];
  });
}

// Every message of the run, in order of the sends.
function steps_of_messages(gantt) {
  const flat = gantt.messages?.flat ?? [], steps = [];
  for (let i = 0; i < flat.length; i += 6) {
    const [rank, peer, begin, end, bytes] = flat.slice(i, i + 6);
    steps.push({kind: "message", rank, peer, begin, end, bytes, held: "", line_begin: begin, line_end: Math.max(end, begin + 1)});
  }
  return steps;
}

class SlowMotion {
  constructor(root) {
    [this.root, this.at, this.timer, this.whole] = [root, 0, null, false];
    const button = (name, text, does) => el("button", {type: "button", "aria-label": name, title: name, onclick: does}, text);
    this.play_button = button("Play slowly", "▶ Play", () => this.timer ? this.pause() : this.play());
    this.range = el("input", {type: "range", min: 0, value: 0, "aria-label": "Step", oninput: () => {
      this.pause();
      this.go(Number(this.range.value));
    }});
    this.what = el("select", {"aria-label": "What is stepped through", onchange: () => {
      this.pause();
      this.take();
      this.go(0);
    }}, el("option", {value: "path"}, "the critical path"), el("option", {value: "messages"}, "every message"), el("option", {value: "shared"}, "a link that they share"));
    this.chosen = "";
    this.which = el("select", {"aria-label": "Link", hidden: true, onchange: () => {
      this.chosen = this.which.value;
      this.pause();
      this.take();
      this.go(0);
    }});
    this.whole_button = el("button", {type: "button", "aria-pressed": "false", onclick: () => {
      this.whole = !this.whole;
      this.whole_button.setAttribute("aria-pressed", String(this.whole));
      this.draw();
    }}, "The whole run");
    this.text = el("p", {class: "step", role: "status", "aria-live": "polite"});
    this.picture = el("div", {class: "spacetime"});
    this.key = el("p", {class: "hint keys"});
    let drawn = 0;  // its width: a phone that is turned draws anew
    new ResizeObserver(() => {
      if (this.picture.clientWidth === drawn) return;
      drawn = this.picture.clientWidth;
      if (this.steps?.length > 0 && !this.root.hidden) this.go(this.at);
    }).observe(this.picture);
    root.append(el("h2", {}, "In slow motion"),
                el("p", {class: "hint"}, "Step by step: the critical path, which is the chain of causes that the run time consists of; every message from its send to its receive; or those that share a link between switches or the adapter of a node. A slanted line is a message on its way, pale bars are what each rank does meanwhile."),
                el("div", {class: "bar"}, button("Step back", "◀", () => this.step(-1)), this.play_button, button("Step on", "▶|", () => this.step(1)), this.range, this.what, this.which, this.whole_button),
                this.text, this.picture, this.key);
  }
  show(point) {
    this.pause();
    this.gantt = point?.gantt ?? null;
    this.links = point?.gantt ? shared_of(point) : [];
    const option = ({name, at_once}) => el("option", {value: name, selected: name === this.chosen}, `${name}: ${at_once} at once`);
    const groups = link_groups.map(([label]) => [label, this.links.filter(link => group_of(link.kind) === label)]).filter(([, links]) => links.length > 0);
    this.which.replaceChildren(...groups.map(([label, links]) => el("optgroup", {label}, links.map(option))));
    if (!this.links.some(({name}) => name === this.chosen)) this.which.value = this.links[0]?.name ?? "";
    this.root.hidden = !(this.gantt?.path?.segments.length > 0 || this.gantt?.messages?.flat.length > 0);
    if (this.root.hidden) return;
    if (!this.take()) return;
    this.go(Math.min(this.at, this.steps.length - 1));
  }
  // What is stepped through; the other one where there is none of what is chosen.
  take() {
    const all = {path: this.gantt.path ? lines_of(steps_of_path(this.gantt)) : [], messages: steps_of_messages(this.gantt), shared: this.link()?.messages ?? []};
    for (const option of this.what.options) option.disabled = all[option.value].length === 0;
    if (all[this.what.value].length === 0) this.what.value = all.path.length > 0 ? "path" : "messages";
    this.which.hidden = this.what.value !== "shared";
    this.whole_button.hidden = !this.which.hidden;
    this.steps = all[this.what.value];
    this.root.hidden = this.steps.length === 0;
    if (this.root.hidden) return false;
    this.range.max = this.steps.length - 1;
    if (!this.which.hidden) this.key.replaceChildren(`A row is a message from its send to its receive. Below, how many are under way${this.link().load.length > 0 ? ", and at what rate the link carries in each 200th of the run, as the engine counted it; the line above is what it can carry" : "; over time the engine counted no single link, as there are too many"}. `, this.rest());
    else this.key.replaceChildren(...[...new Set(this.steps.map(step => step.kind))].map(kind => {
      const [name, symbol, colour] = part_of[kind] ?? [kind, "", "--c6"];
      return el("span", {class: "key"}, el("i", {style: `background: var(${colour})`}), symbol ? `${name}, ${symbol}` : name);
    }), this.rest());
    return true;
  }
  link() {
    return this.links.find(one => one.name === this.which.value);
  }
  rest() {
    if (this.what.value === "path") return this.gantt.path.whole ? "" : "The path goes on; its beginning is shown.";
    const {left_out} = this.gantt.messages;
    return left_out > 0 ? `${left_out} more messages are not shown.` : "";
  }
  step(by) {
    this.pause();
    this.go(this.at + by);
  }
  // A step takes longer to watch the longer it is, within bounds that one can follow.
  play() {
    if (this.at >= this.steps.length - 1) this.go(0);
    this.play_button.textContent = "❚❚ Pause";
    this.play_button.setAttribute("aria-label", "Pause");
    const next = () => {
      if (this.at >= this.steps.length - 1) return this.pause();
      this.go(this.at + 1);
      this.timer = setTimeout(next, this.pace());
    };
    this.timer = setTimeout(next, this.pace());
  }
  pace() {
    const {begin, end} = this.steps[this.at], whole = this.window();
    return Math.min(2500, Math.max(500, 8000 * (end - begin) / (whole[1] - whole[0])));
  }
  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.play_button.textContent = "▶ Play";
    this.play_button.setAttribute("aria-label", "Play slowly");
  }
  go(step) {
    this.at = Math.max(0, Math.min(step, this.steps.length - 1));
    this.range.value = this.at;
    if (!this.which.hidden) return this.go_shared();
    const one = this.steps[this.at], [name, symbol] = part_of[one.kind] ?? [one.kind, ""], tick = this.gantt.tick_s;
    const who = one.peer >= 0 ? `from rank ${one.rank} to rank ${one.peer}` : `on rank ${one.rank}`;
    const said = `${one.kind === "message" ? "Message" : "Step"} ${this.at + 1} of ${this.steps.length}: ${one.kind === "message" ? lab_units.data(one.bytes) : name}${symbol ? ` (${symbol})` : ""} ${who}, ${time_text((one.end - one.begin) * tick)}`;
    this.text.replaceChildren(el("b", {}, said), `, from ${time_text(one.begin * tick)} to ${time_text(one.end * tick)}${one.held ? `; held back by ${one.held}` : ""}.`);
    this.range.setAttribute("aria-valuetext", said);
    this.draw();
  }
  go_shared() {
    const [said, more] = shared_said(this.link(), this.at, this.gantt.tick_s);
    this.text.replaceChildren(el("b", {}, said), more);
    this.range.setAttribute("aria-valuetext", said);
    this.picture.replaceChildren(draw_shared(this.link(), this.at, Math.max(300, this.picture.clientWidth || 640), this.gantt.tick_s));
  }
  window() {
    if (this.whole) return [0, Math.max(...this.steps.map(step => step.end)), 0, this.steps.length - 1];
    const first = Math.max(0, Math.min(this.at - steps_around / 2, this.steps.length - steps_around)), last = Math.min(this.steps.length, first + steps_around) - 1;
    return [this.steps[first].begin, Math.max(...this.steps.slice(first, last + 1).map(step => step.end)), first, last];
  }
  // Ranks of the path in the window; with room left, others. Of a whole run some from all over it.
  rows(first, last) {
    const chosen = new Set(), {ranks, numbers, first_rank} = this.gantt;
    if (this.whole)
      for (let i = 0; i < Math.min(rows_most, ranks.length); i++) {
        const rank = Math.floor(i * ranks.length / Math.min(rows_most, ranks.length));
        chosen.add(numbers[rank] ?? first_rank + rank);
      }
    const order = [this.at, ...Array.from({length: last - first + 1}, (_, i) => first + i)];
    for (const i of order) for (const rank of [this.steps[i].rank, this.steps[i].peer]) if (rank >= 0 && chosen.size < rows_most) chosen.add(rank);
    for (let rank = 0; rank < ranks.length && chosen.size < Math.min(rows_most, 8); rank++) chosen.add(numbers[rank] ?? first_rank + rank);
    return [...chosen].sort((a, b) => a - b);
  }
  bars(rank, y, x, from, to) {
    const flat = this.gantt.ranks[this.gantt.numbers.length > 0 ? this.gantt.numbers.indexOf(rank) : rank - this.gantt.first_rank] ?? [], bars = [];
    for (let i = 0, now = 0, drawn = -1; i < flat.length; i += 6) {
      const begin = now + flat[i + 1], end = now = begin + flat[i + 2];
      if (end < from || begin > to || x(end) < drawn + 0.4) continue;  // less than can be seen beside what stands there
      drawn = x(end);
      const left = x(Math.max(begin, from)), [does, colour] = activity_look[flat[i]];
      bars.push(svg_part("rect", {x: left, y: y - 7, width: Math.max(0.5, x(Math.min(end, to)) - left), height: 14, fill: `var(${colour})`, opacity: 0.28},
                         svg_part("title", {}, `rank ${rank} ${does}`)));
    }
    return bars;
  }
  draw() {
    const [from, to, first, last] = this.window(), rows = this.rows(first, last), width = Math.max(300, this.picture.clientWidth || 640), left = 58, right = width - 12;
    const gap = Math.max(30, Math.min(110, 260 / rows.length)), row = rank => 24 + gap * rows.indexOf(rank), bottom = row(rows.at(-1)) + 22;
    const x = t => left + (right - left) * (t - from) / (to - from || 1), tick_s = this.gantt.tick_s;
    const svg = svg_part("svg", {viewBox: `0 0 ${width} ${bottom + 22}`, width, role: "img", "aria-label": `Space-time diagram of ${rows.length} ranks; the line above tells the step shown`});
    for (const rank of rows)
      svg.append(svg_part("text", {class: "s-text", x: left - 8, y: row(rank) + 4, "text-anchor": "end"}, `rank ${rank}`),
                 svg_part("line", {class: "s-grid", x1: left, x2: right, y1: row(rank), y2: row(rank)}), ...this.bars(rank, row(rank), x, from, to));
    svg.append(...time_axis(from * tick_s, to * tick_s, left, right, bottom));
    for (let i = first; i <= last; i++) svg.append(...this.part(i, x, row, rows));
    this.picture.replaceChildren(svg);
  }
  part(i, x, row, rows) {
    const step = this.steps[i], {kind, rank, peer, begin, end} = step, [name, symbol, colour] = part_of[kind] ?? [kind, "", "--c6"];
    if (!rows.includes(rank) || (peer >= 0 && !rows.includes(peer))) return [];
    const y = t => peer < 0 ? row(rank) : row(rank) + (row(peer) - row(rank)) * (t - step.line_begin) / (step.line_end - step.line_begin);
    const now = i === this.at, line = svg_part("line", {
      x1: x(begin), y1: y(begin), x2: Math.max(x(end), x(begin) + 1), y2: y(end), stroke: `var(${colour})`, "stroke-width": now ? 8 : 4, "stroke-linecap": "butt",
      opacity: i > this.at ? 0.25 : 1, class: now ? "now" : ""
    }, svg_part("title", {}, name));
    if (!now) return [line];
    const middle = (begin + end) / 2, said = `${symbol || name} ${time_text((end - begin) * this.gantt.tick_s)}`, [from, to] = this.window(), half = 3.6 * said.length;
    const at = Math.max(Math.min(x(middle), x(to) - half), x(from) + half);  // not over the names of ranks
    return [line, svg_part("text", {class: "s-ink s-halo", x: at, y: y(middle) - 11, "text-anchor": "middle"}, said)];
  }
}
