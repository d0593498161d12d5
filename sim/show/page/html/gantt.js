// Time lines of the ranks: zoom (wheel with Ctrl, buttons, keys), pan (drag, arrows), tooltips. Five batched paths
// draw any number of intervals; what the pointer is on is looked up in the data.
const activities = ["compute", "send", "receive", "wait", "barrier"];
// Shape repeats colour: full height, upper half, lower half, thin line, low block.
const activity_shape = {
  compute: [0, 1],
  send: [0, 0.5],
  receive: [0.5, 1],
  wait: [0.44, 0.56],
  barrier: [0.7, 1]
};

class TimeLines extends TimeLineData {
  constructor(point) {
    super(point);
    this.show_path = true;
    this.drag = null;
    this.width = drawing_width(1160);
    this.right = this.width - 8;
    this.top = 22;
    this.svg = svg_el("svg", {
      class: "gantt",
      role: "application",
      tabindex: "0",
      "aria-label": "Time lines of ranks. Plus and minus zoom, left and right move, up and down choose a rank, " +
          "n and p step through its activities, 0 shows all.",
    });
    this.listen();
    this.show_ranks(this.many() ? this.telling_ranks() : null);
  }

  // `chosen` are places in the data, rising; null for all.
  show_ranks(chosen) {
    this.rows_of = chosen || this.all.map((_, r) => r);
    this.ranks = this.rows_of.map(r => this.all[r]);
    this.focus = {rank: 0, interval: -1};  // chosen by key; rows
    const longest = Math.max(...this.ranks.map((_, r) => this.label(r, true).length));
    this.left = Math.min(0.3 * this.width, Math.max(60, 14 + 6.3 * longest));
    this.row = Math.max(3, Math.min(30, 620 / this.ranks.length));
    this.bottom = this.top + this.row * this.ranks.length;
    this.height = this.bottom + 26;
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.draw();
  }

  // The row a rank is drawn in, between two if it is not drawn.
  row_of(rank) {
    const after = this.rows_of.findIndex(r => this.numbers[r] >= rank);
    return after < 0 ? this.rows_of.length : this.numbers[this.rows_of[after]] === rank ? after + 0.5 : after;
  }

  x(t) {
    return this.left + (this.right - this.left) * (t - this.from) / (this.to - this.from);
  }
  time_at(client_x) {
    const box = this.svg.getBoundingClientRect();
    const x = (client_x - box.left) * this.width / box.width;
    return this.from + (x - this.left) / (this.right - this.left) * (this.to - this.from);
  }
  rank_at(row) {
    return this.numbers[this.rows_of[row]];
  }
  place(row) {
    return this.point.ranks[this.rank_at(row)] || [0, 1, 0];
  }
  node_name(row) {
    return this.point.nodes[this.place(row)[0]] || "node " + this.place(row)[0];
  }
  opens_node(row) {
    return row === 0 || this.place(row - 1)[0] !== this.place(row)[0] || this.job_name(row - 1) !== this.job_name(row);
  }
  // Of a run of several jobs.
  job_name(row) {
    const rank = this.rank_at(row), of = this.point.jobs.find(job => rank >= job.first && rank < job.first + job.ranks);
    return of ? of.name : "";
  }
  label(row, with_node) {
    const job = with_node && this.job_name(row);
    return (job ? shortened(job) + " " : "") + (with_node && this.width > 700 ? shortened(this.node_name(row)) + " " : "") + "r" + this.rank_at(row) +
        (this.place(row)[2] ? " GPU" : "");
  }

  show(from, to) {
    const whole = this.gantt.end, span = Math.min(whole, Math.max(whole / 1e5, to - from));
    this.from = Math.max(0, Math.min(whole - span, from));
    this.to = this.from + span;
    this.draw();
  }
  show_all() {
    [this.from, this.to] = [0, this.gantt.end];
    this.show_ranks(null);
  }
  zoom(factor, at = (this.from + this.to) / 2) {
    this.show(at - (at - this.from) * factor, at + (this.to - at) * factor);
  }
  move(share) {
    const shift = share * (this.to - this.from);
    this.show(this.from + shift, this.to + shift);
  }

  draw() {
    this.svg.replaceChildren(this.rank_labels(), this.time_axis(), this.iteration_marks(), ...this.bars(), ...this.path_lines());
    const {rank, interval} = this.focus, chosen = (this.ranks[rank] || [])[interval];
    if (!chosen || chosen.end < this.from || chosen.begin > this.to) return;
    const x = Math.max(this.left, this.x(chosen.begin)), end = Math.min(this.right, this.x(chosen.end));
    this.svg.append(svg_el("rect", {
      class: "s-frame",
      "stroke-width": 2,
      x,
      y: this.top + this.row * rank,
      width: Math.max(2, end - x),
      height: this.row
    }));
  }

  rank_labels() {
    const group = svg_el("g");
    let free = 0;  // below the label before
    this.ranks.forEach((_, r) => {
      const y = this.top + this.row * r, opens = this.opens_node(r);
      if (opens) group.append(svg_el("path", {class: "s-grid", d: `M0 ${y.toFixed(1)}H${this.right}`}));
      if (y < free || !(opens || this.row >= 12)) return;
      free = y + 11;
      group.append(svg_el(
          "text", {class: "s-muted", x: this.left - 6, y: y + this.row / 2 + 4, "text-anchor": "end"},
          this.label(r, opens)));
    });
    return group;
  }

  time_axis() {
    const group = svg_el("g"), [factor, unit] = unit_for(this.to * this.tick, time_units), scale = this.tick / factor;
    for (const tick of ticks(this.from * scale, this.to * scale, false, this.width < 700 ? 3 : 6)) {
      const x = this.x(tick / scale);
      group.append(
          svg_el("path", {class: "s-grid", d: `M${x.toFixed(1)} ${this.top}V${this.bottom}`}),
          svg_el(
              "text", {class: "s-muted", x, y: this.bottom + 15, "text-anchor": "middle"},
              significant(tick, 6) + " " + unit));
    }
    return group;
  }

  iteration_marks() {
    const group = svg_el("g");
    if (this.point.jobs.length > 0) return group;  // each job has its own
    let labelled = -Infinity;
    for (const [iteration, begin] of this.iteration_starts()) {
      if (begin < this.from || begin > this.to) continue;
      const x = this.x(begin);
      group.append(svg_el("path", {class: "s-frame", d: `M${x.toFixed(1)} ${this.top - 6}V${this.bottom}`}));
      if (x - labelled < 70 || x > this.right - 66) continue;
      labelled = x;
      group.append(svg_el("text", {class: "s-muted", x: x + 3, y: this.top - 8}, "iteration " + iteration));
    }
    return group;
  }

  bars() {
    const paths = Object.fromEntries(activities.map(activity => [activity, ""])), tall = this.row * 0.84;
    this.ranks.forEach((intervals, r) => {
      const y = this.top + this.row * (r + 0.08);
      for (const {activity, begin, end} of intervals) {
        if (end < this.from || begin > this.to) continue;
        const x = Math.max(this.left, this.x(begin)), width = Math.max(0.25, Math.min(this.right, this.x(end)) - x);
        const [a, b] = activity_shape[activity];
        paths[activity] += `M${x.toFixed(2)} ${(y + a * tall).toFixed(1)}h${width.toFixed(2)}` +
            `v${((b - a) * tall).toFixed(1)}H${x.toFixed(2)}z`;
      }
    });
    return activities.map(activity => svg_el("path", {d: paths[activity], fill: `var(--${activity})`}));
  }

  // Along the row of the rank whose time it is; a message goes from its sender's row to its receiver's.
  path_lines() {
    if (!this.show_path || this.path.length === 0) return [];
    const row = rank => this.top + this.row * this.row_of(rank), top = this.top, bottom = this.bottom;
    const clipped = y => Math.max(top, Math.min(bottom, y));
    let d = "", at = null;
    for (const {rank, peer, begin, end} of this.path) {
      if (end < this.from || begin > this.to) continue;
      const line = [[begin, row(rank)], [end, row(peer >= 0 ? peer : rank)]].map(([t, y]) => {
        return [Math.max(this.left, Math.min(this.right, this.x(t))), clipped(y)];
      });
      const [[x, y], [to_x, to_y]] = line;
      d += (at !== null && Math.abs(at[0] - x) < 0.01 && at[1] === y ? "" : `M${x.toFixed(2)} ${y.toFixed(1)}`) +
          `L${to_x.toFixed(2)} ${to_y.toFixed(1)}`;
      at = [to_x, to_y];
    }
    return [
      svg_el("path", {class: "s-path-halo", d, fill: "none", stroke: "var(--card)", "stroke-width": 5, "stroke-opacity": 0.75}),
      svg_el("path", {class: "s-path", d, fill: "none", stroke: "var(--path)", "stroke-width": 2.2, "stroke-linejoin": "round"})
    ];
  }

  // What of the path goes on at this time; null off it.
  path_at(t) {
    return this.show_path && this.path.find(segment => segment.begin <= t && t < segment.end) || null;
  }
  path_text(segment) {
    const {kinds, resources} = this.gantt.path, kind = kinds[segment.kind].replace("-", " ");
    const who = segment.peer >= 0 ? `${kind}, rank ${segment.rank} to ${segment.peer}` : `${kind} of rank ${segment.rank}`;
    if (segment.held_by === -2) return who;
    return who + ", held back by " + (segment.held_by === -1 ? "the limit of one message" : resources[segment.held_by]);
  }

  describe(rank, interval, x, y, t = (interval.begin + interval.end) / 2) {
    const [phase, iteration] = this.gantt.phases[interval.phase] || ["", 0];
    const rows =
        [["from", time_text(interval.begin * this.tick)], ["for", time_text((interval.end - interval.begin) * this.tick)]];
    if (interval.peer >= 0) rows.push([interval.activity === "send" ? "to" : "with", "rank " + interval.peer]);
    if (interval.message_B > 0) rows.push(["message", bytes_text(interval.message_B)]);
    if (phase) rows.push(["phase", `${phase}, iteration ${iteration}`]);
    rows.push(["node", this.node_name(rank)]);
    const critical = this.path_at(t);
    if (critical) rows.push(["critical path", this.path_text(critical)]);
    show_tip(x, y, `${this.job_name(rank) ? `job ${this.job_name(rank)}, ` : ""}rank ${this.rank_at(rank)}: ${interval.activity}`, rows);
  }

  listen() {
    const on = (event, action, options) => this.svg.addEventListener(event, action, options);
    on("pointerdown", event => {
      this.drag = {x: event.clientX, from: this.from, to: this.to};
      this.svg.setPointerCapture(event.pointerId);
    });
    on("pointerup", () => {
      this.drag = null;
    });
    on("pointercancel", () => {
      this.drag = null;
    });
    on("pointermove", event => this.pointed(event));
    on("pointerleave", hide_tip);
    on("blur", hide_tip);
    on("wheel", event => {
      if (!event.ctrlKey && !event.metaKey) return;  // plain scrolling stays the page's
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.time_at(event.clientX));
    }, {passive: false});
    on("keydown", event => {
      const action = this.key_actions()[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    });
  }

  pointed(event) {
    const box = this.svg.getBoundingClientRect();
    if (this.drag) {
      const share = (this.drag.x - event.clientX) * this.width / box.width / (this.right - this.left);
      const shift = share * (this.drag.to - this.drag.from);
      return this.show(this.drag.from + shift, this.drag.to + shift);
    }
    const y = (event.clientY - box.top) * this.height / box.height, t = this.time_at(event.clientX);
    const rank = Math.floor((y - this.top) / this.row);
    const found =
        t < this.from ? null : (this.ranks[rank] || []).find(interval => interval.begin <= t && t <= interval.end);
    if (found)
      this.describe(rank, found, event.clientX, event.clientY, t);
    else
      hide_tip();
  }

  key_actions() {
    const {rank, interval} = this.focus;
    return {
      "+": () => this.zoom(0.7),
      "=": () => this.zoom(0.7),
      "-": () => this.zoom(1.4),
      "0": () => this.show_all(),
      ArrowLeft: () => this.move(-0.2),
      ArrowRight: () => this.move(0.2),
      ArrowUp: () => this.focus_on(rank - 1, 0),
      ArrowDown: () => this.focus_on(rank + 1, 0),
      n: () => this.focus_on(rank, interval + 1),
      p: () => this.focus_on(rank, interval - 1),
      Escape: hide_tip,
    };
  }

  focus_on(rank, interval) {
    rank = Math.max(0, Math.min(this.ranks.length - 1, rank));
    interval = Math.max(0, Math.min(this.ranks[rank].length - 1, interval));
    this.focus = {rank, interval};
    const chosen = this.ranks[rank][interval], span = this.to - this.from;
    if (!chosen) return;
    if (chosen.end < this.from || chosen.begin > this.to)
      this.show(chosen.begin - 0.2 * span, chosen.begin + 0.8 * span);
    else
      this.draw();
    const box = this.svg.getBoundingClientRect(), scale = box.width / this.width;
    this.describe(
        rank, chosen, box.left + this.x(Math.max(this.from, chosen.begin)) * scale,
        box.top + (this.top + this.row * (rank + 1)) * scale);
  }

}

// What each activity looks like, and its share of the time shown.
function activity_key(ranks) {
  const shares = Object.fromEntries(activities.map(activity => [activity, 0]));
  for (const interval of ranks.flat()) shares[interval.activity] += interval.end - interval.begin;
  const all = Object.values(shares).reduce((a, b) => a + b, 0) || 1;
  return activities.filter(activity => shares[activity] > 0).map(activity => {
    const [a, b] = activity_shape[activity];
    return el(
        "span", {class: "key"},
        svg_el(
            "svg", {width: 26, height: 14, viewBox: "0 0 26 14", "aria-hidden": "true"},
            svg_el("rect", {width: 26, y: 14 * a, height: 14 * (b - a), fill: `var(--${activity})`})),
        `${activity} ${percent_text(shares[activity] / all)}`);
  });
}

// Switches the critical path on and off.
function path_key(lines) {
  if (lines.path.length === 0) return "";
  const box = el("input", {
    type: "checkbox",
    checked: "checked",
    onchange: () => {
      lines.show_path = box.checked;
      lines.draw();
    }
  });
  const cut = lines.gantt.path.whole ? "" : " (its first 1,000 segments)";
  return el(
      "label", {class: "key"}, box,
      svg_el(
          "svg", {width: 26, height: 14, viewBox: "0 0 26 14", "aria-hidden": "true"},
          svg_el("path", {d: "M0 11H9L17 3H26", fill: "none", stroke: "var(--path)", "stroke-width": 2.2})),
      "critical path" + cut);
}

function gantt_figure(point) {
  const lines = new TimeLines(point);
  const button = (text, label, action) =>
      el("button", {type: "button", "aria-label": label, title: label, onclick: action}, text);
  return el(
      "figure", {class: "full"},
      caption("Time line of each rank", save_buttons("time lines " + point.label, () => lines.svg, () => lines.rows())),
      el("p", {class: "hint"},
         lines.shown_text() + ranks_text(point.gantt) + bin_text(point.gantt) + cut_text(point.gantt) + "Percentages: share of the time recorded, over all ranks. Drag to pan, Ctrl+wheel to zoom."),
      el("div", {class: "bar"}, activity_key(lines.all), path_key(lines), el("span", {class: "grow"}),
         el("span", {class: "bar noprint"}, button("−", "zoom out", () => lines.zoom(1.6)),
            button("+", "zoom in", () => lines.zoom(0.6)), button("Show all", "show all", () => lines.show_all()))),
      lines.svg);
}
