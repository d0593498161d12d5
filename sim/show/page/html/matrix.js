// Who sends how much to whom (heat map), and who owns which part of the data (partition).
function blend(share) {
  return `color-mix(in srgb, var(--heat1) ${(100 * share).toFixed(0)}%, var(--heat0))`;
}

function matrix_figure(point) {
  // Many ranks share rows and columns: `group` consecutive ones each.
  const ranks = point.ranks.length, group = point.traffic_group, count = Math.ceil(ranks / group), cells = [],
        size = 430, left = ranks > 999 ? 48 : 40, top = 30, cell = (size - left - 8) / count;
  const node_of = g => point.ranks[g * group][0], last_of = g => Math.min(ranks, (g + 1) * group) - 1,
        name_of = g => group === 1 ? `rank ${g}` : `ranks ${g * group} to ${last_of(g)}`;
  for (let i = 0; i < point.traffic.length; i += 4)
    cells.push({
      from: point.traffic[i],
      to: point.traffic[i + 1],
      messages: point.traffic[i + 2],
      volume_B: point.traffic[i + 3]
    });
  const volumes = cells.map(c => c.volume_B).filter(v => v > 0), most = Math.max(1, ...volumes),
        least = Math.min(most, ...volumes);
  const log = most / least > 20,
        share = v => v <= 0 ? 0 :
      most === least        ? 1 :
      log                   ? Math.log(v / least) / Math.log(most / least) :
                              v / most;
  const svg = svg_el("svg", {
    viewBox: `0 0 ${size} ${size + 34}`,
    role: "img",
    "aria-label": "Volume sent from each rank (row) to each rank (column)"
  });
  svg.append(svg_el("rect", {class: "s-frame", x: left, y: top, width: cell * count, height: cell * count}));
  for (const c of cells)
    svg.append(svg_el("rect", {
      x: (left + cell * c.to).toFixed(2),
      y: (top + cell * c.from).toFixed(2),
      width: cell.toFixed(2),
      height: cell.toFixed(2),
      style: "fill:" + blend(0.12 + 0.88 * share(c.volume_B))
    }));
  const stride = Math.ceil(count / 16);
  for (let r = 0; r < count; r++) {
    const at = cell * r;
    if (r > 0 && node_of(r) !== node_of(r - 1) && cell > 5)
      svg.append(svg_el("path", {
        class: "s-grid",
        d: `M${left} ${(top + at).toFixed(2)}h${(cell * count).toFixed(2)}M${(left + at).toFixed(2)} ${top}v${
            (cell * count).toFixed(2)}`
      }));
    if (r % stride === 0)
      svg.append(
          svg_el("text", {class: "s-muted", x: left - 5, y: top + at + cell / 2 + 4, "text-anchor": "end"}, r * group),
          svg_el("text", {class: "s-muted", x: left + at + cell / 2, y: top - 5, "text-anchor": "middle"}, r * group));
  }
  svg.append(
      svg_el("text", {class: "s-text", x: left + cell * count / 2, y: 12, "text-anchor": "middle"}, "to rank"),
      svg_el(
          "text",
          {class: "s-text", transform: `translate(11 ${top + cell * count / 2}) rotate(-90)`, "text-anchor": "middle"},
          "from rank"));
  for (let i = 0; i < 24; i++)
    svg.append(svg_el(
        "rect",
        {x: left + 120 + 8 * i, y: size + 8, width: 8.2, height: 10, style: "fill:" + blend(0.12 + 0.88 * i / 23)}));
  svg.append(
      svg_el(
          "text", {class: "s-muted", x: left + 114, y: size + 17, "text-anchor": "end"}, volume_text(log ? least : 0)),
      svg_el("text", {class: "s-muted", x: left + 318, y: size + 17}, volume_text(most)));
  svg.addEventListener("pointermove", event => {
    const box = svg.getBoundingClientRect(), scale = size / box.width,
          to = Math.floor(((event.clientX - box.left) * scale - left) / cell),
          from = Math.floor(((event.clientY - box.top) * scale - top) / cell);
    if (to < 0 || from < 0 || to >= count || from >= count) return hide_tip();
    const found = cells.find(c => c.from === from && c.to === to), node = g => point.nodes[node_of(g)] || "";
    show_tip(
        event.clientX, event.clientY,
        group === 1 ? `rank ${from} to rank ${to}` : `${name_of(from)}, to ${name_of(to)}`, [
          [found ? volume_text(found.volume_B) : "nothing", found ? count_text(found.messages) + " messages" : ""],
          [node(from), "to " + node(to)]
        ]);
  });
  svg.addEventListener("pointerleave", hide_tip);
  const rows = () => [
      ["from_rank", "to_rank", "messages", "volume_B"],
      ...cells.map(c => [c.from * group, c.to * group, c.messages, c.volume_B])];
  return el(
      "figure", {}, caption("Traffic between ranks", save_buttons("traffic " + point.label, () => svg, rows)),
      el("p", {class: "hint"},
         (volumes.length === 0 ? "No messages. " :
                                 `Volume over the whole run${log ? ", on a logarithmic scale" : ""}. `) +
             (group === 1 ? "" : `Each row and column stands for ${group} consecutive ranks. `) +
             (cell > 5 ? "Lines separate nodes." : "")),
      svg);
}

// Node n gets colour n; beyond seven nodes a hatching in another direction keeps neighbours apart.
function node_fill(defs, known, node) {
  if (known.has(node)) return known.get(node);
  const color = `var(--c${node % 7})`, round = Math.floor(node / 7) % 4, id = "h" + Math.random().toString(36).slice(2);
  const pattern = svg_el(
      "pattern",
      {id, width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: `rotate(${[0, 45, 135, 90][round]})`},
      svg_el("rect", {width: 7, height: 7, fill: color, "fill-opacity": 0.38}),
      round > 0 ? svg_el("path", {d: "M0 3.5h7", stroke: color, "stroke-width": 2}) : null);
  defs.append(pattern);
  known.set(node, `url(#${id})`);
  return known.get(node);
}

function partition_figure(point) {
  // The shorter side of a long grid, such as rows of a matrix, is drawn longer than it is.
  const {columns, rows, rectangles} = point.partition, size = 430, most = Math.max(columns, rows),
                        wide = size * Math.max(columns / most, 0.3), tall = size * Math.max(rows / most, 0.3),
                        stretched = Math.min(columns, rows) < 0.3 * most, across = wide / columns, down = tall / rows;
  const svg = svg_el("svg", {
    viewBox: `0 0 ${wide.toFixed(1)} ${tall.toFixed(1)}`,
    style: `width:${(100 * wide / size).toFixed(1)}%`,
    role: "img",
    "aria-label": `Partition of ${columns} by ${rows} blocks among ${rectangles.length} ranks`
  }),
        defs = svg_el("defs"), known = new Map();
  svg.append(defs);
  rectangles.forEach(([x, y, width, height], r) => {
    if (width === 0 || height === 0) return;
    const [node, cores, gpu] = point.ranks[r] || [0, 1, 0], room = Math.min(width * across / 2, height * down);
    const describe = event => show_tip(event.clientX, event.clientY, "rank " + r, [
      ["blocks", `${width} x ${height}`], ["share", percent_text(width * height / (columns * rows))],
      ["node", point.nodes[node] || String(node)],
      ["runs on", gpu ? "a GPU" : cores + (cores === 1 ? " core" : " cores")]
    ]);
    svg.append(svg_el(
        "g", {onpointermove: describe, onpointerleave: hide_tip}, svg_el("rect", {
          x: (x * across).toFixed(2),
          y: (y * down).toFixed(2),
          width: (width * across).toFixed(2),
          height: (height * down).toFixed(2),
          fill: node_fill(defs, known, node),
          class: "s-frame-fill",
          stroke: "var(--ink)",
          "stroke-width": gpu ? 2 : 0.8
        }),
        room >= 9 ? svg_el(
                        "text", {
                          class: "s-text s-halo",
                          x: (x + width / 2) * across,
                          y: (y + height / 2) * down + 4,
                          "text-anchor": "middle"
                        },
                        r) :
                    null));
  });
  const key = [...known].map(
      ([node, pattern]) =>
          el("span", {class: "key"},
             svg_el(
                 "svg", {width: 18, height: 14, viewBox: "0 0 18 14", "aria-hidden": "true"},
                 svg_el("rect", {width: 18, height: 14, fill: pattern, stroke: "var(--ink)", "stroke-width": 0.8})),
             el("span", {class: "faint"}, point.nodes[node] || "node " + node)));
  const rows_of = () => [
      ["rank", "x", "y", "width", "height", "node"],
      ...rectangles.map((rectangle, r) => [r, ...rectangle, point.nodes[(point.ranks[r] || [0])[0]]])];
  return el(
      "figure", {}, caption("Partition", save_buttons("partition " + point.label, () => svg, rows_of)),
      el("p", {class: "hint"},
         `${columns} x ${rows} blocks${stretched ? " (not to scale)" : ""}. Numbers are ranks, colours are nodes; a thick ` +
             "border marks a GPU."),
      svg, el("div", {class: "bar"}, key));
}
