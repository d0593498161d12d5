// What all ranks together do over time: stacked bars, one per bin, of the shares of their time. However many ranks
// there are and however long the run, the picture is complete; the time lines above show a part of it rank by rank.
class ActivityShares {
  constructor(point) {
    this.point = point;
    this.shares = point.activity_shares;  // [activities][bins] per mille
    this.bins = this.shares[0].length;
    [this.factor, this.unit] = unit_for(point.makespan_s, time_units);
    [this.width, this.height, this.left, this.right, this.top, this.bottom] = [1000, 260, 58, 992, 10, 222];
  }

  begin(bin) {
    return bin * this.point.makespan_s / this.bins;
  }
  x(bin) {
    return this.left + (this.right - this.left) * bin / this.bins;
  }
  y(per_mille) {
    return this.bottom - (this.bottom - this.top) * Math.min(1000, per_mille) / 1000;
  }

  // One path per activity; each lies on those before it.
  bars() {
    const below = new Array(this.bins).fill(0), gap = this.bins <= 250 ? 0.6 : 0;
    return this.shares.map((values, a) => {
      let path = "";
      values.forEach((value, bin) => {
        if (value > 0)
          path += `M${this.x(bin).toFixed(2)} ${this.y(below[bin] + value).toFixed(2)}H${
              (this.x(bin + 1) - gap).toFixed(2)}V${this.y(below[bin]).toFixed(2)}H${this.x(bin).toFixed(2)}z`;
        below[bin] += value;
      });
      return svg_el("path", {d: path, fill: `var(--${activities[a]})`});
    });
  }

  axes() {
    const parts = [];
    for (const percent of [0, 25, 50, 75, 100]) {
      const y = this.y(10 * percent);
      parts.push(svg_el("path", {class: "s-grid", d: `M${this.left} ${y}H${this.right}`}));
      parts.push(svg_el("text", {class: "s-muted", x: this.left - 6, y: y + 4, "text-anchor": "end"}, percent + " %"));
    }
    const end = this.point.makespan_s / this.factor, tens = 10 ** Math.floor(Math.log10(end));
    const step = tens * [0.2, 0.5, 1, 2].find(one => end <= 8 * one * tens);
    for (let k = 0; k * step <= end; k++) {
      const x = this.left + (this.right - this.left) * k * step / end;
      const place = {class: "s-muted", x, y: this.bottom + 16, "text-anchor": "middle"};
      parts.push(svg_el("text", place, significant(k * step, 3)));
    }
    const middle = {class: "s-muted", x: (this.left + this.right) / 2, y: this.bottom + 33, "text-anchor": "middle"};
    return [...parts, svg_el("text", middle, `time (${this.unit})`)];
  }

  drawing() {
    return svg_el(
        "svg", {
          viewBox: `0 0 ${this.width} ${this.height}`,
          role: "img",
          class: "shares",
          "aria-label": "Shares of the ranks' time by activity over the run; Save CSV has the numbers"
        },
        ...this.axes(), ...this.bars());
  }

  // The saved file has the names of its colours below.
  saved() {
    const copy = this.drawing();
    activities.forEach((activity, a) => {
      const x = this.left + 110 * a, y = this.height + 4;
      copy.append(
          svg_el("rect", {x, y, width: 14, height: 14, fill: `var(--${activity})`}),
          svg_el("text", {class: "s-muted", x: x + 20, y: y + 11}, activity));
    });
    copy.setAttribute("viewBox", `0 0 ${this.width} ${this.height + 26}`);
    return copy;
  }

  rows() {
    return [
      ["begin_s", "end_s", ...activities.map(activity => activity + "_fraction")],
      ...Array.from(
          {length: this.bins},
          (_, bin) => [this.begin(bin), this.begin(bin + 1), ...this.shares.map(values => values[bin] / 1000)])
    ];
  }

  listen(svg) {
    svg.addEventListener("pointermove", event => {
      const box = svg.getBoundingClientRect(), at = (event.clientX - box.left) * this.width / box.width;
      const bin = Math.floor((at - this.left) / (this.right - this.left) * this.bins);
      if (bin < 0 || bin >= this.bins) return hide_tip();
      show_tip(
          event.clientX, event.clientY, `${time_text(this.begin(bin))} to ${time_text(this.begin(bin + 1))}`,
          activities.map((activity, a) => [activity, percent_text(this.shares[a][bin] / 1000)]));
    });
    svg.addEventListener("pointerleave", hide_tip);
    return svg;
  }
}

function shares_figure(point) {
  const shares = new ActivityShares(point), mean = values => values.reduce((a, b) => a + b, 0) / values.length / 1000;
  const key = activities.map((activity, a) => [activity, mean(shares.shares[a])]).filter(([, share]) => share > 0);
  return el(
      "figure", {class: "full"},
      caption(
          "What all ranks together do over time",
          save_buttons("shares " + point.label, () => shares.saved(), () => shares.rows())),
      el("p", {class: "hint"},
         "Share of the ranks' time in each part of the run, and in all of it. What is blank: ranks that have ended."),
      el("div", {class: "bar"},
         key.map(
             ([activity, share]) =>
                 el("span", {class: "key"},
                    svg_el(
                        "svg", {width: 26, height: 14, viewBox: "0 0 26 14", "aria-hidden": "true"},
                        svg_el("rect", {width: 26, height: 14, fill: `var(--${activity})`})),
                    `${activity} ${percent_text(share)}`))),
      shares.listen(shares.drawing()));
}
