// Formats numbers. Always in English, so that a page reads the same everywhere.
const format = (() => {
  const kGap = '\u00a0';  // non-breaking space between a number and its unit
  const whole = new Intl.NumberFormat('en-US', {maximumFractionDigits: 0});
  const known = (value) => typeof value === 'number' && Number.isFinite(value);

  // Three significant digits, with thousands separators.
  function short(value) {
    if (Math.abs(value) >= 1000) return whole.format(value);
    return String(Number(value.toPrecision(3)));
  }
  function scaled(value, units) {
    for (const [size, name] of units) {
      if (Math.abs(value) >= size * 0.9995) return short(value / size) + kGap + name;
    }
    const [size, name] = units[units.length - 1];
    return short(value / size) + kGap + name;
  }
  const orNone = (text) => (value) => (known(value) ? text(value) : '\u2013');

  const count =
      orNone((v) => (Number.isInteger(v) || Math.abs(v) >= 1000 ? whole.format(v) : short(v)));
  const rate = orNone((v) => short(v) + '/s');
  const seconds = orNone((v) => {
    if (v === 0) return '0' + kGap + 's';
    return scaled(v, [[1, 's'], [1e-3, 'ms'], [1e-6, '\u00b5s'], [1e-9, 'ns']]);
  });
  const bytes = orNone((v) => scaled(v, [
                         [2 ** 40, 'TiB'],
                         [2 ** 30, 'GiB'],
                         [2 ** 20, 'MiB'],
                         [2 ** 10, 'KiB'],
                         [1, 'B'],
                       ]));
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
  return {known, count, rate, seconds, bytes, percent, tick, amount};
})();
