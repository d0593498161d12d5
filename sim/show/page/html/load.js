// Load of NICs, memories and links over time. Chart.js for looking closely on the screen (hover, series on and off);
// the same numbers as our own SVG for print and for saving.
let load_chart = null;

// As many as there are looks: the busiest of each kind first, then the busiest of all.
function plotted_resources(point) {
  const all = point.resources.filter(resource => resource.load.length > 1);
  const first_of_kind = all.filter(resource => all.find(other => other.kind === resource.kind) === resource);
  return [...first_of_kind, ...all.filter(resource => !first_of_kind.includes(resource))].slice(0, looks.length);
}

function load_figure(point) {
  const resources = plotted_resources(point), bins = resources[0].load.length;
  const [factor, unit] = unit_for(point.makespan_s, time_units),
                 at = bin => (bin + 0.5) * point.makespan_s / bins / factor;
  const labels = Array.from({length: bins}, (_, bin) => significant(at(bin), 3));
  const drawing = () => plot(
      resources.map((resource, i) => ({name: resource.name, look: looks[i], values: resource.load.map(v => v / 10)})), {
        title: "Load over time: " + point.label,
        labels,
        range: at(bins - 0.5),
        width: 1000,
        height: 320,
        least: 0,
        most: 100,
        y_title: "load (%)",
        x_title: `time (${unit})`,
        tip_text: v => v.toFixed(1) + " %"
      });
  const saved = () =>
      with_legend(drawing(), resources.map((resource, i) => ({name: resource.name, look: looks[i]})), point.label);
  const canvas =
      el("canvas",
         {role: "img", "aria-label": "Load of the busiest resources over time; the table of resources has the totals"});
  const rows = () => [
      ["time_s", ...resources.map(resource => resource.name)],
      ...Array.from(
          {length: bins}, (_, bin) => [at(bin) * factor, ...resources.map(resource => resource.load[bin] / 1000)])];
  return {
    figure:
        el("figure", {class: "full"},
           caption("Load of the busiest resources over time", save_buttons("load " + point.label, saved, rows)),
           el("p", {class: "hint noprint"}, "Click a name to show or hide it."),
           el("div", {style: "height:320px", class: "noprint"}, canvas), el("div", {class: "printonly"}, saved())),
    start: () => start_load_chart(canvas, resources, at, bins, unit)
  };
}

const css_color = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function start_load_chart(canvas, resources, at, bins, unit) {
  if (load_chart) load_chart.destroy();
  const ink = css_color("--ink"), line = css_color("--line"), shapes = {
    square: "rect",
    triangle: "triangle",
    diamond: "rectRot",
    cross: "crossRot",
    plus: "cross",
    circle: "circle"
  };
  load_chart = new Chart(canvas, {
    type: "line",
    data: {
      datasets: resources.map((resource, i) => ({
                                label: resource.name,
                                data: resource.load.map((v, bin) => ({x: at(bin), y: v / 10})),
                                borderColor: css_color("--c" + i),
                                backgroundColor: css_color("--c" + i),
                                borderDash: looks[i].dash ? looks[i].dash.split(" ").map(Number) : [],
                                borderWidth: 1.6,
                                pointStyle: shapes[looks[i].marker],
                                stepped: "middle",
                                parsing: false,
                                pointRadius: resource.load.map((_, bin) => (bin + 3 * i) % 24 === 0 ? 4 : 0),
                                hidden: resources.findIndex(other => other.kind === resource.kind) !== i
                              }))
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      interaction: {mode: "index", intersect: false},
      scales: {
        x: {
          type: "linear",
          min: 0,
          max: at(bins - 0.5),
          title: {display: true, text: `time (${unit})`, color: ink},
          ticks: {color: ink, maxTicksLimit: 10},
          grid: {color: line}
        },
        y: {
          min: 0,
          max: 100,
          title: {display: true, text: "load (%)", color: ink},
          ticks: {color: ink},
          grid: {color: line}
        }
      },
      plugins: {
        legend: {labels: {color: ink, usePointStyle: true, boxWidth: 9}},
        tooltip: {
          callbacks: {
            title: items => significant(items[0].parsed.x) + " " + unit,
            label: item => ` ${item.dataset.label}: ${item.parsed.y.toFixed(1)} %`
          }
        }
      }
    }
  });
}
