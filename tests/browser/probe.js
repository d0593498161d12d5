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

function use_everything() {
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
  document.querySelectorAll(".panels svg").forEach(chart => {
    point_at(chart, 0.6, 0.5);
    press(chart, ["ArrowRight", "ArrowRight", "Enter", "Escape"]);
  });
  document.querySelectorAll(".legend button, .bar input, #theme").forEach(control => control.click());
  for (let i = 0; which && i < which.options.length; i++) {
    which.selectedIndex = i;
    which.dispatchEvent(new Event("change"));
  }
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
