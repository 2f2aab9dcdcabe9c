// Opens reports of made-up results in Chromium and checks what they show.
//
//   node browser_test.mjs --make-page PROGRAM --out FOLDER [--screenshots]
//   node browser_test.mjs --make-page PROGRAM --out FOLDER --picture FILE.png --of RESULTS.json
//
// PROGRAM converts results to a page (make_page). Pages are kept in FOLDER. --screenshots keeps
// pictures of them beside them, narrow and wide, light and dark, for people to look at: to draw
// them takes most of the time. With --picture, only the picture for the README is made. Exits with
// 77 if there is no Chromium.

import {execFileSync} from 'node:child_process';
import {accessSync, constants, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {delimiter, join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';

import {allowReading, Checks} from './checks.mjs';
import * as fullPage from './full_page.mjs';
import * as others from './other_pages.mjs';
import * as samples from './samples.mjs';
import * as sweepPage from './sweep_page.mjs';
import {Browser, pause} from './webdriver.mjs';

const kSkipped = 77;

function find(program) {
  for (const folder of (process.env.PATH || '').split(delimiter)) {
    const path = join(folder, program);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  console.log(`skipped: ${program} is not installed; ./dev setup does that`);
  process.exit(kSkipped);
}

function contextOf(options, browser) {
  const out = resolve(options.out);
  mkdirSync(out, {recursive: true});
  const context = {browser, out, checks: new Checks()};
  context.showText = async (name, json) => {
    const [data, html] = [join(out, `${name}.json`), join(out, `${name}.html`)];
    writeFileSync(data, json);
    execFileSync(options['make-page'], [data, html]);
    await browser.open(pathToFileURL(html).href);
    await browser.run(allowReading);
  };
  context.show = (name, results) => context.showText(name, JSON.stringify(results));
  context.save = (name, bytes) => writeFileSync(join(out, name), bytes);
  context.screenshots = options.screenshots;
  return context;
}

async function pictures({browser, save, screenshots}, name) {
  if (!screenshots) return;
  for (const width of [400, 1400]) {
    for (const scheme of ['light', 'dark']) {
      await browser.size(width);
      await browser.media(scheme);
      save(`${name}-${width}-${scheme}.png`, await browser.wholePage());
    }
  }
  await browser.media('light');
  await browser.size(1400);
}

async function test(context) {
  const {browser, show, save} = context;
  await browser.size(1400);
  await browser.media('light');
  const results = JSON.parse(JSON.stringify(samples.full()));
  await show('full', results);
  const full = {...context, results};
  await fullPage.charts(full);
  await fullPage.hoverAndKeys(full);
  await fullPage.grid(full);
  await fullPage.looks(full);
  await fullPage.choosing(full);
  await fullPage.download(full);
  save('full.pdf', await fullPage.print(full));
  await others.fits(full, 'full');
  await others.quiet(full, 'full');
  await pictures(full, 'full');

  for (const name
           of ['minimal', 'empty', 'hostile', 'parameters', 'growth', 'coinciding', 'recovery']) {
    await show(name, samples[name]());
    await others[name](context);
    await pictures(context, name);
  }
  await show('sweep', sweepPage.sweepResults());
  await sweepPage.sweep(context);
  await pictures(context, 'sweep');
  await show('suite', samples.suite());
  await others.fits(context, 'suite');
  await others.quiet(context, 'suite');
  await browser.size(1400);
  await others.absent(context);
  await others.broken(context);

  const large = JSON.stringify(samples.large());
  await context.showText('large', large);
  await others.large(context);
}

// Parts that are left out of the README's picture to save space.
const kNotPictured = [
  '#headline-table',
  '.chooser',
  '#throughput',
  '#compare',
  '#growth',
  '#costs',
  '#pods',
  '#quality',
  '#environment',
  'footer',
  '#latency .columns > :nth-child(n + 3)',
  '#grid .columns > :nth-child(n + 2)',
];
async function picture({browser, showText}, options) {
  await browser.media('light');
  await browser.size(1000);
  await showText('picture', readFileSync(options.of, 'utf8'));
  const height = await browser.run((hidden) => {
    for (const element of document.querySelectorAll(hidden.join())) {
      (element.id === 'headline-table' ? element.parentNode : element).hidden = true;
    }
    return Math.ceil(document.getElementById('grid').getBoundingClientRect().bottom) + 16;
  }, kNotPictured);
  await pause(300);
  writeFileSync(options.picture, await browser.picture({x: 0, y: 0, width: 1000, height}));
}

const {values: options} = parseArgs({
  options: {
    'make-page': {type: 'string'},
    out: {type: 'string'},
    screenshots: {type: 'boolean'},
    picture: {type: 'string'},
    of: {type: 'string'}
  }
});
if (!options['make-page'] || !options.out || Boolean(options.picture) !== Boolean(options.of) ||
    (options.picture && options.screenshots)) {
  console.error(
      'usage: browser_test.mjs --make-page PROGRAM --out FOLDER ' +
      '[--screenshots | --picture FILE.png --of RESULTS.json]');
  process.exit(2);
}
const browser =
    await Browser.start({chromium: find('chromium'), chromedriver: find('chromedriver')});
let status = 1;
try {
  const context = contextOf(options, browser);
  if (options.picture) {
    await picture(context, options);
    status = 0;
  } else {
    await test(context);
    status = context.checks.report();
  }
} finally {
  await browser.stop();
}
process.exit(status);
