// The collectives of a point: which algorithm ran, how often, how long, at what bus bandwidth.
function collectives_card(point) {
  const size = c => c.least_B < c.most_B ? bytes_text(c.least_B) + " to " + bytes_text(c.most_B) :
                                           c.size_B > 0 ? bytes_text(c.size_B) : "";
  const named = point.collectives.some(c => c.name);
  const columns = [
    {title: "operation", cell: c => c.operation}, {title: "of", cell: c => c.name}, {title: "algorithm", cell: c => c.algorithm},
    {title: "ranks", number: true, cell: c => count_text(c.ranks)},
    {title: "size", number: true, cell: size},
    {title: "calls", number: true, cell: c => count_text(c.calls)},
    {title: "steps", number: true, cell: c => count_text(c.steps)},
    {title: "messages", number: true, cell: c => count_text(c.messages)},
    {title: "each", number: true, cell: c => time_text(c.time_s / c.calls)},
    {title: "longest", number: true, cell: c => time_text(c.longest_s)},
    {title: "late", number: true, cell: c => time_text(c.late_s / c.calls)},
    {title: "bus bandwidth", number: true, cell: c => c.bus_B_per_s > 0 ? bandwidth_text(c.bus_B_per_s) : ""}
  ];
  const keys = [
    "operation", "name", "algorithm", "ranks", "size_B", "calls", "steps", "messages", "time_s", "longest_s", "late_s",
    "bus_B_per_s"
  ];
  const rows = () => [keys, ...point.collectives.map(c => keys.map(key => c[key]))];
  return el(
      "figure", {class: "full"}, caption("Collectives", save_buttons("collectives " + point.label, null, rows)),
      el("p", {class: "hint"},
         "A row sums up the calls of one kind. Of: what the program calls it. Algorithm: the one that ran, also where a selector " +
             "chose it. Steps: the most messages that one rank sends or receives on one channel in a call. Each: the mean time of a " +
             "call, on its slowest rank and from that rank's own start. Late: how much of that, on average, went by until the last " +
             "rank had come. Bus bandwidth: what the links of each rank carry if the algorithm wastes nothing, to be held against that of a " +
             "NIC; as in nccl-tests size / time, times 2(n-1)/n for an allreduce, (n-1)/n where shares are exchanged."),
      table(columns.filter(column => named || column.title !== "of"), point.collectives, {label: "collectives"}));
}
