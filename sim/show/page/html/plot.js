// Charts of lines and dots as SVG: scales, ticks, markers, hover. Series are {name, look, values: [y or null per x]}, with
// spreads: [[least, most] or null per x] where a value is one of several.
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

// A button of the legend that shows or hides its series.
function legend_button({name, look}, pressed, toggle) {
  return el("button", {type: "button", "aria-pressed": String(pressed), title: "show or hide", onclick: toggle}, legend_key(look), name);
}

function y_scale(series, options, top, bottom) {
  const values = series.flatMap(one => [...one.values, ...(one.spreads || []).flat()]).filter(v => v !== null && isFinite(v) && (!options.log || v > 0));
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

// As sim/show/summary/short_labels.hpp has it: without the words and the keys that all have, the middle left out.
function short_labels(labels) {
  const words = labels.map(label => label.match(/(?:[^ {}]|\{[^{}]*\})+/g) || []), everywhere = word => labels.length > 1 && words.every(own => own.includes(word));
  const middle = text => text.length > 24 ? text.slice(0, 12) + "…" + text.slice(-11) : text;
  const left = words.map(own => own.filter(word => !everywhere(word)));
  const key = word => word.slice(0, word.indexOf("=") + 1), value = word => word.slice(word.indexOf("=") + 1);
  const of_all = word => left.every(own => own.some(other => key(other) === key(word)));
  const keyed = own => own.map(word => of_all(word) ? value(word) : word.replace("=", " ")).join(" ");
  const short = left.map(own => keyed(own).length <= 32 ? keyed(own) : middle(own.map(value).join(" ")));
  return new Set(short).size === labels.length && !short.includes("") ? short : labels.map(middle);
}

const shortened = label => label.length > 20 ? label.slice(0, 19) + "…" : label;

const prefixes = {Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, k: 1e3, K: 1e3, M: 1e6, G: 1e9, T: 1e12, m: 1e-3, u: 1e-6, n: 1e-9};
// "64KiB" as a number; NaN for what is none.
function number_in(label) {
  const parts = /^(-?[\d.]+(?:e[-+]?\d+)?) ?([A-Za-z/%]*)$/.exec(label);
  if (!parts) return NaN;
  const prefix = Object.keys(prefixes).find(name => parts[2].startsWith(name) && parts[2].length > name.length);
  return Number(parts[1]) * (prefix ? prefixes[prefix] : 1);
}
// Lines join what has an order of its own: numbers that rise or fall. Names are categories.
function in_order(labels) {
  const numbers = labels.map(number_in);
  return numbers.length > 1 && numbers.every(isFinite) &&
      [1, -1].some(sign => numbers.every((v, i) => i === 0 || sign * (v - numbers[i - 1]) > 0));
}

// With `range` the slots are equal parts of [0, range]: x is numeric and the lines are steps.
// options: {title, x_title, y_title, labels (categories), range, least, most, log, rule (a horizontal line),
//           tip_text(value), pick(i)}
function plot(series, options) {
  const labels = options.range ? [] : short_labels(options.labels), longest = Math.max(0, ...labels.map(label => label.length));
  const width = drawing_width(options.width || 560);
  const area = {width, height: options.height || 290, left: 58, top: 12, count: options.labels.length, labels};
  area.right = area.width - 10;
  area.slanted = !options.range && longest * 6.4 * area.count > area.right - area.left;
  if (area.slanted) {  // the first label leans out of the picture otherwise
    area.left = Math.min(Math.max(area.left, longest * 4.3 - 0.5 * (area.right - area.left) / area.count), 0.4 * width);
    area.height += longest * 2;
  }
  area.bottom = area.height - (options.x_title ? 20 : 4) - (area.slanted ? 16 + longest * 4.8 : 20);
  area.slot = (area.right - area.left) / area.count;
  area.x = i => area.left + area.slot * (i + 0.5);
  const y = y_scale(series, options, area.top, area.bottom);
  const viewBox = `0 0 ${area.width} ${area.height}`;
  const svg = svg_el("svg", {viewBox, role: "img", tabindex: "0", "aria-label": options.title});
  svg.append(y_axis(y, options, area), x_axis(options, area));
  const joined = options.range || in_order(options.labels);
  if (joined)
    draw_lines(svg, series, y, area, Boolean(options.range));
  else
    draw_dots(svg, series, y, area);
  add_hover(svg, series, options, area);
  return svg;
}

function y_axis(y, options, {left, right, top, bottom}) {
  const group = svg_el("g");
  for (const tick of ticks(y.least, y.most, options.log)) {
    const at = y.at(tick);
    group.append(svg_el("path", {class: "s-grid", d: `M${left} ${at.toFixed(1)}H${right}`}));
    group.append(svg_el("text", {class: "s-muted", x: left - 6, y: at + 4, "text-anchor": "end"}, significant(tick)));
  }
  if (options.rule) group.append(svg_el("path", {class: "s-frame", d: `M${left} ${y.at(options.rule)}H${right}`}));
  const transform = `translate(13 ${(top + bottom) / 2}) rotate(-90)`;
  group.append(svg_el("text", {class: "s-text", transform, "text-anchor": "middle"}, options.y_title));
  return group;
}

function x_axis(options, {left, right, top, bottom, height, slanted, x, labels}) {
  const group = svg_el("g", {}, svg_el("path", {class: "s-frame", d: `M${left} ${top}V${bottom}H${right}`}));
  const label = (at, text) => svg_el("text", {class: "s-muted", x: at, y: bottom + 16, "text-anchor": "middle"}, text);
  const slanted_label = (at, text) => {
    const transform = `translate(${at + 4} ${bottom + 10}) rotate(-48)`;
    return svg_el("text", {class: "s-muted", transform, "text-anchor": "end"}, text);
  };
  if (options.range)
    for (const tick of ticks(0, options.range, false, right - left < 500 ? 4 : 8))
      group.append(label(left + (right - left) * tick / options.range, significant(tick)));
  else {
    const room = (right - left) / labels.length;
    const stride = slanted ? Math.ceil(16 / room) : 1;  // beyond that they would lie on each other
    labels.forEach((text, i) => {
      if (i % stride === 0) group.append(slanted ? slanted_label(x(i), text) : label(x(i), text));
    });
  }
  const title = {class: "s-text", x: (left + right) / 2, y: height - 5, "text-anchor": "middle"};
  if (options.x_title) group.append(svg_el("text", title, options.x_title));
  return group;
}

function line_path(look, d) {
  const width = look.width || 1.8, round = "round";
  return svg_el("path", {
    d,
    fill: "none",
    stroke: look.color,
    "stroke-width": width,
    "stroke-dasharray": look.dash,
    "stroke-linejoin": round
  });
}

function whisker(ends, at, y, color) {
  if (!ends || !ends.every(y.shows)) return null;
  const [least, most] = ends.map(v => y.at(v).toFixed(1)), x = at.toFixed(1);
  return svg_el("path", {d: `M${x} ${least}V${most}m-6 0h12M${x} ${least}m-6 0h12`, stroke: color, "stroke-width": 2, fill: "none"});
}

function draw_lines(svg, series, y, {x, slot, count}, steps) {
  const stride = slot > 14 ? 1 : Math.ceil(count / 8);  // markers tell lines apart; they need not mark every value
  series.forEach(({name, look, values, spreads}, s) => {
    let d = "", pen = "M";
    const group = svg_el("g", {}, svg_el("title", {}, name)), markers = [];
    values.forEach((v, i) => {
      if (!y.shows(v)) return void (pen = "M");
      const from = steps ? x(i) - slot / 2 : x(i), at = y.at(v);
      d += `${pen}${from.toFixed(1)} ${at.toFixed(1)}` + (steps ? `h${slot.toFixed(2)}` : "");
      pen = "L";
      if ((i + s) % stride === 0) markers.push(marker(look.marker, x(i), at, look.color));
      const ends = whisker(spreads && spreads[i], x(i), y, look.color);
      if (ends) markers.push(ends);
    });
    group.append(line_path(look, d), ...markers);
    svg.append(group);
  });
}

// Above a marker, or below it where another number stands.
function free_place(said, i, x, y, text, bottom) {
  const free = at => said.every(other => other.i !== i || Math.abs(other.at - at) > 11 || Math.abs(other.x - x) > 3.2 * (other.text.length + text.length));
  const at = [y - 8, y + 17, y - 19].find(one => one < bottom && free(one)) ?? y - 30;
  said.push({i, x, at, text});
  return {x, y: at};
}

// Values of categories stand beside each other; nothing lies between two names. What the others are judged against is a
// line across its category, and few values say what they are.
function draw_dots(svg, series, y, {x, slot, count, top, bottom}) {
  const few = count <= 3, step = Math.min(few ? 44 : 9, 0.86 * slot / series.length), guides = svg_el("g"), said = [];
  for (let i = 0; i < count && slot > 6 && !few; i++)
    guides.append(svg_el("path", {class: "s-grid", d: `M${x(i).toFixed(1)} ${top}V${bottom}`}));
  for (let i = 1; i < count && few; i++)
    guides.append(svg_el("path", {class: "s-grid", d: `M${(x(i) - slot / 2).toFixed(1)} ${top}V${bottom}`}));
  svg.append(guides);
  series.forEach(({name, look, values, spreads, across}, s) => {
    const group = svg_el("g", {}, svg_el("title", {}, name));
    values.forEach((v, i) => {
      if (!y.shows(v)) return;
      const at = x(i) + step * (s + 0.5 - series.length / 2), height = y.at(v), half = 0.46 * slot;
      if (across && series.length > 1)
        group.append(svg_el("path", {d: `M${(x(i) - half).toFixed(1)} ${height.toFixed(1)}h${(2 * half).toFixed(1)}`, stroke: look.color, "stroke-width": 1, "stroke-dasharray": "3 3", fill: "none"}));
      const ends = whisker(spreads && spreads[i], at, y, look.color), above = ends ? Math.min(height, y.at(spreads[i][1])) : height;
      if (ends) group.append(ends);
      group.append(marker(look.marker, at, height, look.color));
      if (few && step >= 28) group.append(svg_el("text", {class: "s-muted s-halo", ...free_place(said, i, at, above, significant(v, 3), bottom), "text-anchor": "middle"}, significant(v, 3)));
    });
    svg.append(group);
  });
}

// A copy with its title above and its own legend below: what is saved and printed alone. The page shows one for all.
function with_legend(svg, series, title) {
  const copy = svg.cloneNode(true), [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  const column = 52 + 6.4 * Math.max(...series.map(one => one.name.length));
  const columns = Math.max(1, Math.floor((width - 60) / column)), head = title ? 26 : 0;
  const moved = svg_el("g", {transform: `translate(0 ${head})`}, ...copy.childNodes);
  copy.append(moved);
  if (title) copy.append(svg_el("text", {class: "s-title", x: 58, y: 18}, title));
  series.forEach((one, i) => {
    const x = 58 + (i % columns) * column, y = head + height + 18 * Math.floor(i / columns);
    copy.append(svg_el(
        "g", {transform: `translate(${x} ${y})`}, line_path(one.look, "M0 10h24"),
        marker(one.look.marker, 12, 10, one.look.color), svg_el("text", {class: "s-muted", x: 30, y: 14}, one.name)));
  });
  copy.setAttribute("viewBox", `0 0 ${width} ${head + height + 18 * Math.ceil(series.length / columns) + 8}`);
  return copy;
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
        x, y, options.labels[i], order.map(one => {
          const ends = one.spreads && one.spreads[i];
          return [legend_key(one.look), one.name, options.tip_text(one.values[i]) + (ends ? ` (${ends.map(options.tip_text).join(" … ")})` : "")];
        }));
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
