// What each rank does in the whole run: stacked bars, one per rank or per group of as many consecutive ranks.
class RankTimes extends StackedShares {
  constructor(point) {
    const {shares, ranks, ranks_per_bar} = point.rank_times, slot = (drawing_width(1000) - 66) / shares[0].length;
    super(
        shares, 10000, "Shares of the run by activity, rank by rank; Save CSV has the numbers", 64, Math.min(2, slot / 6));
    Object.assign(this, {point, ranks, together: ranks_per_bar});
  }

  first(bar) {
    return bar * this.together;
  }
  last(bar) {
    return Math.min(this.ranks, this.first(bar + 1)) - 1;
  }

  // A rank's number stands below its bar, that of the first rank of a group below the group's left edge.
  horizontal() {
    let step = this.together;
    while (this.count * this.together > (this.width < 700 ? 6 : 16) * step) step *= 2;
    const ticks = [], inside = this.together === 1 ? 0.5 : 0;
    for (let rank = 0; rank < this.ranks; rank += step)
      ticks.push([this.x(rank / this.together + inside), count_text(rank)]);
    return {title: this.together === 1 ? "rank" : `rank (a bar is the mean of ${count_text(this.together)} ranks)`, ticks};
  }

  tip(bar) {
    const [first, last, run_s] = [this.first(bar), this.last(bar), this.point.makespan_s];
    const parts = activities.map((activity, a) => [activity, this.fraction(a, bar)]);
    return [
      first === last ? `rank ${count_text(first)}` : `ranks ${count_text(first)} to ${count_text(last)}, on average`,
      [...parts, ["none", Math.max(0, 1 - this.stacked(bar))]].map(
          ([name, share]) => [name, percent_text(share), time_text(share * run_s)])
    ];
  }

  rows() {
    return [
      ["first_rank", "last_rank", ...activities.map(activity => activity + "_s")],
      ...Array.from(
          {length: this.count},
          (_, bar) =>
              [this.first(bar), this.last(bar),
               ...activities.map((_, a) => this.fraction(a, bar) * this.point.makespan_s)])
    ];
  }
}

function rank_times_figure(point) {
  const times = new RankTimes(point), {together, ranks} = times;
  const each = together === 1 ? "each rank" : `each ${count_text(together)} ranks`;
  const percent = share => significant(share / 100, 2);
  return el(
      "figure", {class: "full"},
      caption(
          `Total activity of ${each}`,
          save_buttons("ranks " + point.label, () => times.saved(), () => times.rows())),
      el("p", {class: "hint"},
         together === 1 ?
             "Share of the run spent on each activity, and its range over the ranks. Blank: a rank that has finished." :
             `Share of the run by activity, the mean of ${count_text(together)} consecutive ranks of ${
                 count_text(ranks)} to a bar, and its range over the bars. What is blank: ranks that have ended.`),
      times.key(values => `${percent(Math.min(...values))} to ${percent(Math.max(...values))} %`),
      times.listen(times.drawing()));
}
