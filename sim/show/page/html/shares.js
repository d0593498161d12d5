// Stacked bars of activities: over time for all ranks together, and rank by rank for the whole run (ranks.js).
// `shares` is [activities][bars], `whole` the height of a full bar; `widest` and `gap` bound a bar and part it from the next.
class StackedShares {
  constructor(shares, whole, label, widest = Infinity, gap = 0.6) {
    Object.assign(this, {shares, whole, label, widest, count: shares[0].length});
    [this.width, this.height, this.left, this.right, this.top, this.bottom] =
        [drawing_width(1000), 260, 58, drawing_width(1000) - 8, 10, 222];
    this.gap = this.count <= 250 ? gap : 0;
  }

  x(bar) {
    return this.left + (this.right - this.left) * bar / this.count;
  }
  y(value) {
    return this.bottom - (this.bottom - this.top) * Math.min(this.whole, value) / this.whole;
  }
  fraction(a, bar) {
    return this.shares[a][bar] / this.whole;
  }
  stacked(bar) {
    return this.shares.reduce((sum, values) => sum + values[bar], 0) / this.whole;
  }

  // One path per activity; each lies on those before it. Without gaps it is one outline: edges that touch would shimmer.
  bars() {
    const below = new Array(this.count).fill(0), slot = this.x(1) - this.x(0);
    const wide = Math.min(this.widest, slot - this.gap), margin = this.widest < slot ? (slot - wide) / 2 : 0;
    return this.shares.map((values, a) => {
      let path = "", back = "";
      values.forEach((value, bar) => {
        const from = (this.x(bar) + margin).toFixed(2), to = (this.x(bar) + margin + wide).toFixed(2);
        const [high, low] = [this.y(below[bar] + value).toFixed(2), this.y(below[bar]).toFixed(2)];
        below[bar] += value;
        if (this.gap > 0) {
          if (value > 0) path += `M${from} ${high}H${to}V${low}H${from}z`;
          return;
        }
        path += `${bar === 0 ? `M${from} ${high}` : `V${high}`}H${to}`;
        back = `V${low}H${from}` + back;
      });
      const fill = `var(--${activities[a]})`;
      return svg_el("path", {d: path + (this.gap > 0 ? "" : back + "z"), fill});
    });
  }

  axes() {
    const parts = [], {title, ticks} = this.horizontal();
    for (const percent of [0, 25, 50, 75, 100]) {
      const y = this.y(percent * this.whole / 100);
      parts.push(svg_el("path", {class: "s-grid", d: `M${this.left} ${y}H${this.right}`}));
      parts.push(svg_el("text", {class: "s-muted", x: this.left - 6, y: y + 4, "text-anchor": "end"}, percent + " %"));
    }
    for (const [x, text] of ticks)
      parts.push(svg_el("text", {class: "s-muted", x, y: this.bottom + 16, "text-anchor": "middle"}, text));
    const middle = {class: "s-muted", x: (this.left + this.right) / 2, y: this.bottom + 33, "text-anchor": "middle"};
    return [...parts, svg_el("text", middle, title)];
  }

  drawing() {
    const viewBox = `0 0 ${this.width} ${this.height}`;
    return svg_el(
        "svg", {viewBox, role: "img", class: "shares", "aria-label": this.label}, ...this.axes(), ...this.bars());
  }

  // The saved file has the names of its colours below.
  saved() {
    const copy = this.drawing();
    activities.forEach((activity, a) => {
      const x = this.left + (this.right - this.left) / activities.length * a, y = this.height + 4;
      copy.append(
          svg_el("rect", {x, y, width: 14, height: 14, fill: `var(--${activity})`}),
          svg_el("text", {class: "s-muted", x: x + 20, y: y + 11}, activity));
    });
    copy.setAttribute("viewBox", `0 0 ${this.width} ${this.height + 26}`);
    return copy;
  }

  // `words(values)` says how large an activity is; one that does not occur is left out.
  key(words) {
    const shown = this.shares.map((values, a) => [activities[a], values]).filter(([, values]) => values.some(v => v > 0));
    return el(
        "div", {class: "bar"},
        shown.map(
            ([activity, values]) =>
                el("span", {class: "key"},
                   svg_el(
                       "svg", {width: 26, height: 14, viewBox: "0 0 26 14", "aria-hidden": "true"},
                       svg_el("rect", {width: 26, height: 14, fill: `var(--${activity})`})),
                   `${activity} ${words(values)}`)));
  }

  listen(svg) {
    svg.addEventListener("pointermove", event => {
      const box = svg.getBoundingClientRect(), at = (event.clientX - box.left) * this.width / box.width;
      const bar = Math.floor((at - this.left) / (this.right - this.left) * this.count);
      if (bar < 0 || bar >= this.count) return hide_tip();
      show_tip(event.clientX, event.clientY, ...this.tip(bar));
    });
    svg.addEventListener("pointerleave", hide_tip);
    return svg;
  }
}

// However many ranks there are and however long the run, the picture is complete; the time lines show a part of it.
class ActivityShares extends StackedShares {
  constructor(point) {
    super(point.activity_shares, 1000, "Shares of the ranks' time by activity over the run; Save CSV has the numbers");
    this.point = point;
    [this.factor, this.unit] = unit_for(point.makespan_s, time_units);
  }

  begin(bin) {
    return bin * this.point.makespan_s / this.count;
  }

  horizontal() {
    if (!(this.point.makespan_s > 0)) return {title: "time", ticks: []};
    const end = this.point.makespan_s / this.factor;
    const marks = ticks(0, end, false, this.width < 700 ? 4 : 8);
    return {
      title: `time (${this.unit})`,
      ticks: marks.map(mark => [this.left + (this.right - this.left) * mark / end, significant(mark, 3)])
    };
  }

  tip(bin) {
    return [
      `${time_text(this.begin(bin))} to ${time_text(this.begin(bin + 1))}`,
      activities.map((activity, a) => [activity, percent_text(this.fraction(a, bin))])
    ];
  }

  rows() {
    return [
      ["begin_s", "end_s", ...activities.map(activity => activity + "_fraction")],
      ...Array.from(
          {length: this.count},
          (_, bin) => [this.begin(bin), this.begin(bin + 1), ...activities.map((_, a) => this.fraction(a, bin))])
    ];
  }
}

function shares_figure(point) {
  const shares = new ActivityShares(point), mean = values => values.reduce((a, b) => a + b, 0) / values.length / 1000;
  return el(
      "figure", {class: "full"},
      caption(
          "Activity of all ranks over time",
          save_buttons("shares " + point.label, () => shares.saved(), () => shares.rows())),
      el("p", {class: "hint"},
         "Share of the ranks' time spent on each activity, over the run and in total. Blank: ranks that have finished."),
      shares.key(values => percent_text(mean(values))), shares.listen(shares.drawing()));
}
