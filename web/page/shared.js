// Slow motion of a link that messages share, an adapter of a node or a link between switches: a row for each message from its send to its
// receive, below them how many are under way at the same time and, as the engine counted it, at what rate the link carries.
const shared_rows = 24;
const link_groups = [["Links between switches", ["link", "global-link"]], ["Adapters", ["nic-out", "nic-in"]], ["Inside nodes", null]];
const group_of = kind => link_groups.find(([, kinds]) => kinds?.includes(kind) ?? true)[0];
const rate_text = (rate, digits = 3) => {
  const [factor, unit] = [[1e9, "GB/s"], [1e6, "MB/s"], [1e3, "kB/s"]].find(([f]) => rate >= f) ?? [1, "B/s"];
  return `${Number((rate / factor).toPrecision(digits))} ${unit}`;
};

// First what most messages share at once, of several what held the critical path back longest.
function shared_of({gantt, makespan_s}) {
  const all = steps_of_messages(gantt), path = gantt.path ? steps_of_path(gantt) : [];
  const held = name => path.filter(step => step.held === name).reduce((sum, step) => sum + step.end - step.begin, 0);
  return (gantt.messages?.shared ?? []).map(link => ({
    ...link, messages: link.messages.map(i => all[i]), held: held(link.name), bin: makespan_s / gantt.tick_s / link.load.length
  })).sort((a, b) => b.at_once - a.at_once || b.held - a.held);
}
// How many are under way from each date on.
function under_way(messages) {
  const changes = messages.flatMap(({begin, end}) => [[begin, 1], [end, -1]]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let count = 0;
  return changes.map(([date, change]) => [date, count += change]);
}
const most_at_once = messages => Math.max(0, ...under_way(messages).map(([, count]) => count));

function shared_said(link, at, tick) {
  const message = link.messages[at], seconds = (message.end - message.begin) * tick;
  const most = most_at_once(link.messages.filter(other => other.begin < message.end && other.end > message.begin));
  const capacity = rate_text(link.capacity_B_per_s);
  const rate = message.bytes > 0 && seconds > 0 ? ` From send to receive that is ${rate_text(message.bytes / seconds)}, of the ${capacity} of the link; alone there its bytes would take ${time_text(message.bytes / link.capacity_B_per_s)}.` : "";
  return [`Message ${at + 1} of ${link.messages.length} through the ${link.name}: ${lab_units.data(message.bytes)} from rank ${message.rank} to rank ${message.peer}, ${time_text(seconds)}`,
          `, from ${time_text(message.begin * tick)} to ${time_text(message.end * tick)}. ${most > 1 ? `Meanwhile up to ${most} are under way through it.` : "Nothing else goes through it meanwhile."}${rate}`];
}

// An area of steps [date, height], each until the next.
function stepped(steps, x, y, from, to, bottom, colour) {
  let path = `M${x(from).toFixed(1)} ${bottom}`;
  for (const [date, height] of steps) path += `H${Math.min(x(to), Math.max(x(from), x(date))).toFixed(1)}V${y(height).toFixed(1)}`;
  return svg_part("path", {d: `${path}H${x(to).toFixed(1)}V${bottom}Z`, fill: `var(${colour})`, opacity: 0.45});
}
function strip(steps, most, text, top, height, {x, from, to, left, colour}) {
  const bottom = top + height, y = value => bottom - height * value / most;
  return [svg_part("path", {class: "s-grid", d: `M${left} ${top}H${x(to)}`}), svg_part("path", {class: "s-frame", d: `M${left} ${bottom}H${x(to)}`}),
          stepped(steps, x, y, from, to, bottom, colour),
          svg_part("text", {class: "s-muted", x: left - 8, y: top + 4, "text-anchor": "end"}, text), svg_part("text", {class: "s-muted", x: left - 8, y: bottom, "text-anchor": "end"}, "0")];
}

function draw_shared(link, at, width, tick) {
  const first = Math.max(0, Math.min(at - shared_rows / 2, link.messages.length - shared_rows)), shown = link.messages.slice(first, first + shared_rows);
  const from = Math.min(...shown.map(one => one.begin)), to = Math.max(...shown.map(one => one.end), from + 1), left = width > 500 ? 118 : 84, right = width - 12, row = 15, height = 40;
  const has_load = link.load.length > 0, counted = 6 + row * shown.length + 14, carried = counted + height + 20, bottom = has_load ? carried + height : counted + height, x = t => left + (right - left) * (t - from) / (to - from);
  const svg = svg_part("svg", {viewBox: `0 0 ${width} ${bottom + 22}`, width, role: "img", "aria-label": `Messages through the ${link.name} over time, how many are under way and its load; the selected message is named above`});
  shown.forEach((one, i) => {
    const now = first + i === at, middle = 6 + row * (i + 0.5);
    svg.append(svg_part("text", {class: now ? "s-ink" : "s-muted", x: left - 8, y: middle + 4, "text-anchor": "end"}, width > 500 ? `rank ${one.rank} → ${one.peer}` : `${one.rank} → ${one.peer}`),
               svg_part("rect", {x: x(one.begin), y: middle - (now ? 6 : 4), width: Math.max(1, x(one.end) - x(one.begin)), height: now ? 12 : 8, rx: 2, fill: now ? "var(--path)" : "var(--c3)", opacity: first + i > at ? 0.3 : 1, class: now ? "now" : ""},
                        svg_part("title", {}, `rank ${one.rank} to rank ${one.peer}`)));
  });
  const axis = {x, from, to, left}, loads = link.load.map((load, bin) => [bin * link.bin, load]).concat([[link.load.length * link.bin, 0]]);
  svg.append(...strip(under_way(link.messages), Math.max(1, link.at_once), `${link.at_once} at once`, counted, height, {...axis, colour: "--send"}),
             ...(has_load ? strip(loads, 1000, rate_text(link.capacity_B_per_s), carried, height, {...axis, colour: "--path"}) : []));
  svg.append(...time_axis(from * tick, to * tick, left, right, bottom));
  return svg;
}
