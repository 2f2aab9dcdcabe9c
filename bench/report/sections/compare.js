// Throughput, and the cost of a decision in time and in instructions, against the settings in which
// runs of one workload differ: nodes, templates, placed pods, threads, percentage of nodes
// searched.
const compare = (() => {
  const kMostLines = 8;
  const kLogFrom = 16;  // use a log scale if max/min is at least this
  const percent = (value) => format.percent(value / 100);
  const own = (member) => (result) => (format.known(result[member]) ? result[member] : null);
  const parameter = (name) => (result) => {
    const value = Number((result.parameters || {})[name]);
    return Number.isFinite(value) ? value : null;
  };
  // What is drawn. `name` is part of the charts' names.
  const kThroughput = {
    name: 'by-',
    title: 'Throughput',
    member: 'decisions_per_second',
    label: 'decisions per second',
    format: format.rate
  };
  const kCosts = [
    {
      name: 'cost-by-',
      title: 'Time per decision',
      member: 'seconds_per_decision',
      label: 'time per decision',
      format: format.seconds
    },
    {
      name: 'instructions-by-',
      title: 'Instructions per decision',
      member: 'instructions_per_decision',
      label: 'instructions per decision',
      format: format.count
    },
  ];
  const kDimensions = [
    {name: 'nodes', title: 'by nodes', label: 'nodes', value: own('nodes'), format: format.count},
    {
      name: 'templates',
      title: 'by pod templates',
      label: 'pod templates',
      value: parameter('templates'),
      format: format.count
    },
    {
      name: 'placed',
      title: 'by placed pods',
      label: 'pods placed before',
      value: own('pods_before'),
      format: format.count
    },
    {
      name: 'threads',
      title: 'by threads',
      label: 'threads',
      value: own('threads'),
      format: format.count
    },
    {
      name: 'percentage',
      title: 'by percentage of nodes',
      value: data.percentage,
      label: 'nodes searched for a pod (%)',
      format: percent
    },
  ];

  // Parameters that are redundant with the axis: each of their values occurs with one value of the
  // dimension, and vice versa.
  function axisParameters(group, dimension) {
    const names = new Set(group.flatMap((run) => Object.keys(run.result.parameters || {})));
    const pairs = (name) => new Set(group.map(
        (run) => JSON.stringify(
            [(run.result.parameters || {})[name] ?? null, dimension.value(run.result)])));
    const different = (values) => new Set(values).size;
    return [...names].filter((name) => {
      const values = group.map((run) => (run.result.parameters || {})[name] ?? null);
      const count = pairs(name).size;
      return count > 1 && count === different(values) &&
          count === different(group.map((run) => dimension.value(run.result)));
    });
  }

  const controllers = (list) =>
      (list === '*'    ? 'all controllers' :
           list === '' ? 'no controllers' :
                         'controllers ' + list);

  // The settings that distinguish lines, as [setting, its name, its value].
  function settings(result, without, onAxis) {
    const asked = result.percentage_of_nodes_to_score;
    return [
      ['nodes', format.count(result.nodes) + ' nodes', result.nodes],
      [
        'threads', format.count(result.threads) + (result.threads === 1 ? ' thread' : ' threads'),
        result.threads
      ],
      ['percentage', asked === 0 ? 'default percentage' : percent(asked || 0), asked],
      ['evaluation', String(result.evaluation), result.evaluation],
      ['configuration', String(result.configuration), result.configuration],
      ['Kubernetes', 'Kubernetes ' + result.kube_version, result.kube_version],
      ['feature gates', String(result.feature_gates), result.feature_gates || null],
      ['isolation', 'isolated ' + result.isolation, result.isolation || null],
      ['seed', 'seed ' + result.seed, result.seed],
      ['clock', 'clock ' + result.clock, result.clock],
      ['controllers', controllers(result.controllers), result.controllers],
      ['plugins', data.list(result.plugins).join(' '), data.list(result.plugins).join(' ')],
      ...Object.entries(result.parameters || {})
          .filter(([name]) => !onAxis.includes(name))
          .map(([name, value]) => ['parameter ' + name, name + ' ' + value, value]),
    ].filter(([name, , value]) => name !== without && value !== undefined && value !== null);
  }

  // Groups runs that differ only in the dimension into lines of at least two points.
  function linesOf(group, dimension, figure) {
    const found = new Map();
    // Nodes are identified by their number, whichever parameter sets it.
    const nodes = kDimensions.find(({name}) => name === 'nodes');
    const onAxis = [...axisParameters(group, dimension), ...axisParameters(group, nodes)];
    for (const run of group) {
      const x = dimension.value(run.result);
      const y = run.result[figure.member];
      if (x === null || !format.known(y)) continue;
      const parts = settings(run.result, dimension.name, onAxis);
      const base = JSON.stringify(parts.map(([name, , value]) => [name, value]));
      // A point that was measured twice starts another line.
      let copy = 0;
      while (found.has(base + copy) && found.get(base + copy).points.some((point) => point.x === x))
        copy++;
      const line = found.get(base + copy) || {parts, points: []};
      line.points.push({x, y});
      found.set(base + copy, line);
    }
    return [...found.values()].filter((line) => line.points.length > 1);
  }
  // A line's name lists the settings that differ between lines.
  function label(line, all, figure) {
    const words =
        line.parts
            .filter(
                ([name, , value]) =>
                    all.some((other) => !other.parts.some(([n, , v]) => n === name && v === value)))
            .map(([, text]) => text);
    return words.join(', ') || figure.label;
  }

  function chart(group, dimension, figure) {
    const found = linesOf(group, dimension, figure);
    const all = found.slice(0, kMostLines);
    if (all.length === 0) return null;
    const values = all.flatMap((line) => line.points.map((point) => point.x));
    const rates = all.flatMap((line) => line.points.map((point) => point.y));
    const wide = (of) => Math.min(...of) > 0 && Math.max(...of) / Math.min(...of) >= kLogFrom;
    return dom.element('div', {class: 'panel'}, charts.draw({
      name: figure.name + dimension.name,
      title: figure.title + ' ' + dimension.title,
      points: true,
      note: progress.leftOut(found.length - all.length),
      x: {
        label: dimension.label + (wide(values) ? ' (log scale)' : ''),
        format: dimension.format,
        tick: format.tick,
        log: wide(values)
      },
      y: {
        label: figure.label + (wide(rates) ? ' (log scale)' : ''),
        format: figure.format,
        tick: figure.format === format.seconds ? format.seconds : format.tick,
        log: wide(rates)
      },
      lines: all.map((line, i) => {
        const points = [...line.points].sort((a, b) => a.x - b.x);
        return {
          label: label(line, all, figure),
          colour: i,
          x: points.map((p) => p.x),
          y: points.map((p) => p.y)
        };
      }),
    }));
  }

  function draw(runs, chosen, figures) {
    const group = runs.filter((run) => run.workload === chosen.workload);
    const made =
        kDimensions.flatMap((dimension) => figures.map((figure) => chart(group, dimension, figure)))
            .filter(Boolean);
    return made.length ? dom.element('div', {class: 'columns three charts'}, ...made) : null;
  }
  return {
    draw: (runs, chosen) => draw(runs, chosen, [kThroughput]),
    costs: (runs, chosen) => draw(runs, chosen, kCosts)
  };
})();
