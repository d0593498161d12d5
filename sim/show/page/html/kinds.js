// Load of all resources of a kind together over time: small and complete however many they are.
function kinds_figure(point) {
  const kinds = point.kinds.filter(kind => kind.load.length > 1), bins = kinds[0].load.length;
  const [factor, unit] = unit_for(point.makespan_s, time_units), end = point.makespan_s / factor;
  const at = bin => (bin + 0.5) * end / bins;
  const series = kinds.map(
      (kind, i) => ({name: `${kind.name} (${count_text(kind.resources)})`, look: looks[i], values: kind.load.map(v => v / 10)}));
  const highest = Math.max(...series.flatMap(one => one.values));
  const options = {
    title: "Load by type of resource: " + point.label,
    labels: Array.from({length: bins}, (_, bin) => `${significant(at(bin), 3)} ${unit}`),
    range: end,
    width: 1000,
    height: 300,
    least: 0,
    most: highest > 50 ? 100 : undefined,  // a mean is often low: the curves would lie on the axis
    y_title: "mean load (%)",
    x_title: `time (${unit})`,
    tip_text: v => v.toFixed(1) + " %"
  };
  const rows = () => [
      ["time_s", ...series.map(one => one.name)],
      ...Array.from({length: bins}, (_, bin) => [at(bin) * factor, ...kinds.map(kind => kind.load[bin] / 1000)])];
  return el(
      "figure", {class: "full"},
      caption(
          "Load by type of resource",
          save_buttons("kinds " + point.label, () => with_legend(plot(series, options), series, point.label), rows)),
      el("p", {class: "hint"},
         "Traffic on all resources of a type, as a share of their combined capacity; the legend gives the share over the whole run."),
      el("div", {class: "bar"},
         series.map(
             (one, i) => el("span", {class: "key"}, legend_key(one.look), `${one.name} ${percent_text(kinds[i].used)}`))),
      plot(series, options));
}
