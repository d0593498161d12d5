// Time lines of the ranks: zoom (wheel with Ctrl, buttons, keys), pan (drag, arrows), tooltips. Five batched paths
// draw any number of intervals; what the pointer is on is looked up in the data.
const activities = ['compute', 'send', 'receive', 'wait', 'barrier'];
// Shape repeats colour: full height, upper half, lower half, thin line, low block.
const activity_shape = {
  compute: [0, 1],
  send: [0, 0.5],
  receive: [0.5, 1],
  wait: [0.44, 0.56],
  barrier: [0.7, 1]
};

function decode(gantt) {
  return gantt.ranks.map(flat => {
    const intervals = [];
    for (let i = 0, now = 0; i < flat.length; i += 6) {
      const begin = now + flat[i + 1], end = begin + flat[i + 2];
      intervals.push(
          {activity: activities[flat[i]], begin, end, peer: flat[i + 3], message_B: flat[i + 4], phase: flat[i + 5]});
      now = end;
    }
    return intervals;
  });
}

function gantt_figure(point) {
  const gantt = point.gantt, ranks = decode(gantt), width = 1160, left = 96, right = width - 8, top = 22;
  const row = Math.max(7, Math.min(30, 620 / ranks.length)), height = top + row * ranks.length + 30,
        whole = gantt.end_ns;
  let from = 0, to = whole, focus = [0, -1];
  const svg = svg_el('svg', {
    viewBox: `0 0 ${width} ${height}`,
    class: 'gantt',
    role: 'application',
    tabindex: '0',
    'aria-label':
        'Time lines of ranks. Plus and minus zoom, left and right move, up and down choose a rank, n and p step through its activities, 0 shows all.'
  });
  const x = t => left + (right - left) * (t - from) / (to - from);

  function rank_labels() {
    const group = svg_el('g');
    ranks.forEach((_, r) => {
      const [node, cores, gpu] = point.ranks[r] || [0, 1, 0], y = top + row * r,
                          fresh = r === 0 || (point.ranks[r - 1] || [])[0] !== node;
      if (fresh) group.append(svg_el('path', {class: 's-grid', d: `M0 ${y}H${right}`}));
      if (fresh || row >= 11)
        group.append(svg_el(
            'text', {class: 's-muted', x: left - 6, y: y + row / 2 + 4, 'text-anchor': 'end'},
            (fresh ? (point.nodes[node] || 'node ' + node) + ' ' : '') + 'r' + r + (gpu ? ' GPU' : '')));
    });
    return group;
  }

  function time_axis() {
    const group = svg_el('g'), [factor, unit] = unit_for(to * 1e-9, time_units), bottom = top + row * ranks.length;
    for (const tick of ticks(from * 1e-9 / factor, to * 1e-9 / factor, false)) {
      const at = x(tick * factor * 1e9);
      group.append(
          svg_el('path', {class: 's-grid', d: `M${at.toFixed(1)} ${top}V${bottom}`}),
          svg_el(
              'text', {class: 's-muted', x: at, y: bottom + 14, 'text-anchor': 'middle'},
              significant(tick, 6) + ' ' + unit));
    }
    let before = -1, labelled = -1e9;
    for (const [name, iteration, begin, end] of gantt.phases) {
      if (iteration === before || begin < from || begin > to) continue;
      before = iteration;
      const at = x(begin);
      group.append(svg_el('path', {class: 's-frame', d: `M${at.toFixed(1)} ${top - 6}V${bottom}`}));
      if (at - labelled > 70) {
        labelled = at;
        group.append(svg_el('text', {class: 's-muted', x: at + 3, y: top - 8}, 'iteration ' + iteration));
      }
    }
    return group;
  }

  function draw() {
    const paths = Object.fromEntries(activities.map(activity => [activity, '']));
    ranks.forEach((intervals, r) => {
      const y = top + row * r + row * 0.08, tall = row * 0.84;
      for (const {activity, begin, end} of intervals) {
        if (end < from || begin > to) continue;
        const x0 = Math.max(left, x(begin)), x1 = Math.min(right, x(end)), [a, b] = activity_shape[activity];
        paths[activity] += `M${x0.toFixed(2)} ${(y + a * tall).toFixed(1)}h${Math.max(0.25, x1 - x0).toFixed(2)}v${
            ((b - a) * tall).toFixed(1)}H${x0.toFixed(2)}z`;
      }
    });
    const mark = focus[1] >= 0 ? ranks[focus[0]][focus[1]] : null;
    svg.replaceChildren(
        rank_labels(), time_axis(),
        ...activities.map(activity => svg_el('path', {d: paths[activity], fill: `var(--${activity})`})),
        mark && mark.end >= from && mark.begin <= to ? svg_el('rect', {
          class: 's-frame',
          'stroke-width': 2,
          x: Math.max(left, x(mark.begin)),
          y: top + row * focus[0],
          width: Math.max(2, Math.min(right, x(mark.end)) - Math.max(left, x(mark.begin))),
          height: row
        }) :
                                                       '');
  }

  function window_to(a, b) {
    const span = Math.min(whole, Math.max(whole / 1e5, b - a));
    from = Math.max(0, Math.min(whole - span, a));
    to = from + span;
    draw();
  }
  const zoom = (factor, at = (from + to) / 2) => window_to(at - (at - from) * factor, at + (to - at) * factor);
  const time_at = clientX => {
    const box = svg.getBoundingClientRect();
    return from + ((clientX - box.left) * width / box.width - left) / (right - left) * (to - from);
  };

  function describe(r, interval, cx, cy) {
    const [name, iteration] = gantt.phases[interval.phase] || ['', 0], node = (point.ranks[r] || [0])[0];
    const rows =
        [['from', time_text(interval.begin * 1e-9)], ['for', time_text((interval.end - interval.begin) * 1e-9)]];
    if (interval.peer >= 0) rows.push([interval.activity === 'send' ? 'to' : 'with', 'rank ' + interval.peer]);
    if (interval.message_B > 0) rows.push(['message', bytes_text(interval.message_B)]);
    if (name) rows.push(['phase', `${name}, iteration ${iteration}`]);
    rows.push(['node', point.nodes[node] || String(node)]);
    show_tip(cx, cy, `rank ${r}: ${interval.activity}`, rows);
  }

  let drag = null;
  svg.addEventListener('pointerdown', event => {
    drag = {x: event.clientX, from, to};
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener('pointerup', () => {
    drag = null;
  });
  svg.addEventListener('pointermove', event => {
    const box = svg.getBoundingClientRect();
    if (drag) {
      const shift = (drag.x - event.clientX) * width / box.width / (right - left) * (drag.to - drag.from);
      return window_to(drag.from + shift, drag.to + shift);
    }
    const r = Math.floor(((event.clientY - box.top) * height / box.height - top) / row), t = time_at(event.clientX);
    const found = (ranks[r] || []).find(interval => interval.begin <= t && t <= interval.end);
    if (found && t >= from)
      describe(r, found, event.clientX, event.clientY);
    else
      hide_tip();
  });
  svg.addEventListener('pointerleave', hide_tip);
  svg.addEventListener('wheel', event => {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.25 : 0.8, time_at(event.clientX));
    }
  }, {passive: false});
  svg.addEventListener('keydown', event => {
    const span = to - from, step = (r, i) => {
      focus = [r, Math.max(0, Math.min(ranks[r].length - 1, i))];
      const interval = ranks[r][focus[1]], box = svg.getBoundingClientRect();
      if (!interval) return;
      if (interval.end < from || interval.begin > to)
        window_to(interval.begin - span * 0.2, interval.begin + span * 0.8);
      else
        draw();
      describe(
          r, interval, box.left + x(Math.max(from, interval.begin)) * box.width / width,
          box.top + (top + row * (r + 1)) * box.height / height);
    };
    const act = {
      '+': () => zoom(0.7),
      '=': () => zoom(0.7),
      '-': () => zoom(1.4),
      '0': () => window_to(0, whole),
      ArrowLeft: () => window_to(from - span * 0.2, to - span * 0.2),
      ArrowRight: () => window_to(from + span * 0.2, to + span * 0.2),
      ArrowDown: () => step(Math.min(ranks.length - 1, focus[0] + 1), 0),
      ArrowUp: () => step(Math.max(0, focus[0] - 1), 0),
      n: () => step(focus[0], focus[1] + 1),
      p: () => step(focus[0], focus[1] - 1),
      Escape: hide_tip
    }[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  });
  draw();

  const shares = Object.fromEntries(activities.map(activity => [activity, 0]));
  ranks.forEach(intervals => intervals.forEach(interval => {
    shares[interval.activity] += interval.end - interval.begin;
  }));
  const all = Object.values(shares).reduce((a, b) => a + b, 0) || 1;
  const key =
      activities.filter(activity => shares[activity] > 0)
          .map(
              activity => el(
                  'span', {class: 'bar'},
                  svg_el('svg', {width: 26, height: 14, viewBox: '0 0 26 14', 'aria-hidden': 'true'}, svg_el('rect', {
                           x: 0,
                           width: 26,
                           y: 14 * activity_shape[activity][0],
                           height: 14 * (activity_shape[activity][1] - activity_shape[activity][0]),
                           fill: `var(--${activity})`
                         })),
                  `${activity} ${percent_text(shares[activity] / all)}`));
  const cut = gantt.whole < gantt.iterations ?
      `Shown: ${gantt.whole > 0 ? 'the first ' + gantt.whole : 'part of the first'} of ${
          gantt.iterations} iterations; the rest was cut to keep this file small (trace.json has more). ` :
      gantt.cut ? 'The engine kept the first activities of each rank only. ' :
                  '';
  const rows = () => [
      ['rank', 'activity', 'begin_s', 'end_s', 'peer_rank', 'message_B', 'phase', 'iteration'],
      ...ranks.flatMap(
          (intervals, r) => intervals.map(
              i =>
                  [r, i.activity, i.begin * 1e-9, i.end * 1e-9, i.peer < 0 ? '' : i.peer, i.message_B,
                   ...(gantt.phases[i.phase] || ['', '']).slice(0, 2)]))];
  const button = (text, label, action) =>
      el('button', {type: 'button', 'aria-label': label, title: label, onclick: action}, text);
  return el(
      'figure', {class: 'full'},
      el('figcaption', {}, 'What every rank does', el('span', {class: 'grow'}),
         save_buttons('time lines ' + point.label, () => svg, rows)),
      el('p', {class: 'hint'}, cut + 'Shares are of the time shown, over all ranks. Drag to move, Ctrl+wheel to zoom.'),
      el('div', {class: 'bar'}, key, el('span', {class: 'grow'}),
         el('span', {class: 'bar noprint'}, button('−', 'zoom out', () => zoom(1.6)),
            button('+', 'zoom in', () => zoom(0.6)), button('Show all', 'show all', () => window_to(0, whole)))),
      svg);
}
