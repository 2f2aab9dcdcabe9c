// Compares the numbers of the report with the table that measured_text() is tested with:
//   numbers_test.mjs FORMAT_JS TABLE
import {readFileSync} from 'node:fs';
import {runInNewContext} from 'node:vm';

import {Checks} from './checks.mjs';

const [source, table] = process.argv.slice(2);
const format = runInNewContext(readFileSync(source, 'utf8') + '; format', {Intl});
const plain = (text) => text.replaceAll('\u00a0', ' ').replaceAll('\u00b5', 'u');

const checks = new Checks();
const cases = readFileSync(table, 'utf8').split('\n').filter((line) => line && line[0] !== '#');
for (const line of cases) {
  const [value, spread, unit, text] = line.split('\t');
  const varies = spread === 'unknown' ? NaN : Number(spread);
  await checks.equal(line, plain(format.measured(Number(value), varies, format.units[unit])), text);
}
await checks.equal(
    'a figure has the digits of its samples',
    [
      plain(format.rate(83882, [83882, 82000, 85500])), plain(format.rate(83882)),
      plain(format.seconds(0.00000842, [0.0000081, 0.0000087])),
      plain(format.bytes(134217728, [1])), format.count(1234567), format.count(1234.5),
      format.count(undefined)
    ],
    ['83,900/s', '83,900/s', '8.4 us', '128 MiB', '1,234,567', '1,230', '\u2013']);
await checks.equal(
    'a duration has its two largest parts',
    [0.25, 59, 60, 3599.6, 3600, 4980, 86400, undefined].map((v) => plain(format.duration(v))),
    ['250 ms', '59 s', '1 min', '1 h', '1 h', '1 h 23 min', '24 h', '\u2013']);
await checks.equal(
    'an axis of times has the unit that fits',
    [0.005, 0.9, 1, 3600, 0.00002, 0].map((most) => plain(format.unitOfTimes(most)[1])),
    ['ms', 'ms', 's', 's', 'us', 's']);
process.exit(checks.report());
