// What the time lines are drawn from, and which part of it tells most: a few iterations, and of many ranks some.
const rows_at_first = 40;        // of more than 64 ranks a part is shown first
const iterations_at_first = 5;  // of more the slowest and its neighbours

// The file holds, per interval: activity, begin after the end before, duration, peer, bytes, row of its phase; in ticks.
function decode(gantt) {
  return gantt.ranks.map(flat => {
    const intervals = [];
    for (let i = 0, now = 0; i < flat.length; i += 6) {
      const [activity, gap, duration, peer, message_B, phase] = flat.slice(i, i + 6);
      const begin = now + gap;
      now = begin + duration;
      intervals.push({activity: activities[activity], begin, end: now, peer, message_B, phase});
    }
    return intervals;
  });
}

class TimeLineData {
  constructor(point) {
    this.point = point;
    this.gantt = point.gantt;
    this.tick = point.gantt.tick_s;
    this.all = decode(point.gantt);
    // [rows] which rank each is, rising.
    this.numbers = point.gantt.numbers.length > 0 ? point.gantt.numbers : this.all.map((_, r) => point.gantt.first_rank + r);
    this.path = this.decode_path();
    [this.from, this.to, this.window_text] = this.telling_window();
  }

  many() {
    return this.all.length > 64;
  }

  // Of many ranks those that the critical path visits in the window; with room left, evenly many of the others.
  telling_ranks() {
    const chosen = new Set(), inside = one => one.begin < this.to && one.end > this.from;
    const add = rank => {
      const place = this.numbers.indexOf(rank);
      if (place >= 0) chosen.add(place);
    };
    for (const {rank, peer} of this.path.filter(inside)) {
      if (chosen.size >= rows_at_first - 1) break;
      add(rank);
      if (peer >= 0) add(peer);
    }
    this.on_path = chosen.size;
    const others = chosen.size > 0 ? Math.max(chosen.size, 16) : rows_at_first;
    for (let i = 0; chosen.size < others && i < others; i++) chosen.add(Math.floor(i * this.all.length / others));
    return [...chosen].sort((a, b) => a - b);
  }

  // The critical path, as far as the time lines go: six numbers a segment.
  decode_path() {
    const flat = this.gantt.path ? this.gantt.path.segments : [], segments = [];
    for (let i = 0; i < flat.length; i += 6) {
      const [kind, rank, peer, begin, end, held_by] = flat.slice(i, i + 6);
      segments.push({kind, rank, peer, begin, end, held_by});
    }
    return segments;
  }

  // [iteration, begin]: where its compared phase starts; a rank may enter other phases of it while others still wait.
  iteration_starts() {
    const compared = this.gantt.phases.filter(phase => phase[0] === this.point.phase);
    const starts = new Map();
    for (const [, iteration, begin] of compared.length > 0 ? compared : this.gantt.phases)
      if (!starts.has(iteration)) starts.set(iteration, begin);
    return [...starts];
  }

  // Where to start looking: many iterations at once are a grey blur. From, to and what that is.
  telling_window() {
    const end = this.gantt.end, starts = this.iteration_starts().filter(([, begin]) => begin < end);
    if (starts.length <= iterations_at_first) return [0, end, ""];
    const until = i => i + 1 < starts.length ? starts[i + 1][1] : end;
    const compared = this.gantt.phases.filter(phase => phase[0] === this.point.phase);
    const lasted = i => {
      const phase = compared.find(([, iteration]) => iteration === starts[i][0]);
      return phase ? phase[3] - phase[2] : until(i) - starts[i][1];
    };
    let slowest = 0;
    for (let i = 1; i < starts.length; i++)
      if (until(i) <= end && lasted(i) > lasted(slowest) * 1.000001) slowest = i;
    const first = Math.max(0, slowest - 1), last = Math.min(starts.length - 1, first + 2);
    return [
      starts[first][1], until(last),
      `iterations ${starts[first][0]} to ${starts[last][0]}, around the slowest of those recorded (${starts[slowest][0]})`
    ];
  }

  // What the picture shows before anyone touches it.
  shown_text() {
    const parts = [];
    if (this.window_text) parts.push(this.window_text);
    if (this.many())
      parts.push(
          `${this.rows_of.length} of ${count_text(this.all.length)} ranks` +
          (this.on_path > 0 ? `, among them ${this.on_path} that the critical path visits` : ", evenly spread"));
    return parts.length > 0 ? `Shown first: ${parts.join("; ")}. "Show all" shows the rest. ` : "";
  }

  rows() {
    const header = ["rank", "activity", "begin_s", "end_s", "peer_rank", "message_B", "phase", "iteration"];
    return [
      header,
      ...this.all.flatMap(
          (intervals, rank) => intervals.map(
              one =>
                  [this.numbers[rank], one.activity, one.begin * this.tick, one.end * this.tick, one.peer < 0 ? "" : one.peer, one.message_B,
                   ...(this.gantt.phases[one.phase] || ["", ""]).slice(0, 2)]))
    ];
  }
}

function ranks_text(gantt) {
  const last = gantt.first_rank + gantt.ranks.length - 1;
  if (gantt.ranks.length >= gantt.ranks_in_all) return "";
  const which = gantt.numbers.length > 0 ? `${count_text(gantt.ranks.length)} ranks` : `Ranks ${gantt.first_rank} to ${last}`;
  return `${which} of ${count_text(gantt.ranks_in_all)} (others: --trace-ranks). `;
}

// Of the whole run, in bins.
function bin_text(gantt) {
  if (!gantt.bin) return "";
  return `The whole run: each interval of ${time_text(gantt.bin)} has the colour of its longest activity. For every activity and message in trace.json, use --trace-time. `;
}

function cut_text(gantt) {
  if (gantt.whole >= gantt.iterations) return "";
  const shown = `Shown: ${gantt.whole > 0 ? "the first " + gantt.whole : "part of the first"} of ${
      gantt.iterations} iterations; `;
  return shown +
      (gantt.left_out > 0 ? "the rest is left out to keep this file small (see trace.json). " :
                            "the engine recorded only the first activities of each rank. ");
}
