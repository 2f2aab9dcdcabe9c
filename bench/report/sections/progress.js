// The course of a run: throughput, waiting pods, refused pods and the reasons.
const progress = (() => {
  const time = {label: 'time since the start', times: true};
  const pods = (label) => ({label, format: format.count, tick: format.tick});
  const anything = (values) => data.list(values).some((value) => value > 0);

  function line(run, member, index, chosen) {
    const series = run.result.series;
    if (!series || !anything(series.time_seconds) || !anything(series[member])) return null;
    return {
      label: run.label,
      colour: index,
      x: series.time_seconds,
      y: series[member],
      strong: run === chosen
    };
  }
  function leftOut(left) {
    return left > 0 ? 'Not drawn: ' + format.count(left) + ' more runs; choose one to see it.' : '';
  }

  function throughput(runs, chosen) {
    const {drawn, left} = data.beside(runs, chosen);
    const all = drawn.map((run, i) => line(run, 'decisions_per_second', i, chosen)).filter(Boolean);
    if (all.length === 0) return null;
    return dom.element('div', {class: 'panel full'}, charts.draw({
      name: 'throughput',
      stepped: -1,
      title: 'Throughput over time',
      note: leftOut(left),
      x: time,
      y: {label: 'decisions per second', format: format.rate, tick: format.tick},
      lines: all,
    }));
  }

  function waiting(chosen) {
    const all =
        [
          ['waiting', 'waiting', 1], ['scheduled', 'scheduled so far', 2],
          ['refused', 'refused so far', 5]
        ]
            .map(([member, label, colour]) => {
              const made = line(chosen, member, colour, chosen);
              return made && {...made, label, strong: false};
            })
            .filter(Boolean);
    if (all.length === 0) return null;
    return dom.element('div', {class: 'panel'}, charts.draw({
      name: 'pods',
      title: 'Pods waiting, scheduled and refused',
      x: time,
      y: pods('pods'),
      lines: all,
    }));
  }

  function refused(chosen) {
    const series = chosen.result.series || {};
    const last = (values) => values[values.length - 1];
    const reasons =
        data.list(series.reasons)
            .filter((reason) => reason && anything(reason.refused) && anything(series.time_seconds))
            .sort((a, b) => last(b.refused) - last(a.refused));
    if (reasons.length === 0) return null;
    const most = reasons.slice(0, 8);
    const total = last(most[0].refused) || 1;
    const note =
        reasons.length > most.length ? 'The ' + most.length + ' most frequent; all are below.' : '';
    const drawn = most.map(
        (reason, i) =>
            ({label: String(reason.reason), colour: i, x: series.time_seconds, y: reason.refused}));
    const columns = [
      {name: 'Reason', text: true, cell: (reason) => String(reason.reason)},
      {name: 'Refusals', cell: (reason) => format.count(last(reason.refused))},
      {
        name: 'Bar',
        unseen: true,
        text: true,
        class: 'wide-cell',
        cell: (reason) => dom.bar(last(reason.refused) / total)
      },
    ];
    return dom.element(
        'div', {class: 'panel'}, charts.draw({
          name: 'refused',
          title: 'Refusals by reason',
          note,
          x: time,
          y: pods('refusals so far'),
          lines: drawn
        }),
        dom.table({label: 'Refusals by reason', id: 'reasons'}, columns, reasons));
  }
  return {throughput, waiting, refused, leftOut};
})();
