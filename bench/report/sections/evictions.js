// How runs come through the evictions of controllers: evicted pods and pods without a node over the
// run's own time, and the time until all is as before.
const evictions = (() => {
  const kUnits = [[3600, 'h'], [60, 'min'], [1, 's']];
  const kLeastInUnit = 5;  // an axis has the largest unit of which it is so long

  const overTime = (run) => run.result.evictions_over_time || {};
  const had = (run) => Boolean(run.result.evictions) && data.numbers(overTime(run).seconds);
  // From the last sample before the first eviction: until then pods wait as they arrive.
  function line(run, member, index, chosen) {
    const {seconds} = overTime(run);
    const values = data.list(overTime(run)[member]);
    const from =
        Math.max(0, seconds.findLastIndex((time) => time <= run.result.evictions.first_seconds));
    return {
      label: run.label,
      colour: index,
      x: seconds.slice(from),
      y: values.slice(from),
      strong: run === chosen
    };
  }

  function chart(name, title, label, member, runs, chosen) {
    const {drawn, left} = data.beside(runs, chosen);
    const made = drawn.map((run, i) => line(run, member, i, chosen));
    const most = Math.max(...made.flatMap((of) => of.x));
    const [size, unit] =
        kUnits.find(([size]) => most >= kLeastInUnit * size) || kUnits[kUnits.length - 1];
    return dom.element('div', {class: 'panel'}, charts.draw({
      name,
      title,
      note: progress.leftOut(left),
      stepped: 1,
      x: {
        label: 'time of the run (' + unit + ')',
        format: (value) => format.duration(value * size),
        tick: format.tick
      },
      y: {label, format: format.count, tick: format.tick},
      lines: made.map((of) => ({...of, x: of.x.map((value) => value / size)})),
    }));
  }

  function recovery(runs, chosen) {
    const rows = data.beside(runs, chosen).drawn.map((run) => {
      const {first_seconds: first, last_seconds: last, settled_seconds: settled} =
          run.result.evictions;
      const after = format.known(settled) ? settled - first : null;
      return {name: run.label, count: run.result.pods_disrupted, first, last, settled, after};
    });
    const most = Math.max(...rows.map((row) => row.after || 0)) || 1;
    return dom.element(
        'div', {class: 'panel long full', id: 'recovery'},
        dom.element('h3', {text: 'Time until everything runs again'}), dom.element('p', {
          class: 'small muted',
          text: 'From the first eviction until, after the last, no more pods wait than before.'
        }),
        dom.table(
            {label: 'Time until everything runs again', id: 'recovery-table'},
            [
              {name: 'Run', text: true, cell: (row) => row.name},
              {name: 'Evicted by controllers', cell: (row) => format.count(row.count)},
              {name: 'First eviction', cell: (row) => format.duration(row.first)},
              {name: 'Last eviction', cell: (row) => format.duration(row.last)},
              {
                name: 'Everything runs',
                cell: (row) =>
                    (row.after === null ? 'not until the end' : format.duration(row.settled))
              },
              {name: 'Time', cell: (row) => format.duration(row.after)},
              {
                name: 'Bar',
                unseen: true,
                text: true,
                class: 'wide-cell',
                cell: (row) => dom.bar((row.after || 0) / most)
              },
            ],
            rows));
  }

  function draw(all, chosen) {
    if (!had(chosen)) return null;
    const runs = all.filter((run) => run.workload === chosen.workload && had(run));
    return dom.element(
        'div', {class: 'columns charts'},
        chart('evictions', 'Evicted pods', 'evicted pods so far', 'evicted', runs, chosen),
        chart(
            'without-node', 'Pods without a node', 'pods without a node', 'without_node', runs,
            chosen),
        recovery(runs, chosen));
  }
  return {draw};
})();
