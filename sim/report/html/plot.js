// Line and bar charts as SVG: scales, ticks, markers, hover. Series are {name, look, values: [y or null per x]}.
const looks = ["c0", "c1", "c2", "c3", "c4", "c5", "c6"].map(
    (color, i) => ({
      color: `var(--${color})`,
      dash: ["", "7 3", "2 3", "9 3 2 3"][i % 4],
      marker: ["square", "triangle", "diamond", "cross", "plus", "circle", "square"][i]
    }));
const real_look = {
  color: "var(--ink)",
  dash: "",
  marker: "circle",
  width: 2.6
};
const measured_look = {
  color: "var(--ink)",
  dash: "1 4",
  marker: "ring",
  width: 2.6
};
const published_look = {
  color: "var(--muted)",
  dash: "5 4",
  marker: "star",
  width: 1.6
};

function marker(shape, x, y, color) {
  const path = {
    square: "M-3-3h6v6h-6z",
    triangle: "M0-4.2L3.8 2.8H-3.8z",
    diamond: "M0-4.4L4.4 0 0 4.4-4.4 0z",
    cross: "M-3.2-3.2l6.4 6.4m0-6.4l-6.4 6.4",
    plus: "M-4 0h8m-4-4v8",
    star: "M-4 0h8m-4-4v8m-2.8-6.8l5.6 5.6m0-5.6l-5.6 5.6"
  }[shape];
  const at = `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
  if (shape === "circle") return svg_el("circle", {r: 3.4, transform: at, fill: color});
  if (shape === "ring")
    return svg_el("circle", {r: 4, transform: at, fill: "var(--paper)", stroke: color, "stroke-width": 2});
  const open = shape === "cross" || shape === "plus" || shape === "star";
  return svg_el("path", {
    d: path,
    transform: at,
    fill: open ? "none" : color,
    stroke: open ? color : null,
    "stroke-width": open ? 1.9 : null
  });
}

function legend_key(look) {
  return svg_el(
      "svg", {width: 30, height: 12, viewBox: "0 0 30 12", "aria-hidden": "true"}, svg_el("path", {
        d: "M1 6h28",
        stroke: look.color,
        "stroke-width": look.width || 1.8,
        "stroke-dasharray": look.dash,
        fill: "none"
      }),
      marker(look.marker, 15, 6, look.color));
}

function ticks(least, most, log) {
  const out = [];
  if (log) {
    const decades = Math.log10(most / least), stride = Math.max(1, Math.ceil(decades / 6));
    for (let e = Math.floor(Math.log10(least)); 10 ** e <= most * 1.0001; e += stride)
      for (const digit of decades < 2.2 ? [1, 2, 5] : [1])
        if (digit * 10 ** e >= least * 0.9999 && digit * 10 ** e <= most * 1.0001) out.push(digit * 10 ** e);
    return out.length > 1 ? out : [least, most];
  }
  const raw = (most - least) / 5, power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find(digit => raw <= digit * power * 1.0001);
  for (let k = Math.ceil(least / step - 1e-9); k * step <= most + step * 1e-9; k++) out.push(k * step);
  return out;
}

function y_scale(series, options, top, bottom) {
  const values = series.flatMap(one => one.values).filter(v => v !== null && isFinite(v) && (!options.log || v > 0));
  let least = options.least ?? (options.log ? Math.min(...values) : 0), most = options.most ?? Math.max(...values);
  if (values.length === 0) [least, most] = options.log ? [1, 10] : [0, 1];
  if (options.log) {
    least /= options.least ? 1 : 1.15;
    most *= 1.15;
  } else
    most += options.most ? 0 : 0.06 * (most - least);
  if (!(most > least)) most = options.log ? least * 10 : least + 1;
  const share = v => options.log ? Math.log(v / least) / Math.log(most / least) : (v - least) / (most - least);
  return {
    least,
    most,
    at: v => bottom + (top - bottom) * share(v),
    shows: v => v !== null && v !== undefined && isFinite(v) && (!options.log || v > 0)
  };
}

// With `range` the slots are equal parts of [0, range], and x is numeric.
// options: {title, x_title, y_title, labels (categories), least, most, log, rule (a horizontal line), bars, pick(i)}
function plot(series, options) {
  const width = options.width || 560, height = options.height || 290, left = 58, right = width - 10,
        top = options.legend ? 34 : 12;
  const labels = options.labels, longest = Math.max(...labels.map(label => label.length)),
        crowded = longest * 6.4 * labels.length > right - left && !options.range;
  const bottom = height - (options.x_title ? 20 : 4) - (crowded ? Math.min(80, 14 + longest * 4.6) : 20);
  const svg =
      svg_el("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", tabindex: "0", "aria-label": options.title});
  const y = y_scale(series, options, top, bottom), slot = (right - left) / labels.length,
        x = i => left + slot * (i + 0.5);
  for (const tick of ticks(y.least, y.most, options.log)) {
    svg.append(svg_el("path", {class: "s-grid", d: `M${left} ${y.at(tick).toFixed(1)}H${right}`}));
    svg.append(
        svg_el("text", {class: "s-muted", x: left - 6, y: y.at(tick) + 4, "text-anchor": "end"}, significant(tick)));
  }
  if (options.rule)
    svg.append(svg_el("path", {class: "s-frame", d: `M${left} ${y.at(options.rule).toFixed(1)}H${right}`}));
  svg.append(svg_el("path", {class: "s-frame", d: `M${left} ${top}V${bottom}H${right}`}));
  if (options.range) {
    for (const tick of ticks(0, options.range, false))
      svg.append(svg_el(
          "text",
          {class: "s-muted", x: left + (right - left) * tick / options.range, y: bottom + 16, "text-anchor": "middle"},
          significant(tick)));
  } else
    labels.forEach(
        (label, i) => svg.append(
            crowded ? svg_el(
                          "text", {
                            class: "s-muted",
                            transform: `translate(${x(i) + 4} ${bottom + 10}) rotate(-48)`,
                            "text-anchor": "end"
                          },
                          label) :
                      svg_el("text", {class: "s-muted", x: x(i), y: bottom + 16, "text-anchor": "middle"}, label)));
  if (options.x_title)
    svg.append(svg_el(
        "text", {class: "s-text", x: (left + right) / 2, y: height - 5, "text-anchor": "middle"}, options.x_title));
  svg.append(svg_el(
      "text", {class: "s-text", transform: `translate(13 ${(top + bottom) / 2}) rotate(-90)`, "text-anchor": "middle"},
      options.y_title));
  (options.bars ? draw_bars : draw_lines)(svg, series, x, y, slot, bottom);
  if (options.legend) draw_legend(svg, series, left);
  add_hover(svg, series, options, {x, left, slot, top, bottom, count: labels.length, width});
  return svg;
}

function draw_lines(svg, series, x, y, slot) {
  for (const {name, look, values} of series) {
    let path = "", pen = "M";
    const group = svg_el("g", {}, svg_el("title", {}, name));
    values.forEach((v, i) => {
      if (!y.shows(v))
        pen = "M";
      else {
        path += pen + x(i).toFixed(1) + " " + y.at(v).toFixed(1);
        pen = "L";
      }
    });
    group.append(svg_el("path", {
      d: path,
      fill: "none",
      stroke: look.color,
      "stroke-width": look.width || 1.8,
      "stroke-dasharray": look.dash,
      "stroke-linejoin": "round"
    }));
    if (slot > 7)
      values.forEach((v, i) => {
        if (y.shows(v)) group.append(marker(look.marker, x(i), y.at(v), look.color));
      });
    svg.append(group);
  }
}

function draw_bars(svg, series, x, y, slot, bottom) {
  const wide = Math.min(46, slot * 0.84 / series.length);
  series.forEach(({name, look, values}, s) => values.forEach((v, i) => {
    if (!y.shows(v)) return;
    const at = x(i) + wide * (s - series.length / 2), top = y.at(v);
    svg.append(svg_el(
        "g", {}, svg_el("title", {}, name), svg_el("rect", {
          x: at + 1,
          y: top,
          width: Math.max(1, wide - 2),
          height: Math.max(0.5, bottom - top),
          fill: look.color,
          "fill-opacity": 0.82
        }),
        marker(look.marker, at + wide / 2, top, look.color),
        wide > 19 ? svg_el(
                        "text", {class: "s-muted s-halo", x: at + wide / 2, y: top - 7, "text-anchor": "middle"},
                        significant(v, 3)) :
                    null));
  }));
}

function draw_legend(svg, series, left) {
  let at = left;
  for (const {name, look} of series) {
    svg.append(
        svg_el("path", {
          d: `M${at} 14h24`,
          stroke: look.color,
          "stroke-width": look.width || 1.8,
          "stroke-dasharray": look.dash,
          fill: "none"
        }),
        marker(look.marker, at + 12, 14, look.color), svg_el("text", {class: "s-muted", x: at + 29, y: 18}, name));
    at += 42 + 6.2 * name.length;
  }
}

// A guide follows the pointer or the arrow keys; Enter opens the point.
function add_hover(svg, series, options, area) {
  const guide = svg_el("path", {class: "s-guide", d: "", "aria-hidden": "true"});
  svg.append(guide);
  let current = -1;
  const show = (i, x, y) => {
    current = i;
    guide.setAttribute("d", `M${area.x(i).toFixed(1)} ${area.top}V${area.bottom}`);
    const order = series.filter(one => one.values[i] !== null && one.values[i] !== undefined)
                      .sort((a, b) => b.values[i] - a.values[i]);
    show_tip(
        x, y, options.labels[i], order.map(one => [legend_key(one.look), one.name, options.tip_text(one.values[i])]));
  };
  const hide = () => {
    guide.setAttribute("d", "");
    hide_tip();
  };
  svg.addEventListener("pointermove", event => {
    const box = svg.getBoundingClientRect(), at = (event.clientX - box.left) * area.width / box.width;
    const i = Math.floor((at - area.left) / area.slot);
    if (i >= 0 && i < area.count)
      show(i, event.clientX, event.clientY);
    else
      hide();
  });
  svg.addEventListener("pointerleave", hide);
  svg.addEventListener("blur", hide);
  svg.addEventListener("keydown", event => {
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key], box = svg.getBoundingClientRect();
    if (step) {
      event.preventDefault();
      const i = Math.max(0, Math.min(area.count - 1, current + step));
      show(i, box.left + area.x(i) * box.width / area.width, box.top + 30);
    }
    if (event.key === "Escape") hide();
    if (event.key === "Enter" && options.pick && current >= 0) options.pick(current);
  });
  if (options.pick) {
    svg.addEventListener("click", () => {
      if (current >= 0) options.pick(current);
    });
    svg.style.cursor = "pointer";
  }
}
