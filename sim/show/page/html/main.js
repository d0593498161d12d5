// Puts the page together.
function summary() {
  const section = $("summary"), points = data.points,
        models = model_labels
                     .map(label => {
                       const mus =
                           points
                               .map(point => {
                                 const p = prediction_of(point, label), real = real_time(point, p);
                                 return p && real && !p.fitted && p.time_s !== null ? proportional_error(p.time_s, real) : null;
                               })
                               .filter(mu => mu !== null && isFinite(mu));
                       return {label, mu: mus.reduce((a, b) => a + b, 0) / mus.length, count: mus.length};
                     })
                     .filter(model => model.count > 0)
                     .sort((a, b) => a.mu - b.mu);
  const failed = data.failed_in_all;
  if (data.binding.length > 0)
    section.append(el("p", {class: "binds"}, el("b", {}, data.binding.length > 1 ? "Bottlenecks: " : "Bottleneck: "), data.binding.join("; ") + "."));
  section.append(facts([
    [
      "compared",
      points.length > 0 ?
          `${distinct(points.map(p => p.kernel)).join(", ")} on ${distinct(points.map(p => p.platform)).join(", ")}` :
          "nothing: the scenario has no points"
    ],
    [
      "points",
      count_text(data.points_in_all) +
          (varied_keys.length > 0 ?
               " (" + varied_keys.map(key => `${short_key(key)} ${values_of(key).length}`).join(" × ") + ")" :
               "") + (data.thinned ? `, shown here: ${count_text(points.length)}` : "")
    ],
    ["most accurate model", models.length > 0 ? `${models[0].label}: mu ${mu_text(models[0].mu)} on average` : ""],
    [
      "least accurate model",
      models.length > 1 ?
          `${models[models.length - 1].label}: mu ${mu_text(models[models.length - 1].mu)} on average` :
          ""
    ],
    ["errors relative to", models.length > 0 ? `the ${reference} time` : ""], ["engine", data.engine],
    ["engines compared", data.engines]
  ]));
  if (failed > 0)
    section.append(el("p", {class: "alert"}, `${count_text(failed)} of ${count_text(data.points_in_all)} points failed; see ${
            data.thinned ? "table.csv" : "their rows"} for the reasons.`));
  if (data.thinned)
    section.append(el(
        "p", {class: "hint"}, `This page shows ${count_text(points.length)} of ${count_text(data.points_in_all)} points: ${
            data.thinned}. table.csv and result.json hold all.`));
  data.broken.forEach(text => section.append(el("p", {class: "alert"}, "Tolerance broken: " + text)));
}

function models_section() {
  $("models").append(...data.models.map(
      model =>
          el("div", {class: "model"}, el("b", {}, model.name), model.summary ? ": " + model.summary : "",
             model.source ? el("div", {class: "faint"}, "Source: " + model.source) : "",
             el("ul", {}, model.assumptions.map(text => el("li", {}, text))))));
}

function provenance() {
  const section = $("provenance");
  section.append(facts([
    ["scenario", data.file || data.name], ["source", data.source], ["platform", data.platform],
    ["compute", data.compute], ["communication", data.communication], ["engine", data.engine], ["orrery", data.version],
    ["took", data.wall_s > 0 ? time_text(data.wall_s) : ""]
  ]));
  if (data.notes.length > 0)
    section.append(
        el("h3", {style: "margin-top:14px"}, "Notes"), el("ul", {}, data.notes.map(note => el("li", {}, note))));
  section.append(el(
      "p", {class: "hint"},
      "All numbers on this page are also in result.json and table.csv. The page works offline and loads nothing."));
}

// Goes to a section without taking the point shown from the address.
function look_at(event, section) {
  if (!point_in_address()) return;
  event.preventDefault();
  section.scrollIntoView();
}

function theme_button(redraw) {
  const button = $("theme"), names = ["auto", "light", "dark"];
  let current = 0;
  const apply = () => {
    if (current === 0)
      delete document.documentElement.dataset.theme;
    else
      document.documentElement.dataset.theme = names[current];
    button.textContent = "Colours: " + names[current];
    redraw();
  };
  button.addEventListener("click", () => {
    current = (current + 1) % 3;
    apply();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  apply();
}

$("source").textContent = data.source;
summary();
const drop = id => $(id).remove();
const chooser = point_section(), redraws = [];
const redraw_all = () => redraws.forEach(redraw => redraw());
if (data.points.length === 0)
  ["sweep", "comparison", "errors", "points", "point"].forEach(drop);
else {
  const sweep = sweep_section($("sweep"), chooser.choose);
  if (sweep)
    redraws.push(sweep);
  else
    drop("sweep");
  redraws.push(comparison($("comparison"), "time", chooser.choose, redraw_all));
  if (all_series.some(judged))
    redraws.push(comparison($("errors"), "mu", chooser.choose, redraw_all));
  else
    drop("errors");
  redraw_all();
  $("points").append(
      el("p", {class: "hint"}, "Select a row to see that point in detail."), ...points_table(chooser.choose));
  const linked = point_in_address();
  chooser.choose(linked || data.points[0], Boolean(linked), false);
  addEventListener("hashchange", () => {
    const asked = point_in_address();
    if (asked) chooser.choose(asked, true, false);
  });
  narrow_screen.addEventListener("change", () => {
    redraw_all();
    chooser.again();
  });
}
if (data.averages.length > 0)
  $("averages")
      .append(
          el("p", {class: "hint"},
             "Mean and range of mu over the points of each row, with the published mean if there is one."),
          ...averages_table());
else
  drop("averages");
if (data.models.length > 0)
  models_section();
else
  drop("models");
provenance();
$("contents")
    .append(...[...document.querySelectorAll("main > section[id]")]
                .filter(section => section.querySelector("h2"))
                .map(section => el("a", {href: "#" + section.id, onclick: event => look_at(event, section)},
                                   section.querySelector("h2").textContent)));
$("print").addEventListener("click", () => print());
theme_button(chooser.recolor);
