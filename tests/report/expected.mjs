// What the charts have to show, worked out from the results alone.

const positive = (points) => points.filter(([, y]) => y > 0);
const anything = (values) => (values || []).some((value) => value > 0);

function overTime(runs, member) {
  return runs.filter((run) => run.series && anything(run.series[member]))
      .map((run) => ({
             label: run.label,
             points: run.series.time_seconds.map((x, i) => [x, run.series[member][i]])
           }));
}
function shares(histogram) {
  const total = histogram.counts.reduce((a, b) => a + b);
  return histogram.upper_seconds.map((x, i) => [x, histogram.counts[i] / total])
      .filter(([, y]) => y > 0);
}
function tail(histogram) {
  const total = histogram.counts.reduce((a, b) => a + b);
  const first = histogram.counts.findIndex((count) => count > 0);
  let left = total;
  return positive(histogram.upper_seconds.map((x, i) => [x, (left -= histogram.counts[i]) / total])
                      .slice(Math.max(0, first - 1)));
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
// Of the runs of samples.full(), those that vary one thing.
function varied(runs) {
  const base = runs[0];
  const fixed = ['nodes', 'threads', 'percentage_of_nodes_to_score', 'evaluation'];
  const by = (member, value) =>
      runs.filter((run) => fixed.every((other) => other === member || run[other] === base[other]))
          .map((run) => [value(run), run.decisions_per_second])
          .sort((a, b) => a[0] - b[0]);
  const line = (points) => [{label: 'decisions a second', points}];
  return {
    'by-nodes': line(by('nodes', (run) => run.nodes)),
    'by-threads': line(by('threads', (run) => run.threads)),
    // kube-scheduler's default at 5,000 nodes: 50 - 5000 / 125.
    'by-percentage':
        line(by('percentage_of_nodes_to_score', (run) => run.percentage_of_nodes_to_score || 10)),
  };
}

// For results as samples.full() makes them, with their first run chosen.
export function expectedCharts(results) {
  const runs = results.results;
  const [chosen] = runs;
  const pods =
      [['waiting', 'waiting'], ['scheduled', 'scheduled so far'], ['refused', 'refused so far']];
  const all = (member, points) =>
      runs.map((run) => ({label: run.label, points: points(run.histograms[member])}));
  return {
    throughput: overTime(runs, 'decisions_per_second'),
    ...varied(runs),
    latency: all('decision', shares),
    'latency-tail': all('decision', tail),
    'queue-to-bound': all('queue_to_bound', shares),
    'queue-to-bound-tail': all('queue_to_bound', tail),
    utilisation: utilisation(chosen.grid),
    pods: pods.map(([member, label]) => ({...overTime([chosen], member)[0], label})),
    refused: chosen.series.reasons.map(
        ({reason, refused}) =>
            ({label: reason, points: chosen.series.time_seconds.map((x, i) => [x, refused[i]])})),
  };
}
// Empty buckets are drawn, too: at nothing.
export const withoutEmpty = (charts) => Object.fromEntries(Object.entries(charts).map(
    ([name, lines]) =>
        [name,
         /^(latency|queue-to-bound)/.test(name) ?
             lines.map(({label, points}) => ({label, points: positive(points)})) :
             lines]));
