// What comes back: the time, the models beside it, and the report, drawn by the report's own scripts in a frame.
const report_parts = JSON.parse($("report-parts").textContent);
let open_titles = ["Model predictions", "Metrics", "Time line of each rank", "Load of the network"], frame = null, coming = null;

// "</" and "<!--" in data would end the script that holds it.
const in_script = text => text.replaceAll("<", "\\u003c");

function report_page(data_text, title) {
  const values = {
    "title": title.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`),
    "css": report_parts.css,
    "data": in_script(data_text),
    "script": `const live_folds = ${in_script(JSON.stringify(open_titles))};\n${report_parts.script}\n${report_parts.live}`
  };
  return report_parts.html.replace(/\{\{([\w.]+)\}\}/g, (_, name) => values[name]);
}

// The next report takes the place of the one shown when it stands, so nothing flickers.
let shown = null;
function show_report(data_text, title) {
  shown = [data_text, title];
  coming?.remove();
  coming = el("iframe", {class: "next", title: "The report of this run"});
  coming.srcdoc = report_page(data_text, title);
  $("report").append(coming);
}
addEventListener("message", ({source, data}) => {
  if (coming && source === coming.contentWindow && data.height) {
    frame?.remove();
    [frame, coming] = [coming, null];
    frame.classList.remove("next");
    colour_report();
  }
  if (frame && source === frame.contentWindow && data.height) {
    frame.style.height = `${data.height + 4}px`;
    open_titles = data.folds;
  }
});
// On paper a frame would be cut through its lines: what stands in it stands in the page then, with the folds that the report opens for print.
addEventListener("beforeprint", () => {
  if (!frame) return;
  frame.contentWindow.dispatchEvent(new Event("beforeprint"));
  $("printed").replaceChildren(...[...frame.contentDocument.querySelector("main").children].map(section => document.importNode(section, true)));
});
addEventListener("afterprint", () => $("printed").replaceChildren());
// Its drawings are made for the width that they have when they are made.
for (const width of [640, 999]) matchMedia(`(max-width: ${width}px)`).addEventListener("change", () => shown && show_report(...shown));
function colour_report() {
  const root = frame?.contentDocument?.documentElement, theme = document.documentElement.dataset.theme;
  if (!root) return;
  if (theme) root.dataset.theme = theme;
  else delete root.dataset.theme;
}

// Predicted beside simulated: dots on one axis of time.
function beside(point) {
  const predictions = point.predictions.filter(one => one.time_s > 0), real = one => one.of_run ? point.makespan_s : point.simulated_s;
  if (predictions.length === 0 || !(point.simulated_s > 0)) return "";
  const rows = [{label: point.phase ? `simulated: ${point.phase}` : "simulated", time: point.simulated_s, real: true},
                ...predictions.map(one => ({label: one.label, time: one.time_s, of: real(one)}))];
  const most = Math.max(...rows.map(row => row.time));
  const error = row => row.real ? "" : `${row.time >= row.of ? "+" : "−"}${Number((100 * Math.abs(row.time - row.of) / row.of).toPrecision(2))} %`;
  return el("div", {class: "dots", role: "table", "aria-label": "Predicted beside simulated"},
            rows.map(row => el("div", {role: "row", style: "display: contents"}, el("span", {role: "rowheader"}, row.label),
                               el("span", {class: "track", "aria-hidden": "true"}, el("i", {class: row.real ? "real" : null, style: `left: ${100 * row.time / most}%`})),
                               el("span", {role: "cell", class: "n"}, time_text(row.time)), el("span", {role: "cell", class: "n"}, error(row)))));
}

// The data of a run without models, and what the models say of the same question.
function with_predictions(said, predicted) {
  if (predicted.code !== 0) return predicted;
  const data = JSON.parse(said.out), {models, prediction_notes, notes, points: [{predictions}]} = JSON.parse(predicted.out);
  Object.assign(data, {models, prediction_notes, notes: [...new Set([...data.notes, ...notes])]});
  data.points[0].predictions = predictions;
  return {...said, out: JSON.stringify(data)};
}

function show_answer(data_text, title) {
  const data = JSON.parse(data_text), points = data.points.filter(point => !point.failure);
  const [point] = points;
  $("problem").hidden = points.length > 0;
  if (!point) $("problem").textContent = data.points.map(one => one.failure).join("\n");
  $("time").textContent = !point ? "–" : points.length === 1 ? time_text(point.makespan_s) :
      `${points.length} runs, ${time_text(Math.min(...points.map(one => one.makespan_s)))} to ${time_text(Math.max(...points.map(one => one.makespan_s)))}`;
  $("beside").replaceChildren(...(points.length === 1 ? [beside(point), terms_of_models(point)] : []));
  $("asked").textContent = title;
  slow_motion.show(points.length === 1 ? point : null);
  document.querySelectorAll("#beside p.hint").forEach(hint => explain_words(hint.parentNode));
  if (point) show_report(data_text, title);
}
