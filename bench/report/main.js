// The page: the fixed parts, and the parts that are redrawn for the chosen run.
const page = (() => {
  const {element, section} = dom;

  function chooser(runs, chosen, choose) {
    if (runs.length < 2) return null;
    const select = element(
        'select', {id: 'run', onchange: () => choose(runs[select.selectedIndex])},
        ...runs.map((run) => element('option', {text: run.name, selected: run === chosen})));
    return element('div', {class: 'chooser'}, element('label', {for: 'run', text: 'Run shown below'
                   }), select);
  }

  // The result of `draw`. If the data do not allow it, a message instead, so that the rest of the
  // page remains.
  function attempt(draw) {
    try {
      return draw();
    } catch (error) {
      console.error(error);
      return element('p', {
        class: 'notice',
        role: 'alert',
        text: 'This part of the data cannot be drawn: ' + error.message
      });
    }
  }
  const kHint =
      'Move over a chart to read its values, or focus it and use the arrow keys. Drag, or ' +
      'press + and \u2212, to zoom; Esc shows all.';
  const small = (text, more = '') => element('p', {class: 'muted ' + more, text});

  function throughput(runs, chosen) {
    const chart = progress.throughput(runs, chosen);
    const repetitions = headline.spread(runs, chosen);
    if (!chart && !repetitions) return null;
    return element(
        'div', {}, chart && small(kHint, 'screen-only'),
        element(
            'div', {class: 'columns'}, chart,
            repetitions && element('div', {class: 'full'}, repetitions)));
  }
  function pods(chosen) {
    const made = [progress.waiting(chosen), progress.refused(chosen)].filter(Boolean);
    return made.length ? element('div', {class: 'columns charts'}, ...made) : null;
  }
  function uncounted(chosen) {
    const why = chosen.result.instructions_not_counted;
    return why ? small('Instructions were not counted: ' + why + '.') : null;
  }
  function sections(results, runs, chosen) {
    const made = (id, title, draw, about = null) => section(id, title, about, attempt(draw));
    return [
      made('throughput', 'Throughput', () => throughput(runs, chosen)),
      made('compare', 'Throughput by setting', () => compare.draw(runs, chosen)),
      made(
          'growth', 'Cost of a decision by setting', () => compare.costs(runs, chosen),
          uncounted(chosen)),
      made('latency', 'Latency', () => latency.draw(runs, chosen)),
      made('costs', 'Cost of plugins', () => costs.draw(chosen), small(chosen.name)),
      made('grid', 'The cluster', () => grid.draw(chosen)),
      made('pods', 'Waiting and refused pods', () => pods(chosen)),
      made('queues', 'Queues, attempts and preemption', () => queues.draw(chosen)),
      made('evictions', 'Evictions', () => evictions.draw(runs, chosen)),
      made('quality', 'Quality of the placements', () => quality.draw(chosen)),
      made('environment', 'Environment', () => environment.draw(results, chosen)),
    ].filter(Boolean);
  }

  function title(results, runs) {
    const workloads = [...new Set(runs.map((run) => run.workload))];
    const name = workloads.length === 1 ? workloads[0] :
        workloads.length                ? format.count(workloads.length) + ' workloads' :
                                          'No results';
    const parts = [
      runs.length > 1 && format.count(runs.length) + ' runs',
      results.started &&
          'started ' + String(results.started).replace('T', ' ').replace('Z', ' UTC'),
      format.known(results.elapsed_seconds) && 'took ' + format.seconds(results.elapsed_seconds),
      (results.environment || {}).cpu,
    ].filter(Boolean);
    document.title = name + ' \u2013 berth-bench';
    document.getElementById('title').textContent = name;
    document.getElementById('subtitle').textContent = parts.join(' \u00b7 ');
  }

  function show(main, text, results) {
    const runs = data.runs(results);
    title(results, runs);
    const top = element('div', {id: 'top'});
    const body = element('div', {id: 'body'});
    const choose = (run, focus = '#run') => {
      charts.clear();
      grid.clear();
      top.replaceChildren(
          ...[environment.disturbed(results),
              environment.failed(results),
              section('sweep', 'Settings', null, attempt(() => sweep.draw(results))),
              section(
                  'headline', 'Headline', null, run && headline.tiles(run),
                  headline.table(runs, run, (other) => choose(other))),
              run && chooser(runs, run, (other) => choose(other)),
              run && environment.remarks(run),
      ].filter(Boolean));
      body.replaceChildren(...(run ? sections(results, runs, run) : [
        section('environment', 'Environment', null, environment.draw(results, null))
      ].filter(Boolean)));
      charts.attach();
      grid.attach();
      const target = focus && document.querySelector(focus);
      if (target) target.focus({preventScroll: true});
    };
    main.replaceChildren(top, body, environment.download(text));
    choose(runs[0] || null, null);
  }

  function start() {
    const main = document.getElementById('main');
    const text = document.getElementById('data').textContent;
    theme.start();
    theme.onChange((paper) => {
      charts.restyle(paper);
      grid.repaint();
    });
    try {
      show(main, text, data.parse(text));
    } catch (error) {
      main.prepend(element('p', {class: 'notice', role: 'alert', text: error.message}));
      throw error;
    }
    // Read by tests.
    window.berthReport = {charts: charts.all, grid: grid.view};
  }
  return {start};
})();
page.start();
