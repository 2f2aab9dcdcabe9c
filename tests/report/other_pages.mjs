// Checks pages with missing, excessive and hostile data.

import * as page from './checks.mjs';
import {full, kHostile, recovery as recoveryResults} from './samples.mjs';

const kWidths = [400, 1400];

export async function fits({checks, browser}, name) {
  for (const width of kWidths) {
    await browser.size(width);
    await checks.equal(
        `${name}: nothing is wider than ${width} pixels`, browser.run(page.overflow),
        {over: false, beyond: []});
  }
}
export async function quiet({checks, browser}, name) {
  const said = (await browser.console()).map((entry) => `${entry.level}: ${entry.message}`);
  await checks.equal(`${name}: the console says nothing`, said, []);
  const asked = (await browser.requests()).filter((url) => !/^(file|data|blob):/.test(url));
  await checks.equal(`${name}: nothing is asked of the network`, asked, []);
}

// Without its data a section is absent, and all others remain.
const kSections = [
  ['grid', (run) => delete run.grid],
  ['quality', (run) => delete run.quality],
  [
    'costs',
    (run) => {
      delete run.hooks;
      delete run.extension_points;
    }
  ],
  [
    'latency',
    (run) => {
      delete run.histograms;
      delete run.latency_seconds;
      delete run.queue_to_bound_seconds;
      delete run.queue_to_bound_virtual_seconds;
    }
  ],
  [
    'throughput',
    (run) => {
      delete run.series.decisions_per_second;
      delete run.samples;
    }
  ],
  [
    'pods',
    (run) => {
      delete run.series.waiting;
      delete run.series.scheduled;
      delete run.series.refused;
      delete run.series.reasons;
    }
  ],
];
const one = () => ({...full(), results: full().results.slice(0, 1)});
export async function absent(context) {
  const {checks, browser, show} = context;
  await show('one', one());
  const all = await browser.run(page.sectionIds);
  await checks.equal(
      'absent: of one run there is nothing to compare or to choose',
      browser.run(() => [document.getElementById('compare'), document.getElementById('run')]),
      [null, null]);
  for (const [section, take] of kSections) {
    const results = one();
    take(results.results[0]);
    await show('less', results);
    await checks.equal(
        `absent: ${section} goes with its data`, browser.run(page.sectionIds),
        all.filter((id) => id !== section));
  }
  const idle = one();
  idle.results[0].series.reasons.forEach((reason) => reason.refused.fill(0));
  await show('idle', idle);
  await checks.equal(
      'absent: without a refusal no chart of reasons',
      browser.run(() => [...window.berthReport.charts.keys()].includes('refused')), false);
  await quiet(context, 'absent');
}

export async function minimal(context) {
  const {checks, browser} = context;
  await checks.equal(
      'minimal: only what there is', browser.run(page.sectionIds), ['headline', 'environment']);
  await checks.equal(
      'minimal: its figure is shown',
      browser.run(() => document.querySelector('#tiles .figure').textContent), '1,230/s');
  await fits(context, 'minimal');
  await quiet(context, 'minimal');
}
export async function empty(context) {
  const {checks, browser} = context;
  await checks.equal(
      'empty: it says that there is nothing',
      browser.run(
          () =>
              [document.getElementById('title').textContent,
               document.querySelectorAll('section').length]),
      ['No results', 0]);
  await quiet(context, 'empty');
}

// One line per value of a parameter, but not for the parameter of the axis.
export async function parameters(context) {
  const {checks, browser} = context;
  const drawn = await browser.run(page.chartData);
  await checks.equal(
      'parameters: lines by nodes are those of the other parameter',
      drawn['by-nodes'].map(({label, points}) => [label, points.map(([x]) => x)]),
      [['pods 10000', [1000, 5000]], ['pods 20000', [1000, 5000]]]);
}

// Curves against templates and placed pods; why there are none of instructions is said.
export async function growth(context) {
  const {checks, browser} = context;
  const drawn = await browser.run(page.chartData);
  const lines = (name) => drawn[name].map(({points}) => points.map(([x]) => x));
  for (const prefix of ['by-', 'cost-by-']) {
    await checks.equal(
        'growth: ' + prefix + 'templates has a line for each number of placed pods',
        lines(prefix + 'templates'), [[1, 100, 10000], [1, 100, 10000]]);
    await checks.equal(
        'growth: ' + prefix + 'placed has a line for each number of templates',
        lines(prefix + 'placed'), [[0, 10000], [0, 10000], [0, 10000]]);
  }
  await checks.equal(
      'growth: ticks of times have their unit, whatever it is', await browser.run(() => {
        const {plot} = window.berthReport.charts.get('cost-by-templates');
        const [, y] = plot.axes;
        return y.values(plot, [0.005, 0.00002]);
      }),
      ['5\u00a0ms', '20\u00a0\u00b5s']);
  await checks.equal(
      'growth: no two of the first lines have the same dashes', await browser.run(() => {
        const {plot} = window.berthReport.charts.get('by-placed');
        return new Set(plot.series.slice(1).map((line) => JSON.stringify(line.dash))).size;
      }),
      3);
  await checks.equal(
      'growth: the tiles say of which run they are',
      await browser.run(
          () => document.getElementById('tiles-of').textContent.startsWith('Figures of ')),
      true);
  await checks.equal(
      'growth: there are no instructions, and it is said why',
      [
        Object.keys(drawn).filter((name) => name.startsWith('instructions-')),
        await browser.run(
            () => document.getElementById('growth').textContent.includes(
                'Instructions were not counted: the machine has none.'))
      ],
      [[], true]);
}

// Short runs, of which eight have the same points.
export async function coinciding(context) {
  const {checks, browser} = context;
  const axes = await browser.run(() => {
    const {plot, spec} = window.berthReport.charts.get('throughput');
    return [spec.x.label, plot.axes[0].values(plot, [0, 0.001, 0.0025])];
  });
  await checks.equal(
      'coinciding: times of a short run are in milliseconds', axes,
      ['time since the start (ms)', ['0', '1', '2.5']]);
  const looks = (name, of) => browser.run((name, of) => {
    const {plot} = window.berthReport.charts.get(name);
    const each = plot.series.slice(1).map(
        (line) => of === 'dash' ? JSON.stringify(line.dash) : line.points.size);
    return [each.length, new Set(each).size];
  }, name, of);
  await checks.equal(
      'coinciding: each of eight lines has dashes of its own', looks('throughput', 'dash'), [8, 8]);
  await checks.equal(
      'coinciding: points lie in the rings of those of earlier lines', browser.run(() => {
        const {plot} = window.berthReport.charts.get('by-nodes');
        const sizes = plot.series.slice(1).map((line) => line.points.size);
        return [sizes.length, sizes.every((size, i) => i === 0 || size < sizes[i - 1])];
      }),
      [4, true]);
  const legend = await browser.run(
      () => [...document.querySelectorAll('[data-chart=throughput] .legend .name')].map(
          (name) => name.textContent));
  await checks.equal(
      'coinciding: the legend says which lines coincide',
      [
        legend[0],
        ...legend.slice(1).filter((name) => !name.endsWith(' (coincides with ' + legend[0] + ')'))
      ],
      ['threads=1, nodes=100']);
  await fits(context, 'coinciding');
  await quiet(context, 'coinciding');
}

export async function recovery(context) {
  const {checks, browser} = context;
  const {results} = recoveryResults();
  // The chart begins with the last sample before the first eviction.
  const expected = (member) => results.slice(0, 2).map((run) => {
    const {seconds} = run.evictions_over_time;
    const points = seconds.map((at, i) => [at / 3600, run.evictions_over_time[member][i]]);
    const before = seconds.filter((at) => at <= run.evictions.first_seconds).length - 1;
    return {label: run.label, points: points.slice(before)};
  });
  const drawn = await browser.run(page.chartData);
  await checks.equal(
      'recovery: evicted pods of the runs that have some', drawn.evictions, expected('evicted'));
  await checks.equal(
      'recovery: pods without a node', drawn['without-node'], expected('without_node'));
  await checks.equal(
      'recovery: the time until everything runs',
      browser.run(
          () => [...document.querySelectorAll('#recovery-table tbody tr')].map(
              (row) => [...row.children].slice(0, 6).map((cell) => cell.textContent))),
      [
        ['zones=3', '4,000', '30\u00a0min', '22\u00a0h', '22\u00a0h 30\u00a0min', '22\u00a0h'],
        ['zones=1', '4,000', '1\u00a0h', '23\u00a0h 30\u00a0min', 'not until the end', '\u2013'],
      ]);
  await browser.hover('[data-chart=evictions] .u-over', 0.5);
  await checks.check('recovery: the cursor tells the time of the run', async () => {
    const {text} = await browser.run(page.cursorOf, 'evictions');
    return /^at 12\u00a0h( \d+\u00a0min)?: /.test(text);
  });
  await fits(context, 'recovery');
  await quiet(context, 'recovery');
  await browser.run(() => {
    const select = document.getElementById('run');
    select.selectedIndex = 2;
    select.dispatchEvent(new Event('change'));
  });
  await checks.equal(
      'recovery: a run without evictions has no section of them',
      browser.run(() => document.getElementById('evictions')), null);
}

export async function hostile(context) {
  const {checks, browser} = context;
  await checks.equal(
      'hostile: nothing of it runs or becomes an element',
      browser.run(
          () => [typeof window.hacked, document.querySelectorAll('img, main script').length]),
      ['undefined', 0]);
  await checks.equal(
      'hostile: the title is the text',
      browser.run(() => document.getElementById('title').textContent), kHostile[0]);
  await checks.equal(
      'hostile: plugins have their names',
      browser.run(
          () => [...document.querySelectorAll('#hooks tbody th > span')].map(
              (e) => e.firstChild.textContent)),
      [...kHostile].reverse());
  await checks.equal(
      'hostile: so has the command',
      browser.run(() => document.getElementById('command').textContent), kHostile.join(' '));
  await checks.equal(
      'hostile: a disturbed machine is named',
      browser.run(() => [...document.querySelectorAll('#disturbed li')].map((e) => e.textContent)),
      ['steal time took 7 % of the machine', kHostile[0]]);
  await checks.equal(
      'hostile: a run that failed is named',
      browser.run(() => [...document.querySelectorAll('#failed li')].map((e) => e.textContent)),
      [kHostile[0]]);
  await checks.equal(
      'hostile: runs of one name are told apart', browser.run(() => {
        const names =
            [...document.querySelectorAll('#run option')].map((option) => option.textContent);
        return new Set(names).size === names.length;
      }),
      true);
  await checks.equal(
      'hostile: what went wrong is named',
      browser.run(() => document.querySelectorAll('#remarks li').length), 2);
  await fits(context, 'hostile');
  await checks.check('hostile: the notice can be read', async () => {
    for (const scheme of ['light', 'dark']) {
      await browser.media(scheme);
      const {low} = await browser.run(page.lowContrast, 4.5);
      if (low.length) throw new Error(JSON.stringify(low));
    }
    await browser.media('light');
  });
  await quiet(context, 'hostile');
}

export async function broken(context) {
  const {checks, browser, show, showText} = context;
  const notice = () => browser.run(() => document.querySelector('[role=alert]')?.textContent ?? '');
  await showText('broken', '{"format": "berth-bench/1", "results": [');
  await checks.check(
      'broken: data that are not JSON are said to be',
      async () => (await notice()).includes('not JSON'));
  await show('other', {format: 'berth-bench/2', results: []});
  await checks.check(
      'broken: another format is said to be',
      async () => (await notice()).includes('berth-bench/1'));
  const torn = one();
  torn.results[0].grid.frames[3] = torn.results[0].grid.frames[3].slice(0, 400);
  await show('torn', torn);
  await checks.check('broken: a grid that is cut off is named, and the rest is there', async () => {
    const ids = await browser.run(page.sectionIds);
    return (await notice()).includes('frame 4') && ids.includes('grid') && ids.includes('quality');
  });
  await browser.console();  // the error on the console is expected
}

export async function large(context) {
  const {checks, browser} = context;
  await checks.check('large: all points are in the chart', async () => {
    const sizes = await browser.run(
        () => window.berthReport.charts.get('throughput')
                  .plot.data.slice(1)
                  .map((y) => y.filter((v) => v !== null).length));
    if (String(sizes) !== '120000,120000') throw new Error(String(sizes));
  });
  await browser.hover('[data-chart=throughput] .u-over', 0.3);
  await checks.check('large: values show', async () => {
    const legend = Object.values(await browser.run(page.legendOf, 'throughput'));
    if (!legend.every((text) => text.endsWith('/s'))) throw new Error(String(legend));
  });
  await checks.equal(
      'large: many groups are one block',
      browser.run(() => window.berthReport.grid().blocks.length), 1);
  await fits(context, 'large');
  await quiet(context, 'large');
}
