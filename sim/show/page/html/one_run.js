// One run: what each model says beside what it is judged against, a row each, on one axis of time. A row has its time and its
// error at its end, so that nothing has to be read off.
const one_run_rows = point => all_series.filter(series => series.time(point) !== null && isFinite(series.time(point))).map(series => {
  const time = series.time(point), of = judged(series) ? judge_of(series, point) : null, fitted = prediction_of(point, series.name)?.fitted;
  return {
    series,
    time,
    spread: series.spread?.(point) ?? null,
    mu: fitted ? "fitted" :
        of     ? mu_text(proportional_error(time, of)) :
                 ""
  };
});

const named_mu = row => row.mu && row.mu !== "fitted" ? `mu ${row.mu}` : row.mu;
function one_run_chart(point, log) {
  const rows = one_run_rows(point), width = drawing_width(1000), narrow = width < 640, row_height = 26, top = 8;
  const name_of = row => narrow ? shortened(row.series.name) : short_of(row.series.name), longest = Math.max(...rows.map(row => name_of(row).length));
  const left = 22 + 6.9 * longest, right = width - 148, bottom = top + row_height * rows.length;
  const shown = rows.filter(row => row.time > 0 || !log), values = shown.flatMap(row => [row.time, ...(row.spread ?? [])]).filter(v => v > 0 || !log);
  const least = log ? Math.min(...values) / 1.15 : 0, most = Math.max(...values) * (log ? 1.15 : 1.03) || 1, [factor, unit] = unit_for(most, time_units);
  const x = t => left + (right - left) * (log ? Math.log(t / least) / Math.log(most / least) : t / most);
  const svg = svg_el("svg", {
    viewBox: `0 0 ${width} ${bottom + 40}`,
    role: "img",
    "aria-label": `Time of one run: ${
        rows.map(row => `${row.series.name} ${time_text(row.time)} ${named_mu(row)}`.trim()).join(", ")}`
  });
  for (const tick of ticks(least / factor, most / factor, log, narrow ? 3 : 6))
    svg.append(svg_el("path", {class: "s-grid", d: `M${x(tick * factor).toFixed(1)} ${top}V${bottom}`}),
               svg_el("text", {class: "s-muted", x: x(tick * factor), y: bottom + 16, "text-anchor": "middle"}, significant(tick)));
  svg.append(svg_el("path", {class: "s-frame", d: `M${left.toFixed(1)} ${bottom}H${right}`}), svg_el("text", {class: "s-text", x: (left + right) / 2, y: bottom + 34, "text-anchor": "middle"}, `time (${unit})`));
  const judge = rows.find(row => row.series.name === reference);
  if (judge && rows.length > 1 && (judge.time > 0 || !log))
    svg.append(svg_el("path", {d: `M${x(judge.time).toFixed(1)} ${top}V${bottom}`, stroke: judge.series.look.color, "stroke-width": 1, "stroke-dasharray": "3 3", fill: "none"}));
  rows.forEach((row, i) => {
    const y = top + row_height * (i + 0.5), {look, name} = row.series;
    svg.append(
        svg_el(
            "text", {class: i === 0 ? "s-ink" : "s-text", x: left - 12, y: y + 4, "text-anchor": "end"},
            svg_el("title", {}, name), name_of(row)),
        svg_el("text", {class: "s-ink", x: right + 78, y: y + 4, "text-anchor": "end"}, time_text(row.time)),
        svg_el("text", {class: "s-muted", x: right + 88, y: y + 4}, named_mu(row)));
    if (log && !(row.time > 0)) return;
    if (row.spread && row.spread.every(v => v > 0 || !log))
      svg.append(svg_el("path", {d: `M${x(row.spread[0]).toFixed(1)} ${y}H${x(row.spread[1]).toFixed(1)}m0 -5v10M${x(row.spread[0]).toFixed(1)} ${y - 5}v10`, stroke: look.color, "stroke-width": 2, fill: "none"}));
    svg.append(marker(look.marker, x(row.time), y, look.color));
  });
  return svg;
}

function one_run(section) {
  const [point] = data.points, times = one_run_rows(point).map(row => row.time).filter(t => t > 0), place = el("div");
  const log = el("input", {type: "checkbox", onchange: () => draw()});
  log.checked = Math.max(...times) / Math.min(...times) > 12;
  const rows = () => [
      ["series", "time_s", "least_s", "most_s", "mu"],
      ...one_run_rows(point).map(row => [row.series.name, row.time, ...(row.spread ?? ["", ""]), row.mu])];
  section.querySelector("h2").textContent = model_labels.length > 0 ? "Predicted beside simulated" : "Time";
  const of = !compares_phases ? "of the whole run" : point.phase ? `of the ${point.phase} phase, summed over all iterations` : "of the compared phase";
  const judging = all_series.some(judged) ? ` The dashed line is the ${reference} time; mu is by how much a time is off, as a factor: 1 is perfect.` : "";
  section.append(el("p", {class: "hint"}, `Time ${of}.${judging}`), place);
  function draw() {
    const svg = one_run_chart(point, log.checked);
    place.replaceChildren(el("figure", {}, el("div", {class: "bar"}, el("span", {class: "grow"}), el("label", {class: "noprint"}, log, "logarithmic scale"), save_buttons("time", () => svg, rows)), svg));
  }
  return draw;
}
