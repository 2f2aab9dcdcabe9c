// Brings lines with different x values onto one ascending x axis, as uPlot requires.
const lines = (() => {
  function ascending(values) {
    for (let i = 1; i < values.length; i++) {
      if (!(values[i] > values[i - 1])) return false;
    }
    return true;
  }

  // The points of a line with a numeric x, sorted by x; of points with equal x the last is kept. y
  // is null if it is not a number, or not positive where only positive values can be drawn.
  function clean(line, positive) {
    const size = Math.min(line.x.length, line.y.length);
    let points = [];
    for (let i = 0; i < size; i++) {
      if (format.known(line.x[i])) points.push(i);
    }
    if (!ascending(points.map((i) => line.x[i]))) {
      points.sort((a, b) => line.x[a] - line.x[b] || a - b);
      points = points.filter(
          (i, at) => at + 1 === points.length || line.x[points[at + 1]] !== line.x[i]);
    }
    const drawable = (v) => format.known(v) && (!positive || v > 0);
    return {
      x: points.map((i) => line.x[i]),
      y: points.map((i) => (drawable(line.y[i]) ? line.y[i] : null)),
    };
  }

  function same(a, b) {
    return a.length === b.length && a.every((value, i) => value === b[i]);
  }

  // [x, y of the first line, y of the second ...], with null where a line has no point.
  function join(all) {
    if (all.every((line) => same(line.x, all[0].x)))
      return [all[0].x, ...all.map((line) => line.y)];
    const together = Float64Array.from(all.flatMap((line) => line.x)).sort();
    const x = Array.from(together.filter((value, i) => i === 0 || value !== together[i - 1]));
    const spread = (line) => {
      let at = 0;
      return x.map((value) => (line.x[at] === value ? line.y[at++] : null));
    };
    return [x, ...all.map(spread)];
  }

  return {join: (all, positive) => join(all.map((line) => clean(line, positive)))};
})();
