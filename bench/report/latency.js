// How long a decision takes, and a pod from the queue to its binding, on a log scale.
const latency = (() => {
  const axis = {label: 'latency (log scale)', format: format.seconds, log: true};

  // The buckets of a histogram from the one before the first that holds something to the last that
  // does; null if none does.
  function buckets(histogram) {
    if (!histogram) return null;
    const upper = data.list(histogram.upper_seconds);
    const counts = data.list(histogram.counts);
    const holds = (i) => upper[i] > 0 && counts[i] > 0;
    let first = 0;
    let last = Math.min(upper.length, counts.length) - 1;
    while (first <= last && !holds(first)) first++;
    while (last >= first && !holds(last)) last--;
    if (first > last) return null;
    if (first > 0 && upper[first - 1] > 0) first--;
    const x = upper.slice(first, last + 1);
    const y = counts.slice(first, last + 1).map((count) => (count > 0 ? count : 0));
    return {x, y, total: y.reduce((sum, count) => sum + count, 0)};
  }
  // Of all, the share that is above each bucket.
  function tail(made) {
    let left = made.total;
    return made.y.map((count) => (left -= count) / made.total);
  }

  function pair(runs, chosen, member, name, title) {
    const {drawn, left} = data.beside(runs, chosen);
    const all = drawn
                    .map(
                        (run, i) => (
                            {run, colour: i, made: buckets((run.result.histograms || {})[member])}))
                    .filter((entry) => entry.made !== null);
    if (all.length === 0) return [];
    const lines = (values) => all.map(
        ({run, colour, made}) =>
            ({label: run.label, colour, x: made.x, y: values(made), strong: run === chosen}));
    const panel = (figure) => dom.element('div', {class: 'panel'}, figure);
    const note = progress.leftOut(left);
    const charted = [panel(charts.draw({
      name,
      title,
      note,
      x: axis,
      stepped: -1,
      y: {label: 'share per bucket', format: format.percent},
      lines: lines((made) => made.y.map((count) => count / made.total)),
    }))];
    const tails = lines(tail).filter((line) => line.y.some((value) => value > 0));
    if (tails.length > 0) {
      charted.push(panel(charts.draw({
        name: name + '-tail',
        title: title + ': the slowest',
        note,
        x: axis,
        stepped: 1,
        y: {label: 'share that took longer (log scale)', format: format.percent, log: true},
        lines: tails,
      })));
    }
    return charted;
  }

  function quantiles(runs, chosen) {
    const rows = [];
    for (const [member, what] of [
             ['latency_seconds', 'one decision'], ['queue_to_bound_seconds', 'queue to bound']]) {
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
      ...pair(runs, chosen, 'decision', 'latency', 'How long a decision takes'),
      ...pair(runs, chosen, 'queue_to_bound', 'queue-to-bound', 'From the queue to bound'),
      quantiles(runs, chosen),
    ].filter(Boolean);
    return made.length ? dom.element('div', {class: 'columns'}, ...made) : null;
  }
  return {draw};
})();
