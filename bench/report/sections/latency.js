// The latency of decisions, and of pods from queue to binding, on a log scale.
const latency = (() => {
  const kSteps = 20;       // steps per power of ten; each is 12 % wide
  const kWidest = 1 / 16;  // maximum width of a bucket relative to its upper end
  const axis = {label: 'latency (log scale)', format: format.seconds, log: true};

  // The non-empty buckets as ascending upper ends and counts; null if there are none.
  function buckets(histogram) {
    if (!histogram) return null;
    const upper = data.list(histogram.upper_seconds);
    const counts = data.list(histogram.counts);
    const held = upper.map((_, i) => i).filter((i) => upper[i] > 0 && counts[i] > 0);
    if (held.length === 0) return null;
    const x = held.map((i) => upper[i]);
    const y = held.map((i) => counts[i]);
    return {x, y, total: y.reduce((sum, count) => sum + count, 0)};
  }
  // The share of values per logarithmic step. The steps are the same for all runs, because bucket
  // widths differ. The values of a bucket are assumed to be evenly spread. A bucket begins where
  // the previous one ends; if that one is empty and unknown, at most kWidest below its own end.
  function density(made) {
    const place = (value) => Math.log10(value) * kSteps;
    const low = (i) => Math.max(i > 0 ? made.x[i - 1] : 0, made.x[i] * (1 - kWidest));
    const first = Math.floor(place(low(0))) - 1;
    const shares = new Array(Math.ceil(place(made.x[made.x.length - 1])) - first + 2).fill(0);
    made.y.forEach((count, i) => {
      const [from, to] = [place(low(i)), place(made.x[i])];
      for (let step = Math.floor(from); step < to; step++) {
        const part = (Math.min(to, step + 1) - Math.max(from, step)) / (to - from);
        shares[step + 1 - first] += (part * count) / made.total;
      }
    });
    return {x: shares.map((_, i) => 10 ** ((first + i) / kSteps)), y: shares};
  }
  // The share of values above each bucket.
  function tail(made) {
    let left = made.total;
    return {x: made.x, y: made.y.map((count) => (left -= count) / made.total)};
  }

  function pair(runs, chosen, member, name, title) {
    const {drawn, left} = data.beside(runs, chosen);
    const all = drawn
                    .map(
                        (run, i) => (
                            {run, colour: i, made: buckets((run.result.histograms || {})[member])}))
                    .filter((entry) => entry.made !== null);
    if (all.length === 0) return [];
    const drawnAs = (shape) => all.map(
        ({run, colour, made}) =>
            ({label: run.label, colour, ...shape(made), strong: run === chosen}));
    const panel = (figure) => dom.element('div', {class: 'panel'}, figure);
    const note = progress.leftOut(left);
    const charted = [panel(charts.draw({
      name,
      title,
      note,
      x: axis,
      stepped: -1,
      y: {label: 'share per step of 12 %', format: format.percent},
      lines: drawnAs(density),
    }))];
    const tails = drawnAs(tail).filter((line) => line.y.some((value) => value > 0));
    if (tails.length > 0) {
      charted.push(panel(charts.draw({
        name: name + '-tail',
        title: title + ': the slowest',
        note,
        x: axis,
        stepped: 1,
        y: {label: 'share of values above (log scale)', format: format.percent, log: true},
        lines: tails,
      })));
    }
    return charted;
  }

  function quantiles(runs, chosen) {
    const rows = [];
    for (const [member, what] of [
             ['latency_seconds', 'one decision'],
             ['latency_steady_seconds', 'one decision, after the first of its kind'],
             ['latency_first_seconds', 'the first decisions of a kind'],
             ['queue_to_bound_seconds', 'queue to bound'],
             ['queue_to_bound_virtual_seconds', 'queue to bound, with all waits']]) {
      for (const run of data.beside(runs, chosen).drawn) {
        const values = run.result[member];
        if (values && Object.values(values).some(format.known))
          rows.push({name: run.label, what, values});
      }
    }
    if (rows.length === 0) return null;
    const column = (name, member) => ({name, cell: (row) => format.seconds(row.values[member])});
    return dom.element(
        'div', {class: 'panel full long'},
        dom.table(
            {label: 'Latencies', id: 'quantiles'},
            [
              {name: 'Run', text: true, cell: (row) => dom.stacked(row.name, row.what)},
              column('Min', 'min'),
              column('Mean', 'mean'),
              column('p50', 'p50'),
              column('p90', 'p90'),
              column('p99', 'p99'),
              column('p99.9', 'p999'),
              column('Max', 'max'),
            ],
            rows));
  }

  function draw(runs, chosen) {
    const made = [
      ...pair(runs, chosen, 'decision', 'latency', 'Time of a decision'),
      ...pair(runs, chosen, 'queue_to_bound', 'queue-to-bound', 'Time from queue to bound'),
      ...pair(
          runs, chosen, 'queue_to_bound_virtual', 'queue-to-bound-virtual',
          'Time from queue to bound, with all waits'),
      quantiles(runs, chosen),
    ].filter(Boolean);
    return made.length ? dom.element('div', {class: 'columns charts'}, ...made) : null;
  }
  return {draw};
})();
