// The collectives of a point: which algorithm ran, how often, how long, at what bus bandwidth.
function collectives_card(point) {
  const columns = [
    {title: "operation", cell: c => c.operation}, {title: "algorithm", cell: c => c.algorithm},
    {title: "ranks", number: true, cell: c => count_text(c.ranks)},
    {title: "size", number: true, cell: c => c.size_B > 0 ? bytes_text(c.size_B) : ""},
    {title: "calls", number: true, cell: c => count_text(c.calls)},
    {title: "rounds", number: true, cell: c => count_text(c.rounds)},
    {title: "messages", number: true, cell: c => count_text(c.messages)},
    {title: "each", number: true, cell: c => time_text(c.time_s / c.calls)},
    {title: "longest", number: true, cell: c => time_text(c.longest_s)},
    {title: "bus bandwidth", number: true, cell: c => c.bus_B_per_s > 0 ? bandwidth_text(c.bus_B_per_s) : ""}
  ];
  const keys = [
    "operation", "algorithm", "ranks", "size_B", "calls", "rounds", "messages", "time_s", "longest_s", "bus_B_per_s"
  ];
  const rows = () => [keys, ...point.collectives.map(c => keys.map(key => c[key]))];
  return el(
      "figure", {class: "full"}, caption("Collectives", save_buttons("collectives " + point.label, null, rows)),
      el("p", {class: "hint"},
         "A row sums up the calls of one kind. Algorithm: the one that ran, also where a selector chose it. Rounds: the most messages that " +
             "one rank sends or receives in a call. Each: the mean time of a call, on its slowest rank and from that rank's own " +
             "start. Bus bandwidth: what the links of each rank carry if the algorithm wastes nothing, to be held against that of a " +
             "NIC; as in nccl-tests size / time, times 2(n-1)/n for an allreduce, (n-1)/n where shares are exchanged."),
      table(columns, point.collectives, {label: "collectives"}));
}
