// Charts: a uPlot with a legend that shows the values under the cursor, and keyboard control.
//
// draw({name, title, x, y, lines, stepped, points}) creates the figure. x and y are {label, format,
// log, times}; lines are {label, colour, x: [...], y: [...], strong}. An axis of times has seconds
// as values and its ticks in the unit that fits, which its label names. attach() draws it once the
// figure is in the document, because its width is unknown before.
const charts = (() => {
  const kHeight = 260;
  // One for each line, so that two lines that coincide differ in more than the hidden colour.
  const kDashes =
      [[], [10, 6], [3, 5], [14, 4, 3, 4], [20, 8], [6, 3], [2, 8], [12, 3, 2, 3, 2, 3]];
  const kPoint = 7;      // diameter of the last line's points
  const kPointStep = 3;  // how much larger those of each line before are, in whose ring it shows
  const kMostPoint = 22;
  const kPaperWidth = 660;      // width of A4 and Letter without margins
  const kHalfPaperWidth = 310;  // if two charts share a row
  const kFarStep = 10;          // points per Page Up; an arrow moves one
  const kKeyPositions = 200;
  const kMostPoints = 8;               // up to this many points get ticks of their own
  const kAxisPixels = 80;              // approximate space beside the plot
  const kTickPixels = {x: 52, y: 20};  // space that the text of a tick needs
  const kFont =
      '12px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", Arial, sans-serif';

  const keep = (plot, found) => found;  // uPlot's default leaves out ticks of a log scale
  const all = new Map();
  let pending = [];
  let observer = null;

  const element = dom.element;

  function scale(axis, pad) {
    if (!axis.log) {
      return {
        time: false,
        range: (plot, low, high) => {
          const room = (high - low || Math.abs(high) || 1) * pad;
          return [low - room, high + room];
        }
      };
    }
    return {
      time: false,
      distr: 3,
      log: 10,
      range: (plot, low, high) => {
        const room = low === high ? 2 : (high / low) ** pad;
        return [low / room, high * room];
      }
    };
  }
  // A linear scale starts at 0, a log scale at the power of ten below the smallest value.
  function yScale(axis) {
    if (axis.log) {
      return {
        distr: 3,
        log: 10,
        range: (plot, low, high) => (low === null ? [1, 10] : uPlot.rangeLog(low, high, 10, true))
      };
    }
    return {range: (plot, low, high) => [Math.min(0, low || 0), high > 0 ? high * 1.08 : 1]};
  }
  // Ticks of a log scale: powers of ten, and also twice and five times those if there is room or
  // there would be too few.
  function logTicks(low, high, fits) {
    const within = (steps) => {
      const made = [];
      for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
        // Parse from text, which yields the closest double to the decimal value.
        made.push(...steps.map((step) => Number(step + 'e' + power)));
      }
      return made.filter((value) => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9));
    };
    const powers = within([1]);
    const more = within([1, 2, 5]);
    return powers.length < 2 || fits(more).length === more.length ? more : powers;
  }
  // Ticks at the measured points if there are few, otherwise at round values.
  function splits(chart, which) {
    const scale = chart.spec[which];
    const values = chart.spec.points && which === 'x' ? lines.join(chart.spec.lines, false)[0] : [];
    const measured = values.length > 0 && values.length <= kMostPoints;
    if (!measured && !scale.log) return undefined;
    return (plot, index, low, high) => {
      const to = scale.log ? Math.log : (v) => v;
      const pixels = which === 'x' ? plot.width - kAxisPixels : kHeight - kAxisPixels;
      const place = (v) => ((to(v) - to(low)) / (to(high) - to(low))) * pixels;
      // Leave out ticks that would overlap the previous one.
      const fits = (ticks) => ticks.reduce(
          (kept, v) =>
              (kept.length === 0 || place(v) - place(kept[kept.length - 1]) >= kTickPixels[which] ?
                   [...kept, v] :
                   kept),
          []);
      const ticks =
          measured ? values.filter((v) => v >= low && v <= high) : logTicks(low, high, fits);
      return fits(ticks);
    };
  }
  function axis(options, more) {
    const ticks = options.tick || options.format;
    return {
      stroke: () => theme.colour('muted'),
      grid: {stroke: () => theme.colour('faint'), width: 1},
      ticks: {stroke: () => theme.colour('line'), width: 1, size: 5},
      border: {show: true, stroke: () => theme.colour('line'), width: 1},
      font: kFont,
      label: options.label,
      labelFont: kFont,
      labelSize: 20,
      values: (plot, splits) => splits.map((value) => (value === null ? '' : ticks(value))),
      ...more,
    };
  }
  // Line i has dashes unlike those of the others, so that lines that coincide show both colours.
  function dashOf(chart, line) {
    return kDashes[chart.spec.lines.indexOf(line) % kDashes.length];
  }
  // Points of later lines lie on those of earlier ones, which are larger.
  function pointSize(chart, line) {
    const after = chart.spec.lines.length - 1 - chart.spec.lines.indexOf(line);
    return Math.min(kMostPoint, kPoint + kPointStep * after);
  }
  // The label of an earlier line with the same points, or ''.
  function coincidesWith(all, index) {
    const same = (a, b) => a.length === b.length && a.every((value, i) => value === b[i]);
    const twin = all.slice(0, index).find(
        (line) => same(line.x, all[index].x) && same(line.y, all[index].y));
    return twin ? twin.label : '';
  }
  // Seconds on a linear axis, in the unit that fits the largest.
  function inFittingUnit(axis, all) {
    if (!axis.times) return axis;
    const most =
        all.reduce((most, line) => line.x.reduce((m, value) => (value > m ? value : m), most), 0);
    const [size, name] = format.unitOfTimes(most);
    return {
      ...axis,
      label: axis.label + ' (' + name + ')',
      format: format.seconds,
      tick: (value) => format.tick(value / size)
    };
  }
  function series(chart, line) {
    const {spec} = chart;
    const colour = () => theme.series(line.colour);
    const fill = spec.lines.length === 1 && !spec.points ? () => colour() + '24' : undefined;
    return {
      label: line.label,
      stroke: colour,
      fill,
      width: line.strong || spec.lines.length === 1 ? 2 : 1.25,
      dash: dashOf(chart, line),
      spanGaps: true,
      points: {
        show: spec.points ? true : undefined,
        size: pointSize(chart, line),
        fill: colour,
        stroke: colour
      },
      paths: spec.stepped ? uPlot.paths.stepped({align: spec.stepped}) : undefined,
    };
  }

  function options(chart, width) {
    const {x, y} = chart.spec;
    return {
      width,
      height: kHeight,
      padding: [10, 24, 0, 0],  // room for half of the last tick
      legend: {show: false},
      scales: {x: scale(x, chart.spec.points ? 0.06 : 0), y: yScale(y)},
      axes: [
        axis(x, {space: 70, size: 32, splits: splits(chart, 'x'), filter: keep}),
        axis(y, {size: 68, space: 34, splits: splits(chart, 'y'), filter: keep})
      ],
      series: [{}, ...chart.spec.lines.map((line) => series(chart, line))],
      cursor: {
        y: false,
        drag: {x: true, y: false, dist: 6},
        hover: {skip: [null, undefined]},
        points: {size: 8},
      },
      hooks: {
        setCursor: [() => show(chart)],
        setScale: [(plot, key) => key === 'x' && zoomed(chart)],
      },
    };
  }

  // The values under the cursor, for the legend and for screen readers.
  function show(chart) {
    const {plot, spec} = chart;
    const at = plot.cursor.idx;
    const shown = at !== null && at !== undefined && plot.cursor.left >= 0;
    chart.at.textContent = shown ? 'at ' + spec.x.format(plot.data[0][at]) : '';
    const said = [];
    spec.lines.forEach((line, i) => {
      const index = shown ? plot.cursor.idxs[i + 1] : null;
      const value = index === null || index === undefined ? null : plot.data[i + 1][index];
      const text = shown && plot.series[i + 1].show ? spec.y.format(value) : '';
      chart.outputs[i].textContent = text;
      if (text) said.push(line.label + ' ' + text);
    });
    if (!shown) return;
    chart.area.setAttribute('aria-valuenow', at);
    chart.area.setAttribute('aria-valuetext', chart.at.textContent + ': ' + said.join(', '));
  }
  function zoomed(chart) {
    const {min, max} = chart.plot ? chart.plot.scales.x : {};
    if (chart.full === null) chart.full = [min, max];
    chart.reset.hidden = min <= chart.full[0] && max >= chart.full[1];
  }

  // The range of indices of visible points.
  function inSight(plot) {
    const x = plot.data[0];
    const {min, max} = plot.scales.x;
    let first = plot.valToIdx(min);
    let last = plot.valToIdx(max);
    if (x[first] < min && first < last) first++;
    if (x[last] > max && last > first) last--;
    return [first, last];
  }
  function moveTo(chart, index) {
    const {plot} = chart;
    const left = plot.valToPos(plot.data[0][index], 'x');
    plot.setCursor({left, top: plot.over.clientHeight / 2});
  }
  function zoom(chart, factor) {
    const {plot, spec} = chart;
    const {min, max} = plot.scales.x;
    const at = plot.cursor.left >= 0 ? plot.posToVal(plot.cursor.left, 'x') : null;
    const to = spec.x.log ? Math.log : (v) => v;
    const back = spec.x.log ? Math.exp : (v) => v;
    const middle = at === null ? (to(min) + to(max)) / 2 : to(at);
    const low = Math.max(to(chart.full[0]), middle - (middle - to(min)) * factor);
    const high = Math.min(to(chart.full[1]), middle + (to(max) - middle) * factor);
    plot.setScale('x', {min: back(low), max: back(high)});
  }
  const showAll = (chart) => chart.plot.setScale('x', {min: chart.full[0], max: chart.full[1]});

  function key(chart, event) {
    const {plot} = chart;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const [first, last] = inSight(plot);
    const at = plot.cursor.idx;
    const here = at === null || at === undefined || plot.cursor.left < 0 ? null : at;
    const step =
        Math.max(1, Math.round((last - first) / kKeyPositions)) * (event.shiftKey ? kFarStep : 1);
    const by = (steps) => {
      const start = here === null ? (steps > 0 ? first - steps : last - steps) : here;
      moveTo(chart, Math.max(first, Math.min(last, start + steps)));
    };
    const keys = {
      ArrowLeft: () => by(-step),
      ArrowDown: () => by(-step),
      ArrowRight: () => by(step),
      ArrowUp: () => by(step),
      PageDown: () => by(-step * kFarStep),
      PageUp: () => by(step * kFarStep),
      Home: () => moveTo(chart, first),
      End: () => moveTo(chart, last),
      '+': () => zoom(chart, 0.5),
      '-': () => zoom(chart, 2),
      Escape: () => showAll(chart),
    };
    const action = Object.hasOwn(keys, event.key) ? keys[event.key] : null;
    if (action === null) return;
    event.preventDefault();
    action();
  }

  function legendKey(chart, line, index) {
    const swatch = element('span', {class: 'swatch', 'aria-hidden': 'true'});
    swatch.style.background = theme.variable(line.colour);
    const twin = coincidesWith(chart.spec.lines, index);
    const name = element(
        'span', {class: 'name', text: line.label},
        twin && element('span', {class: 'small muted', text: ' (coincides with ' + twin + ')'}));
    const output = element('output', {'aria-live': 'off'});
    chart.outputs.push(output);
    if (chart.spec.lines.length === 1) {
      return element('li', {}, element('span', {class: 'key'}, swatch, name, output));
    }
    const button = element(
        'button', {
          type: 'button',
          class: 'key',
          'aria-pressed': 'true',
          onclick: () => {
            const on = !chart.plot.series[index + 1].show;
            button.setAttribute('aria-pressed', String(on));
            chart.plot.setSeries(index + 1, {show: on});
          },
        },
        swatch, name, output);
    return element('li', {}, button);
  }

  function draw(asked) {
    const spec = {...asked, x: inFittingUnit(asked.x, asked.lines)};
    const chart = {spec, outputs: [], plot: null, full: null};
    chart.area = element('div', {
      class: 'plot',
      tabindex: '0',
      role: 'slider',
      'aria-label': spec.title + ': ' + spec.y.label + ' by ' + spec.x.label,
      'aria-valuemin': '0',
      'aria-valuenow': '0',
      'aria-valuetext': 'no point chosen',
      onkeydown: (event) => key(chart, event),
    });
    chart.at = element('span', {class: 'key'});
    chart.reset = element('button', {
      type: 'button',
      class: 'key screen-only',
      text: 'Show all',
      hidden: true,
      onclick: () => showAll(chart)
    });
    const entries = spec.lines.map((line, i) => legendKey(chart, line, i));
    chart.figure = element(
        'figure', {'data-chart': spec.name},
        element(
            'figcaption', {}, element('h3', {text: spec.title}),
            spec.note && element('span', {class: 'small muted', text: spec.note})),
        chart.area,
        element(
            'ul', {class: 'legend'}, ...entries,
            element('li', {class: 'at'}, chart.at, chart.reset)));
    pending.push(chart);
    return chart.figure;
  }

  const widthOf = (chart) => Math.max(160, Math.floor(chart.area.clientWidth));
  function attach() {
    observer = observer || new ResizeObserver((entries) => {
                 for (const entry of entries)
                   resize(all.get(entry.target.parentNode.dataset.chart));
               });
    for (const chart of pending) {
      const values = lines.join(chart.spec.lines, chart.spec.y.log);
      chart.area.setAttribute('aria-valuemax', String(Math.max(0, values[0].length - 1)));
      all.set(chart.spec.name, chart);
      // Assigned during construction, because uPlot calls hooks from its constructor.
      new uPlot(options(chart, widthOf(chart)), values, (plot, start) => {
        chart.plot = plot;
        chart.area.append(plot.root);
        start();
      });
      observer.observe(chart.area);
    }
    pending = [];
  }
  function resize(chart) {
    if (!chart || document.documentElement.hasAttribute('data-paper')) return;
    const width = widthOf(chart);
    if (width !== chart.plot.width) chart.plot.setSize({width, height: kHeight});
  }
  // For paper, the style sheet arranges some panels in two columns.
  function paperWidth(chart) {
    const half = chart.figure.closest('.charts > .panel:not(.full, :only-child)');
    return half ? kHalfPaperWidth : kPaperWidth;
  }
  function restyle(paper) {
    for (const chart of all.values()) {
      const width = paper ? paperWidth(chart) : widthOf(chart);
      if (width !== chart.plot.width) chart.plot.setSize({width, height: kHeight});
      chart.plot.redraw(true, true);
    }
  }
  // Forgets all charts. Their figures are removed from the document with their sections.
  function clear() {
    if (observer) observer.disconnect();
    for (const chart of all.values()) chart.plot.destroy();
    all.clear();
    pending = [];
  }
  return {draw, attach, clear, restyle, all};
})();
