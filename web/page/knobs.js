// Knobs: a slider for what is a number, beside a field that takes the value as the program reads it ("64KiB").
const byte_units = [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"]];
function bytes_written(bytes) {
  const [factor, unit] = byte_units.find(([f]) => bytes >= f && bytes % f === 0) ?? [1, "B"];
  return `${bytes / factor}${unit}`;
}

const default_of = parameter => parameter.kind === "bytes" ? bytes_written(parameter.value) : parameter.default;

// What a slider of this parameter goes through: powers of two for bytes, 1-2-5 for numbers of things, around its default.
function steps_of(parameter) {
  const {minimum, maximum, value, kind} = parameter, steps = new Map();
  const put = (number, text) => {
    if (number >= minimum && number <= maximum) steps.set(number, text);
  };
  if (kind === "bytes") {
    for (let size = 1; size <= Math.max(2 ** 26, 16 * value); size *= 2) put(size, bytes_written(size));
  } else if (kind === "integer") {
    const top = Math.min(maximum, Math.max(1000, 100 * value));
    for (let number = minimum; number <= Math.min(top, minimum + 16); number++) put(number, String(number));
    for (let decade = 10; decade <= top; decade *= 10)
      for (const digit of [1, 1.5, 2, 3, 4, 5, 6, 8]) put(Math.round(digit * decade), String(Math.round(digit * decade)));
    for (let power = 32; power <= top; power *= 2) put(power, String(power));
  } else if (kind === "number" && maximum <= 1e6) {
    for (let i = 0; i <= 100; i++) {
      const number = Number((minimum + (maximum - minimum) * i / 100).toPrecision(4));
      put(number, String(number));
    }
  } else {
    return [];
  }
  put(value, default_of(parameter));
  return [...steps].sort((a, b) => a[0] - b[0]).map(([number, text]) => ({number, text}));
}

let knobs_made = 0;
// A slider and a field, of one value; `changed` gets its text.
function slider_knob(label, summary, steps, text, changed) {
  const id = `knob${++knobs_made}`;
  const nearest = value => steps.reduce((best, step, i) => Math.abs(Math.log((step.number + 1) / (value + 1))) < Math.abs(Math.log((steps[best].number + 1) / (value + 1))) ? i : best, 0);
  const shown = steps.findIndex(step => step.text === text);
  const range = el("input", {type: "range", id, min: 0, max: steps.length - 1, step: 1, title: summary});
  const field = el("input", {type: "text", "aria-label": `${label}, exactly`, spellcheck: "false"});
  const say = value => {
    field.value = value;
    range.setAttribute("aria-valuetext", value);
  };
  range.value = shown >= 0 ? shown : nearest(parseFloat(text) || 0);
  say(text);
  range.addEventListener("input", () => {
    say(steps[range.value].text);
    changed(field.value);
  });
  field.addEventListener("change", () => {
    const at = steps.findIndex(step => step.text === field.value.trim());
    if (at >= 0) range.value = at;
    range.setAttribute("aria-valuetext", field.value);
    changed(field.value.trim());
  });
  return el("div", {class: "knob"}, el("label", {for: id, title: summary}, label), range, field);
}

function knob_of(parameter, text, changed) {
  const id = `knob${++knobs_made}`, {name, summary, accepts} = parameter, hint = `${summary} (${accepts})`;
  if (parameter.kind === "boolean") {
    const box = el("input", {type: "checkbox", id, checked: text === "true", onchange: () => changed(String(box.checked))});
    return el("div", {}, el("label", {class: "choice", for: id, title: hint}, box, name));
  }
  if (parameter.choices) {
    const select = el("select", {id, title: hint, onchange: () => changed(select.value)}, parameter.choices.map(choice => el("option", {selected: choice === text}, choice)));
    return el("div", {}, el("label", {for: id, title: hint}, name), select);
  }
  const steps = steps_of(parameter);
  if (steps.length > 1) return slider_knob(name, hint, steps, text, changed);
  const field = el("input", {type: "text", id, value: text, title: hint, spellcheck: "false", onchange: () => changed(field.value.trim())});
  return el("div", {}, el("label", {for: id, title: hint}, name), field);
}
