// Gives canvas drawing the colours of the style sheet.
const theme = (() => {
  const kSeries = 8;
  const kHeats = 6;
  const kSteps = 200;  // half per cents
  const listeners = [];
  let colours = {};

  const channels = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

  // 201 colours from empty to full, each as one 32-bit pixel (little-endian RGBA).
  function ramp(stops) {
    const made = new Uint32Array(kSteps + 1);
    for (let i = 0; i <= kSteps; i++) {
      const place = (i / kSteps) * (stops.length - 1);
      const low = Math.min(Math.floor(place), stops.length - 2);
      const mixed =
          stops[low].map((c, k) => Math.round(c + (stops[low + 1][k] - c) * (place - low)));
      made[i] = (255 << 24) | (mixed[2] << 16) | (mixed[1] << 8) | mixed[0];
    }
    return made;
  }
  function read() {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue('--' + name).trim();
    colours = {
      text: colour('text'),
      muted: colour('muted'),
      line: colour('line'),
      faint: colour('faint'),
      surface: colour('surface')
    };
    colours.series = Array.from({length: kSeries}, (_, i) => colour('series-' + i));
    colours.heat = ramp(Array.from({length: kHeats}, (_, i) => channels(colour('heat-' + i))));
  }
  function changed(paper) {
    document.documentElement.toggleAttribute('data-paper', paper);
    read();
    for (const listener of listeners) listener(paper);
  }
  function start() {
    read();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => changed(false));
    addEventListener('beforeprint', () => changed(true));
    addEventListener('afterprint', () => changed(false));
  }
  return {
    start,
    onChange: (listener) => listeners.push(listener),  // called with true if the page is printed
    colour: (name) => colours[name],
    series: (index) => colours.series[index % kSeries],
    variable: (index) => 'var(--series-' + (index % kSeries) + ')',
    heat: () => colours.heat,
  };
})();
