// What the critical path consists of: a stacked bar for the compared phase and one for the run, and what each cause is
// worth at most.
class PathBars {
  constructor(bars) {
    this.bars = bars;
    this.width = drawing_width(1160);
    this.beside = this.width > 700;  // names of the bars stand beside them, or above
    this.left = this.beside ? 150 : 4;
    this.right = this.width - 8;
    this.row = this.beside ? 44 : 62;
    this.bar = 36;
    // The same cause has the same look in both bars.
    this.names = distinct(bars.flatMap(bar => bar.causes.map(cause => cause[0])));
    this.svg = svg_el("svg", {
      viewBox: `0 0 ${this.width} ${this.row * bars.length + 26}`,
      role: "img",
      "aria-label": "Shares of the critical path by cause; the table below has the numbers"
    });
    this.svg.append(...bars.flatMap((bar, b) => this.draw(bar, 4 + this.row * b)), this.axis());
  }

  color(name) {
    return `var(--c${this.names.indexOf(name) % 7})`;
  }
  x(share) {
    return this.left + (this.right - this.left) * share;
  }

  draw(bar, y) {
    const time = time_text(bar.time_s);
    const parts = this.beside ?
        [svg_el("text", {class: "s-ink", x: this.left - 8, y: y + 15, "text-anchor": "end"}, shortened(bar.of)),
         svg_el("text", {class: "s-muted", x: this.left - 8, y: y + 30, "text-anchor": "end"}, time)] :
        [svg_el("text", {class: "s-ink", x: this.left, y: y + 12}, `${shortened(bar.of)}: ${time}`)];
    if (!this.beside) y += 18;
    let from = 0;
    for (const [name, share, , where] of bar.causes) {
      const x = this.x(from), width = this.x(from + share) - x, text = `${name} ${percent_text(share)}`;
      const block = svg_el(
          "rect", {x, y, width: Math.max(0.5, width), height: this.bar, fill: this.color(name), stroke: "var(--card)"});
      block.append(svg_el("title", {}, where ? `${text}, mostly ${where}` : text));
      parts.push(block);
      if (width > 7.2 * text.length)
        parts.push(svg_el("text", {class: "s-onbar", x: x + 7, y: y + this.bar / 2 + 5}, text));
      from += share;
    }
    return parts;
  }

  axis() {
    const group = svg_el("g"), bottom = this.row * this.bars.length + 18;
    for (const share of [0, 0.25, 0.5, 0.75, 1])
      group.append(svg_el(
          "text", {class: "s-muted", x: this.x(share), y: bottom, "text-anchor": share === 1 ? "end" : "middle"},
          percent_text(share)));
    return group;
  }
}

function path_figure(point) {
  const [compared, run] = point.path, bars = new PathBars(point.path);
  const of_run = name => run ? (run.causes.find(cause => cause[0] === name) || [name, 0])[1] : null;
  const columns = [
    {title: "cause", cell: c => c[0]},
    {title: `share of ${compared.of}`, number: true, cell: c => percent_text(c[1])},
    ...(run ? [{title: "share of the run", number: true, cell: c => percent_text(of_run(c[0]))}] : []),
    {title: "mostly", cell: c => c[3] ? `${c[3]} (${percent_text(c[4])})` : ""},
    {title: "without it", wide: true, cell: c => c[2] ? `at most ${percent_text(c[1])} less, if ${c[2]}` : ""}
  ];
  const rows = () => [
      ["path", "cause", "share", "most_at", "most_share"],
      ...point.path.flatMap(bar => bar.causes.map(c => [bar.of, c[0], c[1], c[3], c[4]]))];
  return el(
      "figure", {class: "full"},
      caption("Critical path", save_buttons("critical path " + point.label, () => bars.svg, rows)),
      el("p", {class: "hint"},
         `Why ${compared.of} took so long: from its last end back to its start, each time by what had to be waited for. The bars show ` +
             "what this chain consists of. A resource has a part in it while it was full (saturated) and held back a transfer of the chain. " +
             "Without a cause the time is shorter by at most its share, and by less if another chain is nearly as long. " +
             "The red line in the time lines below is the chain of the run."),
      bars.svg, table(columns, compared.causes, {label: "critical path"}));
}
