// Where pods wait and for how many attempts: the queues over time, preemptions, and attempts.
const queues = (() => {
  const time = {label: 'time since the start', times: true};
  const pods = (label) => ({label, format: format.count, tick: format.tick});
  const anything = (values) => data.list(values).some((value) => value > 0);
  const kQueues = [
    ['active', 'active', 1], ['backoff', 'backing off', 3],
    ['error_backoff', 'backing off after an error', 5],
    ['unschedulable', 'unschedulable, until an event helps', 2], ['gated', 'gated', 4],
    ['permit', 'waiting in Permit', 6]
  ];
  const kPreemptions =
      [['preemptions', 'preemptions so far', 1], ['victims', 'evicted pods so far', 5]];

  // One line for each kind of which there is anything; null if there is none.
  function chart(name, title, label, series, values, kinds) {
    if (!series || !values || !anything(series.time_seconds)) return null;
    const lines = kinds.filter(([member]) => anything(values[member]))
                      .map(
                          ([member, text, colour]) =>
                              ({label: text, colour, x: series.time_seconds, y: values[member]}));
    if (lines.length === 0) return null;
    return dom.element(
        'div', {class: 'panel'}, charts.draw({name, title, x: time, y: pods(label), lines}));
  }

  function attempts(result) {
    const bound = data.list((result.attempts || {}).bound);
    const waiting = data.list((result.attempts || {}).waiting);
    const most = Math.max(bound.length, waiting.length);
    const rows = Array
                     .from({length: most}, (_, i) => ({
                                             attempts: i + 1,
                                             bound: bound[i] || 0,
                                             waiting: waiting[i] || 0,
                                           }))
                     .filter((row) => row.bound + row.waiting > 0);
    if (rows.length === 0) return null;
    const total = Math.max(...rows.map((row) => row.bound + row.waiting));
    const backoffs = result.backoffs > 0 ? dom.element('p', {
      class: 'muted',
      text: 'Pods had to back off ' + format.count(result.backoffs) + ' times.'
    }) :
                                           null;
    return dom.element(
        'div', {class: 'panel'}, dom.element('h3', {text: 'Attempts per pod'}),
        dom.table(
            {label: 'Attempts per pod', id: 'attempts'},
            [
              {name: 'Attempts', cell: (row) => format.count(row.attempts)},
              {name: 'Bound pods', cell: (row) => format.count(row.bound)},
              {name: 'Pods that still wait', cell: (row) => format.count(row.waiting)},
              {
                name: 'Bar',
                unseen: true,
                text: true,
                class: 'wide-cell',
                cell: (row) => dom.bar((row.bound + row.waiting) / total)
              },
            ],
            rows),
        backoffs);
  }

  function draw(chosen) {
    const {result} = chosen;
    const series = result.series || {};
    const made = [
      chart('queues', 'Waiting pods by queue', 'pods', series, series.queues, kQueues),
      chart('preemptions', 'Preemptions and evicted pods', 'so far', series, series, kPreemptions),
      attempts(result),
    ].filter(Boolean);
    return made.length ? dom.element('div', {class: 'columns charts'}, ...made) : null;
  }
  return {draw};
})();
