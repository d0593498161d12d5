// Slow motion of an adapter that messages share: those that a node sends, or receives, through the network, a row each from its send to
// its receive, and below them how many are under way at the same time.
const adapter_rows = 24;

// Of each node's sending and receiving side its messages; first what most messages share, of several what held the critical path back longest.
function adapters_of(point) {
  const {gantt, ranks, nodes} = point, flat = gantt.messages?.flat ?? [], sides = new Map();
  const put = (name, message) => sides.set(name, [...(sides.get(name) ?? []), message]);
  for (let i = 0; i < flat.length; i += 5) {
    const [rank, peer, begin, end, bytes] = flat.slice(i, i + 5), [from, to] = [ranks[rank][0], ranks[peer][0]];
    if (from === to) continue;
    const message = {kind: "message", rank, peer, begin, end, bytes, held: ""};
    put(`outgoing NIC of ${nodes[from]}`, message);
    put(`incoming NIC of ${nodes[to]}`, message);
  }
  const held = name => (gantt.path ? steps_of_path(gantt) : []).filter(step => step.held === name).reduce((sum, step) => sum + step.end - step.begin, 0);
  return [...sides].map(([name, messages]) => ({name, messages, held: held(name), most: most_at_once(messages), capacity: point.resources.find(one => one.name === name)?.capacity_B_per_s}))
      .sort((a, b) => b.most - a.most || b.held - a.held);
}
// How many are under way from each date on.
function under_way(messages) {
  const changes = messages.flatMap(({begin, end}) => [[begin, 1], [end, -1]]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let count = 0;
  return changes.map(([date, change]) => [date, count += change]);
}
const most_at_once = messages => Math.max(0, ...under_way(messages).map(([, count]) => count));

function adapter_said(adapter, at, tick) {
  const message = adapter.messages[at], beside = adapter.messages.filter(other => other.begin < message.end && other.end > message.begin);
  const alone = adapter.capacity > 0 && message.bytes > 0 ? ` Alone at the adapter's ${Number((adapter.capacity / 1e9).toPrecision(3))} GB/s its bytes would take ${time_text(message.bytes / adapter.capacity)}.` : "";
  const most = most_at_once(beside);
  return [`Message ${at + 1} of ${adapter.messages.length} through the ${adapter.name}: ${lab_units.data(message.bytes)} from rank ${message.rank} to rank ${message.peer}, ${time_text((message.end - message.begin) * tick)}`,
          `, from ${time_text(message.begin * tick)} to ${time_text(message.end * tick)}. ${most > 1 ? `Meanwhile up to ${most} are under way through it.` : "Nothing else goes through it meanwhile."}${alone}`];
}

function draw_adapter(adapter, at, width, tick) {
  const first = Math.max(0, Math.min(at - adapter_rows / 2, adapter.messages.length - adapter_rows)), shown = adapter.messages.slice(first, first + adapter_rows);
  const from = Math.min(...shown.map(one => one.begin)), to = Math.max(...shown.map(one => one.end)), left = width > 500 ? 118 : 84, right = width - 12, row = 15;
  const top = 6, strip = top + row * shown.length + 16, height = 46, bottom = strip + height, x = t => left + (right - left) * (t - from) / (to - from || 1);
  const steps = under_way(adapter.messages), most = most_at_once(adapter.messages), y = count => bottom - height * count / most;
  const svg = svg_part("svg", {viewBox: `0 0 ${width} ${bottom + 22}`, width, role: "img", "aria-label": `Messages through the ${adapter.name} over time, and how many are under way; the line above tells the one shown`});
  shown.forEach((one, i) => {
    const now = first + i === at, middle = top + row * (i + 0.5);
    svg.append(svg_part("text", {class: now ? "s-ink" : "s-muted", x: left - 8, y: middle + 4, "text-anchor": "end"}, width > 500 ? `rank ${one.rank} → ${one.peer}` : `${one.rank} → ${one.peer}`),
               svg_part("rect", {x: x(one.begin), y: middle - (now ? 6 : 4), width: Math.max(1, x(one.end) - x(one.begin)), height: now ? 12 : 8, rx: 2, fill: now ? "var(--path)" : "var(--c3)", opacity: first + i > at ? 0.3 : 1, class: now ? "now" : ""},
                        svg_part("title", {}, `rank ${one.rank} to rank ${one.peer}`)));
  });
  let path = `M${left} ${bottom}`;
  for (const [date, count] of steps) {
    const where = Math.min(right, Math.max(left, x(date)));
    path += `H${where.toFixed(1)}V${y(count).toFixed(1)}`;
  }
  svg.append(svg_part("path", {class: "s-grid", d: `M${left} ${y(most)}H${right}`}), svg_part("path", {class: "s-frame", d: `M${left} ${bottom}H${right}`}),
             svg_part("path", {d: `${path}V${bottom}Z`, fill: "var(--send)", opacity: 0.45}),
             svg_part("text", {class: "s-muted", x: left - 8, y: y(most) + 4, "text-anchor": "end"}, `${most} at once`), svg_part("text", {class: "s-muted", x: left - 8, y: bottom, "text-anchor": "end"}, "0"));
  svg.append(...time_axis(from * tick, to * tick, left, right, bottom));
  return svg;
}
