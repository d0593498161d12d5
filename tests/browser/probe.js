// Added to a report by the browser test: uses every control once, then leaves what went wrong in #probe.
const problems = [], saved = [];
addEventListener("error", event => problems.push(event.message));
addEventListener("securitypolicyviolation", event => problems.push("blocked " + event.blockedURI));
save = (name, type, text) => saved.push({name, type, text});
const press = (node, keys) =>
    keys.forEach(key => node.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true})));
const point_at = (node, x, y) => {
  const box = node.getBoundingClientRect();
  const clientX = box.left + x * box.width, clientY = box.top + y * box.height;
  node.dispatchEvent(new PointerEvent("pointermove", {clientX, clientY, bubbles: true}));
};

const expect = (true_that, otherwise) => true_that || problems.push(otherwise);

// The picture of the network: every phase, and the names of a NIC and of a cable.
function use_network() {
  const picture = document.querySelector("svg.network"), phases = $("network-phase");
  if (!picture) return;
  for (let i = 0; phases && i < phases.options.length; i++) {
    phases.selectedIndex = i;
    phases.dispatchEvent(new Event("change"));
  }
  const [, , width, height] = picture.getAttribute("viewBox").split(" ").map(Number), drawing = data.networks[0];
  const [x, y, w, h] = drawing.cell_boxes[0];
  point_at(picture, (x + w / 2) / width, (y + h / 2 + 8) / height);
  expect(!tip.hidden && tip.textContent.includes("NIC of node 0"), "no name of a NIC: " + tip.textContent);
  if (drawing.lines.length === 0) return;  // a star
  const [x0, y0, , , x1, y1] = drawing.lines[0];
  point_at(picture, (x0 + x1) / 2 / width, ((y0 + y1) / 2 + 8) / height);
  expect(/Cables? between leaf switch 0 and spine switch 0.*up.*%.*down.*%/.test(tip.textContent), "no name of a cable: " + tip.textContent);
}

// The address names the point shown, whichever way it was chosen, and a changed address shows its point.
function use_address() {
  const which = $("which");
  if (!which || which.options.length < 2) return;
  which.selectedIndex = 1;
  which.dispatchEvent(new Event("change"));
  expect(location.hash === address_of(data.points[1]), "the address did not follow: " + location.hash);
  document.querySelector("#contents a").click();
  expect(location.hash === address_of(data.points[1]), "a link inside the page took the point from the address");
  location.hash = address_of(data.points[0]);
  dispatchEvent(new HashChangeEvent("hashchange"));
  expect(which.selectedIndex === 0, "the point did not follow the address");
}

// Names are categories and are not joined; numbers in order are.
function check_plots() {
  const series = [{name: "a", look: looks[0], values: [1, 2, 3, 4]}];
  const joined = labels => plot(series, {labels, y_title: "", title: "", tip_text: String}).querySelectorAll("path[stroke-width='1.8']").length > 0;
  expect(!joined(["M1", "M2", "M3", "M4"]), "categories are joined");
  expect(!joined(["4", "2", "8", "16"]), "numbers out of order are joined");
  expect(joined(["1KiB", "1MiB", "2 MiB", "1GiB"]), "sizes are not joined");
  expect(bytes_text(65536) === "64 KiB" && volume_text(65536) === "65.54 kB" && bytes_text(65000) === "65 kB", "bytes: " + bytes_text(65000));
  expect(document.querySelectorAll("svg [d*=NaN], svg [x=NaN], svg [y=NaN], svg [transform*=NaN]").length === 0, "a drawing has NaN");
}

// As axis_ticks of the program has them; the table stands before this script.
function check_ticks() {
  for (const {least, most, log, wanted, ticks: expected} of tick_cases) {
    const made = ticks(least, most, log, wanted);
    expect(made.length === expected.length && made.every((value, i) => Math.abs(value - expected[i]) <= 1e-9 * Math.abs(expected[i])), `ticks of ${least} to ${most}: ${made}`);
  }
}

// The fastest is so among points of one size, whatever the choices are called; times that are equal tie.
function check_fastest() {
  const made = (label, makespan_s, ...settings) => ({label, makespan_s, settings, kernel: "k", metrics: [], failure: ""});
  const said = (wanted, ...points) => expect(fastest(points) === wanted, `the fastest: ${fastest(points)} instead of ${wanted}`);
  const taper = n => ["platform.networks.f.topology.taper", n], network = name => ["network", name], points = n => ["kernel.points", n];
  said("taper 1 (1 s); slowest taper 4 (3 s).", made("taper 1", 1, taper("1")), made("taper 2", 2, taper("2")), made("taper 4", 3, taper("4")));
  said("b and c tie (3 s); slowest d (4 s).", made("a", 1, network("x"), points("64")), made("b", 3, network("x"), points("128")),
       made("c", 3, network("y"), points("128")), made("d", 4, network("z"), points("128")));
  said("At points 2 KiB all take equally long (3 s).", made("a", 1, network("x"), points("1 KiB")), made("b", 3, network("x"), points("2 KiB")),
       made("c", 3, network("y"), points("2 KiB")));
  said("", made("a", 1, points("64")), made("b", 2, points("128")));
  if (!setting_keys.includes("layout.ranks") || !setting_keys.includes("kernel.points")) return;
  const largest = Math.max(...values_of("kernel.points").map(Number));
  const best = data.points.filter(point => !point.failure && Number(setting(point.settings, "kernel.points")) === largest).reduce((a, b) => b.makespan_s < a.makespan_s ? b : a);
  expect(fastest().startsWith(best.label), "the fastest of all: " + fastest() + " instead of " + best.label);
}

// On a narrow screen no drawing is wider than it, and a table that is says that there is more.
function check_narrow() {
  if (innerWidth > 640) return;
  expect(document.documentElement.scrollWidth <= innerWidth, `the page is ${document.documentElement.scrollWidth} px wide`);
  document.querySelectorAll("figure > svg, .panels svg").forEach(svg => {
    const scale = svg.getBoundingClientRect().width / svg.getAttribute("viewBox").split(" ")[2];
    expect(scale > 0.7 || !svg.querySelector("text"), `a drawing is shrunk to ${scale.toFixed(2)}: ${svg.getAttribute("aria-label")}`);
  });
  document.querySelectorAll(".tablebox").forEach(box => {
    mark_width(box);
    const right = box.scrollWidth > box.clientWidth + 4, below = box.scrollHeight > box.clientHeight + 4;
    expect(box.hasAttribute("data-more") === (right || below), "a table that has more does not say so");
    expect(box.nextElementSibling.textContent === `more ${right ? "→" : ""}${below ? "↓" : ""}`, "more is said to be " + box.nextElementSibling.textContent);
  });
}

// Of a large sweep: the best are the best, the filter leaves what it says, nothing beats the front, one panel is drawn.
function use_sweep() {
  const section = $("sweep"), large = data.points.length >= sweep_points_min && varied_keys.length > 1;
  expect(Boolean(section) === large, "a sweep of " + data.points.length + " points: " + section);
  if (!section) return;
  expect(document.querySelectorAll("#comparison .panels svg").length === 1, "not one panel");
  const best = () => section.querySelector("[aria-label='best points'] tbody tr").textContent;
  const least = points => points.reduce((a, b) => b.makespan_s < a.makespan_s ? b : a);
  const is_best = points => best().includes(time_text(least(points).makespan_s));
  const finished = data.points.filter(point => !point.failure);
  expect(is_best(finished), "the best is not the best: " + best());
  const key = varied_keys[varied_keys.length - 1], value = values_of(key)[1];
  const select = [...section.querySelectorAll("[aria-label='filter'] select")].pop();
  select.value = "1";
  select.dispatchEvent(new Event("change"));
  const left = finished.filter(point => setting(point.settings, key) === value);
  expect(filtered().length === left.length && is_best(left), "the filter leaves " + filtered().length + " of " + left.length);
  expect(section.querySelector(".effects").children.length === varied_keys.length - 1, "an axis with one value left has an effect");
  select.value = "";
  select.dispatchEvent(new Event("change"));
  const [x, y] = [measures.find(one => one.name === "nodes"), measures[0]], front = pareto_front(finished, x, y);
  const beats = (a, b) => x.of(a) <= x.of(b) && y.of(a) <= y.of(b) && (x.of(a) < x.of(b) || y.of(a) < y.of(b));
  expect(front.length > 0 && finished.every(point => front.every(one => !beats(point, one))), "a point beats the front");
  expect(finished.every(point => front.includes(point) || front.some(one => beats(one, point) || (x.of(one) === x.of(point) && y.of(one) === y.of(point)))), "the front lacks a point");
  section.querySelectorAll("select").forEach(one => {
    one.selectedIndex = one.options.length - 1;
    one.dispatchEvent(new Event("change"));
  });
  section.querySelectorAll("[aria-label='filter'] select").forEach(one => {
    one.value = "";
    one.dispatchEvent(new Event("change"));
  });
  document.querySelectorAll("#comparison [aria-label='panel'] select").forEach((one, i) => {
    const again = document.querySelectorAll("#comparison [aria-label='panel'] select")[i];
    again.selectedIndex = again.options.length - 1;
    again.dispatchEvent(new Event("change"));
  });
  expect(document.querySelectorAll("#comparison .panels svg").length === 1, "no panel of the values chosen");
}

// What ran, what limits it, the bar, and the three answers fit on the first screen; names of 400 letters need not.
function check_answers() {
  const answers = [...document.querySelectorAll(".answers dt")].map(name => name.textContent);
  if (data.points.length === 0) return;
  expect(["Nearest model", "What would help", "Can I trust it?"].every(name => answers.includes(name)), "answers are missing: " + answers);
  expect(document.querySelector("#summary .what").textContent.length > 20, "the page does not say what ran");
  if (innerWidth > 640 && data.title.length < 100 && data.failed_in_all === 0)
    expect($("summary").getBoundingClientRect().bottom + scrollY < 900, "the answers take more than a screen");
}

// Folded parts are made when they are opened, by the reader or for print.
function open_everything() {
  const folds = [...document.querySelectorAll("details.fold")], closed = folds.filter(box => !box.open);
  expect(folds.length === 0 || closed.length > 0, "nothing is folded");
  closed.forEach(box => expect(box.querySelector(".inside").childNodes.length === 0, "made before it was opened: " + box.dataset.title));
  dispatchEvent(new Event("beforeprint"));
  expect(folds.some(box => box.dataset.printed) || closed.length === 0, "print opens nothing");
  folds.forEach(open_fold);
  folds.forEach(box => expect(box.querySelector(".inside").childNodes.length > 0, "empty: " + box.dataset.title));
  document.querySelectorAll(".folded > details").forEach(box => box.open = true);
}

// A word that is explained says what it means to the pointer and to the keyboard.
function check_words() {
  const word = document.querySelector("dfn");
  if (!word) return;
  word.dispatchEvent(new FocusEvent("focus"));
  expect(!tip.hidden && tip.textContent.length > word.textContent.length + 20, "no meaning of " + word.textContent);
  press(word, ["Escape"]);
  expect(tip.hidden, "the meaning stays");
}

function use_everything() {
  check_answers();
  open_everything();
  check_words();
  document.querySelectorAll(".save button").forEach(button => button.click());
  for (const {name, type, text} of saved)
    if (type === "image/svg+xml" && new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror"))
      problems.push("not XML: " + name);
  const which = $("which"), lines = document.querySelector("svg.gantt");
  if (lines) {
    point_at(lines, 0.3, 0.5);
    if (tip.hidden || !tip.textContent.includes("rank")) problems.push("no tooltip on the time lines");
    press(lines, ["+", "n", "n", "ArrowDown", "ArrowRight", "p", "-", "0", "Escape"]);
  }
  use_network();
  use_sweep();
  document.querySelectorAll(".panels svg").forEach(chart => {
    point_at(chart, 0.6, 0.5);
    press(chart, ["ArrowRight", "ArrowRight", "Enter", "Escape"]);
  });
  document.querySelectorAll(".legend button, .bar input, #theme").forEach(control => control.click());
  for (let i = 0; which && i < Math.min(60, which.options.length); i++) {
    which.selectedIndex = i;
    which.dispatchEvent(new Event("change"));
  }
  use_address();
  check_plots();
  check_ticks();
  check_fastest();
  check_narrow();
}

setTimeout(() => {
  try {
    use_everything();
  } catch (error) {
    problems.push(error.stack);
  }
  const drawings = saved.filter(one => one.type === "image/svg+xml").length;
  const result = el(
      "pre", {id: "probe"},
      `drawings ${drawings} tables ${saved.length - drawings} problems ${problems.length}: ${problems.join("; ")} end`);
  document.body.append(result);
}, 300);
