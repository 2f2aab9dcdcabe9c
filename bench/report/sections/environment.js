// The machine, the build, the settings, and what disturbed the measurement.
const environment = (() => {
  const {element} = dom;

  function facts(entries) {
    const given =
        entries.filter(([, value]) => value !== undefined && value !== null && value !== '');
    if (given.length === 0) return null;
    return element(
        'dl', {class: 'facts'},
        ...given.flatMap(
            ([name,
              value]) => [element('dt', {text: name}), element('dd', {text: String(value)})]));
  }
  const when = (value, text) => (format.known(value) ? text(value) : null);

  function machine(env) {
    const libraries =
        Object.entries(env.libraries || {}).map(([name, version]) => name + ' ' + version);
    return facts([
      ['Processor', env.cpu],
      ['Cores', when(env.cores, format.count)],
      ['Memory', when(env.memory_bytes, format.bytes)],
      ['Governor', env.governor],
      ['Kernel', env.kernel],
      ['Compiler', env.compiler],
      ['Flags', env.flags],
      ['Version', env.version],
      ['Commit', env.commit],
      ['Allocator', env.allocator],
      ['Libraries', libraries.join(', ')],
      ['Stolen by other machines', when(env.steal_fraction, format.percent)],
      ['Used by other programs', when(env.other_cpu_fraction, format.percent)],
    ]);
  }
  function settings(run) {
    const r = run.result;
    const asked = r.percentage_of_nodes_to_score;
    const cpu = r.cpu_seconds || {};
    return facts([
      ['Workload', r.workload],
      ['Source', r.source],
      ['Note', r.note],
      ['Variant', r.label],
      ['Evaluation', r.evaluation],
      ['Threads', when(r.threads, format.count)],
      ['Nodes searched', when(asked, (v) => (v === 0 ? 'default percentage' : v + ' %'))],
      ['Configuration', r.configuration],
      ['Kubernetes', r.kube_version],
      ['Feature gates', r.feature_gates],
      ['Plugins', data.list(r.plugins).join(', ')],
      ['In processes of their own', r.isolation],
      ['Seed', r.seed],
      ['Clock', r.clock],
      [
        'Controllers',
        r.controllers === '*'    ? 'all' :
            r.controllers === '' ? 'none' :
                                   r.controllers
      ],
      ['Repetitions', when(r.repetitions, format.count)],
      ['Decisions', when(r.decisions, format.count)],
      ['Elapsed', when(r.elapsed_seconds, format.seconds)],
      [
        'Processor time',
        when(
            cpu.user, (v) => format.seconds(v) + ' user, ' + format.seconds(cpu.system) + ' system')
      ],
      ['Decision hash', r.decision_hash],
    ]);
  }

  function notice(id, text, items) {
    if (items.length === 0) return null;
    return element(
        'div', {class: 'notice', id, role: 'note'}, element('strong', {text}),
        element('ul', {}, ...items.map((item) => element('li', {text: item}))));
  }
  const disturbed = (results) => notice(
      'disturbed', 'The machine was disturbed: do not compare these figures with others.',
      data.list((results.environment || {}).disturbed).map(String));
  const failed = (results) =>
      notice('failed', 'Failed runs, which are not shown:', data.list(results.failed).map(String));

  // The settings of a run.
  function remarks(run) {
    const r = run.result;
    const failures = data.list(r.failures).map(String);
    const said = [
      r.interrupted === true && 'Interrupted: the figures cover the part of the run until then.',
      r.pods_failed > 0 &&
          format.count(r.pods_failed) + ' pods failed' +
              (failures.length ? ', such as: ' + failures[0] : '') + '.',
    ].filter(Boolean);
    return notice('remarks', run.name, said);
  }

  function draw(results, run) {
    const command = results.command ?
        element(
            'div', {}, element('h3', {text: 'Command'}),
            element('code', {class: 'command', id: 'command', text: String(results.command)})) :
        null;
    const panel = (title, content) =>
        content && element('div', {class: 'panel'}, element('h3', {text: title}), content);
    const made = [
      panel('Machine and build', machine(results.environment || {})),
      run && panel('Run: ' + run.name, settings(run)),
    ].filter(Boolean);
    const columns = made.length ? element('div', {class: 'columns'}, ...made) : null;
    return command || columns ? element(
                                    'div', {}, command && element('div', {class: 'panel'}, command),
                                    element('p'), columns) :
                                null;
  }

  // Offers the page's data as a file, unchanged.
  function download(text) {
    const link = URL.createObjectURL(new Blob([text], {type: 'application/json'}));
    return element('footer', {}, element('a', {
                     class: 'button screen-only',
                     id: 'download',
                     href: link,
                     download: 'berth-bench.json',
                     text: 'Download the data as JSON (' + format.bytes(text.length) + ')'
                   }));
  }
  return {draw, disturbed, failed, remarks, download};
})();
