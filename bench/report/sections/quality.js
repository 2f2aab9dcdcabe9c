// The quality of the placements.
const quality = (() => {
  const rows = (values) => data.list(values).filter((row) => row && typeof row === 'object');
  const percentBar = (value) => dom.bar(format.known(value) ? value : 0);

  function panel(id, title, about, columns, values) {
    if (values.length === 0) return null;
    return dom.element(
        'div', {class: 'panel long'}, dom.element('h3', {text: title}),
        dom.element('p', {class: 'small muted', text: about}),
        dom.table({label: title, id}, columns, values));
  }
  const resource = {name: 'Resource', text: true, cell: (row) => String(row.resource)};
  const share = (name, member) => ({name, cell: (row) => format.percent(row[member])});
  const amount = (name, member) =>
      ({name, cell: (row) => format.amount(String(row.resource), row[member])});
  const bar = (member) => ({
    name: 'Bar',
    unseen: true,
    text: true,
    class: 'wide-cell',
    cell: (row) => percentBar(row[member])
  });

  function draw(chosen) {
    const figures = chosen.result.quality || {};
    const made = [
      panel(
          'quality-utilisation', 'Utilisation', 'Share of allocatable amounts that pods request.',
          [
            resource, amount('Requested', 'requested'), amount('Allocatable', 'allocatable'),
            share('Share', 'fraction'), bar('fraction')
          ],
          rows(figures.utilisation)),
      panel(
          'quality-fragmentation', 'Fragmentation',
          'Free on nodes where the remainder, or another resource, is too small for any pod shape.',
          [
            resource, amount('Free', 'free'), amount('Not usable', 'unusable'),
            share('Share', 'fraction'), bar('fraction')
          ],
          rows(figures.fragmentation)),
      panel(
          'quality-balance', 'Balance', 'Utilisation of nodes: mean, standard deviation, maximum.',
          [
            resource, share('Mean', 'mean'), share('Standard deviation', 'standard_deviation'),
            share('Fullest', 'max')
          ],
          rows(figures.balance)),
      panel(
          'quality-spread', 'Spread', 'Pods per topology domain.',
          [
            {name: 'Topology key', text: true, cell: (row) => String(row.topology_key)},
            {name: 'Domains', cell: (row) => format.count(row.domains)},
            {name: 'Fewest', cell: (row) => format.count(row.min)},
            {name: 'Mean', cell: (row) => format.count(row.mean)},
            {name: 'Most', cell: (row) => format.count(row.max)}
          ],
          rows(figures.spread)),
      format.known(figures.preemptions) &&
          dom.element(
              'div', {class: 'panel', id: 'quality-preemptions'},
              dom.element('h3', {text: 'Preemption'}),
              dom.element('p', {text: format.count(figures.preemptions) + ' preemptions'})),
    ].filter(Boolean);
    return made.length ? dom.element('div', {class: 'columns'}, ...made) : null;
  }
  return {draw};
})();
