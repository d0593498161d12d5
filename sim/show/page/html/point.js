// Everything about one chosen point.
function resources_card(point) {
  const columns = [
    {title: "resource", cell: r => r.name},
    {title: "capacity", number: true, cell: r => bandwidth_text(r.capacity_B_per_s)},
    {title: "carried", number: true, cell: r => volume_text(r.carried_B)},
    {title: "busy", number: true, cell: r => percent_text(r.busy)},
    {title: "used", number: true, cell: r => [percent_text(r.used), r.used > 0.8 ? "poor" : ""]}
  ];
  const rows = () => [
      ["resource", "kind", "capacity_B_per_s", "carried_B", "busy_fraction", "used_fraction"],
      ...point.resources.map(r => [r.name, r.kind, r.capacity_B_per_s, r.carried_B, r.busy, r.used])];
  return el(
      "figure", {}, caption("Busiest resources", save_buttons("resources " + point.label, null, rows)),
      el("p", {class: "hint"},
         "Busy: share of the run with at least one flow on the resource. Used: volume carried, relative to its capacity over the run."),
      table(columns, point.resources, {label: "busiest resources"}));
}

function phases_card(point) {
  const columns = [
    {title: "phase", cell: p => p.name}, {title: "iterations", number: true, cell: p => count_text(p.iterations)},
    {title: "total", number: true, cell: p => time_text(p.time_s)},
    {title: "longest (iteration)", number: true, cell: p => `${time_text(p.longest_s)} (${p.longest_iteration})`},
    {title: "inside nodes", number: true, cell: p => `${volume_text(p.volume_B[0])} in ${count_text(p.messages[0])}`},
    {title: "network", number: true, cell: p => `${volume_text(p.volume_B[1])} in ${count_text(p.messages[1])}`}
  ];
  const rows = () => [
      [
        "phase", "iterations", "time_s", "longest_s", "longest_iteration", "shared_memory_messages", "shared_memory_B",
        "network_messages", "network_B"
      ],
      ...point.phases.map(
          p =>
              [p.name, p.iterations, p.time_s, p.longest_s, p.longest_iteration, p.messages[0], p.volume_B[0],
               p.messages[1], p.volume_B[1]])];
  return el(
      "figure", {class: "full"}, caption("Phases", save_buttons("phases " + point.label, null, rows)),
      el("p", {class: "hint"},
         "The time of a phase is the longest over all ranks, each counted from its own start. Columns on the right: volume and number of messages."),
      table(columns, point.phases, {label: "phases"}));
}

// Two engines: per phase the iteration that differs most, absolutely and relatively.
function engines_card(point) {
  const other = point.other_engine, apart = pair => Math.abs(pair[2] - pair[1]),
        share = pair => pair[1] === pair[2] ? 0 : apart(pair) / pair[1];
  const makespan = [0, point.makespan_s, other.makespan_s];
  const lines = [
    ...other.phases.map(([name, iterations, shown, total, absolute,
                          relative]) => ({name, iterations, sum: [0, shown, total], absolute, relative, whole: false})),
    {name: "makespan", iterations: null, sum: makespan, absolute: makespan, relative: makespan, whole: true}
  ];
  const number = value => value === 0 ? "0" : isFinite(value) ? value.toExponential(1) : "–";
  const at = (line, pair) => line.whole ? "" : ` (${pair[0]})`;
  const graded = (value, text) => [text, value <= 1e-9 ? "good" : value > 1e-3 ? "poor" : ""];
  const columns = [
    {title: "phase", cell: l => l.name},
    {title: "iterations", number: true, cell: l => l.whole ? "" : count_text(l.iterations)}, {
      title: "largest difference (iteration)",
      number: true,
      cell: l => (apart(l.absolute) === 0 ? "0 s" : number(apart(l.absolute)) + " s") + at(l, l.absolute)
    },
    {
      title: "largest relative (iteration)",
      number: true,
      cell: l => graded(share(l.relative), number(share(l.relative)) + at(l, l.relative))
    },
    {title: "of the sum", number: true, cell: l => graded(share(l.sum), number(share(l.sum)))}
  ];
  const rows = () => [
      [
        "phase", "iterations", "shown_s", "other_s", "absolute_iteration", "absolute_shown_s", "absolute_other_s",
        "relative_iteration", "relative_shown_s", "relative_other_s"
      ],
      ...lines.map(l => [l.name, l.iterations, l.sum[1], l.sum[2], ...l.absolute, ...l.relative])];
  return el(
      "figure", {}, caption("Two engines", save_buttons("engines " + point.label, null, rows)),
      el("p", {class: "hint"}, `Shown: ${data.engine}. The other engine ran the same point; the table gives the differences.`),
      other.failure ? el("p", {class: "alert"}, `${other.engine} ${other.failure}`) : "",
      table(columns, lines, {label: "two engines"}));
}

function predictions_card(point) {
  const [factor, unit] = unit_for(real_time(point) || 1, time_units);
  const judged = (p, f) => p.time_s !== null && real_time(point, p) ? f(p.time_s, real_time(point, p)) : null;
  const errors = p => judged(p, relative_error);
  const columns = [
    {title: "model", cell: p => p.label + (p.of_run ? ", whole run" : "")},
    {title: `predicted (${unit})`, number: true, cell: p => p.time_s === null ? "–" : significant(p.time_s / factor)}, {
      title: "error",
      number: true,
      cell: p => errors(p) === null ? "–" : (100 * errors(p)).toFixed(1) + " %"
    },
    {
      title: "mu",
      number: true,
      cell: p => p.fitted ? ["fitted", "faint"] : mu_cell(judged(p, proportional_error))
    }
  ];
  if (point.predictions.some(p => p.computation_s > 0))
    for (const part of ["computation", "overlap"])
      columns.push({title: `${part} (${unit})`, number: true, cell: p => significant(p[part + "_s"] / factor)});
  const notes = point.predictions.flatMap(p => p.notes.map(note => el("li", {}, `${p.label}: ${note}`)));
  const terms = point.predictions.filter(p => p.terms.length > 0)
                    .map(
                        p =>
                            el("details", {class: "model"},
                               el("summary", {}, `${p.label}: largest terms`),
                               table(
                                   [
                                     {title: "term", wide: true, cell: t => [t[0], "mono"]},
                                     {title: "cost", number: true, cell: t => time_text(t[1])},
                                     {title: "times", number: true, cell: t => count_text(t[2])}, {
                                       title: "share",
                                       number: true,
                                       cell: t => p.time_s > 0 ? percent_text(t[1] * t[2] / p.time_s) : "–"
                                     }
                                   ],
                                   p.terms.slice(0, 8), {label: "terms of " + p.label})));
  const rows = () => [
      ["model", "term", "cost_s", "repeat"], ...point.predictions.flatMap(p => p.terms.map(t => [p.label, ...t]))];
  return el(
      "figure", {}, caption("Model predictions", save_buttons("terms " + point.label, null, rows)),
      table(columns, point.predictions, {label: "predictions"}),
      notes.length > 0 ? el("ul", {class: "notes"}, notes) : "", terms);
}

// How the partition was found, round after round: a moving picture of its own.
function rounds_figure(point) {
  const picture =
      el("img", {src: "data:image/svg+xml," + encodeURIComponent(point.rounds_svg), style: "width:100%", alt: "rounds of measuring and dividing"});
  return el(
      "figure", {}, caption("How the partition was found"),
      el("p", {class: "hint"},
         "Speed over rows of some ranks. Each round runs the division that the dashed line through the origin chose by what was known (thin lines); markers are what was measured."),
      picture);
}

// What the program itself would print: one or two are facts, more a table.
// A unit that the name says is not said again.
const metric_text = ([name, value, unit]) => value === null ? "–" : unit === "s" ? time_text(value) : name.split(" ").includes(unit) ? significant(value) : `${significant(value)} ${unit}`;
function metrics_card(point) {
  const columns = [{title: "", cell: m => m[0]}, {title: "value", number: true, cell: metric_text}];
  const published = m => m[3] === null ? "–" : metric_text([m[0], m[3], m[2]]);
  if (point.metrics.some(m => m[3] !== null)) columns.push({title: "published", number: true, cell: published});
  return el(
      "figure", {},
      caption("Metrics", save_buttons("metrics " + point.label, null, () => [["name", "value", "unit", "published"], ...point.metrics])),
      table(columns, point.metrics, {label: "metrics"}));
}

// A point that was played with several seeds.
function repeats_card(point) {
  const between = within => within === null ? "–" : `${time_text(within[0])} to ${time_text(within[1])}`;
  const columns = [
    {title: "time of", cell: r => r[0]}, {title: "runs", number: true, cell: r => r[1]},
    {title: "median", number: true, cell: r => time_text(r[2])}, {title: "5 … 95 %", cell: r => between(r[3])},
    {title: "median's 95 % confidence", cell: r => between(r[4])}
  ];
  const rows = () => [["time of", "runs", "median_s", "p5_s", "p95_s", "median_least_s", "median_most_s"],
                      ...point.repeats.map(r => [r[0], r[1], r[2], ...r[3], ...(r[4] || ["", ""])])];
  return el(
      "figure", {class: "full"},
      caption("Repetitions with other seeds", save_buttons("repetitions " + point.label, null, rows)),
      el("p", {class: "hint"}, `Simulated times are medians. Everything else is of the run whose makespan is the median, with seed ${point.shown_seed}; ` +
             "models predict that of the first seed."),
      table(columns, point.repeats, {label: "repetitions"}));
}

const facts = pairs => el(
    "dl", {class: "facts"}, pairs.filter(pair => pair[1]).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));

// What is folded under a point: title, what the line says beside it, and how it is made when it is opened.
function parts_of(point) {
  const detailed = point.ranks !== undefined, shown = [];
  const add = (when, title, fact, build) => when && shown.push([title, fact, () => build(point)]);
  const [used] = detailed ? point.resources : [], judged = point.predictions.filter(p => !p.fitted && p.time_s !== null && real_time(point, p));
  const mu = p => proportional_error(p.time_s, real_time(point, p)), nearest = [...judged].sort((a, b) => mu(a) - mu(b))[0];
  const busiest = detailed && point.picture ? Math.max(...point.picture.loads.filter(part => !part.what_if).flatMap(part => [...part.mean, ...part.most])) / 1000 : 0;
  add(point.path, "Critical path", "what the time consists of, and what each cause is worth at most", path_figure);
  add(point.jobs.length > 0, "Jobs", point.jobs.length > 0 && jobs_fact(point), jobs_card);
  add(point.repeats.length > 0, "Repetitions with other seeds", "", repeats_card);
  add(point.predictions.length > 0, "Model predictions", nearest ? `nearest: ${nearest.label}, mu ${mu_text(mu(nearest))}` : "", predictions_card);
  add(point.metrics.length > 2, "Metrics", "", metrics_card);
  add(point.other_engine, "Two engines", "", engines_card);
  add(detailed && point.gantt && point.gantt.end > 0, "Time line of each rank", "who computes, sends and waits" + (point.path ? ", with the critical path" : ""), gantt_figure);
  add(detailed && point.activity_shares, "Activity of all ranks over time", "", shares_figure);
  add(detailed && point.rank_times, "Total activity of each rank", "", rank_times_figure);
  add(detailed && point.picture, "Load of the network", busiest > 0 ? `busiest link ${percent_text(busiest)}` : "", network_figure);
  add(used, "Busiest resources", used && `${used.name}: ${percent_text(used.used)} of its capacity`, resources_card);
  add(detailed && point.resources.some(resource => resource.load.length > 1), "Load of the busiest resources over time", "", load_figure);
  add(detailed && point.kinds.some(kind => kind.load.length > 1), "Load by type of resource", "", kinds_figure);
  add(detailed && point.traffic, "Traffic between ranks", counted(point.messages, "message"), matrix_figure);
  add(detailed && point.partition, "Partition", "who owns which part of the data", partition_figure);
  add(detailed && point.rounds_svg, "How the partition was found", "", rounds_figure);
  add(point.phases.length > 0, "Phases", counted(point.phases.length, "phase"), phases_card);
  add(point.collectives.length > 0, "Collectives", counted(point.collectives.length, "kind"), collectives_card);
  return shown;
}

function point_facts(point) {
  const nodes_used = point.ranks ? distinct(point.ranks.map(rank => rank[0])).length : 0;
  return facts([
    ["program", point.kernel], ["on", [point.platform, point.network].filter(Boolean).join(", ")], ["layout", point.layout],
    ["ranks", point.ranks ? `${count_text(point.ranks.length)} on ${counted(nodes_used, "node")}` : ""],
    ["whole run", point.makespan_s > 0 ? repeated_text(point, "whole run", point.makespan_s, time_text) : ""],
    [point.phase || "compared phase", point.simulated_s === null || point.simulated_s === point.makespan_s ? "" : repeated_text(point, `phase '${point.phase}'`, point.simulated_s, time_text)],
    ["measured", point.measured_s === null ? "" : time_text(point.measured_s)], ["published", point.published_s === null ? "" : time_text(point.published_s)],
    ...(point.metrics.length > 2 ? [] : point.metrics.map(m => [m[0], metric_text(m)])),
    ["messages", point.messages > 0 ? count_text(point.messages) + (point.unexpected > 0 ? `, ${count_text(point.unexpected)} unexpected` : "") : ""]
  ]);
}

const address_of = point => "#point=" + encodeURIComponent(point.id);
const point_in_address = () => data.points.find(point => location.hash === address_of(point));

function point_section() {
  const section = $("point"),
        select = el("select", {id: "which", onchange: () => choose(data.points[select.selectedIndex])}),
        body = el("div");
  data.points.forEach(point => select.append(el("option", {}, point.label)));
  const step = by => choose(data.points[Math.max(0, Math.min(data.points.length - 1, select.selectedIndex + by))]);
  const previous = el("button", {type: "button", onclick: () => step(-1)}, "← previous"),
        next = el("button", {type: "button", onclick: () => step(1)}, "next →");
  if (data.points.length > 1)
    section.append(el("div", {class: "bar noprint"}, el("label", {for: "which"
                      }, "point"), select, previous, next));
  section.append(body);

  let shown = null;
  // `jump` scrolls there; the address follows whatever is chosen, but says nothing before anything is.
  function choose(point, jump, asked = true) {
    const chosen = data.points.indexOf(point);
    shown = point;
    select.selectedIndex = chosen;
    if (asked) history.replaceState(null, "", address_of(point));
    previous.disabled = chosen === 0;
    next.disabled = chosen === data.points.length - 1;
    document.querySelectorAll("tr.pick").forEach(
        line => line.setAttribute("aria-selected", String(Number(line.dataset.point) === chosen)));
    const folds = parts_of(point).map(part => fold(...part)),
          said = data.points_in_all > 1 ? [point.answer.run, point.answer.phase].filter(Boolean) : [];
    body.replaceChildren(
        data.points_in_all > 1 ? el("h3", {}, point.label) : "",
        point.failure ? el("p", {class: "alert"}, "This point failed: " + point.failure) : "",
        said[0] ? el("p", {class: "said"}, capital(said[0]) + ". " + (said[1] ? capital(said[1]) + "." : "")) : "", point_facts(point),
        point.ranks !== undefined ? "" :
                   el("p", {class: "alert"},
                      `Time lines, matrices and loads are kept for the first ${data.detailed} of ${
                          data.points.length} points, to keep this file small. Run this point alone to see them.`),
        ...folds);
    restore_folds(body);
    list_parts(folds);
    if (jump) section.scrollIntoView();
  }
  return {choose, again: () => choose(shown, false, false)};
}
