// The most important figures: those of the chosen run, one row per run, and the spread of the
// repetitions.
const headline = (() => {
  const {element} = dom;

  function tile(name, figure, below) {
    return element(
        'div', {class: 'panel tile'}, element('dt', {text: name}),
        element(
            'dd', {}, element('div', {class: 'figure', text: figure}),
            below && element('div', {class: 'small', text: below})));
  }
  function times(value) {
    return (value >= 10 ? format.count(Math.round(value)) : String(Number(value.toPrecision(2)))) +
        '\u00d7';
  }

  // The repetitions' samples of a figure, which say how many of its digits mean something.
  const samplesOf = (result, name) => (result.samples || {})[name];
  const rateOf = (result) =>
      format.rate(result.decisions_per_second, samplesOf(result, 'decisions_per_second'));
  const latencyOf = (result, name) => format.seconds(
      (result.latency_seconds || {})[name], samplesOf(result, 'latency_' + name + '_seconds'));
  const memoryOf = (result) =>
      format.bytes(result.peak_memory_bytes, samplesOf(result, 'peak_memory_bytes'));

  function against(result) {
    const compared = result.kube_scheduler;
    const rate = result.decisions_per_second;
    if (!compared || !(compared.decisions_per_second > 0) || !format.known(rate)) return null;
    return {
      factor: rate / compared.decisions_per_second,
      rate: compared.decisions_per_second,
      what: String(compared.what || 'kube-scheduler')
    };
  }
  const floorOf = (result) =>
      (result.threshold_decisions_per_second > 0 ? result.threshold_decisions_per_second : null);

  function notScheduled(result) {
    const parts = [];
    for (const [member, text] of [
             ['pods_unschedulable', 'unschedulable'], ['pods_failed', 'failed'],
             ['pods_gated', 'gated'], ['pods_evicted', 'evicted']]) {
      if (result[member] > 0) parts.push(format.count(result[member]) + ' ' + text);
    }
    return parts.join(', ');
  }

  function tiles(run) {
    const result = run.result;
    const latency = result.latency_seconds || {};
    const queued = result.queue_to_bound_seconds || {};
    const compared = against(result);
    const made = [];
    const add = (value, name, text, below) =>
        format.known(value) && made.push(tile(name, text(value), below));
    add(result.decisions_per_second, 'Decisions', () => rateOf(result),
        result.repetitions > 1 ? 'median of ' + format.count(result.repetitions) + ' repetitions' :
                                 '');
    add(compared && compared.factor, 'Against kube-scheduler', times,
        compared && format.rate(compared.rate) + ' by ' + compared.what);
    add(latency.p50, 'One decision, median', () => latencyOf(result, 'p50'),
        'mean ' + format.seconds(latency.mean));
    add(latency.p99, 'One decision, p99', () => latencyOf(result, 'p99'),
        'p99.9 ' + format.seconds(latency.p999) + ', max ' + format.seconds(latency.max));
    const queuedText = (name) =>
        format.seconds(queued[name], samplesOf(result, 'queue_to_bound_' + name + '_seconds'));
    add(queued.p99, 'Queue to bound, p99', () => queuedText('p99'), 'median ' + queuedText('p50'));
    add(result.pods_scheduled, 'Pods scheduled', format.count, [
      format.known(result.pods_total) ? 'of ' + format.count(result.pods_total) : '',
      notScheduled(result)
    ].filter(Boolean).join('; '));
    add(result.peak_memory_bytes, 'Peak memory', () => memoryOf(result),
        format.known(result.bytes_per_node) ? format.bytes(result.bytes_per_node) + ' a node' : '');
    add(result.allocations_per_decision, 'Allocations per decision',
        (v) => format.count(v, samplesOf(result, 'allocations_per_decision')));
    return made.length ?
        element(
            'div', {},
            element('p', {class: 'small muted', id: 'tiles-of', text: 'Figures of ' + run.name}),
            element('dl', {class: 'tiles', id: 'tiles', 'aria-labelledby': 'tiles-of'}, ...made)) :
        null;
  }

  // If all runs belong to one workload, which the title names, a run is called by its label.
  function nameOf(run, one) {
    return one ? [run.label, ''] : [run.workload, run.label === run.workload ? '' : run.label];
  }
  const columns = (choose, one) => {
    const figure = (name, text) => ({name, cell: (run) => text(run.result)});
    const all = [
      {
        name: one ? 'Run' : 'Workload',
        text: true,
        cell: (run) => {
          const [name, below] = nameOf(run, one);
          return dom.stacked(
              element(
                  'button',
                  {type: 'button', class: 'plain', text: name, onclick: () => choose(run)}),
              below);
        }
      },
      figure('Nodes', (r) => format.count(r.nodes)),
      {
        name: 'Pods scheduled',
        cell: (run) =>
            dom.stacked(format.count(run.result.pods_scheduled), notScheduled(run.result))
      },
      figure('Decisions', rateOf),
      {
        name: 'Against kube-scheduler',
        when: (r) => against(r) !== null,
        cell: (run) => {
          const compared = against(run.result);
          return compared ? dom.stacked(times(compared.factor), format.rate(compared.rate)) :
                            '\u2013';
        }
      },
      {
        name: 'Against its CI\u2019s floor',
        when: (r) => floorOf(r) !== null,
        cell: (run) => {
          const floor = floorOf(run.result);
          return floor && format.known(run.result.decisions_per_second) ?
              dom.stacked(times(run.result.decisions_per_second / floor), format.rate(floor)) :
              '\u2013';
        }
      },
      figure('p50', (r) => latencyOf(r, 'p50')),
      figure('p99', (r) => latencyOf(r, 'p99')),
      figure('Max', (r) => format.seconds((r.latency_seconds || {}).max)),
      {
        name: 'Peak memory',
        when: (r) => format.known(r.peak_memory_bytes),
        cell: (run) => memoryOf(run.result)
      },
      {
        name: 'Decision hash',
        class: 'two',
        when: (r) => Boolean(r.decision_hash),
        cell: (run) => element('code', {text: String(run.result.decision_hash || '\u2013')})
      },
    ];
    return (runs) =>
               all.filter((column) => !column.when || runs.some((run) => column.when(run.result)));
  };

  function table(runs, chosen, choose) {
    if (runs.length === 0) return null;
    return element(
        'div', {class: 'panel long'},
        dom.table(
            {
              id: 'headline-table',
              label: 'All runs',
              current: (run) => runs.length > 1 && run === chosen
            },
            columns(choose, runs.every((run) => run.workload === runs[0].workload))(runs), runs));
  }

  // One bar per run of a workload, with a dot for every repetition.
  function spread(runs, chosen) {
    const group = runs.filter(
        (run) => run.workload === chosen.workload && format.known(run.result.decisions_per_second));
    const samples = (run) =>
        data.list((run.result.samples || {}).decisions_per_second).filter(format.known);
    if (!group.some((run) => samples(run).length > 1) && group.length < 2) return null;
    const rows = group.map((run) => ({
                             name: run.label,
                             rate: run.result.decisions_per_second,
                             dots: samples(run),
                             kind: ''
                           }));
    const compared = against(chosen.result);
    if (compared) rows.push({name: compared.what, rate: compared.rate, dots: [], kind: 'other'});
    const floor = floorOf(chosen.result);
    if (floor)
      rows.push({name: 'Floor of kube-scheduler\u2019s CI', rate: floor, dots: [], kind: 'other'});
    const most = Math.max(...rows.map((row) => Math.max(row.rate, ...row.dots)));
    const between = (row) =>
        (row.dots.length > 1 ?
             format.rate(Math.min(...row.dots)) + ' to ' + format.rate(Math.max(...row.dots)) :
             '\u2013');
    return element(
        'div', {class: 'panel long', id: 'repetitions'},
        element('h3', {text: 'Decisions per second of ' + chosen.workload}),
        element(
            'p', {class: 'small muted', text: 'The bar is the median; a dot is one repetition.'}),
        dom.table(
            {label: 'Decisions per second by run'},
            [
              {name: 'Run', text: true, cell: (row) => row.name},
              {name: 'Median', cell: (row) => format.rate(row.rate, row.dots)},
              {name: 'Repetitions', class: 'two', cell: between},
              {
                name: 'Bar',
                unseen: true,
                text: true,
                class: 'wide-cell',
                cell: (row) => dom.bar(row.rate / most, row.dots.map((dot) => dot / most), row.kind)
              },
            ],
            rows));
  }
  return {tiles, table, spread, against};
})();
