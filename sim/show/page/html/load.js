// Loads over time, as shares of what the resources can carry: the busiest one by one, and all of a kind together, which is
// complete however many they are. A name in the legend shows or hides its curve.

// `drawn` are {name, said, load (per mille by bin), hidden}; `most` is where the axis ends, if not at the highest value.
function loads_figure(point, title, hint, file, drawn, y_title, most) {
  const bins = drawn[0].load.length, [factor, unit] = unit_for(point.makespan_s, time_units), end = point.makespan_s / factor;
  const at = bin => (bin + 0.5) * end / bins;
  const series = drawn.map(({name, load}, i) => ({name, look: looks[i], values: load.map(v => v / 10)}));
  const shown = new Set(series.filter((_, i) => !drawn[i].hidden));
  const picture = () => plot(series.filter(one => shown.has(one)), {
    title: `${title}: ${point.label}`,
    labels: Array.from({length: bins}, (_, bin) => `${significant(at(bin), 3)} ${unit}`),
    range: end,
    width: 1000,
    height: 300,
    least: 0,
    most,
    y_title,
    x_title: `time (${unit})`,
    tip_text: v => v.toFixed(1) + " %"
  });
  const rows = () => [
      ["time_s", ...series.map(one => one.name)],
      ...Array.from({length: bins}, (_, bin) => [at(bin) * factor, ...drawn.map(({load}) => load[bin] / 1000)])];
  const legend = el("div", {class: "bar legend", role: "group", "aria-label": "curves"});
  let svg = picture();
  const toggle = one => {
    if (!shown.delete(one)) shown.add(one);
    const next = picture();
    next.style.maxWidth = svg.style.maxWidth;
    svg.replaceWith(next);
    svg = next;
    draw_legend();
  };
  const draw_legend = () => legend.replaceChildren(
      ...series.map((one, i) => legend_button({...one, name: drawn[i].said}, shown.has(one), () => toggle(one))));
  draw_legend();
  return el(
      "figure", {class: "full"},
      caption(title, save_buttons(`${file} ${point.label}`, () => with_legend(picture(), series.filter(one => shown.has(one)), point.label), rows)),
      el("p", {class: "hint"}, `${hint} Click a name to show or hide it.`), legend, svg);
}

// As many as there are looks: the busiest of each kind, which are shown first, then the busiest of all.
function load_figure(point) {
  const all = point.resources.filter(resource => resource.load.length > 1);
  const first_of_kind = all.filter(resource => all.find(other => other.kind === resource.kind) === resource);
  const chosen = [...first_of_kind, ...all.filter(resource => !first_of_kind.includes(resource))].slice(0, looks.length);
  return loads_figure(
      point, "Load of the busiest resources over time", "The table of resources has the totals.", "load",
      chosen.map(resource => ({name: resource.name, said: resource.name, load: resource.load, hidden: !first_of_kind.includes(resource)})),
      "load (%)", 100);
}

function kinds_figure(point) {
  const kinds = point.kinds.filter(kind => kind.load.length > 1), name = kind => `${kind.name} (${count_text(kind.resources)})`;
  const highest = Math.max(...kinds.flatMap(kind => kind.load)) / 10;
  return loads_figure(
      point, "Load by type of resource",
      "Traffic on all resources of a type, as a share of their combined capacity; the legend gives the share over the whole run.", "kinds",
      kinds.map(kind => ({name: name(kind), said: `${name(kind)} ${percent_text(kind.used)}`, load: kind.load})), "mean load (%)",
      highest > 50 ? 100 : undefined);  // a mean is often low: the curves would lie on the axis
}
