// Checks the page of a sweep: its table, its front, and two of its figures against each other.

import * as pages from './other_pages.mjs';
import {page} from './samples.mjs';

const kColumns = [
  {name: 'utilisation:cpu', title: 'cpu used', kind: 'share', better: 'higher'},
  {name: 'refused', title: 'refused', kind: 'count', better: 'lower'},
  {name: 'wait-p99', title: 'wait p99', kind: 'seconds', better: 'lower'},
];
// A row for each share of the cpu in use; the last one lacks a draw.
const kRows = [[0.5, 0, 0.002, true], [0.7, 40, 0.004, true], [0.6, 40, 0.008, false]].map(
    ([used, refused, wait, front], i) => ({
      label: `weight:A=${i}`,
      settings: {'weight:A': String(i)},
      combinations: i === 2 ? [4] : [2 * i, 2 * i + 1],
      expected: 2,
      values: {'utilisation:cpu': used, refused, ...(i === 2 ? {} : {'wait-p99': wait})},
      front
    }));

export function sweepResults() {
  return {
    ...page([]),
    sweep: {
      combinations: 6,
      interrupted: true,
      front: ['utilisation:cpu', 'refused'],
      columns: kColumns,
      rows: kRows
    }
  };
}

// The points of the plot in page coordinates, with their words.
const points = () => [...document.querySelectorAll('.sweep-plot circle')].map(
    (point) => ({
      x: Number(point.getAttribute('cx')),
      y: Number(point.getAttribute('cy')),
      front: point.classList.contains('on-front'),
      title: point.querySelector('title').textContent
    }));

export async function sweep(context) {
  const {checks, browser} = context;
  await checks.equal(
      'sweep: a row for each setting, with the front',
      browser.run(
          () => [...document.querySelectorAll('#sweep-table tbody tr')].map(
              (row) => [...row.children].map((cell) => cell.textContent))),
      [
        ['weight:A=0', '\u2605', '50\u00a0%', '0', '2\u00a0ms'],
        ['weight:A=1', '\u2605', '70\u00a0%', '40', '4\u00a0ms'],
        ['weight:A=2 (1 of 2 draws)', '', '60\u00a0%', '40', '\u2013'],
      ]);
  await checks.check('sweep: it says that it is not complete', async () => {
    const text = await browser.run(() => document.getElementById('sweep').textContent);
    if (!text.includes('5 of 6 combinations') || !text.includes('the sweep is not complete'))
      throw new Error(text);
  });
  const drawn = await browser.run(points);
  const of = (i) => drawn.find((point) => point.title.startsWith(`weight:A=${i}`));
  await checks.equal('sweep: each row is a point', drawn.length, 3);
  await checks.equal(
      'sweep: points are where their figures are',
      [of(0).x < of(2).x, of(2).x < of(1).x, of(1).y === of(2).y, of(1).y < of(0).y],
      [true, true, true, true]);
  await checks.equal(
      'sweep: the front is marked', [0, 1, 2].map((i) => of(i).front), [true, true, false]);
  await checks.equal(
      'sweep: a point tells its figures', of(1).title,
      'weight:A=1: cpu used 70\u00a0%, refused 40');
  await browser.run(() => {
    const select = document.getElementById('sweep-y');
    select.selectedIndex = 2;
    select.dispatchEvent(new Event('change'));
  });
  await checks.equal(
      'sweep: another figure is chosen; a row without it has no point',
      (await browser.run(points)).map((point) => point.title), [
        'weight:A=0: cpu used 50\u00a0%, wait p99 2\u00a0ms',
        'weight:A=1: cpu used 70\u00a0%, wait p99 4\u00a0ms'
      ]);
  await pages.fits(context, 'sweep');
  await pages.quiet(context, 'sweep');
}
