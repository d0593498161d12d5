// Puts the page together.
function models_section() {
  const of = new Map(models_by_error().map(model => [model.label.replace(/ \(.*/, ""), model]).reverse());
  const assumptions = model => model.assumptions.length === 0 ? "" : el(
      "details", {}, el("summary", {}, counted(model.assumptions.length, "assumption")), el("ul", {}, model.assumptions.map(text => el("li", {}, text))));
  const columns = [
    {title: "model", cell: model => model.name}, {title: "what it says", wide: true, cell: model => model.summary},
    {title: "mu", number: true, cell: model => of.has(model.name) ? mu_cell(mean(of.get(model.name).mus)) : ["–", "faint"]},
    {title: "assumes", wide: true, cell: assumptions}, {title: "source", wide: true, cell: model => model.source}
  ];
  $("models").append(el("p", {class: "hint"}, "mu is the mean over all points, of the model's best setting."), table(columns, data.models, {label: "models"}));
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
  const folded = section.querySelector(":scope > details");
  if (folded) folded.open = true;
  if (!point_in_address()) return;
  event.preventDefault();
  section.scrollIntoView();
}

function theme_button() {
  const button = $("theme"), names = ["auto", "light", "dark"];
  let current = 0;
  const apply = () => {
    if (current === 0)
      delete document.documentElement.dataset.theme;
    else
      document.documentElement.dataset.theme = names[current];
    button.textContent = "Colours: " + names[current];
  };
  button.addEventListener("click", () => {
    current = (current + 1) % 3;
    apply();
  });
  apply();
}

$("source").textContent = data.source;
summary();

// The contents at the side: sections, and below the last but those what is folded under the point shown.
const inside = el("ul", {class: "inside"});
function list_contents() {
  const entry = (text, section) => el("li", {}, el("a", {href: "#" + section.id, onclick: event => look_at(event, section)}, text), section.id === "point" ? inside : "");
  const sections = [...document.querySelectorAll("main > section[id]")].filter(section => section.querySelector("h2"));
  $("contents").replaceChildren(el("ul", {}, entry("The answer", $("summary")), sections.map(section => entry(section.querySelector("h2").textContent, section))));
}
function list_parts(folds) {
  inside.replaceChildren(...folds.map(box => el("li", {}, el("button", {
    type: "button",
    class: "link",
    onclick: () => {
      open_fold(box);
      box.scrollIntoView();
    }
  }, box.dataset.title))));
}
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
  if (data.points.length === 1 && all_series.length > 1)
    redraws.push(one_run($("comparison")));
  else if (data.points.length > 1)
    redraws.push(comparison($("comparison"), "time", chooser.choose, redraw_all));
  else
    drop("comparison");
  if (data.points.length > 1 && all_series.some(judged))
    redraws.push(comparison($("errors"), "mu", chooser.choose, redraw_all));
  else
    drop("errors");
  redraw_all();
  if (data.points.length > 1)
    $("points").append(...points_table(chooser.choose));
  else
    drop("points");
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
glossary_section();
list_contents();
document.querySelectorAll("section.folded").forEach(fold_section);
document.querySelectorAll("main > section[id]").forEach(section => explain_words(section));
$("print").addEventListener("click", () => print());
theme_button();
