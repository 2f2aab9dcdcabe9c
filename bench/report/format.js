// Formats numbers. Always in English, so that a page reads the same everywhere.
const format = (() => {
  const kGap = '\u00a0';  // non-breaking space between a number and its unit
  const whole = new Intl.NumberFormat('en-US', {maximumFractionDigits: 0});
  const known = (value) => typeof value === 'number' && Number.isFinite(value);

  const kUsualDigits = 3;  // without a known spread
  const kMostDigits = 12;
  const kMostDecimals = 20;  // that toLocaleString() has everywhere

  const firstPlace = (value) => Math.floor(Math.log10(Math.abs(value)));
  // The place of the last digit that means something: 0 is that of ones, 3 that of thousands.
  function lastPlace(value, spread) {
    const place = firstPlace(spread);
    const first = firstPlace(value);
    return Math.min(
        first, Math.max(first - kMostDigits + 1, spread < 2 * 10 ** place ? place - 1 : place));
  }
  function rounded(value, place) {
    if (place > 0) return whole.format(Math.round(value / 10 ** place) * 10 ** place);
    const decimals = Math.min(-place, kMostDecimals);
    return value.toLocaleString(
        'en-US', {minimumFractionDigits: decimals, maximumFractionDigits: decimals});
  }
  // Up to three significant digits.
  function short(value) {
    if (value === 0) return '0';
    const text = rounded(value, firstPlace(value) - kUsualDigits + 1);
    return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  }
  // The standard deviation of samples; NaN for fewer than two.
  function spreadOf(samples) {
    const mean = samples.reduce((sum, value) => sum + value, 0) / samples.length;
    const squares = samples.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    return samples.length < 2 ? NaN : Math.sqrt(squares / (samples.length - 1));
  }
  // A value whose samples vary by `spread`, with the digits that mean something: the same text as
  // measured_text() of engine/base/text/number_text.h. `units` are [size, name], the largest first;
  // null: no unit.
  function measured(value, spread, units) {
    // Less is the rounding error of sums over samples that are equal, or of the length of a cycle.
    const leastSpread = units === kSeconds ? 1e-4 : 1e-9;
    if (Math.abs(spread) < leastSpread * Math.abs(value)) spread = 0;
    if (units === null && spread === 0 && Number.isInteger(value)) return whole.format(value);
    const all = units || [[1, '']];
    const least = all[all.length - 1];
    const zero = units === kBytes ? least : all[0];
    const [size, name] =
        value === 0 ? zero : all.find(([size]) => Math.abs(value) >= size * 0.9995) || least;
    const scaled = value / size;
    const text = spread > 0 && value !== 0 ? rounded(scaled, lastPlace(scaled, spread / size)) :
                                             short(scaled);
    return name ? text + kGap + name : text;
  }
  const kSeconds = [[1, 's'], [1e-3, 'ms'], [1e-6, '\u00b5s'], [1e-9, 'ns']];
  const kBytes = [[2 ** 40, 'TiB'], [2 ** 30, 'GiB'], [2 ** 20, 'MiB'], [2 ** 10, 'KiB'], [1, 'B']];

  // Of a figure with its samples; without them, the spread is unknown.
  const figure = (text) => (value, samples) =>
      (known(value) ? text(value, Array.isArray(samples) ? spreadOf(samples) : NaN) : '\u2013');
  const orNone = (text) => (value) => (known(value) ? text(value) : '\u2013');

  // Without samples, a whole number is a count, which is exact.
  const count = figure(
      (v, spread) =>
          (Number.isNaN(spread) && Number.isInteger(v) ? whole.format(v) :
                                                         measured(v, spread, null)));
  const rate = figure((v, spread) => measured(v, spread, null) + '/s');
  const seconds = figure((v, spread) => measured(v, spread, kSeconds));
  // A time of hours, minutes or seconds: the two largest parts.
  const duration = orNone((v) => {
    if (v < 60) return seconds(v);
    const [part, first, second] = Math.round(v) < 3600 ? [1, 'min', 's'] : [60, 'h', 'min'];
    const parts = Math.round(v / part);
    const rest = parts % 60;
    return whole.format(Math.floor(parts / 60)) + kGap + first +
        (rest ? ' ' + rest + kGap + second : '');
  });
  const bytes = figure((v, spread) => measured(v, spread, kBytes));
  const percent = orNone((v) => String(Number((v * 100).toPrecision(3))) + kGap + '%');
  // Short form for the ticks of an axis.
  const tick = orNone((v) => {
    if (Math.abs(v) < 1000) return String(Number(v.toPrecision(3)));
    const [size, name] = Math.abs(v) < 1e6 ? [1e3, 'k'] :
        Math.abs(v) < 1e9                  ? [1e6, 'M'] :
                                             [1e9, 'G'];
    return Number((v / size).toPrecision(4)) + name;
  });
  // Amounts as in Kubernetes: thousandths of a core, bytes, or a count.
  function amount(resource, value) {
    if (resource === 'cpu')
      return known(value) ? count(value / 1000) + kGap + 'cores' : count(value);
    if (/memory|storage|hugepages/.test(resource)) return bytes(value);
    return count(value);
  }
  // The unit in which an axis up to `most` seconds has the shortest ticks, as [size, name].
  const unitOfTimes = (most) =>
      kSeconds.find(([size]) => most >= size) || (most > 0 ? kSeconds[3] : kSeconds[0]);
  return {
    known,
    count,
    rate,
    seconds,
    duration,
    bytes,
    percent,
    tick,
    amount,
    measured,
    unitOfTimes,
    units: {none: null, seconds: kSeconds, bytes: kBytes}
  };
})();
