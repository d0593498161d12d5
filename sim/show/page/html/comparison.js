// The comparison of all points, as small multiples: one panel per combination of settings, configurations along x.
const x_key = varied_keys.length === 0 ?
    null :
    varied_keys.reduce((best, key) => values_of(key).length > values_of(best).length ? key : best);
const panel_keys = varied_keys.filter(key => key !== x_key);
const predicts_runs = data.points.some(point => point.predictions.some(p => p.of_run));
const reference = data.points.some(point => point.measured_s !== null) ? "measured" : "simulated";

// Where nothing stands beside the time of a phase, the time of the whole run is drawn.
const compares_phases = data.points.some(
    point => point.measured_s !== null || point.published_s !== null || point.predictions.some(p => !p.of_run));

const all_series = [
  {
    name: "simulated",
    look: real_look,
    time: point => compares_phases ? point.simulated_s : point.makespan_s > 0 ? point.makespan_s : null,
    spread: point => repeated_spread(point, compares_phases ? `phase '${point.phase}'` : "whole run")
  },
  {
    name: "makespan",
    look: real_look,
    time: point => predicts_runs && compares_phases ? point.makespan_s : null,
    spread: point => repeated_spread(point, "whole run")
  },
  {name: "measured", look: measured_look, time: point => point.measured_s},
  {
    name: "published",
    look: published_look,
    time: point => point.published_s,
    spread: point => point.published_spread_s
  },
  ...model_labels.map((label, i) => ({
                        name: label,
                        look: looks[i % looks.length],
                        model: true,
                        time: point => (prediction_of(point, label) || {}).time_s ?? null,
                        real: point => real_time(point, prediction_of(point, label))
                      })),
].filter(series => data.points.some(point => series.time(point) !== null));
const hidden_series = new Set();
const panels_at_first = 24;
let shown_panels = false;  // all of them
// Of more panels than that one is drawn, large: that of these values.
const panel_values = new Map(panel_keys.map(key => [key, values_of(key)[0]]));

function panels() {
  const groups = new Map();
  for (const point of data.points) {
    const name = panel_keys
                     .map(key => {
                       const v = setting(point.settings, key);
                       return /^\d/.test(v) ? short_key(key) + " " + v : v;
                     })
                     .filter(Boolean)
                     .join(", ");
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(point);
  }
  return [...groups].map(
      ([name, points]) => ({name: name || (points.length === 1 ? points[0].label : data.title), points}));
}

// What a series is judged against at a point.
const judge_of = (series, point) => series.real ? series.real(point) : real_time(point);
// In the error chart the reference itself is left out; a simulated time beside a measured one is judged like a model.
const judged = series => series.model || (series.name === "simulated" && reference === "measured");

// A few values need no wide chart.
const panel_width = (labels, series) => labels > 3 ? 560 : Math.min(560, Math.max(240, 70 + labels * Math.max(80, 46 * series)));

function panel_chart(panel, kind, log, choose, size = {}) {
  const shown = all_series.filter(series => !hidden_series.has(series.name) && (kind === "time" || judged(series)));
  const raw = shown.map(series => panel.points.map(point => {
    const t = series.time(point), real = judge_of(series, point);
    return t === null || !isFinite(t) ? null : kind === "time" ? t : real ? proportional_error(t, real) : null;
  }));
  const spreads = shown.map(
      series => panel.points.map(point => (kind === "time" && series.spread && series.spread(point)) || null));
  const largest = Math.max(0, ...raw.flat().filter(v => v !== null));
  const [factor, unit] = kind === "time" ? unit_for(largest || 1, time_units) : [1, ""];
  const labels = panel.points.map(point => x_key ? setting(point.settings, x_key) : point.layout || point.label);
  return plot(
      shown.map(
          (series, s) =>
              ({
                name: series.name,
                look: series.look,
                across: series.name === reference,
                values: raw[s].map(v => v === null ? null : v / factor),
                spreads: spreads[s].map(ends => ends && ends.map(v => v / factor))
              })),
      {
        title: (kind === "time" ? "Time" : "Proportional error") + ": " + panel.name,
        labels,
        log,
        width: panel_width(labels.length, shown.length),
        height: 260,
        x_title: x_key ? short_key(x_key) : "",
        y_title: kind === "time" ? `time (${unit})` : "max / min of the two times",
        least: kind === "time" ? undefined : 1,
        rule: kind === "time" ? undefined : 1,
        tip_text: v => kind === "time" ? time_text(v * factor) : "mu " + v.toFixed(3),
        pick: i => choose(panel.points[i], true),
        ...size
      });
}

function panel_rows(panel, kind) {
  const value = (series, point) => {
    const t = series.time(point), real = judge_of(series, point);
    return kind === "time" ? t : t !== null && real ? proportional_error(t, real) : null;
  };
  const series = all_series.filter(one => kind === "time" || judged(one));
  return [
    [...setting_keys, ...series.map(one => one.name + (kind === "time" ? "_s" : "_mu"))],
    ...panel.points.map(
        point => [...setting_keys.map(key => setting(point.settings, key)), ...series.map(one => value(one, point))])
  ];
}

function comparison(section, kind, choose, redraw_all) {
  const all = panels(),
        values = data.points
                     .flatMap(
                         point => all_series.filter(s => kind === "time" || judged(s))
                                      .map(
                                          s => kind === "time" ? s.time(point) :
                                                                 proportional_error(s.time(point), judge_of(s, point))))
                     .filter(v => v > 0 && isFinite(v));
  const log = el("input", {type: "checkbox", onchange: () => draw()});
  log.checked = values.length > 0 && Math.max(...values) / Math.min(...values) > 12;
  const grid = el("div", {class: "panels"});
  const more = el("button", {
    type: "button",
    class: "noprint",
    onclick: () => {
      shown_panels = true;
      redraw_all();
    }
  },
                  `Show all ${count_text(all.length)} panels`);
  const large = all.length > panels_at_first;
  const is_chosen = panel => panel_keys.every(key => setting(panel.points[0].settings, key) === panel_values.get(key));
  // Where no point has the values chosen (tied axes, 'only'), the axis chosen last decides and the others follow.
  const follow = key => {
    if (all.some(is_chosen)) return;
    const near = panel => panel_keys.filter(other => setting(panel.points[0].settings, other) === panel_values.get(other)).length;
    const best = all.filter(panel => setting(panel.points[0].settings, key) === panel_values.get(key))
                     .reduce((a, b) => near(b) > near(a) ? b : a);
    panel_keys.forEach(other => panel_values.set(other, setting(best.points[0].settings, other)));
  };
  const chooser = el("div", {class: "bar", role: "group", "aria-label": "panel"});
  const draw_chooser = () => chooser.replaceChildren(...panel_keys.map(
      key => el(
          "label", {}, short_key(key),
          el("select", {
            onchange: event => {
              panel_values.set(key, values_of(key)[Number(event.target.value)]);
              follow(key);
              redraw_all();
            }
          },
             values_of(key).map((value, i) => el("option", {value: i, selected: value === panel_values.get(key)}, value))))));
  if (large && !all.some(is_chosen)) follow(panel_keys[0]);
  const legend = el("div", {class: "bar legend", role: "group", "aria-label": "series"});
  function draw() {
    draw_chooser();
    legend.replaceChildren(...all_series.filter(series => kind === "time" || judged(series))
                               .map(series => legend_button(series, !hidden_series.has(series.name), () => {
                                 if (!hidden_series.delete(series.name)) hidden_series.add(series.name);
                                 redraw_all();
                               })));
    const one = large && !shown_panels;
    const drawn = one ? all.filter(is_chosen).slice(0, 1) : all;
    more.hidden = !one;
    chooser.hidden = !one;
    grid.classList.toggle("large", one);
    grid.replaceChildren(...drawn.map((panel, i) => {
      const svg = panel_chart(panel, kind, log.checked, choose, one ? {width: 1140, height: 420} : {}),
            shown = all_series.filter(s => !hidden_series.has(s.name) && (kind === "time" || judged(s)));
      const name = (drawn.length > 1 ? `(${i < 26 ? String.fromCharCode(97 + i) : i + 1}) ` : "") + panel.name;
      return el(
          "figure", {style: `max-width:${Math.round(1.25 * Number(svg.getAttribute("viewBox").split(" ")[2]))}px`},
          caption(
              name,
              save_buttons(
                  kind + " " + panel.name, () => with_legend(svg, shown, panel.name), () => panel_rows(panel, kind))),
          svg);
    }));
  }
  if (kind === "time")
    section.querySelector("h2").textContent = data.points.length > 1 ? "Time of every point" : "Time";
  section.append(
      el("p", {class: "hint"},
         kind === "time" ?
             `Time of the ${
                 !compares_phases ?
                     "whole run" :
                     (distinct(data.points.map(p => p.phase)).join(", ") || "compared") + " phase, summed over all iterations"}; ${large ? "one panel of " + count_text(all.length) + ", chosen below" : "each panel has its own scale"}. Click a point to see it in detail.` :
             `mu = max / min of the predicted and the ${reference} time: 1 is perfect, 2 is wrong by a factor of two.`),
      el("div", {class: "bar"}, legend, el("span", {class: "grow"}),
         el("label", {class: "noprint"}, log, "logarithmic scale")),
      chooser, grid, more);
  return draw;
}
