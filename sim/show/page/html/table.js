// Tables: columns are {title, group, cell(row) -> text or [text, class], number}.
function table(columns, rows, options = {}) {
  const groups = [];
  for (const column of columns) {
    const last = groups[groups.length - 1];
    if (last && column.group && last.name === column.group)
      last.span++;
    else
      groups.push({name: column.group || "", span: 1});
  }
  const first = i => columns[i].group && (i === 0 || columns[i - 1].group !== columns[i].group) ? " first" : "";
  const head = el("thead");
  if (groups.some(group => group.name))
    head.append(el(
        "tr", {},
        groups.map(
            group =>
                el("th", {colspan: group.span, scope: "colgroup", class: group.name ? "group" : null}, group.name))));
  head.append(
      el("tr", {},
         columns.map(
             (column, i) => el("th", {scope: "col", class: (column.number ? "n" : "") + first(i)}, column.title))));
  const body = el("tbody", {}, rows.map(row => {
    const line = el("tr", {}, columns.map((column, i) => {
      const cell = column.cell(row), [text, kind] = Array.isArray(cell) ? cell : [cell, ""];
      const wide = column.wide || String(text).length > 48;
      return el(
          "td", {class: (column.number ? "n" : "") + (wide ? " wide" : "") + first(i) + (kind ? " " + kind : "")}, text);
    }));
    if (options.row) options.row(line, row);
    return line;
  }));
  return scrolling(
      {class: "tablebox", role: "region", "aria-label": options.label || "table"}, el("table", {}, head, body));
}

const mu_cell = mu => mu === null || !isFinite(mu) ? ["–", "faint"] :
                                                     [mu_text(mu),
                                                      mu < 1.25   ? "good" :
                                                          mu >= 2 ? "poor" :
                                                                    ""];

const model_labels = distinct(data.points.flatMap(point => point.predictions.map(prediction => prediction.label)));
const prediction_of = (point, label) => point.predictions.find(prediction => prediction.label === label);

// Keys of the settings, with how many values each takes over the points.
const setting_keys = distinct(data.points.flatMap(point => point.settings.map(pair => pair[0])));
const values_of = key => distinct(data.points.map(point => setting(point.settings, key)));
const varied_keys = setting_keys.filter(key => values_of(key).length > 1);

function averages_table() {
  const cells = distinct(data.averages.map(row => JSON.stringify(row.settings)));
  const keys = distinct(data.averages.flatMap(row => row.settings.map(pair => pair[0])));
  const labels = distinct(data.averages.map(row => row.label));
  const row_of = (cell, label) =>
      data.averages.find(row => JSON.stringify(row.settings) === cell && row.label === label);
  const columns = keys.map(key => ({title: short_key(key), cell: cell => setting(JSON.parse(cell), key)}));
  columns.push({
    title: "points",
    number: true,
    cell: cell => String(data.averages.find(row => JSON.stringify(row.settings) === cell).points)
  });
  for (const label of labels) {
    const of = field => cell => (row_of(cell, label) || {})[field];
    columns.push({title: "mu", group: label, number: true, cell: cell => mu_cell(of("mu")(cell) ?? null)});
    columns.push({
      title: "range",
      group: label,
      number: true,
      cell: cell =>
          row_of(cell, label) ? [mu_text(of("least")(cell)) + "–" + mu_text(of("most")(cell)), "faint"] : "–"
    });
    if (cells.some(cell => of("published")(cell) != null))
      columns.push({
        title: "published",
        group: label,
        number: true,
        cell: cell => of("published")(cell) == null ? ["–", "faint"] : of("published")(cell).toFixed(2)
      });
  }
  const rows = () => [
      [...keys, "points", "model", "mu", "mu_least", "mu_most", "published_mu"],
      ...data.averages.map(
          row =>
              [...keys.map(key => setting(row.settings, key)), row.points, row.label, row.mu, row.least, row.most,
               row.published])];
  return [
    table(columns, cells, {label: "average proportional errors"}),
    el("div", {class: "bar"}, save_buttons("averages", null, rows))
  ];
}

const printed_points = 60;  // five pages

function points_table(choose) {
  const [factor, unit] = unit_for(median(data.points.map(point => real_time(point)).filter(t => t > 0)) || 1, time_units);
  const time = t => t === null || t === undefined || !isFinite(t) ? ["–", "faint"] : significant(t / factor);
  const columns = varied_keys.map(key => ({title: short_key(key), cell: point => setting(point.settings, key)}));
  if (columns.length === 0) columns.push({title: "point", cell: point => point.label});
  const phases = distinct(data.points.map(point => point.phase)), longer = point => point.makespan_s > 1.001 * point.simulated_s;
  const whole_run = {title: "whole run", group: "simulated", number: true,
    cell: point => point.failure ? [compares_phases ? "–" : "failed", compares_phases ? "faint" : "poor"] : repeated_text(point, "whole run", point.makespan_s, time)};
  const run_first = !compares_phases && data.points.some(longer);
  if (run_first) columns.push(whole_run);
  columns.push({
    title: (phases.length === 1 && phases[0] || "compared phase") + (data.points.some(point => point.repeats.length > 0) ? ", 5 … 95 %" : ""),
    group: "simulated",
    number: true,
    cell: point => point.failure ? (run_first ? ["–", "faint"] : ["failed", "poor"]) :
                                   repeated_text(point, `phase '${point.phase}'`, point.simulated_s, time)
  });
  if (!run_first && data.points.some(longer)) columns.push(whole_run);
  if (data.points.some(point => point.measured_s !== null))
    columns.push({title: "measured", number: true, cell: point => time(point.measured_s)});
  if (data.points.some(point => point.published_s !== null))
    columns.push({title: "published", number: true,
      cell: point => {
        const spread = point.published_spread_s;
        return spread ? `${time(point.published_s)} (${time(spread[0])} … ${time(spread[1])})` : time(point.published_s);
      }
    });
  const metric = point => point.metrics.length === 1 ? point.metrics[0][0] : "";
  const played = data.points.filter(point => point.metrics.length > 0);
  if (played.length > 0 && played.every(point => metric(point) && metric(point) === metric(played[0])))
    columns.push({title: metric(played[0]), number: true, cell: point => point.metrics.length > 0 ? metric_text(point.metrics[0]) : ["–", "faint"]});
  for (const label of model_labels) {
    const of = (point, f) => {
      const p = prediction_of(point, label), real = real_time(point, p);
      return p && real ? f(p.time_s, real) : null;
    };
    columns.push(
        {title: model_labels.length > 3 ? "time" : "predicted", group: label, number: true, cell: point => time((prediction_of(point, label) || {}).time_s)});
    if (model_labels.length <= 3) columns.push({  // of many models mu alone: it says the same
      title: "error",
      group: label,
      number: true,
      cell: point => {
        const e = of(point, relative_error);
        return e === null ? ["–", "faint"] : e < 10 ? (100 * e).toFixed(1) + " %" : e.toFixed(0) + " x";
      }
    });
    columns.push({
      title: "mu",
      group: label,
      number: true,
      cell: point =>
          (prediction_of(point, label) || {}).fitted ? ["fitted", "faint"] : mu_cell(of(point, proportional_error))
    });
  }
  columns.push({title: "what limits it", wide: true, cell: point => point.failure || point.answer.run});
  const rows = () => [
      [...varied_keys, "model", "simulated_s", "measured_s", "published_s", "predicted_s", "mu"],
      ...data.points.flatMap(
          point => point.predictions.map(
              p =>
                  [...varied_keys.map(key => setting(point.settings, key)), p.label, point.simulated_s,
                   point.measured_s, point.published_s, p.time_s,
                   real_time(point, p) ? proportional_error(p.time_s, real_time(point, p)) : null]))];
  const pick = (line, point) => fill(
      line, {
        class: data.points.indexOf(point) < printed_points ? "pick" : "pick noprint",
        tabindex: "0",
        "data-point": data.points.indexOf(point),
        onclick: () => choose(point, true),
        onkeydown: event => {
          if (event.key === "Enter") choose(point, true);
        }
      },
      []);
  return [
    el("p", {class: "hint"}, `${count_text(data.points.length)} points, all times in ${unit}. Select a row to see that point in detail.`),
    table(columns, data.points, {label: "all points", row: pick}),
    data.points.length > printed_points ?
        el("p", {class: "hint printonly"},
           `Printed are the first ${printed_points} of ${count_text(data.points.length)} points; table.csv has all.`) :
        "",
    data.prediction_notes.length > 0 ? el("ul", {class: "hint"}, data.prediction_notes.map(note => el("li", {}, note))) : "",
    el("div", {class: "bar"}, save_buttons("points", null, rows))
  ];
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
