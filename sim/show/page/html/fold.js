// What is folded away: its drawing is made when it is first opened. Print opens what matters.
const fold_makers = new WeakMap();
// In the workbench, which draws a report for each answer, `live_folds`: what is open there.
const open_folds = new Set(typeof live_folds === "undefined" ? ["Model predictions", "Metrics", data.points.length === 1 ? "Time line of each rank" : "Critical path"] : live_folds);
const not_printed = new Set(["Load of the busiest resources over time", "Load by type of resource", "Busiest resources"]);

// `build` gives the content.
function fold(title, fact, build) {
  const body = el("div", {class: "inside"});
  const box = el("details", {class: "fold", "data-title": title},
                 el("summary", {}, el("span", {class: "title"}, title), el("span", {class: "fact"}, fact || "")), body);
  let made = false;
  const make = () => {
    if (made) return;
    made = true;
    body.append(build());
    body.querySelectorAll("figure > svg[viewBox]").forEach(svg => svg.style.maxWidth = 1.25 * svg.getAttribute("viewBox").split(" ")[2] + "px");  // small ones stay small
    explain_words(body);
  };
  fold_makers.set(box, make);
  box.addEventListener("toggle", () => {
    if (box.open && !box.dataset.printed) make();
    if (!box.dataset.printed) open_folds[box.open ? "add" : "delete"](title);
  });
  return box;
}
// Once it stands in the page: opens what was open for the point before.
function open_fold(box) {
  fold_makers.get(box)();
  box.open = true;
}
const restore_folds = root => [...root.querySelectorAll("details.fold[data-title]")].filter(box => open_folds.has(box.dataset.title)).forEach(open_fold);

// The whole of a section under its heading.
function fold_section(section) {
  const heading = section.querySelector("h2"), rest = [...section.childNodes].filter(node => node !== heading);
  section.append(el("details", {}, el("summary", {}, heading), rest));
}

addEventListener("beforeprint", () => document.querySelectorAll("details.fold:not([open]), #errors > details:not([open])").forEach(box => {
  if (not_printed.has(box.dataset.title)) return;
  box.dataset.printed = "1";
  if (fold_makers.has(box))
    open_fold(box);
  else
    box.open = true;
}));
addEventListener("afterprint", () => document.querySelectorAll("details[data-printed]").forEach(box => {
  box.open = false;
  setTimeout(() => delete box.dataset.printed);
}));
