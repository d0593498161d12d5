// The top of the page: what ran, what limits it, the critical path as a bar, and the answers to the next three questions.
const listed = (words, most = 4) => {
  const some = words.length > most ? [...words.slice(0, most - 1), `${count_text(words.length - most + 1)} others`] : words;
  return some.length < 2 ? some.join("") : `${some.slice(0, -1).join(", ")} and ${some[some.length - 1]}`;
};
const capital = text => text ? text[0].toUpperCase() + text.slice(1) : "";
const counted = (count, word) => `${count_text(count)} ${word}${count === 1 ? "" : "s"}`;
const span_text = (least, most) => least === most ? count_text(least) : `${count_text(least)} to ${count_text(most)}`;
const percents = (least, most) => {
  const [from, to] = [least, most].map(share => Math.round(100 * share));
  return from === to ? `${to} %` : `${from} to ${to} %`;
};
// No line begins with a unit, and micro is written as everywhere on the page.
const unbroken = text => text.replaceAll(" %", "\u00a0%").replace(/(\d) us\b/g, "$1\u00a0µs");
const mean = values => values.reduce((a, b) => a + b, 0) / values.length;
const extent = values => [Math.min(...values), Math.max(...values)];

// "kernel 2 × network 2"; of axes that take their values together, "ranks and message 3".
function axes_text() {
  const together = (one, other) => {
    const pairs = distinct(data.points.map(point => JSON.stringify([setting(point.settings, one), setting(point.settings, other)])));
    return pairs.length === values_of(one).length && pairs.length === values_of(other).length;
  };
  const axes = [];
  for (const key of varied_keys) {
    const axis = axes.find(keys => together(keys[0], key));
    if (axis) axis.push(key);
    else axes.push([key]);
  }
  return axes.map(keys => `${listed(keys.map(short_key))} ${values_of(keys[0]).length}`).join(" × ");
}

// "4 runs of summa and wave2d (kernel 2 × network 2) with 29 ranks on 10 nodes of fermi, over infiniband, by the engine flow."
function what_ran() {
  const points = data.points;
  if (points.length === 0) return "Nothing was simulated: the scenario has no points.";
  const changed_platforms = varied_keys.some(key => key.startsWith("platform."));  // the axis says what: their names would at length
  const named = of => listed(distinct(points.map(of)).filter(Boolean));
  const played = points.filter(point => point.ranks && point.ranks.length > 0), swept = axes_text();
  const ranks = extent(played.map(point => point.ranks.length)), nodes = extent(played.map(point => distinct(point.ranks.map(rank => rank[0])).length));
  const placed = played.length === 0 ? " on" : ` with ${span_text(...ranks)} ${ranks[1] === 1 ? "rank" : "ranks"} on ${span_text(...nodes)} ${nodes[1] === 1 ? "node" : "nodes"} of`;
  const network = named(point => point.network), machine = named(point => changed_platforms ? point.platform.replace(/ with .*/, "") : point.platform);
  return `${data.points_in_all === 1 ? "One run" : counted(data.points_in_all, "run")} of ${named(point => point.kernel)}${swept ? ` (${swept})` : ""}` +
      `${placed} ${machine}${network ? ", over " + network : ""}${data.engine ? ", simulated by the engine " + data.engine : ""}.`;
}

// Of one run all that its answer says, of several alike their range.
function answer_text(group) {
  const {run, run_of_it, phase} = group.answer;
  if (data.points_in_all === 1)
    return [`The run takes ${time_text(data.points[0].makespan_s)}: ${run_of_it}.`, phase ? capital(phase) + "." : ""];
  if (group.points === 1) return [`${group.label}: ${run}.`, phase ? capital(phase) + "." : ""];
  const of = group.points === data.points_in_all ? group.points === 2 ? "both runs" : `all ${count_text(group.points)} runs` : `${count_text(group.points)} of ${count_text(data.points_in_all)} runs`;
  if (group.said.length === 0) return [`In ${of}: ${run}, as in ${group.label}.`, ""];
  const [of_run, ...more] = group.said;
  return [`In ${of}, ${of_run}.`, more.length > 0 ? capital(more.join("; ")) + "." : ""];
}

// Without a critical path: what the ranks spend their time on.
function spent_time() {
  const point = data.points.find(one => one.rank_times && !one.failure);
  if (!point) return [];
  const shares = activities.map((name, a) => [name, mean(point.rank_times.shares[a]) / 1e4]).sort((a, b) => b[1] - a[1]).filter(([, share]) => share >= 0.01);
  const said = shares.slice(0, 3).map(([name, share]) => `${percents(share, share)} ${name}`);
  const takes = data.points_in_all === 1 ? `The run takes ${time_text(point.makespan_s)}. ` : "";
  return [el("p", {class: "answer"}, unbroken(`${takes}The ranks' time${data.points_in_all > 1 ? ` in ${point.label}` : ""}, on average: ${listed(said)}.`)),
          el("p", {class: "answer more-of-it"}, "The critical path would show which of these limits the run. It was not recorded.")];
}

const shown_groups = 3;
function limits() {
  const [first, ...others] = data.answers;
  if (!first) return spent_time();
  const of_jobs = data.points.some(point => point.jobs.length > 0);
  const [said, more] =
      (of_jobs ?
           [
             jobs_answer(),
             data.points_in_all === 1 ?
                 answer_text(first)[0] :
                 `${
                     first.points > 1 ?
                         `In ${counted(first.points, "run")}: ${first.said.join("; ") || first.answer.run}.` :
                         `${first.label}: ${first.answer.run}.`}`
           ] :
                         answer_text(first))
          .map(unbroken);
  return [
    el("p", {class: "answer"}, said), more ? el("p", {class: "answer more-of-it"}, more) : null,
    others.length === 0 ? null : el("ul", {class: "others"}, others.slice(0, shown_groups - 1).map(group => el("li", {}, unbroken(answer_text(group)[0]))),
      others.length >= shown_groups ? el("li", {}, `${counted(others.length - shown_groups + 1, "other kind")} of answer: `, el("a", {href: "#points"}, "see all points"), ".") : null)
  ];
}

// One bar for each kind of answer; where its runs differ by 5 % and more, those with the most and the least of it.
function answer_bars() {
  const ends = group => group.most - group.least < 0.05 ? [group.id] : [group.most_id, group.least_id];
  const bars = data.answers.slice(0, shown_groups)
                   .flatMap(ends)
                   .map(id => data.points.find(point => point.id === id))
                   .filter(point => point && point.path)
                   .map(point => ({...point.path[point.path.length - 1], of: data.points_in_all === 1 ? "critical path" : point.label}));
  if (bars.length === 0) return [];
  const drawing = new PathBars(bars, bars.length === 1 && data.points_in_all === 1), rows = () => [
      ["run", "cause", "share"], ...bars.flatMap(bar => bar.causes.map(cause => [bar.of, cause[0], cause[1]]))];
  return [el("figure", {class: "bars"}, caption(data.points_in_all === 1 ? "Critical path of the run" : bars.length === 1 ? `Critical path of ${bars[0].of}` : "Critical paths of the runs",
                                                save_buttons("critical path of the run", () => drawing.svg, rows)), drawing.svg, drawing.key())];
}

function mus_of(of_point) {
  return data.points.map(of_point).filter(mu => mu !== null && isFinite(mu));
}
function models_by_error() {
  return model_labels
      .map(label => ({
             label,
             mus: mus_of(point => {
               const p = prediction_of(point, label), real = real_time(point, p);
               return p && real && !p.fitted && p.time_s !== null ? proportional_error(p.time_s, real) : null;
             })
           }))
      .filter(model => model.mus.length > 0)
      .sort((a, b) => mean(a.mus) - mean(b.mus));
}
function nearest_model() {
  const models = models_by_error(), [best] = models, worst = models[models.length - 1];
  if (!best) return model_labels.length > 0 ? "The models were fitted to these very times, or have nothing to be judged by." : "No model was asked.";
  const of = best.mus.length > 1 ? ` on average (${extent(best.mus).map(mu_text).join(" to ")})` : "";
  return `${best.label}: mu ${mu_text(mean(best.mus))}${of}, against the ${reference} time.` +
      (models.length > 1 ? ` ${models.length > 2 ? `Then ${models[1].label} with ${mu_text(mean(models[1].mus))}; farthest` : "The other"} is ${worst.label} with ${mu_text(mean(worst.mus))}.` : "");
}

// Bounds from the critical path: what a cause takes there is the most that can be won.
function what_would_help() {
  const groups = data.answers.slice(0, shown_groups).filter(group => group.causes.length > 0);
  if (groups.length === 0) return "No critical path was kept, so nothing can be said of it.";
  const share = (least, most) => Math.round(100 * least) === Math.round(100 * most) ? percent_text(Number(most.toPrecision(2))) : percents(least, most);
  const bound = ([, if_free, least, most]) => `if ${if_free}, at most ${share(least, most)} less time`;
  const causes = group => group.causes.filter(cause => cause[1] && cause[3] >= 0.05);
  const of = group => group.points === 1 ? group.label : counted(group.points, "run");
  const said = groups.length === 1 ? causes(groups[0]).slice(0, 2).map(bound) : groups.flatMap(group => causes(group).slice(0, 1).map(cause => `${bound(cause)} (${of(group)})`));
  return said.length === 0 ? "No single cause has as much as 5 % of the critical path." : capital(said.join("; ")) + ".";
}

// Numbers of the kernel say which problem is solved; machine, network, layout and algorithm are choices, numbers or not.
const size_keys = points => distinct(points.flatMap(point => point.settings.map(pair => pair[0]))).filter(key => key.startsWith("kernel.")).filter(key => {
  const values = distinct(points.map(point => setting(point.settings, key)));
  return values.length > 1 && values.every(value => isFinite(number_in(value)));
});
// Those of the largest problem that more than one of them solves.
function of_one_size(points) {
  const keys = size_keys(points), size = point => keys.map(key => number_in(setting(point.settings, key)));
  const larger = (a, b) => a.reduce((sign, value, i) => sign || b[i] - value, 0);
  const groups = new Map();
  for (const point of points) groups.set(String(size(point)), [...(groups.get(String(size(point))) ?? []), point]);
  return [...groups.values()].filter(group => group.length > 1).sort((a, b) => larger(size(a[0]), size(b[0])))[0] ?? [];
}
// Between the choices for one problem. Times that are equal to nine digits tie.
function fastest(all = data.points) {
  if (distinct(all.map(point => setting(point.settings, "kernel") || point.kernel)).length > 1) return "";
  const points = of_one_size(all.filter(point => !point.failure && point.makespan_s > 0)).sort((a, b) => a.makespan_s - b.makespan_s);
  if (points.length < 2) return "";
  const tied = point => points.filter(other => Math.abs(other.makespan_s - point.makespan_s) <= 1e-9 * point.makespan_s);
  const said = alike => `${listed(alike.map(point => point.label))} ${alike.length > 1 ? "tie " : ""}(${time_text(alike[0].makespan_s)}` +
      `${alike.length === 1 && alike[0].metrics.length === 1 ? ", " + metric_text(alike[0].metrics[0]) : ""})`;
  const best = tied(points[0]), worst = tied(points[points.length - 1]), keys = size_keys(all);
  if (best.length < points.length) return `${said(best)}; slowest ${said(worst)}.`;
  const at = keys.map(key => `${short_key(key)} ${setting(best[0].settings, key)}`);
  return `${at.length > 0 ? `At ${listed(at)} all` : "All"} take equally long (${time_text(best[0].makespan_s)}).`;
}

// Where measured or published times are, how near the simulation comes to them.
function against(name, of_point) {
  const mus = mus_of(point => point.simulated_s > 0 && of_point(point) > 0 ? proportional_error(point.simulated_s, of_point(point)) : null);
  if (mus.length === 0) return "";
  return `The simulation is ${mus.length > 1 ? "on average " : ""}within a factor ${mu_text(mean(mus))} of the ${name} time${mus.length > 1 ? `s (${extent(mus).map(mu_text).join(" to ")}, ${counted(mus.length, "run")})` : ""}. `;
}
const ended = note => /[.?!]$/.test(note) ? note : note + ".";
function trust() {
  const judged = against("measured", point => point.measured_s) + against("published", point => point.published_s);
  const repeats = data.points.filter(point => point.repeats.length > 0);
  const printed = data.averages.some(row => row.published !== null) ? "The paper's average errors stand beside ours below. " : "";
  const parts = [judged + printed || (data.points.length > 0 ? "Nothing measured or published stands beside these times: they are as good as the description of the machine. " : "")];
  if (data.engines) parts.push(capital(data.engines) + ". ");
  if (repeats.length > 0) parts.push(`Times are medians of ${counted(repeats[0].repeats[0][1], "run")} with other seeds. `);
  if (data.notes.length > 0)
    parts.push(
        `With reserve: ${ended(data.notes[0])} `,
        el("a", {href: "#provenance", onclick: event => look_at(event, $("provenance"))},
           data.notes.length > 1 ? `All ${data.notes.length} notes` : "Where notes stand"),
        ".");
  return parts;
}

// What a single run reaches: Gflop/s, tokens/s. Its time stands above.
function results() {
  const metrics = data.points_in_all === 1 ? data.points[0].metrics.filter(([, value, unit]) => value !== null && !(unit === "s" && value === data.points[0].makespan_s)) : [];
  return metrics.length > 6 ? "" : metrics.map(metric => `${metric[0]} ${metric_text(metric)}`).join(", ");
}

function warnings() {
  const points = data.points, failed = data.failed_in_all;
  return [
    ...(failed > 0 ? [el("p", {class: "alert"}, `${count_text(failed)} of ${count_text(data.points_in_all)} points failed; see ${data.thinned ? "table.csv" : "their rows"} for the reasons.`)] : []),
    ...data.broken.map(text => el("p", {class: "alert"}, "Tolerance broken: " + text)),
    ...(data.thinned ? [el("p", {class: "hint"}, `This page shows ${count_text(points.length)} of ${count_text(data.points_in_all)} points: ${data.thinned}. table.csv and result.json hold all.`)] : [])
  ];
}

function summary() {
  const section = $("summary");
  const rows = data.points.length === 0 ? [] : [["Results", results()], ["Fastest", fastest()], ["Nearest model", nearest_model()], ["What would help", what_would_help()], ["Can I trust it?", trust()]];
  section.append(el("p", {class: "what"}, what_ran()), ...limits().filter(Boolean), ...warnings(), ...answer_bars(),
                 el("dl", {class: "answers"}, rows.filter(row => row[1].length > 0).map(([name, said]) => el("div", {}, el("dt", {}, name), el("dd", {}, typeof said === "string" ? unbroken(said) : said)))));
}
