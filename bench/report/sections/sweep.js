// The table of a sweep, and two of its figures against each other.
const sweep = (() => {
  const {element} = dom;
  const kSvg = 'http://www.w3.org/2000/svg';
  const kWidth = 640;
  const kHeight = 320;
  const kLeft = 90;
  const kBelow = 40;
  const kEdge = 16;

  const texts = {
    share: format.percent,
    seconds: (value) => format.seconds(value),
    rate: (value) => format.rate(value),
    count: (value) => format.count(value),
  };
  const textOf = (column, value) => (texts[column.kind] || texts.count)(value);
  const valueOf = (row, column) => (row.values || {})[column.name];
  const objects = (value) => data.list(value).filter((one) => one && typeof one === 'object');

  function labelOf(row) {
    const measured = data.list(row.combinations).length;
    const label = String(row.label || 'as given');
    return measured < row.expected ? `${label} (${measured} of ${row.expected} draws)` : label;
  }

  function table(rows, columns) {
    return element(
        'div', {class: 'panel long'},
        dom.table(
            {id: 'sweep-table', label: 'Settings', current: (row) => row.front === true},
            [
              {name: 'Settings', text: true, cell: labelOf},
              {name: 'Front', cell: (row) => (row.front === true ? '\u2605' : '')},
              ...columns.map((column) => ({
                               name: String(column.title),
                               cell: (row) => textOf(column, valueOf(row, column))
                             }))
            ],
            rows));
  }

  function drawn(tag, attributes, text) {
    const made = document.createElementNS(kSvg, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }
  // From values to places between `from` and `to`; equal values are in the middle.
  function scale(values, from, to) {
    const least = Math.min(...values);
    const range = Math.max(...values) - least;
    return (value) =>
               (range > 0 ? from + ((value - least) / range) * (to - from) : (from + to) / 2);
  }
  function point(row, x, y, xColumn, yColumn) {
    const made = drawn('circle', {
      cx: x.toFixed(2),
      cy: y.toFixed(2),
      r: row.front === true ? 6 : 4,
      class: row.front === true ? 'on-front' : 'off-front'
    });
    const of = (column) => `${column.title} ${textOf(column, valueOf(row, column))}`;
    made.append(drawn('title', {}, `${labelOf(row)}: ${of(xColumn)}, ${of(yColumn)}`));
    return made;
  }
  function ends(values, column, place) {
    return [Math.min(...values), Math.max(...values)].map(
        (value, index) => drawn('text', place(index), textOf(column, value)));
  }

  function plot(rows, xColumn, yColumn) {
    const known = rows.filter(
        (row) => format.known(valueOf(row, xColumn)) && format.known(valueOf(row, yColumn)));
    const xs = known.map((row) => valueOf(row, xColumn));
    const ys = known.map((row) => valueOf(row, yColumn));
    const right = kWidth - kEdge;
    const bottom = kHeight - kBelow;
    const x = scale(xs, kLeft + kEdge, right - kEdge);
    const y = scale(ys, bottom - kEdge, 2 * kEdge);
    const made = drawn('svg', {
      viewBox: `0 0 ${kWidth} ${kHeight}`,
      role: 'img',
      class: 'sweep-plot',
      'aria-label': `${yColumn.title} against ${xColumn.title}, as in the table above`
    });
    made.append(drawn('path', {d: `M${kLeft} ${kEdge}V${bottom}H${right}`, class: 'axis'}));
    if (known.length) {
      made.append(
          ...ends(
              xs, xColumn,
              (end) =>
                  ({x: end ? right : kLeft, y: bottom + 16, 'text-anchor': end ? 'end' : 'start'})),
          ...ends(
              ys, yColumn,
              (end) => ({x: kLeft - 6, y: end ? 2 * kEdge : bottom, 'text-anchor': 'end'})));
    }
    made.append(
        drawn(
            'text', {x: (kLeft + right) / 2, y: bottom + 32, 'text-anchor': 'middle'},
            String(xColumn.title)),
        drawn('text', {x: 6, y: kEdge - 4, 'text-anchor': 'start'}, String(yColumn.title)));
    // Those of the front last, so that no other hides them.
    for (const front of [false, true])
      for (const row of known)
        if ((row.front === true) === front)
          made.append(
              point(row, x(valueOf(row, xColumn)), y(valueOf(row, yColumn)), xColumn, yColumn));
    return made;
  }

  function chooser(id, label, columns, chosen, choose) {
    const select = element(
        'select', {id, onchange: () => choose(columns[select.selectedIndex])},
        ...columns.map(
            (column) =>
                element('option', {text: String(column.title), selected: column === chosen})));
    return element('div', {class: 'chooser'}, element('label', {for: id, text: label
                   }), select);
  }

  function plots(rows, columns, front) {
    const named = (name, other) => columns.find((column) => column.name === name) || other;
    let xColumn = named(front[0], columns[0]);
    let yColumn = named(front[1], columns[columns.length - 1]);
    const place = element('div', {});
    const show = () => place.replaceChildren(plot(rows, xColumn, yColumn));
    show();
    return element(
        'div', {class: 'panel'}, chooser('sweep-x', 'Across', columns, xColumn, (column) => {
          xColumn = column;
          show();
        }), chooser('sweep-y', 'Upwards', columns, yColumn, (column) => {
          yColumn = column;
          show();
        }), place);
  }

  function about(value) {
    const measured =
        objects(value.rows).reduce((n, row) => n + data.list(row.combinations).length, 0);
    const parts = [
      `${format.count(measured)} of ${format.count(value.combinations)} combinations`,
      'a star marks settings than which no other is better in one of ' +
          data.list(value.front).join(', ') + ' and as good in the others',
    ];
    if (value.interrupted === true) parts.push('the sweep is not complete');
    return element('p', {class: 'small muted', text: parts.join('; ') + '.'});
  }

  // Of the document; null if it is of no sweep.
  function draw(results) {
    const value = results.sweep;
    if (!value || typeof value !== 'object') return null;
    const rows = objects(value.rows);
    const columns = objects(value.columns);
    if (rows.length === 0 || columns.length === 0) return null;
    return element(
        'div', {}, about(value), table(rows, columns),
        rows.length > 1 && plots(rows, columns, data.list(value.front)));
  }
  return {draw};
})();
