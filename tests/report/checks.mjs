// Named checks, and functions that run in the page.

import {deepStrictEqual} from 'node:assert';

export class Checks {
  constructor() {
    this.passed = 0;
    this.failed = [];
  }
  // The check fails if `body` throws or returns false.
  async check(name, body) {
    try {
      if ((await body()) === false) throw new Error('it is not so');
      this.passed++;
      console.log(`ok      ${name}`);
    } catch (error) {
      this.failed.push(name);
      console.log(`FAILED  ${name}: ${error.message}`);
    }
  }
  equal(name, got, expected) {
    return this.check(name, async () => deepStrictEqual(await got, expected));
  }
  // Returns the exit status for the process.
  report() {
    console.log(`${this.passed} checks passed, ${this.failed.length} failed`);
    return this.failed.length === 0 && this.passed > 0 ? 0 : 1;
  }
}

// The functions below run in the browser and cannot refer to anything outside themselves.

// Returns [{text, ratio}] for visible texts whose contrast with their background is below `least`,
// and the number of texts checked.
export function lowContrast(least) {
  const parse = (colour) => {
    const found = colour.match(/[\d.]+/g).map(Number);
    return {rgb: found.slice(0, 3), alpha: found.length > 3 ? found[3] : 1};
  };
  const over = (top, below) => top.rgb.map((c, i) => c * top.alpha + below[i] * (1 - top.alpha));
  const luminance = (rgb) =>
      rgb.map((c) => c / 255)
          .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
          .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const layer = parse(getComputedStyle(at).backgroundColor);
      layers.push(layer);
      if (layer.alpha === 1) break;
    }
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const low = [];
  let looked = 0;
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const box = element.getBoundingClientRect();
    if (!walker.currentNode.data.trim() || box.width <= 1 || box.height <= 1 ||
        element.closest('script'))
      continue;
    looked++;
    const back = behind(element);
    const fore = over(parse(getComputedStyle(element).color), back);
    const [a, b] = [luminance(fore), luminance(back)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < least)
      low.push({text: walker.currentNode.data.slice(0, 40), ratio: ratio.toFixed(2)});
  }
  return {low, looked};
}

// The same for drawn colours: names of colours of the style sheet with too little contrast to the
// panels.
export function lowDrawn(names, least) {
  const style = getComputedStyle(document.documentElement);
  const luminance =
      (name) => [1, 3, 5]
                    .map(
                        (at) =>
                            parseInt(
                                style.getPropertyValue('--' + name).trim().slice(at, at + 2), 16) /
                            255)
                    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
                    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const surface = luminance('surface');
  return names.filter((name) => {
    const [a, b] = [luminance(name), surface].sort((x, y) => y - x);
    return !((a + 0.05) / (b + 0.05) >= least);
  });
}

// Call this before functions that read pixels. Copies a canvas, because reading from a canvas that
// is being drawn makes Chromium print a warning.
export function allowReading() {
  window.pixelsOf = (canvas, left = 0, top = 0, width = canvas.width, height = canvas.height) => {
    const context = new OffscreenCanvas(width, height).getContext('2d', {willReadFrequently: true});
    context.drawImage(canvas, left, top, width, height, 0, 0, width, height);
    return context.getImageData(0, 0, width, height).data;
  };
}

// Returns the data of every chart as {name: [{label, points: [[x, y], ...]}, ...]}, from uPlot.
export function chartData() {
  const made = {};
  for (const [name, chart] of window.berthReport.charts) {
    const [x, ...all] = chart.plot.data;
    made[name] = all.map(
        (y, i) => ({
          label: chart.plot.series[i + 1].label,
          points: Array.from(x, (value, k) => [value, y[k]]).filter(([, value]) => value !== null),
        }));
  }
  return made;
}

// Returns, per chart and line, the number of canvas pixels in the line's colour.
export function paintedPixels() {
  const style = getComputedStyle(document.documentElement);
  const made = {};
  for (const [name, chart] of window.berthReport.charts) {
    const data = window.pixelsOf(chart.plot.ctx.canvas);
    made[name] = chart.spec.lines.map((line) => {
      const hex = style.getPropertyValue('--series-' + line.colour).trim();
      const [r, g, b] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
      let found = 0;
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3] > 200 &&
            Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 24) {
          found++;
        }
      }
      return found;
    });
  }
  return made;
}

// Returns the share of a line's points at which the canvas has the line's colour. Use it for the
// topmost line of a chart.
export function drawnWhereDataAre(name) {
  const {plot, spec} = window.berthReport.charts.get(name);
  const last = spec.lines.length;
  const style = getComputedStyle(document.documentElement);
  const hex = style.getPropertyValue('--series-' + spec.lines[last - 1].colour).trim();
  const wanted = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  let points = 0;
  let hits = 0;
  plot.data[last].forEach((y, i) => {
    if (y === null) return;
    const left = Math.round(plot.valToPos(plot.data[0][i], 'x', true));
    const top = Math.round(plot.valToPos(y, 'y', true));
    const data = window.pixelsOf(plot.ctx.canvas, left - 3, top - 3, 7, 7);
    points++;
    for (let p = 0; p < data.length; p += 4) {
      if (wanted.every((c, k) => Math.abs(data[p + k] - c) < 40) && data[p + 3] > 150) {
        hits++;
        break;
      }
    }
  });
  return hits / points;
}

// Returns the values in a chart's legend under the cursor: {line: text}.
export function legendOf(name) {
  const chart = window.berthReport.charts.get(name);
  return Object.fromEntries(
      chart.spec.lines.map((line, i) => [line.label, chart.outputs[i].textContent]));
}
export function cursorOf(name) {
  const {plot, area} = window.berthReport.charts.get(name);
  return {
    index: plot.cursor.idx,
    indices: plot.cursor.idxs,
    text: area.getAttribute('aria-valuetext'),
    now: area.getAttribute('aria-valuenow'),
    x: [plot.scales.x.min, plot.scales.x.max]
  };
}
// The colour at the centre of a cell, as [r, g, b, a].
export function cellColour(block, cell) {
  const made = window.berthReport.grid().blocks[block];
  const side = made.cell * made.scale;
  const left = (cell % made.columns) * side + Math.floor(side / 3);
  const top = Math.floor(cell / made.columns) * side + Math.floor(side / 3);
  return Array.from(window.pixelsOf(made.canvas, left, top, 1, 1));
}
export function overflow() {
  const root = document.documentElement;
  const beyond = [...document.querySelectorAll('body *')]
                     .filter(
                         (e) => e.getBoundingClientRect().right > innerWidth + 0.5 &&
                             !e.closest('.unseen, thead'))
                     .map((e) => e.tagName + '.' + e.className)
                     .slice(0, 5);
  return {over: root.scrollWidth > innerWidth, beyond};
}
export const sectionIds =
    () => [...document.querySelectorAll('main section')].map((section) => section.id);
