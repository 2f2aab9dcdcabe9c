// Computes the expected content of charts from the results alone.

const positive = (points) => points.filter(([, y]) => y > 0);
const anything = (values) => (values || []).some((value) => value > 0);

function overTime(runs, member) {
  return runs.filter((run) => run.series && anything(run.series[member]))
      .map((run) => ({
             label: run.label,
             points: run.series.time_seconds.map((x, i) => [x, run.series[member][i]])
           }));
}
const sum = (values) => values.reduce((a, b) => a + b, 0);

// The share of values above each non-empty bucket.
function tail(histogram) {
  const total = sum(histogram.counts);
  let left = total;
  return positive(histogram.upper_seconds.map((x, i) => [x, (left -= histogram.counts[i]) / total])
                      .filter((_, i) => histogram.counts[i] > 0));
}
// The distribution has its own steps, so quantiles are compared: they must agree with the histogram
// within one step of 12 %. Throws otherwise.
export function compareDistributions(drawn, results, member) {
  drawn.forEach(({points}, run) => {
    const {upper_seconds, counts} = results.results[run].histograms[member];
    const total = sum(counts);
    if (Math.abs(sum(points.map(([, y]) => y)) - 1) > 1e-9)
      throw new Error('shares do not add up to 1');
    for (const quantile of [0.01, 0.1, 0.5, 0.9, 0.99, 0.999]) {
      let at = 0;
      const wanted = upper_seconds[counts.findIndex((count) => (at += count) >= quantile * total)];
      let share = 0;
      const [got] = points.find(([, y]) => (share += y) >= quantile - 1e-9);
      if (Math.abs(Math.log10(got / wanted)) > 1 / 20) {
        throw new Error(`line ${run}: quantile ${quantile} is drawn at ${got}, not ${wanted}`);
      }
    }
  });
}
const bytesOf = (frame) => [...Buffer.from(frame, 'base64')].filter((byte) => byte <= 200);

function utilisation(grid) {
  const sorted = grid.frames.map((frame) => bytesOf(frame).sort((a, b) => a - b));
  const at = (part) => sorted.map(
      (bytes,
       i) => [grid.time_seconds[i], (bytes[Math.floor(part * (bytes.length - 1))] / 200) * 100]);
  const mean = sorted.map(
      (bytes,
       i) => [grid.time_seconds[i], (bytes.reduce((a, b) => a + b) / bytes.length / 200) * 100]);
  return [
    {label: '90th percentile of nodes', points: at(0.9)}, {label: 'mean', points: mean},
    {label: '10th percentile of nodes', points: at(0.1)}
  ];
}
// The runs of samples.full() that differ in one setting.
function varied(runs) {
  const base = runs[0];
  const fixed = ['nodes', 'threads', 'percentage_of_nodes_to_score', 'evaluation'];
  const by = (member, value, figure) =>
      runs.filter((run) => fixed.every((other) => other === member || run[other] === base[other]))
          .map((run) => [value(run), run[figure]])
          .sort((a, b) => a[0] - b[0]);
  const charts = {};
  for (const [prefix, figure, label] of [
           ['', 'decisions_per_second', 'decisions per second'],
           ['cost-', 'seconds_per_decision', 'time per decision'],
           ['instructions-', 'instructions_per_decision', 'instructions per decision']]) {
    const line = (member, value) => [{label, points: by(member, value, figure)}];
    charts[prefix + 'by-nodes'] = line('nodes', (run) => run.nodes);
    charts[prefix + 'by-threads'] = line('threads', (run) => run.threads);
    // kube-scheduler's default for 5,000 nodes: 50 - 5000 / 125.
    charts[prefix + 'by-percentage'] =
        line('percentage_of_nodes_to_score', (run) => run.percentage_of_nodes_to_score || 10);
  }
  return charts;
}

// For the results of samples.full() with the first run chosen.
export function expectedCharts(results) {
  const runs = results.results;
  const [chosen] = runs;
  const pods =
      [['waiting', 'waiting'], ['scheduled', 'scheduled so far'], ['refused', 'refused so far']];
  const all = (member, points) =>
      runs.map((run) => ({label: run.label, points: points(run.histograms[member])}));
  const kinds = (values, names) => Object.entries(names).map(
      ([member, label]) =>
          ({label, points: chosen.series.time_seconds.map((x, i) => [x, values[member][i]])}));
  return {
    throughput: overTime(runs, 'decisions_per_second'),
    ...varied(runs),
    'latency-tail': all('decision', tail),
    'queue-to-bound-tail': all('queue_to_bound', tail),
    'queue-to-bound-virtual-tail': all('queue_to_bound_virtual', tail),
    // Nobody waits in Permit, so that there is no such line.
    queues: kinds(chosen.series.queues, {
      active: 'active',
      backoff: 'backing off',
      error_backoff: 'backing off after an error',
      unschedulable: 'unschedulable, until an event helps',
      gated: 'gated'
    }),
    preemptions:
        kinds(chosen.series, {preemptions: 'preemptions so far', victims: 'evicted pods so far'}),
    utilisation: utilisation(chosen.grid),
    pods: pods.map(([member, label]) => ({...overTime([chosen], member)[0], label})),
    refused: chosen.series.reasons.map(
        ({reason, refused}) =>
            ({label: reason, points: chosen.series.time_seconds.map((x, i) => [x, refused[i]])})),
  };
}
