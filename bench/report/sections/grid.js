// The cluster as a grid of nodes coloured by utilisation, with a slider for time.
const grid = (() => {
  const {element} = dom;
  const kNoNode = 255;
  const kFull = 200;     // frames count in half per cents
  const kBlocks = 8;     // up to this many groups get a named block each
  const kTallest = 420;  // maximum total height of the blocks, in pixels
  const kLargest = 22;   // maximum size of a cell, in pixels
  const kFrameMs = 90;   // while playing
  let shown = null;
  let observer = null;

  // True if there is something to draw. Throws an Error if the data are malformed.
  function usable(source) {
    if (!source || data.list(source.frames).length === 0) return false;
    const groups = data.list(source.groups);
    if (groups.length === 0 || !groups.every((group) => group && group.cells >= 0)) {
      throw new Error('the groups of the grid have no number of cells');
    }
    if (!data.numbers(source.time_seconds) || source.time_seconds.length < source.frames.length) {
      throw new Error('not every frame of the grid has its time');
    }
    const cells = groups.reduce((sum, group) => sum + group.cells, 0);
    source.frames.forEach((frame, i) => {
      if (typeof frame !== 'string' || data.cells(frame).length !== cells) {
        throw new Error('frame ' + (i + 1) + ' of the grid does not have its ' + cells + ' cells');
      }
    });
    return true;
  }

  // Blocks of cells: one per group, or a single one if there are too many groups.
  function blocksOf(groups) {
    let first = 0;
    const made = groups
                     .map((group) => {
                       const block = {name: String(group.name || ''), first, size: group.cells};
                       first += group.cells;
                       return block;
                     })
                     .filter((block) => block.size > 0);
    if (made.length <= kBlocks) return made;
    return [{name: '', first: 0, size: first}];
  }

  // The largest cell size at which all blocks fit.
  function cellSize(blocks, width) {
    for (let size = kLargest; size > 1; size--) {
      const columns = Math.floor(width / size);
      const height = blocks.reduce((sum, block) => sum + Math.ceil(block.size / columns) * size, 0);
      if (height <= kTallest) return size;
    }
    return 1;
  }

  function layOut(view) {
    const width = Math.max(160, view.root.querySelector('.cells').clientWidth);
    const size = cellSize(view.blocks, width);
    for (const block of view.blocks) {
      block.cell = size;
      block.columns = Math.floor(width / size);
      block.rows = Math.ceil(block.size / block.columns);
      // Drawn at double resolution, for paper and high-density screens.
      block.scale = 2;
      block.canvas.width = block.columns * size * block.scale;
      block.canvas.height = block.rows * size * block.scale;
      block.canvas.style.width = block.columns * size + 'px';
    }
    paint(view);
  }

  function paintBlock(view, block, bytes) {
    const context = block.canvas.getContext('2d');
    const {width, height} = block.canvas;
    if (width === 0 || height === 0) return;
    const image = context.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const heat = theme.heat();
    const side = block.cell * block.scale;
    const gap = block.cell >= 4 ? block.scale : 0;
    for (let i = 0; i < block.size; i++) {
      const value = bytes[block.first + i];
      if (value === undefined || value > kFull) continue;
      const left = (i % block.columns) * side;
      const top = Math.floor(i / block.columns) * side;
      for (let y = top; y < top + side - gap; y++) {
        pixels.fill(heat[value], y * width + left, y * width + left + side - gap);
      }
    }
    context.putImageData(image, 0, 0);
    if (block.cursor !== null) mark(context, block, side, gap);
  }
  function mark(context, block, side, gap) {
    context.strokeStyle = theme.colour('text');
    context.lineWidth = 3;
    const left = (block.cursor % block.columns) * side;
    const top = Math.floor(block.cursor / block.columns) * side;
    context.strokeRect(
        left + 1.5, top + 1.5, Math.max(4, side - gap - 3), Math.max(4, side - gap - 3));
  }

  function summary(bytes) {
    let nodes = 0;
    let sum = 0;
    let most = 0;
    let empty = 0;
    for (const value of bytes) {
      if (value > kFull) continue;
      nodes++;
      sum += value;
      if (value > most) most = value;
      if (value === 0) empty++;
    }
    const share = (value) => format.percent(value / kFull);
    return {
      nodes,
      text: nodes === 0 ? 'no node' :
                          'mean ' + share(sum / nodes) + ', fullest ' + share(most) + ', ' +
              format.count(empty) + ' of ' + format.count(nodes) + ' empty'
    };
  }

  function paint(view) {
    const frame = Number(view.slider.value);
    if (view.frame !== frame) {
      view.bytes = data.cells(view.source.frames[frame]);
      view.frame = frame;
    }
    const said = summary(view.bytes).text;
    const at = format.seconds(view.source.time_seconds[frame]);
    view.time.textContent = at;
    view.said.textContent = said;
    view.slider.setAttribute('aria-valuetext', at + ', ' + said);
    for (const block of view.blocks) {
      paintBlock(view, block, view.bytes);
      if (block.cursor !== null) say(view, block, block.cursor);
    }
  }

  function groupAt(view, cell) {
    let first = 0;
    for (const group of view.source.groups) {
      if (cell < first + group.cells) return {name: String(group.name || ''), within: cell - first};
      first += group.cells;
    }
    return {name: '', within: cell};
  }
  function describe(view, cell) {
    const value = view.bytes[cell];
    const each = view.source.nodes_per_cell > 1 ? view.source.nodes_per_cell : 1;
    const {name, within} = groupAt(view, cell);
    const nodes = each > 1 ?
        'nodes ' + format.count(within * each + 1) + ' to ' + format.count((within + 1) * each) :
        'node ' + format.count(within + 1);
    const use = value === undefined || value > kFull ? 'no node' : format.percent(value / kFull);
    return (name ? name + ', ' : '') + nodes + ': ' + use;
  }
  function say(view, block, cell) {
    const text = describe(view, block.first + cell);
    view.cell.textContent = text;
    block.canvas.setAttribute('aria-valuenow', String(cell));
    block.canvas.setAttribute('aria-valuetext', text);
  }
  function choose(view, block, cell) {
    for (const other of view.blocks) other.cursor = null;
    block.cursor = cell;
    paint(view);
  }
  function point(view, block, event) {
    const box = block.canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left) / block.cell);
    const row = Math.floor((event.clientY - box.top) / block.cell);
    const cell = row * block.columns + column;
    if (column >= 0 && column < block.columns && cell >= 0 && cell < block.size)
      choose(view, block, cell);
  }
  function leave(view) {
    for (const block of view.blocks) block.cursor = null;
    view.cell.textContent = '';
    paint(view);
  }
  function key(view, block, event) {
    const moves = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -block.columns,
      ArrowDown: block.columns,
      Home: -block.size,
      End: block.size
    };
    if (event.key === 'Escape') return leave(view);
    if (!Object.hasOwn(moves, event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const start = block.cursor === null ? 0 : block.cursor + moves[event.key];
    choose(view, block, Math.max(0, Math.min(block.size - 1, start)));
  }

  function play(view) {
    const stop = () => {
      clearInterval(view.timer);
      view.timer = null;
      view.player.textContent = 'Play';
    };
    if (view.timer) return stop();
    const last = view.source.frames.length - 1;
    if (Number(view.slider.value) >= last) view.slider.value = '0';
    view.player.textContent = 'Pause';
    view.timer = setInterval(() => {
      view.slider.value = String(Number(view.slider.value) + 1);
      paint(view);
      if (Number(view.slider.value) >= last) stop();
    }, kFrameMs);
  }

  function block(view, made, count) {
    made.cursor = null;
    made.canvas = element('canvas', {
      tabindex: '0',
      role: 'slider',
      'aria-valuemin': '0',
      'aria-valuemax': String(made.size - 1),
      'aria-valuenow': '0',
      'aria-valuetext': 'no cell chosen',
      'aria-label':
          'Nodes' + (made.name ? ' of ' + made.name : '') + ' by utilisation; arrow keys move',
      onmousemove: (event) => point(view, made, event),
      onmouseleave: () => leave(view),
      onkeydown: (event) => key(view, made, event),
      onblur: () => leave(view),
    });
    const name = made.name || (count > 1 ? format.count(count) + ' groups' : '');
    return element(
        'div', {class: 'cells'},
        name &&
            element('p', {class: 'small muted', text: name + ' (' + format.count(made.size) + ')'}),
        made.canvas);
  }

  function scale() {
    return element(
        'div', {class: 'scale', role: 'img', 'aria-label': 'Colours from 0 % to 100 % utilisation'},
        element('span', {text: '0 %'}), element('span', {class: 'ramp'}),
        element('span', {text: '100 %'}));
  }

  // Utilisation of the nodes over time: mean, first and last decile.
  function overTime(source) {
    const points = source.frames.map((frame) => {
      const counts = new Uint32Array(256);
      const bytes = data.cells(frame);
      for (const value of bytes) counts[value]++;
      const nodes =
          bytes.length - counts.subarray(kFull + 1).reduce((sum, count) => sum + count, 0);
      const below = (part) => {
        let left = part * (nodes - 1);
        for (let value = 0; value <= kFull; value++) {
          if (left < counts[value]) return (value / kFull) * 100;
          left -= counts[value];
        }
        return null;
      };
      let sum = 0;
      for (let value = 0; value <= kFull; value++) sum += value * counts[value];
      return nodes === 0 ? [null, null, null] :
                           [below(0.9), (sum / nodes / kFull) * 100, below(0.1)];
    });
    if (points.length < 2) return null;
    const percent = (value) => (format.known(value) ? format.percent(value / 100) : '\u2013');
    return charts.draw({
      name: 'utilisation',
      title: 'Utilisation over time',
      x: {label: 'time since the start', times: true},
      y: {label: source.resource + ' requested (%)', format: percent, tick: format.tick},
      lines: ['90th percentile of nodes', 'mean', '10th percentile of nodes'].map(
          (label, i) => ({
            label,
            colour: [1, 0, 2][i],
            x: source.time_seconds,
            y: points.map((point) => point[i]),
            strong: i === 1,
          })),
    });
  }

  function draw(chosen) {
    const source = chosen.result.grid;
    if (!usable(source)) return null;
    const view = {source, frame: null, bytes: null, timer: null, blocks: blocksOf(source.groups)};
    const last = source.frames.length - 1;
    view.slider = element('input', {
      type: 'range',
      id: 'grid-time',
      min: '0',
      max: String(last),
      step: '1',
      value: String(last),
      'aria-label': 'Time of the picture',
      oninput: () => paint(view)
    });
    view.slider.value = String(last);
    view.player = element('button', {type: 'button', text: 'Play', onclick: () => play(view)});
    view.time = element('output', {for: 'grid-time'
    });
    view.said = element('span', {class: 'small'});
    view.cell = element('span', {class: 'small', id: 'grid-cell'});
    const each = source.nodes_per_cell > 1 ?
        'A cell is the mean of ' + format.count(source.nodes_per_cell) + ' nodes.' :
        'A cell is a node.';
    const panel = element(
        'div', {class: 'panel full'},
        element('h3', {text: 'Nodes by ' + source.resource + ' requested'}),
        element('p', {class: 'small muted', text: each}),
        element(
            'div', {class: 'grid-controls'}, last > 0 && view.player, last > 0 && view.slider,
            view.time, view.said),
        ...view.blocks.map((made) => block(view, made, source.groups.length)),
        element('div', {class: 'grid-foot'}, scale(), view.cell));
    view.root = panel;
    shown = view;
    const chart = overTime(source);
    return element(
        'div', {class: 'columns'}, panel, chart && element('div', {class: 'panel full'}, chart));
  }
  function attach() {
    if (!shown) return;
    layOut(shown);
    observer = new ResizeObserver(() => shown && layOut(shown));
    observer.observe(shown.root);
  }
  function clear() {
    if (observer) observer.disconnect();
    if (shown && shown.timer) clearInterval(shown.timer);
    shown = null;
  }
  return {draw, attach, clear, repaint: () => shown && paint(shown), view: () => shown};
})();
