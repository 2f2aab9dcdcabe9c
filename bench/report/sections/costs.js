// The time per decision that each extension point, and each plugin at it, takes.
const costs = (() => {
  const kWorthARow = 0.001;  // minimum share of all plugin time
  const perDecision = (row) =>
      (format.known(row.seconds_per_decision) ? row.seconds_per_decision : 0);
  const descending = (rows) => [...rows].sort((a, b) => perDecision(b) - perDecision(a));
  const panel = (heading, ...content) => dom.element(
      'div', {class: 'panel full long'}, dom.element('h3', {text: heading}), ...content);

  function points(result) {
    const rows = descending(data.list(result.extension_points).filter(Boolean));
    const total = rows.reduce((sum, row) => sum + perDecision(row), 0);
    if (!(total > 0)) return null;
    return panel(
        'By extension point',
        dom.table(
            {label: 'Cost by extension point', id: 'points'},
            [
              {name: 'Extension point', text: true, cell: (row) => String(row.extension_point)},
              {name: 'A decision', cell: (row) => format.seconds(row.seconds_per_decision)},
              {name: 'Share', cell: (row) => format.percent(perDecision(row) / total)},
              {
                name: 'Bar',
                unseen: true,
                text: true,
                class: 'wide-cell',
                cell: (row) => dom.bar(perDecision(row) / perDecision(rows[0]))
              },
            ],
            rows));
  }

  function hooks(result) {
    const rows = descending(data.list(result.hooks).filter(Boolean));
    if (rows.length === 0) return null;
    const most = perDecision(rows[0]) || 1;
    const sum = (some) => some.reduce((total, row) => total + perDecision(row), 0);
    const some = (member) => rows.some((row) => row[member] > 0);
    const columns = [
      {
        name: 'Plugin',
        text: true,
        cell: (row) => dom.stacked(String(row.plugin), String(row.extension_point))
      },
      {name: 'A decision', cell: (row) => format.seconds(row.seconds_per_decision)},
      {name: 'A call', cell: (row) => format.seconds(row.seconds_per_call)},
      {name: 'Calls', cell: (row) => format.count(row.calls)},
      some('errors') && {name: 'Errors', cell: (row) => format.count(row.errors)},
      {
        name: 'Bar',
        unseen: true,
        text: true,
        class: 'wide-cell',
        cell: (row) => dom.bar(perDecision(row) / most)
      },
    ].filter(Boolean);
    const counts = (row) => perDecision(row) >= kWorthARow * sum(rows) || row.errors > 0;
    const shown = rows.filter(counts);
    const rest = rows.filter((row) => !counts(row));
    const table = (id, label, part) => part.length > 0 && dom.table({label, id}, columns, part);
    return panel(
        'By plugin', table('hooks', 'Cost by plugin', shown),
        rest.length > 0 &&
            dom.element(
                'details', {}, dom.element('summary', {
                  text: format.count(rest.length) + ' more that take ' + format.seconds(sum(rest)) +
                      ' together'
                }),
                table('hooks-rest', 'Cost of the other plugins', rest)));
  }

  // Plugins are timed in the last warm-up, so their sum may exceed the mean of the repetitions.
  function measuredIn(result) {
    const mean = (result.latency_seconds || {}).mean;
    return dom.element('p', {
      class: 'small muted full',
      id: 'costs-measured',
      text:
          'Measured in a warm-up that times every call and is slower for it; if there was none, ' +
          'in a repetition.' +
          (format.known(mean) ?
               ' The mean decision of the repetitions took ' + format.seconds(mean) + '.' :
               '')
    });
  }

  function draw(chosen) {
    const made = [points(chosen.result), hooks(chosen.result)].filter(Boolean);
    return made.length ?
        dom.element('div', {class: 'columns'}, measuredIn(chosen.result), ...made) :
        null;
  }
  return {draw};
})();
