// The network with its load: switches and cables where they are, coloured by how much of their capacity was used.
const load_tops = [1, 2, 5, 10, 20, 50, 100];  // per cent: a stretched scale ends at the first that all loads are below
const load_steps = 20;

class NetworkView {
  constructor(point) {
    this.drawing = data.networks[point.picture.drawing];
    this.loads = point.picture.loads.map(part => ({...part, most: this.greatest(part)}));
    this.cables = this.drawing.cables.length;
    const compared = this.loads.findIndex(part => part.phase === point.phase);
    this.head = 8;
    this.svg = svg_el("svg", {
      viewBox: `0 0 ${this.drawing.width} ${this.drawing.height + this.head}`,
      class: "network",
      style: `width:${this.drawing.width}px`,
      role: "img",
      "aria-label": `The network ${this.drawing.title} with the load of its links; Save CSV has the numbers`
    });
    this.key = el("span", {class: "key"});
    this.stretched = false;  // the scale is 0 to 100 %, so that 1 % is pale, until asked otherwise
    const faults = this.loads.findIndex(part => part.what_if);
    this.show(Math.max(0, faults < 0 ? compared : faults));
    this.svg.addEventListener("pointermove", event => this.pointed(event));
    this.svg.addEventListener("pointerleave", hide_tip);
  }

  // Of a slot with one link the greatest is the mean; the file has it of the others only.
  greatest({mean, most}) {
    let next = 0;
    return mean.map((value, slot) => this.links_of(slot) > 1 ? most[next++] : value);
  }
  links_of(slot) {
    const number = Math.floor(slot / 2), cables = this.drawing.cables;
    return number < cables.length ? cables[number][2] : this.drawing.cells[number - cables.length][1];
  }
  phase_name(part) {
    if (part.what_if) return "what-if: where a fault hurts";
    return part.phase === "" ? "the whole run" : `phase '${part.phase}'`;
  }

  show(part) {
    this.part = this.loads[part];
    this.highest = Math.max(...this.part.most) / 10;
    this.draw();
  }
  stretch(on) {
    this.stretched = on;
    this.draw();
  }

  share(slot) {
    return this.part.most[slot] / 10 / this.top;
  }
  // Darker and thicker with load; idle is grey.
  color(share) {
    return share <= 0 ? "var(--line)" : blend(0.1 + 0.9 * Math.min(1, share));
  }

  draw() {
    this.top = this.stretched || this.part.what_if ? load_tops.find(top => this.highest <= top) || 100 : 100;
    const {drawing, head} = this, group = svg_el("g", {transform: `translate(0 ${head})`});
    group.append(...this.lines(), ...this.boxes(), ...this.cells());
    for (const [x, y, text, anchor] of drawing.labels)
      group.append(svg_el("text", {class: "s-muted", x, y, "text-anchor": anchor}, text));
    this.svg.replaceChildren(group);
    const longest = percent_text(this.highest / 100);
    if (this.part.what_if)
      this.key.replaceChildren(this.scale(), `the run is so much longer with a fault there, 0 to ${this.top} %; at most ${longest}`);
    else
      this.key.replaceChildren(this.scale(), `load, 0 to ${this.top} % of capacity; the busiest link has ${longest}`);
  }

  // Cables of the same step of the scale in one path, the busiest on top.
  lines() {
    const steps = new Map();
    for (const [x, y, bend_x, bend_y, to_x, to_y, cable] of this.drawing.lines) {
      const share = Math.max(this.share(2 * cable), this.share(2 * cable + 1));
      const step = share <= 0 ? 0 : Math.max(1, Math.ceil(share * load_steps));
      steps.set(step, (steps.get(step) || "") + `M${x} ${y}Q${bend_x} ${bend_y} ${to_x} ${to_y}`);
    }
    const many = this.drawing.lines.length > 300;
    return [...steps].sort((a, b) => a[0] - b[0]).map(([step, d]) => {
      const share = step / load_steps, width = (many ? 0.7 : 1.4) + (many ? 1.8 : 3.2) * share;
      return svg_el("path", {d, fill: "none", style: "stroke:" + this.color(share), "stroke-width": width.toFixed(2)});
    });
  }

  boxes() {
    const internal = new Map();
    this.drawing.cables.forEach(([from, to], c) => {
      if (from === to) internal.set(from, Math.max(this.share(2 * c), this.share(2 * c + 1)));
    });
    const parts = [];
    for (const [x, y, width, height, place] of this.drawing.frames) {
      const box = this.drawing.boxes.find(one => one[4] === place);
      parts.push(
          svg_el("path", {class: "s-grid", d: `M${box[0] + box[2] / 2} ${box[1] + box[3]}V${y}`}),
          svg_el("rect", {class: "s-grid", x, y, width, height, rx: 4}));
    }
    for (const [x, y, width, height, place, text] of this.drawing.boxes) {
      const share = internal.get(place);
      parts.push(svg_el("rect", {
        x,
        y,
        width,
        height,
        rx: 4,
        style: share === undefined ? "fill:var(--paper)" : "fill:" + this.color(share),
        stroke: "var(--frame)"
      }));
      if (text)
        parts.push(svg_el(
            "text", {class: "s-text s-halo", x: x + width / 2, y: y + height / 2 + 4, "text-anchor": "middle"}, text));
    }
    return parts;
  }

  // Left half: outgoing NICs; right half: incoming ones.
  cells() {
    const steps = new Map(), names = [];
    for (const [x, y, width, height, cell, text] of this.drawing.cell_boxes) {
      [0, 1].forEach(way => {
        const share = this.share(2 * (this.cables + cell) + way), half = width / 2;
        const step = share <= 0 ? 0 : Math.max(1, Math.ceil(share * load_steps));
        const from = (x + way * half).toFixed(1), wide = (half - 0.5).toFixed(1);
        steps.set(step, (steps.get(step) || "") + `M${from} ${y}h${wide}v${height}H${from}z`);
      });
      if (text)
        names.push(svg_el(
            "text", {class: "s-text s-halo", x: x + width / 2, y: y + height / 2 + 4, "text-anchor": "middle"}, text));
    }
    return [
      ...[...steps].map(([step, d]) => svg_el("path", {d, style: "fill:" + this.color(step / load_steps)})), ...names
    ];
  }

  scale() {
    const svg = svg_el("svg", {width: 90, height: 14, viewBox: "0 0 90 14", "aria-hidden": "true"});
    for (let i = 0; i < 18; i++)
      svg.append(svg_el("rect", {x: 5 * i, width: 5.2, height: 14, style: "fill:" + this.color(i / 17)}));
    return svg;
  }

  saved() {
    const copy = this.svg.cloneNode(true), y = this.drawing.height + this.head + 18;
    const what = this.part.what_if ? "longer with a fault there" : "load in " + this.phase_name(this.part);
    const title = `${this.drawing.title}: ${what}, 0 to ${this.top} %`;
    copy.append(svg_el("text", {class: "s-muted", x: 12, y}, title));
    copy.setAttribute("viewBox", `0 0 ${this.drawing.width} ${y + 10}`);
    return copy;
  }

  percent(slot) {
    if (this.part.what_if) return `${percent_text(this.part.most[slot] / 1000)} longer with a fault`;
    const mean = percent_text(this.part.mean[slot] / 1000), most = percent_text(this.part.most[slot] / 1000);
    return this.links_of(slot) > 1 ? `${most} (mean ${mean})` : most;
  }

  describe_cable(cable) {
    const [from, to, count, bandwidth] = this.drawing.cables[cable], [words, level] = this.drawing.places[from];
    const [to_words, to_level] = this.drawing.places[to];
    const up = this.drawing.leveled && level !== to_level ? ["up", "down"] : ["there", "back"];
    const ways = level > to_level ? [1, 0] : [0, 1];
    const each = `${count === 1 ? "" : count + " × "}${bandwidth_text(bandwidth / count)} each way`;
    const title = from === to ? "Links inside " + words :
        count === 1           ? `Cable between ${words} and ${to_words}` :
                                `Cables between ${words} and ${to_words}`;
    return [
      title, [["capacity", each], ...ways.map((way, i) => [up[i], this.percent(2 * cable + way)])]
    ];
  }
  describe_cell(cell) {
    const [words, adapters, kind] = this.drawing.cells[cell], slot = 2 * (this.cables + cell);
    return [
      `${adapters === 1 ? "NIC" : adapters + " NICs"} of ${words}`,
      [["type", kind], ["outgoing", this.percent(slot)], ["incoming", this.percent(slot + 1)]]
    ];
  }

  pointed(event) {
    const box = this.svg.getBoundingClientRect(), scale = this.drawing.width / box.width;
    const x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale - this.head;
    const inside = ([left, top, width, height]) => x >= left && x <= left + width && y >= top && y <= top + height;
    const cell = this.drawing.cell_boxes.find(inside), place = this.drawing.boxes.find(inside);
    const internal = place && this.drawing.cables.findIndex(([from, to]) => from === to && from === place[4]);
    const cable = this.nearest_cable(x, y);
    if (cell)
      show_tip(event.clientX, event.clientY, ...this.describe_cell(cell[4]));
    else if (place)
      show_tip(
          event.clientX, event.clientY,
          ...(internal >= 0 ? this.describe_cable(internal) : [this.drawing.places[place[4]][0], []]));
    else if (cable !== null)
      show_tip(event.clientX, event.clientY, ...this.describe_cable(cable));
    else
      hide_tip();
  }

  // Within 6 px; of several equally near the busiest.
  nearest_cable(x, y) {
    let found = null, least = 36;
    for (const [x0, y0, bend_x, bend_y, x1, y1, cable] of this.drawing.lines) {
      if (x < Math.min(x0, x1, bend_x) - 6 || x > Math.max(x0, x1, bend_x) + 6) continue;
      const distance = this.distance_to(x, y, [[x0, y0], [bend_x, bend_y], [x1, y1]]);
      const share = Math.max(this.share(2 * cable), this.share(2 * cable + 1));
      if (distance - 4 * share < least) [found, least] = [cable, distance - 4 * share];
    }
    return found;
  }
  // Squared, to the chords of eight parts of the curve.
  distance_to(x, y, [[x0, y0], [x1, y1], [x2, y2]]) {
    let least = Infinity, [a, b] = [x0, y0];
    for (let i = 1; i <= 8; i++) {
      const t = i / 8, c = (1 - t) ** 2 * x0 + 2 * t * (1 - t) * x1 + t * t * x2,
            d = (1 - t) ** 2 * y0 + 2 * t * (1 - t) * y1 + t * t * y2;
      const length = (c - a) ** 2 + (d - b) ** 2;
      const along = length > 0 ? Math.max(0, Math.min(1, ((x - a) * (c - a) + (y - b) * (d - b)) / length)) : 0;
      least = Math.min(least, (a + along * (c - a) - x) ** 2 + (b + along * (d - b) - y) ** 2);
      [a, b] = [c, d];
    }
    return least;
  }

  rows() {
    const header = ["link", "direction", "links", "phase", "mean_fraction", "most_fraction"], rows = [];
    for (const part of this.loads) {
      const add = (name, way, slot) => rows.push(
          [name, way, this.links_of(slot), part.what_if ? "what-if" : part.phase, part.mean[slot] / 1000, part.most[slot] / 1000]);
      this.drawing.cables.forEach(([from, to], c) => {
        const a = this.drawing.places[from][0], b = this.drawing.places[to][0];
        add(`${a} - ${b}`, "there", 2 * c);
        add(`${a} - ${b}`, "back", 2 * c + 1);
      });
      this.drawing.cells.forEach(([words, adapters], c) => {
        add(`${adapters === 1 ? "NIC" : "NICs"} of ${words}`, "out", 2 * (this.cables + c));
        add(`${adapters === 1 ? "NIC" : "NICs"} of ${words}`, "in", 2 * (this.cables + c) + 1);
      });
    }
    return [header, ...rows];
  }
}

function network_figure(point) {
  const view = new NetworkView(point);
  const notes = [view.drawing.words, ...view.drawing.notes].map(text => `${text[0].toUpperCase()}${text.slice(1)}. `);
  const select = el("select", {id: "network-phase", onchange: () => view.show(select.selectedIndex)});
  view.loads.forEach(part => select.append(el("option", {}, view.phase_name(part))));
  select.selectedIndex = view.loads.indexOf(view.part);
  return el(
      "figure", {class: "full"},
      caption("Load of the network", save_buttons("network " + point.label, () => view.saved(), () => view.rows())),
      el("p", {class: "hint"},
         notes.join("") +
             "The left half of a square is what its nodes send, the right half what they receive; a line has the colour " +
             "of its busier direction. Load: the share of the capacity that was used in the time chosen. Point at anything " +
             "for its name and numbers."),
      el("div", {class: "bar"}, view.loads.length > 1 ? el("label", {for: "network-phase"}, "during") : "",
         view.loads.length > 1 ? select : "", view.key,
         load_tops.some(top => top < 100 && Math.max(...view.loads.flatMap(part => part.most)) <= 10 * top) ?
             el("label", {class: "noprint"}, el("input", {type: "checkbox", onchange: event => view.stretch(event.target.checked)}), "stretch the scale to the busiest link") : ""),
      scrolling({class: "scroll"}, view.svg));
}
