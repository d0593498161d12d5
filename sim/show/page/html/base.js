// Elements, numbers with units, saving and the tooltip. Text from the data reaches the page by textContent only.
const data = JSON.parse(document.getElementById("data").textContent);
const svg_space = "http://www.w3.org/2000/svg";
const $ = id => document.getElementById(id);

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on"))
      node.addEventListener(name.slice(2), value);
    else
      node.setAttribute(name, value);
  }
  for (const child of children.flat())
    if (child !== null && child !== undefined) node.append(child);
  return node;
}
const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg_el = (tag, attributes, ...children) => fill(document.createElementNS(svg_space, tag), attributes, children);

const significant = (value, digits = 4) => {
  const text = Number(value.toPrecision(digits));
  return Math.abs(text) >= 1e6 || (text !== 0 && Math.abs(text) < 1e-4) ? value.toExponential(2) : String(text);
};
const time_units = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]];
const unit_for = (value, units) => units.find(([factor]) => Math.abs(value) >= factor) || units[units.length - 1];
function with_unit(value, units) {
  if (value === null || value === undefined || !isFinite(value)) return "–";
  if (value === 0) return "0 " + units[units.length - 1][1];
  const [factor, name] = unit_for(value, units);
  return significant(value / factor) + " " + name;
}
const time_text = t => t === 0 ? "0 s" : with_unit(t, time_units);
// Sums of bytes are decimal, as bandwidths are; the size of one message is binary where that is a whole number.
const volume_text = m => with_unit(m, [[1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [1, "B"]]);
const binary_units = [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [1024, "KiB"]];
function bytes_text(m) {
  const whole = binary_units.find(([factor]) => m >= factor && m % factor === 0 && m < 1024 * factor);
  return whole ? `${m / whole[0]} ${whole[1]}` : volume_text(m);
}
const bandwidth_text = b => with_unit(b, [[1e12, "TB/s"], [1e9, "GB/s"], [1e6, "MB/s"], [1e3, "kB/s"], [1, "B/s"]]);
const count_text = n => n.toLocaleString("en-US");
const percent_text = share => significant(100 * share, 3) + " %";
let all_keys = null;
// The last words of a setting's path, as many as no other setting ends in.
function short_key(key) {
  all_keys ||= distinct(data.points.flatMap(point => point.settings.map(pair => pair[0])));
  const words = key.split(".");
  for (let count = 1; count < words.length; ++count) {
    const short = words.slice(-count).join(".");
    if (!all_keys.some(other => other !== key && ("." + other).endsWith("." + short))) return short;
  }
  return key;
}
const setting = (settings, key) => (settings.find(pair => pair[0] === key) || ["", ""])[1];
const distinct = values => [...new Set(values)];
const file_name = text => (data.name + " " + text).toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");

// Of a time that is the median of several runs: its 5 % and 95 % quantiles.
const repeated_spread = (point, time) => (point.repeats.find(row => row[0] === time) || [])[3] || null;
const repeated_text = (point, time, value, text) => {
  const spread = repeated_spread(point, time);
  return spread ? `${text(value)} (${text(spread[0])} … ${text(spread[1])})` : text(value);
};

// What predictions are judged against: the measured time where there is one, else the simulated one; those of whole
// runs the makespan.
const real_time = (point, prediction) =>
    prediction && prediction.of_run ? point.simulated_s && point.makespan_s : point.measured_s ?? point.simulated_s;
const relative_error = (estimated, real) => Math.abs(estimated - real) / real;
const mu_text = mu => mu < 1e5 ? mu.toFixed(2) : mu.toExponential(1);
const proportional_error = (estimated, real) => Math.max(estimated, real) / Math.min(estimated, real);

function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], {type}));
  const link = el("a", {href: url, download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

const csv_field = value => {
  const text = value === null || value === undefined ? "" : String(value);
  return /[",\r\n]/.test(text) ? "\"" + text.replace(/"/g, "\"\"") + "\"" : text;
};
const to_csv = rows => rows.map(row => row.map(csv_field).join(",") + "\r\n").join("");

// A drawing as a file of its own: light colours and the .s- rules come along.
function svg_text(svg) {
  const rules = [...document.styleSheets[0].cssRules];
  const light = rules.find(rule => rule.selectorText === ":root").cssText;
  const drawing =
      rules.filter(rule => rule.selectorText && rule.selectorText.startsWith(".s-")).map(rule => rule.cssText);
  const copy = svg.cloneNode(true);
  const [, , width, height] = copy.getAttribute("viewBox").split(" ");
  for (const [name, value] of Object.entries({xmlns: svg_space, width, height})) copy.setAttribute(name, value);
  copy.prepend(
      svg_el("style", {}, light + "\n" + drawing.join("\n")), svg_el("rect", {class: "s-paper", width, height}));
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + new XMLSerializer().serializeToString(copy);
}

// "Save SVG" and "Save CSV"; `drawing` and `rows` are functions, asked when pressed.
function save_buttons(name, drawing, rows) {
  const box = el("span", {class: "save"});
  if (drawing)
    box.append(
        el("button", {
          type: "button",
          title: "Save this drawing as SVG",
          onclick: () => save(file_name(name) + ".svg", "image/svg+xml", svg_text(drawing()))
        },
           "Save SVG"));
  if (rows)
    box.append(
        el("button", {
          type: "button",
          title: "Save the numbers as CSV",
          onclick: () => save(file_name(name) + ".csv", "text/csv", to_csv(rows()))
        },
           "Save CSV"));
  return box;
}

// On a narrow screen drawings are made narrower, not smaller: their text stays readable.
const narrow_screen = matchMedia("(max-width: 640px)");
const drawing_width = wide => narrow_screen.matches ? Math.max(300, Math.min(560, innerWidth - 52)) : wide;

// A box that scrolls says for as long as it has more to show in which direction.
const widths = new ResizeObserver(entries => entries.forEach(({target}) => mark_width(target)));
function mark_width(box) {
  const right = box.scrollWidth - box.clientWidth - Math.ceil(box.scrollLeft) > 4;
  const below = box.scrollHeight - box.clientHeight - Math.ceil(box.scrollTop) > 4;
  box.toggleAttribute("data-more", right || below);
  if (box.nextElementSibling) box.nextElementSibling.textContent = `more ${right ? "→" : ""}${below ? "↓" : ""}`;
}
function scrolling(attributes, child) {
  const box = el("div", {...attributes, tabindex: "0", onscroll: () => mark_width(box)}, child);
  widths.observe(box);
  widths.observe(child);
  return el("div", {class: "sideways"}, box, el("div", {class: "more", "aria-hidden": "true"}));
}

const swatch = color => svg_el("svg", {width: 14, height: 14, viewBox: "0 0 14 14", "aria-hidden": "true"}, svg_el("rect", {width: 14, height: 14, rx: 3, fill: color}));
const caption = (title, buttons) => el("figcaption", {}, el("span", {class: "title"}, title), el("span", {class: "grow"}), buttons);

const tip = $("tip");
function show_tip(x, y, title, rows) {
  tip.replaceChildren(
      el("b", {}, title), el("table", {}, rows.map(row => el("tr", {}, row.map(cell => el("td", {}, cell))))));
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - box.width - 8)) + "px";
  tip.style.top = Math.max(4, y + 16 + box.height > innerHeight ? y - box.height - 12 : y + 16) + "px";
}
const hide_tip = () => {
  tip.hidden = true;
};
