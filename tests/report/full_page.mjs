// Checks the page with all sections.

import {existsSync, mkdirSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';

import * as page from './checks.mjs';
import {compareDistributions, expectedCharts} from './expected.mjs';
import {keys, pause} from './webdriver.mjs';

// Of measured values whose spread is unknown or takes the fourth digit.
const threeDigits = (value) => Number(value.toPrecision(3)).toLocaleString('en-US');
const whole = (value) => Math.round(value).toLocaleString('en-US');

// A share of 0 cannot be drawn on a log scale.
const withoutZeros = (name, lines) =>
    (name.endsWith('-tail') ?
         lines.map(({label, points}) => ({label, points: points.filter(([, y]) => y > 0)})) :
         lines);

export async function charts({checks, browser, results}) {
  const expected = expectedCharts(results);
  const drawn = await browser.run(page.chartData);
  await checks.equal(
      'charts: all are there and no others', Object.keys(drawn).sort(),
      [...Object.keys(expected), 'latency', 'queue-to-bound', 'queue-to-bound-virtual'].sort());
  await checks.check(
      'charts: latency is distributed as in the data',
      () => compareDistributions(drawn.latency, results, 'decision'));
  await checks.check(
      'charts: queue-to-bound is distributed as in the data',
      () => compareDistributions(drawn['queue-to-bound'], results, 'queue_to_bound'));
  await checks.check(
      'charts: the time with all waits is distributed as in the data',
      () =>
          compareDistributions(drawn['queue-to-bound-virtual'], results, 'queue_to_bound_virtual'));
  await checks.equal(
      'attempts: each number of attempts has a row',
      browser.run(
          () => [...document.querySelectorAll('#attempts tbody tr')].map(
              (row) => [...row.children].slice(0, 3).map((cell) => cell.textContent))),
      [['1', '47,500', '500'], ['2', '1,500', '0'], ['3', '0', '500']]);
  for (const [name, lines] of Object.entries(expected)) {
    await checks.equal(`charts: ${name} has the data`, withoutZeros(name, drawn[name]), lines);
  }
  for (const scheme of ['light', 'dark']) {
    await browser.media(scheme);
    for (const [name, pixels] of Object.entries(await browser.run(page.paintedPixels))) {
      await checks.check(`charts: ${name} is painted in the ${scheme} colours`, () => {
        if (!pixels.every((count) => count >= 12))
          throw new Error(`pixels of its lines: ${pixels}`);
      });
    }
  }
  await browser.media('light');
  for (const name of ['throughput', 'by-nodes', 'pods', 'refused', 'utilisation']) {
    await checks.check(`charts: ${name} is drawn where its data are`, async () => {
      const share = await browser.run(page.drawnWhereDataAre, name);
      if (!(share > 0.98)) throw new Error(`${share} of the points`);
    });
  }
}

export async function hoverAndKeys({checks, browser, results}) {
  const {series} = results.results[0];
  await browser.hover('[data-chart=pods] .u-over', 0.5);
  const {index} = await browser.run(page.cursorOf, 'pods');
  await checks.check(
      'hover: the middle of the chart is the middle of the data', () => Math.abs(index - 120) < 3);
  const shown = (i) => ({
    waiting: whole(series.waiting[i]),
    'scheduled so far': whole(series.scheduled[i]),
    'refused so far': whole(series.refused[i])
  });
  await checks.equal(
      'hover: the legend has the values', browser.run(page.legendOf, 'pods'), shown(index));

  await browser.hover('[data-chart=throughput] .u-over', 0.05);
  const cursor = await browser.run(page.cursorOf, 'throughput');
  const legend = await browser.run(page.legendOf, 'throughput');
  const {throughput} = await browser.run(page.chartData);
  await checks.check('hover: a run of other times shows its nearest value', () => {
    const [line] = throughput;
    const near = results.results[0].series.decisions_per_second.map((v) => threeDigits(v) + '/s');
    return cursor.indices.length === 8 && near.includes(legend[line.label]);
  });

  await browser.focus('[data-chart=pods] .plot');
  await browser.press(keys.home);
  await checks.equal(
      'keys: Home goes to the first point', browser.run(page.legendOf, 'pods'), shown(0));
  await browser.press(keys.right, keys.right, keys.right, keys.left);
  await checks.equal('keys: arrows move by a point', browser.run(page.legendOf, 'pods'), shown(2));
  await browser.press(keys.pageUp);
  await checks.equal('keys: Page Up moves by ten', browser.run(page.legendOf, 'pods'), shown(12));
  await browser.press(keys.end);
  await checks.equal(
      'keys: End goes to the last point', browser.run(page.legendOf, 'pods'), shown(239));
  await checks.check('keys: a screen reader is told', async () => {
    const {text, now} = await browser.run(page.cursorOf, 'pods');
    return now === '239' && text.includes('waiting ' + whole(series.waiting[239]));
  });
  const before = (await browser.run(page.cursorOf, 'pods')).x;
  await browser.press('+');
  const near = (await browser.run(page.cursorOf, 'pods')).x;
  await checks.check(
      'keys: + shows a part', () => near[1] - near[0] < 0.6 * (before[1] - before[0]));
  await browser.press(keys.escape);
  await checks.equal(
      'keys: Esc shows all', browser.run(page.cursorOf, 'pods').then(({x}) => x), before);

  const key = '[data-chart=pods] .legend li:nth-child(1) button';
  await browser.focus(key);
  await browser.press(keys.enter);
  await checks.equal(
      'legend: a line is hidden with the keyboard',
      browser.run(
          (css) =>
              [document.querySelector(css).getAttribute('aria-pressed'),
               window.berthReport.charts.get('pods').plot.series[1].show],
          key),
      ['false', false]);
  await browser.press(keys.enter);
}

export async function grid({checks, browser, results}) {
  const source = results.results[0].grid;
  const bytes = source.frames.map((frame) => Buffer.from(frame, 'base64'));
  const last = source.frames.length - 1;
  const heat = (index) => browser.run((i) => {
    const hex = getComputedStyle(document.documentElement).getPropertyValue('--heat-' + i).trim();
    return [...[1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)), 255];
  }, index);
  const value = () => browser.run(() => Number(document.getElementById('grid-time').value));
  const said = () =>
      browser.run(() => document.getElementById('grid-time').getAttribute('aria-valuetext'));

  await checks.equal('grid: it starts at the end', value(), last);
  const gone = bytes[last].findIndex((byte) => byte === 255);
  await checks.equal(
      'grid: a node that is gone is not painted', browser.run(page.cellColour, 0, gone),
      [0, 0, 0, 0]);
  await checks.check('grid: a cell has the colour of its utilisation', async () => {
    const cell = bytes[last].findIndex((byte) => byte > 120 && byte < 160);
    const [low, high] = [await heat(3), await heat(4)];
    const colour = await browser.run(page.cellColour, 0, cell);
    const part = (bytes[last][cell] / 200) * 5 - 3;
    const wanted = low.map((c, i) => Math.round(c + (high[i] - c) * part));
    if (String(colour) !== String(wanted))
      throw new Error(`cell ${cell} is ${colour}, not ${wanted}`);
  });
  await browser.focus('#grid-time');
  await browser.press(keys.left);
  await checks.equal('grid: an arrow key goes one picture back', value(), last - 1);
  const empty = bytes[last - 1].filter((byte) => byte === 0).length;
  const nodes = bytes[last - 1].filter((byte) => byte <= 200).length;
  await checks.check(
      'grid: the slider says what is seen',
      async () => (await said()).endsWith(`${whole(empty)} of ${whole(nodes)} empty`));
  await browser.press(keys.home);
  await checks.equal(
      'grid: the first picture is of empty nodes', browser.run(page.cellColour, 1, 7),
      await heat(0));
  await browser.press(keys.end);

  await browser.focus('.cells:nth-of-type(3) canvas');
  await browser.press(keys.right, keys.right, keys.right);
  const first = source.groups[0].cells;
  const text = (group, cell) => `${source.groups[group].name}, node ${whole(cell + 1)}: ` +
      (bytes[last][(group ? first : 0) + cell] > 200 ?
           'no node' :
           `${Number((bytes[last][(group ? first : 0) + cell] / 2).toPrecision(3))}\u00a0%`);
  const shown = () => browser.run(() => document.getElementById('grid-cell').textContent);
  await checks.check('grid: arrow keys go through the nodes', async () => {
    const got = await shown();
    if (![text(0, 2), text(1, 2)].includes(got)) throw new Error(`${got}, not ${text(1, 2)}`);
  });
  await browser.hover('.cells canvas', 0.5, 0.5);
  await checks.check('grid: hovering names a node and its utilisation', async () => {
    const found = /^zone-0, node ([\d,]+): /.exec(await shown());
    return found !== null && text(0, Number(found[1].replace(',', '')) - 1) === await shown();
  });
  await browser.run(() => document.querySelector('.grid-controls button').click());
  await pause(600);
  await checks.check(
      'grid: Play goes through time', async () => (await value()) > 0 && (await value()) < last);
  await browser.run(() => document.querySelector('.grid-controls button').click());
}

export async function looks({checks, browser}) {
  const drawn = ['muted', ...Array.from({length: 8}, (_, i) => 'series-' + i)];
  for (const scheme of ['light', 'dark']) {
    await browser.media(scheme);
    await checks.check(`contrast: text of the ${scheme} page is at least 4.5`, async () => {
      const {low, looked} = await browser.run(page.lowContrast, 4.5);
      if (looked < 200 || low.length) throw new Error(`of ${looked}: ${JSON.stringify(low)}`);
    });
    await checks.equal(
        `contrast: axes of the ${scheme} page are at least 4.5`,
        browser.run(page.lowDrawn, ['muted', 'text'], 4.5), []);
    await checks.equal(
        `contrast: lines of the ${scheme} page are at least 3`,
        browser.run(page.lowDrawn, drawn, 3), []);
  }
  await browser.media('light');
  await browser.cdp('Accessibility.enable');
  const {nodes} = await browser.cdp('Accessibility.getFullAXTree');
  await browser.cdp('Accessibility.disable');
  const role = (node) => node.role && node.role.value;
  const controls = [
    'button', 'link', 'slider', 'combobox', 'table', 'image', 'img', 'region', 'columnheader',
    'rowheader'
  ];
  const named = nodes.filter((node) => !node.ignored && controls.includes(role(node)));
  await checks.equal(
      'names: everything that has a role has a name',
      named.filter((node) => !node.name || !node.name.value.trim()).map((node) => role(node)), []);
  const sliders = named.filter((node) => role(node) === 'slider').map((node) => node.name.value);
  const count = await browser.run(() => window.berthReport.charts.size);
  await checks.equal(
      'names: every chart, the time and the nodes of every zone are sliders', sliders.length,
      count + 1 + 3);
  await checks.equal('names: no two sliders have one', new Set(sliders).size, sliders.length);
  await checks.equal(
      'names: the page has its language and a title',
      browser.run(() => [document.documentElement.lang, document.title !== '']), ['en', true]);
}

// Chooses another run and checks that the page follows.
export async function choosing({checks, browser, results}) {
  const run = results.results[1];
  await browser.run(() => {
    const select = document.getElementById('run');
    select.selectedIndex = 1;
    select.dispatchEvent(new Event('change'));
  });
  await checks.equal(
      'choosing: the figures are those of the run',
      browser.run(() => document.querySelector('#tiles .figure').textContent),
      threeDigits(run.decisions_per_second) + '/s');
  const {pods} = await browser.run(page.chartData);
  await checks.equal(
      'choosing: its charts have its data', pods[0].points.map(([, y]) => y), run.series.waiting);
  await checks.equal(
      'choosing: the keyboard stays where it was', browser.run(() => document.activeElement.id),
      'run');
  await browser.run(() => document.querySelector('#headline-table button').click());
}

export async function download({checks, browser, results, out}) {
  const folder = join(out, 'download');
  rmSync(folder, {recursive: true, force: true});
  mkdirSync(folder, {recursive: true});
  await browser.cdp('Browser.setDownloadBehavior', {behavior: 'allow', downloadPath: folder});
  await browser.run(() => document.getElementById('download').click());
  const file = join(folder, 'berth-bench.json');
  for (let i = 0; i < 50 && !existsSync(file); i++) await pause(100);
  // Compares texts, because printing the difference of objects this large takes minutes.
  await checks.check(
      'download: the file is the data',
      () => JSON.stringify(JSON.parse(readFileSync(file, 'utf8'))) === JSON.stringify(results));
}

// Prints the page with the dark setting.
export async function print({checks, browser}) {
  await browser.media('dark');
  await browser.run(
      () => addEventListener('beforeprint', () => {
        window.printed =
            getComputedStyle(document.documentElement).getPropertyValue('--surface').trim();
        queueMicrotask(() => {
          // Ticks have room for their texts.
          const {plot} = window.berthReport.charts.get('queue-to-bound');
          const places = plot.axes[0]._splits.map((value) => plot.valToPos(value, 'x'));
          window.closest = Math.min(...places.slice(1).map((place, i) => place - places[i]));
        });
      }));
  const width = await browser.run(() => window.berthReport.charts.get('throughput').plot.width);
  const pdf = await browser.pdf();
  await checks.check(
      'paper: the page becomes a PDF',
      () => pdf.subarray(0, 5).toString() === '%PDF-' && pdf.length > 20000);
  await checks.equal(
      'paper: it is light even if the screen is dark', browser.run(() => window.printed),
      '#ffffff');
  await pause(200);
  await checks.equal(
      'paper: afterwards the screen is as it was',
      browser.run(
          () =>
              [window.berthReport.charts.get('throughput').plot.width,
               document.documentElement.hasAttribute('data-paper')]),
      [width, false]);
  await checks.check('paper: texts of ticks do not overlap', async () => {
    const closest = await browser.run(() => window.closest);
    if (!(closest > 45)) throw new Error(`they are ${closest} pixels apart`);
  });
  // The layout of A4 paper with its margins.
  await browser.size(717);
  await browser.media('light', 'print');
  await browser.run(() => void dispatchEvent(new Event('beforeprint')));
  await checks.equal(
      'paper: nothing is wider than a page', browser.run(page.overflow), {over: false, beyond: []});
  await checks.equal(
      'paper: charts are as wide as there is room',
      browser.run(
          () => [...window.berthReport.charts]
                    .filter(
                        ([, {plot, area}]) =>
                            plot.width > area.clientWidth || plot.width < 0.9 * area.clientWidth)
                    .map(([name,
                           {plot, area}]) => name + ' ' + plot.width + ' of ' + area.clientWidth)),
      []);
  await browser.run(() => void dispatchEvent(new Event('afterprint')));
  await browser.media('light');
  await browser.size(1400);
  return pdf;
}
