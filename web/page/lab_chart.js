// The chart of a lab: lines over a logarithmic x and y, points for what was measured, upright lines for what was predicted.
const chart_colours = ["--c0", "--c1", "--c2", "--c3", "--c4", "--c5", "--c7", "--c8"];

const lab_units = {
  time: time_text,
  data: bytes => {
    const [factor, unit] = byte_units.find(([f]) => bytes >= f) ?? [1, "B"];
    return `${Number((bytes / factor).toPrecision(3))} ${unit}`;
  },
  factor: number => `${Number(number.toPrecision(3))} ${Number(number.toPrecision(3)) === 1 ? "time" : "times"}`,
  number: number => String(Number(number.toPrecision(3)))
};

// series: {label, points: [[x, y]], colour, dash, dots}; marks: {label, x, colour}; rings: [[x, y]], the points that an answer is of
class LabChart {
  constructor(root, {x_text, y_text, x_unit, y_unit}) {
    Object.assign(this, {root, x_text, y_text, x_unit, y_unit, series: [], marks: [], rings: []});
    this.picture = el("div", {class: "chart"});
    this.key = el("p", {class: "keys"});
    this.table = el("details", {}, el("summary", {}, "The numbers"));
    root.replaceChildren(this.picture, this.key, this.table);
    new ResizeObserver(() => this.draw()).observe(this.picture);
  }
  show(series, marks, rings = []) {
    this.series = series.map(one => ({...one, points: one.points.filter(([x, y]) => x > 0 && y > 0 && Number.isFinite(y))})).filter(one => one.points.length > 0);
    [this.marks, this.rings] = [marks, rings];
    this.draw_table();
    this.draw();
  }
  // What each line is called; a formula that leaves the chart is told from one that is not there.
  draw_key(low, high) {
    const outside = one => !one.everywhere || one.points.some(([, y]) => y >= low && y <= high) ? "" : one.points[0][1] > high ? " (above the chart)" : " (below the chart)";
    this.key.replaceChildren(...this.series.map(one => el("span", {class: "key"}, this.sample(one), one.label + outside(one))),
                             ...(this.rings.length > 0 ? [el("span", {class: "key"}, this.ring_sample(), "what was asked about")] : []));
  }
  ring_sample() {
    const svg = svg_part("svg", {width: 26, height: 16, "aria-hidden": "true"});
    svg.append(svg_part("circle", {cx: 13, cy: 8, r: 6.5, fill: "none", stroke: "var(--path)", "stroke-width": 2}));
    return svg;
  }
  sample(one) {
    const svg = svg_part("svg", {width: 26, height: 10, "aria-hidden": "true"});
    svg.append(one.dots ? svg_part("circle", {cx: 13, cy: 5, r: 4, fill: "none", stroke: `var(${one.colour})`, "stroke-width": 2}) :
                          svg_part("line", {x1: 0, x2: 26, y1: 5, y2: 5, stroke: `var(${one.colour})`, "stroke-width": 3, "stroke-dasharray": one.dash ?? ""}));
    return svg;
  }
  draw_table() {
    const simulated = this.series.filter(one => !one.dots && !one.everywhere), xs = [...new Set(simulated.flatMap(one => one.points.map(([x]) => x)))].sort((a, b) => a - b);
    const cell = (one, x) => one.points.find(point => point[0] === x)?.[1];
    const measured = this.series.filter(one => one.dots).map(one => el("p", {class: "hint"}, `${one.label}: ${one.points.map(([x, y]) => `${this.x_unit(x)} ${this.y_unit(y)}`).join("; ")}.`));
    this.table.replaceChildren(el("summary", {}, "The numbers"), el("div", {class: "scroll"}, el("table", {}, el("tr", {}, el("th", {}, this.x_text), simulated.map(one => el("th", {}, one.label))),
        xs.map(x => el("tr", {}, el("th", {}, this.x_unit(x)), simulated.map(one => el("td", {}, cell(one, x) === undefined ? "–" : this.y_unit(cell(one, x)))))))), ...measured);
  }
  draw() {
    const width = this.picture.clientWidth, points = this.series.filter(one => !one.everywhere).flatMap(one => one.points);
    if (width < 50 || points.length === 0) return;
    const height = Math.max(240, Math.min(420, width * 0.6)), left = 66, right = width - 10, top = 26, bottom = height - 42;
    const ends = values => [Math.min(...values), Math.max(...values)];
    const [x0, x1] = ends(points.map(([x]) => x)), [y0, y1] = ends(points.map(([, y]) => y));
    const x = value => left + (right - left) * Math.log(value / x0) / Math.log(x1 / x0 || 1);
    const spread = Math.log(y1 / y0) * 0.06 + 0.05, formulas = this.series.filter(one => one.everywhere).flatMap(one => one.points.map(([, y]) => y)).filter(y => y > y0 / 10 && y < y1 * 10);
    const low = Math.min(y0 * Math.exp(-spread), ...formulas), high = Math.max(y1 * Math.exp(spread), ...formulas);  // a formula has a decade of room
    const y = value => bottom - (bottom - top) * Math.log(value / low) / Math.log(high / low);
    this.draw_key(low, high);
    const svg = svg_part("svg", {viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `${this.y_text} over ${this.x_text}: ${this.series.map(one => one.label).join(", ")}. The numbers stand below.`});
    svg.append(svg_part("text", {class: "s-muted", x: 4, y: 14}, this.y_text), svg_part("text", {class: "s-muted", x: right, y: height - 6, "text-anchor": "end"}, this.x_text));
    for (const tick of this.x_ticks(points, x))
      svg.append(svg_part("line", {class: "s-grid", x1: x(tick), x2: x(tick), y1: top, y2: bottom}), svg_part("text", {class: "s-muted", x: Math.min(x(tick), width - 3 - 3.2 * this.x_unit(tick).length), y: bottom + 15, "text-anchor": "middle"}, this.x_unit(tick)));
    for (const tick of ticks(low, high, true, 6))
      svg.append(svg_part("line", {class: "s-grid", x1: left, x2: right, y1: y(tick), y2: y(tick)}), svg_part("text", {class: "s-muted", x: left - 6, y: y(tick) + 4, "text-anchor": "end"}, this.y_unit(tick)));
    for (const [i, mark] of this.marks.filter(one => one.x >= x0 && one.x <= x1).entries()) {
      const end = x(mark.x) > (left + right) / 2;
      svg.append(svg_part("line", {x1: x(mark.x), x2: x(mark.x), y1: top, y2: bottom, stroke: `var(${mark.colour})`, "stroke-width": 2, "stroke-dasharray": "6 4"}),
                 svg_part("text", {class: "s-ink s-halo", x: x(mark.x) + (end ? -5 : 5), y: top + 13 + 16 * i, "text-anchor": end ? "end" : "start"}, mark.label));
    }
    const inside = ([px, py]) => px >= x0 * 0.999 && px <= x1 * 1.001 && py >= low && py <= high;
    for (const one of this.series) svg.append(...this.drawn(one, one.points.filter(inside), x, y));
    for (const [px, py] of this.rings) svg.append(svg_part("circle", {cx: x(px), cy: y(py), r: 9, fill: "none", stroke: "var(--path)", "stroke-width": 2.5}));
    this.picture.replaceChildren(svg);
  }
  // The values of the sweep where they are few and have room, else round ones.
  x_ticks(points, x) {
    const xs = [...new Set(points.map(([px]) => px))].sort((a, b) => a - b), bytes = this.x_unit === lab_units.data;
    if (bytes || xs.length > 12) return ticks(xs[0], xs.at(-1), true, Math.max(2, (x(xs.at(-1)) - x(xs[0])) / 75), bytes ? 2 : 10);
    return xs.reduce((shown, value) => shown.length > 0 && x(value) - x(shown.at(-1)) < 10 + 3.5 * (this.x_unit(value) + this.x_unit(shown.at(-1))).length ? shown : [...shown, value], []);
  }
  drawn(one, points, x, y) {
    const title = ([px, py]) => svg_part("title", {}, `${one.label}: ${this.y_unit(py)} at ${this.x_unit(px)}`);
    const dot = (point, attributes) => svg_part("circle", {cx: x(point[0]), cy: y(point[1]), ...attributes}, title(point));
    if (one.dots) return [svg_part("polyline", {points: points.map(([px, py]) => `${x(px)},${y(py)}`).join(" "), fill: "none", stroke: `var(${one.colour})`, "stroke-width": 1, opacity: 0.6}), ...points.map(point => dot(point, {r: 4, fill: "var(--card)", stroke: `var(${one.colour})`, "stroke-width": 2}))];
    const line = svg_part("polyline", {points: points.map(([px, py]) => `${x(px)},${y(py)}`).join(" "), fill: "none", stroke: `var(${one.colour})`, "stroke-width": 2.5, "stroke-dasharray": one.dash ?? ""});
    return one.everywhere ? [line] : [line, ...points.map(point => dot(point, {r: 2.5, fill: `var(${one.colour})`}))];
  }
}
