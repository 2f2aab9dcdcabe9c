// Made-up, consistent results in the format of berth-bench, for the pages of the browser test.
// Deterministic.


// A number in [0, 1) from a text. A hash, so that no draw depends on earlier ones.
function draw(...parts) {
  let hash = 2166136261;
  for (const byte of Buffer.from(parts.join('/'))) hash = Math.imul(hash ^ byte, 16777619);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 2246822519);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 3266489917);
  return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296;
}

// Latencies around `middle`, in buckets of an eighth of a power of two.
function histogram(name, middle, decisions) {
  const upper_seconds = [];
  const counts = [];
  for (let bucket = 0; bucket < 200; bucket++) {
    const upper = 1e-7 * 2 ** (bucket / 8);
    const away = Math.log2(upper / middle);
    const share = Math.exp(-away * away * (away > 0 ? 0.7 : 4)) +
        (away > 0 ? 0.02 * Math.exp(-away * 1.6) : 0);
    upper_seconds.push(upper);
    counts.push(Math.floor((share * decisions * (0.8 + 0.4 * draw(name, bucket))) / 14));
  }
  return {upper_seconds, counts};
}
function latencies(middle) {
  return {
    min: middle * 0.42,
    mean: middle * 1.16,
    p50: middle,
    p90: middle * 2.1,
    p99: middle * 5.4,
    p999: middle * 14,
    max: middle * 310
  };
}

function series(name, rate, pods, points) {
  const queues =
      {active: [], backoff: [], error_backoff: [], unschedulable: [], gated: [], permit: []};
  const made = {
    time_seconds: [],
    decisions_per_second: [],
    waiting: [],
    scheduled: [],
    refused: [],
    preemptions: [],
    victims: [],
    queues
  };
  const reasons = [
    ['Insufficient cpu', 0.55], ['node(s) had untolerated taint {dedicated: batch}', 0.3],
    ['node(s) didn\'t match pod anti-affinity rules', 0.15]
  ];
  made.reasons = reasons.map(([reason]) => ({reason, refused: []}));
  const seconds = pods / rate;
  for (let i = 1; i <= points; i++) {
    const done = i / points;
    made.time_seconds.push((seconds * i) / points);
    made.decisions_per_second.push(rate * (1.08 - 0.16 * done + 0.06 * (draw(name, i) - 0.5)));
    made.scheduled.push(Math.floor(pods * done * 0.98));
    const refused = reasons.map(([, share]) => Math.floor(pods * 0.02 * done ** 3 * share));
    refused.forEach((count, k) => made.reasons[k].refused.push(count));
    made.refused.push(refused.reduce((a, b) => a + b, 0));
    made.waiting.push(pods - made.scheduled[i - 1] - made.refused[i - 1]);
    made.preemptions.push(Math.floor(pods * 0.01 * done));
    made.victims.push(3 * made.preemptions[i - 1]);
    queues.active.push(Math.floor(made.waiting[i - 1] * 0.9));
    queues.backoff.push(Math.floor(made.waiting[i - 1] * 0.1));
    queues.error_backoff.push(Math.floor(made.waiting[i - 1] * 0.4));
    queues.unschedulable.push(made.refused[i - 1]);
    queues.gated.push(40);
    queues.permit.push(0);
  }
  return made;
}

function grid(name, nodes, zones, seconds, frames) {
  const groups = [];
  for (let zone = 0; zone < zones; zone++) {
    groups.push(
        {name: 'zone-' + zone, cells: Math.floor(nodes / zones) + (zone < nodes % zones ? 1 : 0)});
  }
  const made = {resource: 'cpu', nodes, nodes_per_cell: 1, groups, time_seconds: [], frames: []};
  const drawn = Array.from({length: nodes}, (_, node) => ({
                                              full: 0.35 + 0.6 * draw(name, 'node', node),
                                              gone: draw(name, 'gone', node) < 0.01,
                                              pace: 0.7 + 0.6 * draw(name, 'pace', node)
                                            }));
  for (let frame = 0; frame < frames; frame++) {
    const done = frames > 1 ? frame / (frames - 1) : 1;
    const bytes = Buffer.from(drawn.map(
        ({full, gone, pace}) =>
            (gone && done > 0.5 ? 255 : Math.round(200 * full * Math.min(1, done * pace)))));
    made.time_seconds.push(seconds * done);
    made.frames.push(bytes.toString('base64'));
  }
  return made;
}

const kHooks = [
  ['NodeResourcesFit', 'Filter', 0.24],
  ['NodeResourcesFit', 'Score', 0.2],
  ['PodTopologySpread', 'Score', 0.12],
  ['NodeResourcesBalancedAllocation', 'Score', 0.11],
  ['TaintToleration', 'Filter', 0.06],
  ['InterPodAffinity', 'PreFilter', 0.05],
  ['NodeAffinity', 'Filter', 0.04],
  ['ImageLocality', 'Score', 0.03],
  ['PodTopologySpread', 'PreScore', 0.03],
  ['NodeUnschedulable', 'Filter', 0.02],
  ['NodePorts', 'Filter', 0.01],
  ['DefaultBinder', 'Bind', 0.05],
  ['PrioritySort', 'QueueSort', 0.01],
];
function costs(decision, decisions) {
  const hooks =
      kHooks.map(([plugin, extension_point, share]) => ({
                   plugin,
                   extension_point,
                   calls: Math.round(decisions * (extension_point === 'Filter' ? 0.3 : 1)),
                   errors: 0,
                   seconds_per_call: decision * share * 2.5,
                   seconds_per_decision: decision * share,
                 }));
  const points = new Map();
  for (const hook of hooks) {
    points.set(
        hook.extension_point, (points.get(hook.extension_point) || 0) + hook.seconds_per_decision);
  }
  const extension_points = [...points].map(
      ([extension_point, seconds_per_decision]) => ({extension_point, seconds_per_decision}));
  return {hooks, extension_points};
}

function quality(nodes) {
  return {
    utilisation: [
      {resource: 'cpu', requested: nodes * 8700, allocatable: nodes * 16000, fraction: 0.54375},
      {
        resource: 'memory',
        requested: nodes * 21 * 2 ** 30,
        allocatable: nodes * 64 * 2 ** 30,
        fraction: 0.328125
      },
      {resource: 'example.com/gpu', requested: 312, allocatable: 1896, fraction: 312 / 1896},
    ],
    fragmentation: [
      {resource: 'cpu', free: nodes * 7300, unusable: nodes * 511, fraction: 0.07},
      {resource: 'memory', free: nodes * 43 * 2 ** 30, unusable: nodes * 2 ** 30, fraction: 1 / 43},
    ],
    balance: [
      {resource: 'cpu', mean: 0.544, standard_deviation: 0.103, max: 0.962},
      {resource: 'memory', mean: 0.328, standard_deviation: 0.09, max: 0.71},
    ],
    spread: [{
      topology_key: 'topology.kubernetes.io/zone',
      domains: 3,
      min: 16320,
      max: 16345,
      mean: 16333.3
    }],
  };
}

// A run with `speed` decisions per second.
function run(label, speed, more = {}) {
  const nodes = more.nodes || 5000;
  const pods = 50000;
  const seconds = pods / speed;
  const repetitions =
      Array.from({length: 5}, (_, i) => speed * (0.97 + 0.06 * draw(label, 'repetition', i)));
  return {
    workload: 'SchedulingBasic/5000Nodes_50000Pods',
    source: 'performance-config.yaml',
    note: 'seed 1; podsPerSecond 1000',
    label,
    nodes,
    percentage_of_nodes_to_score: 0,
    evaluation: 'incremental',
    threads: 1,
    configuration: 'default',
    plugins: kHooks.map(([plugin]) => plugin).filter((plugin, i, all) => all.indexOf(plugin) === i),
    seed: 1,
    clock: 'none',
    controllers: '*',
    repetitions: 5,
    pods_total: pods,
    pods_scheduled: pods * 0.98,
    pods_unschedulable: pods * 0.02,
    pods_failed: 0,
    pods_gated: 0,
    pods_evicted: 0,
    decisions: pods,
    elapsed_seconds: seconds,
    decisions_per_second: [...repetitions].sort((a, b) => a - b)[2],
    seconds_per_decision: 1 / speed,
    instructions_per_decision: 3e8 / speed,
    threshold_decisions_per_second: 680,
    latency_seconds: latencies(0.8 / speed),
    queue_to_bound_seconds: latencies(seconds / 2.2),
    queue_to_bound_virtual_seconds: latencies(seconds / 1.1),
    backoffs: pods * 0.03,
    attempts: {bound: [pods * 0.95, pods * 0.03], waiting: [pods * 0.01, 0, pods * 0.01]},
    cpu_seconds: {user: seconds * 0.96, system: seconds * 0.03},
    peak_memory_bytes: 45.3 * 2 ** 20,
    bytes_per_node: 2312,
    bytes_per_pod: 148,
    allocations_per_decision: 0.0031,
    decision_hash: 'b2544edbf0fef313',
    samples: {decisions_per_second: repetitions},
    histograms: {
      decision: histogram(label, 0.8 / speed, pods),
      queue_to_bound: histogram(label + 'q', seconds / 8, pods),
      queue_to_bound_virtual: histogram(label + 'v', seconds / 4, pods)
    },
    ...costs(0.8 / speed, pods),
    series: series(label, speed, pods, 240),
    grid: grid(label, nodes, 3, seconds, 40),
    quality: quality(nodes),
    kube_scheduler: {decisions_per_second: 1134, what: 'kube-scheduler v1.34.1, in one process'},
    ...more,
  };
}

export function page(results, more = {}) {
  return {
    format: 'berth-bench/1',
    started: '2026-11-21T10:00:00Z',
    elapsed_seconds: 48.2,
    command:
        'berth-bench run performance-config.yaml --workload SchedulingBasic --report report.html',
    environment: {
      cpu: 'AMD EPYC 7763 64-Core Processor',
      cores: 2,
      memory_bytes: 24 * 2 ** 30,
      governor: 'unknown',
      kernel: '6.1.0-28-amd64',
      compiler: 'GNU 12.2.0',
      flags: '-O2 -g1 -DNDEBUG',
      commit: 'abc85a3c01fe',
      version: '0.1.0',
      allocator: 'mimalloc 2.0.9',
      libraries: {oneTBB: '2021.8', flatbuffers: '2.0.8'},
      steal_fraction: 0.002,
      other_cpu_fraction: 0.013,
      disturbed: [],
    },
    results,
    ...more,
  };
}

// All features: runs that vary nodes, threads, percentage and evaluation.
export function full() {
  return page([
    run('incremental, default percentage', 88000),
    run('incremental, 100 %', 29000, {percentage_of_nodes_to_score: 100}),
    run('incremental, 50 %', 41000, {percentage_of_nodes_to_score: 50}),
    run('full, default percentage', 42000, {evaluation: 'full'}),
    run('20,000 nodes', 31000, {nodes: 20000}),
    run('100,000 nodes', 6900, {nodes: 100000, grid: undefined}),
    run('2 threads', 93000, {threads: 2}),
  ]);
}
// The smallest valid result, without optional members.
export function minimal() {
  return {format: 'berth-bench/1', results: [{workload: 'mixed', decisions_per_second: 1234.5}]};
}
export const empty = () => ({format: 'berth-bench/1', results: []});

export const kHostile = [
  '</script><img src=x onerror="window.hacked=1">',
  '<!--<script>window.hacked=1</script>',
  '"\'`${window.hacked=1}&lt;b&gt;\\',
  'x'.repeat(600),
  '\u202eright to left \u0000\u0007\u2028 \ud83d\udea2 \u4e2d\u6587',
];
// Hostile texts in every displayed name, and a disturbed machine.
export function hostile() {
  const names = kHostile;
  const made = run(names[2], 5000, {
    workload: names[0],
    source: names[1],
    note: names[2],
    evaluation: names[3],
    configuration: names[4],
    plugins: names,
    decision_hash: names[1],
    kube_scheduler: {decisions_per_second: 10, what: names[0]},
    hooks: names.map((plugin, i) => ({
                       plugin,
                       extension_point: names[4 - i],
                       calls: 1,
                       errors: i,
                       seconds_per_call: 1e-6 * (i + 1),
                       seconds_per_decision: 1e-6 * (i + 1)
                     })),
    extension_points: names.map(
        (extension_point, i) => ({extension_point, seconds_per_decision: 1e-6 * (i + 1)})),
  });
  made.series.reasons.forEach((reason, i) => {
    reason.reason = names[i];
  });
  made.grid.groups.forEach((group, i) => {
    group.name = names[i + 2];
  });
  made.grid.resource = names[0];
  Object.assign(made, {interrupted: true, pods_failed: 3, failures: [names[0]]});
  made.quality.utilisation[0].resource = names[0];
  made.quality.spread[0].topology_key = names[3];
  const other = {...made, label: names[3], percentage_of_nodes_to_score: 100};
  const results = page([made, other, {...other}], {command: names.join(' ')});
  results.failed = [names[0]];
  results.environment.disturbed = ['steal time took 7 % of the machine', names[0]];
  results.environment.cpu = names[3];
  return results;
}
// The size of a very long run: two lines of 120,000 points, a grid of 100,000 nodes in 50 racks.
export function large() {
  const make = (label, speed) => run(label, speed, {
    nodes: 100000,
    series: series(label, speed, 50000, 120000),
    grid: grid(label, 100000, 50, 8, 60)
  });
  return page([make('one', 6000), make('two', 6600)]);
}
// Two parameters of a workload, each with two values.
export function parameters() {
  const runs = [];
  for (const pods of ['10000', '20000']) {
    for (const nodes of ['1000', '5000']) {
      runs.push(
          run(`nodes=${nodes}, pods=${pods}`, 10000 + 5 * nodes + pods / 2,
              {nodes: Number(nodes), parameters: {nodes, pods}, grid: undefined}));
    }
  }
  return page(runs);
}
// A curve of templates, at two numbers of placed pods, on a machine that counts no instructions.
export function growth() {
  const runs = [];
  for (const placed of ['0', '10']) {
    for (const templates of ['1', '100', '10000']) {
      runs.push(run(`placed=${placed}, templates=${templates}`, 50000 - 4 * templates - placed, {
        nodes: 1000,
        pods_before: 1000 * placed,
        parameters: {placed, templates},
        instructions_per_decision: undefined,
        instructions_not_counted: 'the machine has none',
        grid: undefined
      }));
    }
  }
  return page(runs);
}
// Runs of a few milliseconds with the same course.
export function coinciding() {
  const runs = [];
  for (const threads of [1, 2, 4, 8]) {
    for (const nodes of [100, 200]) {
      const of = {threads, nodes, grid: undefined};
      runs.push(run(`threads=${threads}, nodes=${nodes}`, 50000, of));
    }
  }
  const series = JSON.parse(JSON.stringify(runs[0].series));
  series.time_seconds = series.time_seconds.map((_, i) => (i + 1) * 1e-5);
  for (const made of runs) made.series = series;
  return page(runs);
}
// How a run of `hours` comes through evictions between two hours. `settled`: null if it does not.
function evictions(name, hours, [first, last], settled) {
  const samples = 128;
  const made = {seconds: [], evicted: [], without_node: []};
  for (let i = 0; i < samples; i++) {
    const at = (hours * 3600 * i) / (samples - 1);
    const part = Math.max(0, Math.min(1, (at / 3600 - first) / (last - first)));
    const waits = at / 3600 > first && (settled === null || at / 3600 < settled);
    made.seconds.push(at);
    made.evicted.push(Math.floor(4000 * part));
    // At first all pods wait.
    made.without_node.push(i === 0 ? 5000 : waits ? Math.floor(60 * draw(name, i)) : 0);
  }
  const seconds = {first_seconds: first * 3600, last_seconds: last * 3600};
  if (settled !== null) seconds.settled_seconds = settled * 3600;
  return {pods_disrupted: 4000, evictions: seconds, evictions_over_time: made};
}
// Three runs: one comes through its evictions, one does not, and one has none.
export function recovery() {
  const workload = {workload: 'outage', nodes: 500, grid: undefined, series: undefined};
  const label = 'controllers';
  return page([
    run('zones=3', 80000, {...workload, ...evictions(label, 24, [0.5, 22], 22.5)}),
    run('zones=1', 70000, {...workload, ...evictions(label + 1, 24, [1, 23.5], null)}),
    run('without', 90000, {...workload, controllers: ''}),
  ]);
}
// Many runs, each of another workload, as for a whole suite.
export function suite() {
  return page(
      Array.from({length: 24}, (_, i) => run('', 20000 + 1000 * i, {
                                 workload: 'Suite' + (i % 6) + '/' + (i + 1) * 500 + 'Nodes',
                                 nodes: (i + 1) * 500,
                                 grid: undefined,
                                 series: undefined,
                                 histograms: undefined
                               })));
}
