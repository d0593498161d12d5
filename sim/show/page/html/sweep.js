// A large sweep at a glance: what each axis is worth, the ten best points, which points are not beaten in two measures
// at once. Everything is of the points that the filter leaves.
const sweep_points_min = 64;
// Less is better in each of them. What a batch system bills is nodes times time.
const measures = [
  {name: "makespan", text: time_text, of: point => point.makespan_s > 0 ? point.makespan_s : null},
  {
    name: "time of the compared phase",
    text: time_text,
    of: point => point.simulated_s,
    useful: () => data.points.some(point => point.simulated_s !== null && point.simulated_s !== point.makespan_s)
  },
  {name: "ranks", text: v => String(v), of: point => point.rank_count},
  {name: "nodes", text: v => String(v), of: point => point.node_count},
  {
    name: "node time",
    text: time_text,
    of: point => point.makespan_s > 0 ? point.makespan_s * point.node_count : null
  },
  ...distinct(data.points.flatMap(point => point.metrics.filter(metric => ["s", "J"].includes(metric[2]) || metric[0] === "cost").map(metric => metric[0])))
      .map(name => {
        const metric_of = point => point.metrics.find(metric => metric[0] === name);
        const unit = metric_of(data.points.find(metric_of))[2];
        return {
          name: "metric " + name,
          text: v => unit === "s" ? time_text(v) : significant(v) + " " + unit,
          of: point => (metric_of(point) || [])[1] ?? null
        };
      })
].filter(measure => (!measure.useful || measure.useful()) && distinct(data.points.map(measure.of)).filter(v => v !== null).length > 1);

const chosen_values = new Map();  // of the filter: key -> value
const filtered = () => data.points.filter(
    point => !point.failure && [...chosen_values].every(([key, value]) => setting(point.settings, key) === value));
const finite = v => v !== null && v !== undefined && isFinite(v) && v > 0;
const geometric_mean = values => Math.exp(values.reduce((sum, v) => sum + Math.log(v), 0) / values.length);

// [key, [[value, mean, points]], largest mean / smallest], the strongest axis first.
function main_effects(points, measure) {
  return varied_keys.filter(key => !chosen_values.has(key))
      .map(key => {
        const of_value = values_of(key)
                             .map(value => {
                               const all = points.filter(point => setting(point.settings, key) === value).map(measure.of).filter(finite);
                               return [value, all.length > 0 ? geometric_mean(all) : null, all.length];
                             })
                             .filter(row => row[2] > 0);
        const means = of_value.map(row => row[1]);
        return [key, of_value, means.length > 1 ? Math.max(...means) / Math.min(...means) : 1];
      })
      .filter(([, of_value]) => of_value.length > 1)
      .sort((a, b) => b[2] - a[2]);
}

function effects_figures(effects, measure) {
  const means = effects.flatMap(([, of_value]) => of_value.map(row => row[1]));
  const [factor, unit] = measure.text === time_text ? unit_for(Math.max(...means, 1e-9), time_units) : [1, ""];
  const log = Math.max(...means) / Math.min(...means) > 4;
  return effects.map(([key, of_value, worth]) => {
    const options = {
      title: "main effect of " + key,
      labels: of_value.map(row => row[0]),
      width: 400,
      height: 230,
      log,
      least: Math.min(...means) / factor * 0.9,
      most: Math.max(...means) / factor * 1.05,
      x_title: "",
      y_title: "mean" + (unit ? ` (${unit})` : ""),
      tip_text: v => measure.text(v * factor)
    };
    const series = [{name: "mean of " + measure.name, look: looks[0], values: of_value.map(row => row[1] / factor)}];
    return el(
        "figure", {},
        caption(
            `${short_key(key)}: ${worth < 1.005 ? "no effect" : "factor " + significant(worth, 3)}`,
            save_buttons(
                "effect of " + key, () => with_legend(plot(series, options), series, key), () => [[key, "mean", "points"], ...of_value])),
        plot(series, options));
  });
}

function best_table(points, measure, choose) {
  const best = points.filter(point => finite(measure.of(point))).sort((a, b) => measure.of(a) - measure.of(b)).slice(0, 10);
  if (best.length === 0) return el("p", {class: "hint"}, "No point is left: choose 'all' again.");
  const columns = [
    {title: "", number: true, cell: point => String(best.indexOf(point) + 1)},
    ...varied_keys.map(key => ({title: short_key(key), cell: point => setting(point.settings, key)})),
    ...measures.filter(one => !varied_keys.some(key => short_key(key) === one.name)).map(one => ({title: one.name, number: true, cell: point => finite(one.of(point)) ? one.text(one.of(point)) : "–"})),
    {title: "× best", number: true, cell: point => significant(measure.of(point) / measure.of(best[0]), 3)}
  ];
  const row = (line, point) => fill(
      line, {
        class: "pick",
        tabindex: "0",
        onclick: () => choose(point, true),
        onkeydown: event => {
          if (event.key === "Enter") choose(point, true);
        }
      },
      []);
  return table(columns, best, {label: "best points", row});
}

// Those that no other point beats or equals in both, from the least x on.
function pareto_front(points, x, y) {
  const front = [];
  for (const point of [...points].sort((a, b) => x.of(a) - x.of(b) || y.of(a) - y.of(b)))
    if (front.length === 0 || y.of(point) < y.of(front[front.length - 1])) front.push(point);
  return front;
}

function pareto_figure(points, x, y, choose) {
  const shown = points.filter(point => finite(x.of(point)) && finite(y.of(point)));
  if (shown.length === 0) return "";
  const front = pareto_front(shown, x, y);
  const width = drawing_width(1100), height = 420, left = 76, right = width - 16, top = 14, bottom = height - 44;
  const scale = (measure, from, to) => {
    const all = shown.map(measure.of), low = Math.min(...all), high = Math.max(...all), log = high / low > 4;
    const least = log ? low / 1.15 : Math.max(0, low - 0.05 * (high - low || low)), most = log ? high * 1.15 : high + 0.05 * (high - low || high);
    const share = v => log ? Math.log(v / least) / Math.log(most / least) : (v - least) / (most - least);
    return {at: v => from + (to - from) * share(v), marks: ticks(least, most, log, 6)};
  };
  const across = scale(x, left, right), up = scale(y, bottom, top);
  const svg = svg_el("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${y.name} against ${x.name}`});
  for (const mark of up.marks)
    svg.append(
        svg_el("path", {class: "s-grid", d: `M${left} ${up.at(mark).toFixed(1)}H${right}`}),
        svg_el("text", {class: "s-muted", x: left - 6, y: up.at(mark) + 4, "text-anchor": "end"}, y.text(mark)));
  for (const mark of across.marks)
    svg.append(
        svg_el("path", {class: "s-grid", d: `M${across.at(mark).toFixed(1)} ${top}V${bottom}`}),
        svg_el("text", {class: "s-muted", x: across.at(mark), y: bottom + 16, "text-anchor": "middle"}, x.text(mark)));
  svg.append(
      svg_el("path", {class: "s-frame", d: `M${left} ${top}V${bottom}H${right}`}),
      svg_el("text", {class: "s-text", x: (left + right) / 2, y: height - 8, "text-anchor": "middle"}, x.name),
      svg_el("text", {class: "s-text", transform: `translate(14 ${(top + bottom) / 2}) rotate(-90)`, "text-anchor": "middle"}, y.name));
  const place = point => [across.at(x.of(point)), up.at(y.of(point))];
  const of_all = svg_el("path", {
    stroke: "var(--c5)",
    "stroke-width": 4,
    "stroke-linecap": "round",
    "stroke-opacity": 0.55,
    fill: "none",
    d: shown.map(point => place(point).map(v => v.toFixed(1))).map(([a, b]) => `M${a} ${b}h0`).join("")
  });
  let steps = "";
  front.forEach((point, i) => {
    const [a, b] = place(point).map(v => v.toFixed(1));
    steps += i === 0 ? `M${a} ${b}` : `H${a}V${b}`;
  });
  svg.append(of_all, svg_el("path", {stroke: "var(--c1)", "stroke-width": 2, fill: "none", d: steps}));
  front.forEach(point => svg.append(marker("diamond", ...place(point), "var(--c1)")));
  const nearest = event => {
    const box = svg.getBoundingClientRect(), factor = width / box.width;
    const at = [(event.clientX - box.left) * factor, (event.clientY - box.top) * factor];
    const far = point => Math.hypot(place(point)[0] - at[0], place(point)[1] - at[1]);
    const best = shown.reduce((a, b) => far(b) < far(a) ? b : a);
    return far(best) < 14 ? best : null;
  };
  svg.addEventListener("pointermove", event => {
    const point = nearest(event);
    svg.style.cursor = point ? "pointer" : "";
    if (!point) return hide_tip();
    show_tip(event.clientX, event.clientY, point.label, [x, y].map(one => ["", one.name, one.text(one.of(point))]));
  });
  svg.addEventListener("pointerleave", hide_tip);
  svg.addEventListener("click", event => {
    const point = nearest(event);
    if (point) choose(point, true);
  });
  const rows = () => [
    [...setting_keys, x.name, y.name, "not beaten"],
    ...shown.map(point => [...setting_keys.map(key => setting(point.settings, key)), x.of(point), y.of(point), front.includes(point) ? 1 : 0])
  ];
  return el(
      "figure", {},
      caption(
          `${count_text(front.length)} of ${count_text(shown.length)} points are not beaten in both (orange)`,
          save_buttons("pareto", () => svg, rows)),
      svg);
}

// A value of each axis, or all of them.
function filter_bar(changed) {
  const selects = varied_keys.filter(key => values_of(key).length <= 400)
                      .map(
                          key => el(
                              "label", {}, short_key(key),
                              el("select", {
                                onchange: event => {
                                  const value = event.target.value;
                                  if (value === "")
                                    chosen_values.delete(key);
                                  else
                                    chosen_values.set(key, values_of(key)[Number(value)]);
                                  changed();
                                }
                              },
                                 el("option", {value: ""}, "all"), values_of(key).map((value, i) => el("option", {value: i}, value)))));
  return el("div", {class: "bar noprint", role: "group", "aria-label": "filter"}, "Only points with", selects);
}

function sweep_section(section, choose) {
  let measure = measures[0], x = measures.find(one => one.name === "nodes") || measures.find(one => one.name === "ranks") || measures[1] || measures[0];
  if (data.points.length < sweep_points_min || !measure || varied_keys.length < 2) return null;
  const box = el("div"), count = el("p", {class: "hint"});
  const pick = (label, current, chosen) => el(
      "label", {}, label,
      el("select", {onchange: event => chosen(measures[Number(event.target.value)])},
         measures.map((one, i) => el("option", {value: i, selected: one === current()}, one.name))));
  const draw = () => {
    const points = filtered(), effects = main_effects(points, measure);
    count.textContent = `${count_text(points.length)} of ${count_text(data.points.length)} points. The factor is by how much the mean ` +
        "(geometric, over all other axes) differs between the best and the worst value of an axis; all share one scale. Node time is nodes × makespan, which is what a batch system bills.";
    box.replaceChildren(
        el("h3", {}, "What each axis is worth"), el("div", {class: "panels effects"}, ...effects_figures(effects, measure)),
        el("h3", {style: "margin-top:14px"}, "The ten best"), best_table(points, measure, choose),
        el("h3", {style: "margin-top:14px"}, `What else it costs: ${measure.name} against`),
        el("div", {class: "bar noprint"}, pick("across", () => x, one => {
             x = one;
             draw();
           })),
        pareto_figure(points, x, measure, choose));
  };
  section.append(
      filter_bar(draw), el("div", {class: "bar noprint"}, pick("judged by", () => measure, one => {
                             measure = one;
                             draw();
                           })),
      count, box);
  return draw;
}
