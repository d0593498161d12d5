// Several programs at once: how long each takes alone and beside the others, and the links that they share.
const slowdown_text = value => "x " + significant(value, 4);

// Of all points: how many times as long as alone each job takes beside the others.
function jobs_answer() {
  const played = data.points.flatMap(point => point.jobs), names = distinct(played.map(job => job.name));
  const said = names.map(name => {
    const [least, most] = extent(played.filter(job => job.name === name).map(job => job.slowdown)).map(value => significant(value, 4));
    return `'${name}' takes ${least === most ? least : `${least} to ${most}`} times as long as alone`;
  });
  return `Beside the others ${listed(said)}.`;
}

function jobs_fact(point) {
  const worst = point.jobs.reduce((a, b) => b.slowdown > a.slowdown ? b : a);
  return `most slowed: ${worst.name}, ${slowdown_text(worst.slowdown)}`;
}

// [repetitions, median, 5 %, 95 %] as drawn: a bar to the median, a line between the two.
function jobs_bars(point) {
  const width = drawing_width(1160), row = 34, left = Math.min(220, 0.3 * width), right = width - 90, top = 4;
  const most = Math.max(...point.jobs.flatMap(job => [job.together[3], job.alone[3]])) || 1;
  const x = seconds => left + (right - left) * seconds / most;
  const svg = svg_el("svg", {
    viewBox: `0 0 ${width} ${top + row * point.jobs.length}`,
    role: "img",
    "aria-label": "How long each job takes alone and together"
  });
  point.jobs.forEach((job, i) => {
    const y = top + row * i;
    svg.append(svg_el("text", {class: "s-text", x: left - 8, y: y + 19, "text-anchor": "end"}, shortened(job.name)));
    [["alone", job.alone, "--wait", 4], ["together", job.together, "--compute", 16]].forEach(([, times, colour, down]) => {
      svg.append(svg_el("rect", {x: left, y: y + down, width: Math.max(1, x(times[1]) - left), height: 10, fill: `var(${colour})`}));
      if (times[0] > 1)
        svg.append(svg_el("path", {class: "s-frame", d: `M${x(times[2]).toFixed(1)} ${y + down + 5}H${x(times[3]).toFixed(1)}`}));
    });
    svg.append(svg_el("text", {class: "s-muted", x: x(Math.max(job.together[1], job.alone[1])) + 6, y: y + 19}, slowdown_text(job.slowdown)));
  });
  return svg;
}

function jobs_card(point) {
  const between = times => times[0] > 1 ? `${time_text(times[2])} to ${time_text(times[3])}` : "";
  const repeated = point.jobs.some(job => job.together[0] > 1);
  const others = (job, i) => job.shared.reduce((most, count, k) => k === i ? most : Math.max(most, count), 0);
  const columns = [
    {title: "job", cell: j => j.name}, {title: "kernel", cell: j => j.kernel},
    {title: "ranks", cell: j => `${j.first} to ${j.first + j.ranks - 1}`},
    {title: "start", number: true, cell: j => time_text(j.start_s)}, {title: "end", number: true, cell: j => time_text(j.end_s)},
    ...(repeated ? [{title: "repetitions", number: true, cell: j => count_text(j.together[0])}] : []),
    {title: "alone", number: true, cell: j => time_text(j.alone[1])},
    ...(repeated ? [{title: "5 … 95 %", cell: j => between(j.alone)}] : []),
    {title: "together", number: true, cell: j => time_text(j.together[1])},
    ...(repeated ? [{title: "5 … 95 %", cell: j => between(j.together)}] : []),
    {title: "slowdown", number: true, cell: j => slowdown_text(j.slowdown)},
    {title: "sent", number: true, cell: j => bytes_text(j.sent_B)},
    {title: "links", number: true, cell: j => count_text(j.shared[point.jobs.indexOf(j)] || 0)},
    {title: "of them shared", number: true, cell: j => count_text(others(j, point.jobs.indexOf(j)))}
  ];
  const links = point.jobs.flatMap(job => job.links.map(link => [job.name, ...link]));
  const link_columns = [
    {title: "link", cell: l => l[1]}, {title: "job", cell: l => l[0]}, {title: "carried for it", number: true, cell: l => bytes_text(l[2])},
    {title: "other jobs on it", number: true, cell: l => count_text(l[3])},
    {title: "held it back", number: true, cell: l => time_text(l[4])}, {title: "alone", number: true, cell: l => time_text(l[5])}
  ];
  const rows = () => [["job", "kernel", "first_rank", "ranks", "start_s", "end_s", "repetitions", "alone_s", "together_s", "slowdown", "sent_B"],
                      ...point.jobs.map(j => [j.name, j.kernel, j.first, j.ranks, j.start_s, j.end_s, j.together[0], j.alone[1], j.together[1], j.slowdown, j.sent_B])];
  const drawing = jobs_bars(point);
  return el(
      "figure", {class: "full"}, caption("Jobs", save_buttons("jobs " + point.label, () => drawing, rows)),
      el("p", {class: "hint"},
         "Alone: the same nodes, the same draws, and all other jobs idle; the upper bar. Together: the lower bar. Slowdown: how many " +
             "times as long" + (repeated ? " the median repetition takes." : " the job takes.")),
      drawing, table(columns, point.jobs, {label: "jobs"}),
      links.length === 0 ? el("p", {class: "hint"}, "No two jobs share a link.") :
                           el("div", {}, el("p", {class: "hint"},
                                            "Links that more than one job uses. Held it back: on the critical path of the job, how long " +
                                                "the link was what limited a transfer" + (repeated ? ", in a repetition on average" : "") +
                                                ", beside the others and alone."),
                              table(link_columns, links.slice(0, 200), {label: "shared links"})));
}
