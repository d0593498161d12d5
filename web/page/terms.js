// The terms of each formula in numbers, below what it predicts.
const terms_shown = 4;

function terms_of(prediction) {
  const rows = prediction.terms.slice(0, terms_shown).map(([text, cost, times]) => el("li", {},
      el("span", {}, text.replaceAll(" us", " µs")), el("b", {}, times > 1 ? `${time_text(cost)} × ${times}` : time_text(cost))));
  const rest = prediction.terms.slice(terms_shown).reduce((sum, [, cost, times]) => sum + cost * times, 0);
  if (prediction.terms.length > terms_shown)
    rows.push(el("li", {class: "rest"}, el("span", {}, `${prediction.terms.length - terms_shown} smaller terms`), el("b", {}, time_text(rest))));
  return el("ol", {class: "terms"}, rows);
}

// What stays open is open in the next answer, too: a slider moves many.
let terms_open = false;
function terms_of_models(point) {
  const with_terms = point.predictions.filter(one => one.terms.length > 0 && one.time_s > 0);
  if (with_terms.length === 0) return "";
  const box = el("details", {class: "formulas", open: terms_open, ontoggle: () => terms_open = box.open}, el("summary", {}, "The formulas in numbers"),
                 el("p", {class: "hint"}, "What each prediction is the sum of, largest first; o is the overhead of either end, L the latency, g the gap, G the gap for each byte, alpha and beta Hockney's latency and time per byte, m the message."),
                 with_terms.map(one => [el("h3", {}, `${one.label}: ${time_text(one.time_s)}`), terms_of(one)]).flat());
  return box;
}
