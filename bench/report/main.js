// The page: what stays, and what is drawn anew for the run that is chosen.
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

  function sections(results, runs, chosen) {
    const hint = element('p', {
      class: 'muted screen-only',
      text: 'Move over a chart to read its values, or focus it and use the arrow keys. Drag, or ' +
          'press + and \u2212, to zoom; Esc shows all.'
    });
    const repetitions = headline.spread(runs, chosen);
    const throughput = progress.throughput(runs, chosen);
    const pods = [progress.waiting(chosen), progress.refused(chosen)].filter(Boolean);
    return [
      section(
          'throughput', 'Throughput', throughput && hint,
          repetitions || throughput ?
              element(
                  'div', {class: 'columns'}, throughput,
                  repetitions && element('div', {class: 'full'}, repetitions)) :
              null),
      section('compare', 'Throughput by what varies', null, compare.draw(runs, chosen)),
      section('latency', 'Latency', null, latency.draw(runs, chosen)),
      section(
          'costs', 'What plugins cost', element('p', {class: 'muted', text: chosen.name}),
          costs.draw(chosen)),
      section('grid', 'The cluster', null, grid.draw(chosen)),
      section(
          'pods', 'Pods that waited and were refused', null,
          pods.length ? element('div', {class: 'columns'}, ...pods) : null),
      section('quality', 'Quality of the placements', null, quality.draw(chosen)),
      section('environment', 'Environment', null, environment.draw(results, chosen)),
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
      top.replaceChildren(...[environment.disturbed(results),
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
    // What tests read back.
    window.berthReport = {charts: charts.all, grid: grid.view};
  }
  return {start};
})();
page.start();
