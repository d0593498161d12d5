// What the critical path consists of: a stacked bar for the compared phase and one for the run, and what each cause is
// worth at most.
const short_of = text => text.length > 31 ? text.slice(0, 15) + "…" + text.slice(-15) : text;
// A cause has the same colour in all bars of the page: the eight that take most have their own.
const greatest_shares = new Map([["computation", Infinity]]);
for (const bar of data.points.flatMap(point => point.path || []))
  for (const [name, share] of bar.causes) greatest_shares.set(name, Math.max(share, greatest_shares.get(name) || 0));
const cause_colors = [0, 1, 2, 3, 4, 5, 7, 8];
const cause_names = [...greatest_shares.keys()].sort((a, b) => greatest_shares.get(b) - greatest_shares.get(a));

class PathBars {
  // `alone`: one bar, whose name stands above the drawing.
  constructor(bars, alone = false) {
    this.bars = bars;
    this.alone = alone;
    this.width = drawing_width(1000);
    this.beside = this.width > 700 && !alone;  // names of the bars stand beside them, or above
    this.left = this.beside ? Math.max(90, 16 + 7.2 * Math.max(...bars.map(bar => short_of(bar.of).length))) : 4;
    this.right = this.width - 8;
    this.bar = narrow_screen.matches ? 24 : 36;
    this.row = this.bar + (this.beside || alone ? 8 : 18);
    this.names = distinct(bars.flatMap(bar => bar.causes.map(cause => cause[0])));
    this.svg = svg_el("svg", {
      viewBox: `0 0 ${this.width} ${this.row * bars.length + 26}`,
      role: "img",
      "aria-label": "Shares of the critical path by cause; the table below has the numbers"
    });
    this.svg.append(...bars.flatMap((bar, b) => this.draw(bar, 4 + this.row * b)), this.axis());
  }

  color(name) {
    return `var(--c${cause_colors[cause_names.indexOf(name)] ?? 6})`;
  }
  x(share) {
    return this.left + (this.right - this.left) * share;
  }

  draw(bar, y) {
    const time = time_text(bar.time_s);
    const parts = this.beside ?
        [svg_el("text", {class: "s-ink", x: this.left - 8, y: y + 15, "text-anchor": "end"}, short_of(bar.of)),
         svg_el("text", {class: "s-muted", x: this.left - 8, y: y + 30, "text-anchor": "end"}, time)] :
        this.alone ? [] : [svg_el("text", {class: "s-ink", x: this.left, y: y + 12}, `${bar.of.length > 40 ? bar.of.slice(0, 39) + "…" : bar.of}: ${time}`)];
    if (!this.beside && !this.alone) y += 15;
    let from = 0;
    for (const [name, share, , where] of bar.causes) {
      const x = this.x(from), width = this.x(from + share) - x, text = `${name} ${percent_text(share)}`;
      const block = svg_el(
          "rect", {x, y, width: Math.max(0.5, width), height: this.bar, fill: this.color(name), stroke: "var(--card)"});
      block.append(svg_el("title", {}, where ? `${text}, mostly ${where}` : text));
      parts.push(block);
      const fits = [text, percent_text(Number(share.toPrecision(2)))].find(words => width > 7.4 * words.length + 8);
      if (fits) parts.push(svg_el("text", {class: "s-onbar", x: x + 7, y: y + this.bar / 2 + 5}, fits));
      from += share;
    }
    return parts;
  }

  // What its colours are, with the shares where there is one bar.
  key() {
    const share = name => this.bars.length > 1 ? "" : " " + percent_text(this.bars[0].causes.find(cause => cause[0] === name)[1]);
    return el("div", {class: "bar"}, this.names.filter(name => this.bars.some(bar => bar.causes.some(cause => cause[0] === name && cause[1] >= 0.01))).map(
        name => el("span", {class: "key cause"}, swatch(this.color(name)), name + share(name))));
  }

  axis() {
    const group = svg_el("g"), bottom = this.row * this.bars.length + 18;
    for (const share of [0, 0.25, 0.5, 0.75, 1])
      group.append(svg_el(
          "text", {class: "s-muted", x: this.x(share), y: bottom, "text-anchor": share === 1 ? "end" : share === 0 ? "start" : "middle"},
          percent_text(share)));
    return group;
  }
}

function path_figure(point) {
  const whole = point.path[point.path.length - 1], part = point.path[0].time_s < 0.999 * whole.time_s ? point.path[0] : null;
  const bars = new PathBars(part ? [whole, part] : [whole]), share = (bar, name) => percent_text((bar.causes.find(cause => cause[0] === name) || [name, 0])[1]);
  const causes = [...whole.causes, ...(part ? part.causes.filter(cause => !whole.causes.some(other => other[0] === cause[0])) : [])];
  const columns = [
    {title: "cause", cell: c => [c[0], "cause"]}, {title: "share of the run", number: true, cell: c => share(whole, c[0])},
    ...(part ? [{title: `share of ${part.of}`, number: true, cell: c => share(part, c[0])}] : []),
    {title: "mostly", cell: c => [c[3] ? `${c[3]} (${percent_text(c[4])})` : "", "wrap"]},
    {title: "that much less at most, if", cell: c => [c[2], "wrap"]}
  ];
  const rows = () => [
      ["path", "cause", "share", "most_at", "most_share"],
      ...point.path.flatMap(bar => bar.causes.map(c => [bar.of, c[0], c[1], c[3], c[4]]))];
  return el(
      "figure", {class: "full"},
      caption("Critical path", save_buttons("critical path " + point.label, () => bars.svg, rows)),
      el("p", {class: "hint"},
         `Why ${part ? `the run and ${part.of}` : "the run"} took so long: the chain of what had to be waited for. Without a cause the time is shorter by at most its share. ` +
             "The red line in the time lines is the chain of the run."),
      bars.svg, bars.key(), table(columns, causes, {label: "critical path"}));
}
