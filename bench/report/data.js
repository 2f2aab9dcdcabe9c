// The results, and values derived from them. Absent members stay absent, and sections that need
// them are left out.
const data = (() => {
  const kFormat = 'berth-bench/1';
  // More lines than colours could not be distinguished.
  const kMostLines = 8;

  // Throws an Error with the reason if the text is invalid.
  function parse(text) {
    let results;
    try {
      results = JSON.parse(text);
    } catch (error) {
      throw new Error('The data of this page are not JSON: ' + error.message);
    }
    if (results === null || typeof results !== 'object' || results.format !== kFormat) {
      throw new Error(
          'The data of this page are not of the format ' + kFormat + ', which it was made for.');
    }
    return results;
  }

  const list = (value) => (Array.isArray(value) ? value : []);
  const numbers = (value) => Array.isArray(value) && value.length > 0 && value.every(format.known);

  // Gives each run a unique name.
  function runs(results) {
    const made = list(results.results).filter((run) => run && typeof run === 'object');
    const same = made.every((run) => run.workload === made[0].workload);
    const seen = new Map();
    return made.map((result, index) => {
      const workload = String(result.workload || 'workload ' + (index + 1));
      const label = String(result.label || '');
      const own = label || (same && made.length > 1 ? 'run ' + (index + 1) : workload);
      const full = same || !label ? own : workload + ', ' + label;
      const before = seen.get(full) || 0;
      seen.set(full, before + 1);
      const mark = before ? ' (' + (before + 1) + ')' : '';
      return {index, result, workload, label: own + mark, name: full + mark};
    });
  }

  // The runs of the same workload, including `run` itself.
  function beside(all, run) {
    const group = all.filter((other) => other.workload === run.workload);
    if (group.length <= kMostLines) return {drawn: group, left: 0};
    const others = group.filter((other) => other !== run).slice(0, kMostLines - 1);
    const drawn = group.filter((other) => other === run || others.includes(other));
    return {drawn, left: group.length - drawn.length};
  }

  // The percentage of nodes searched per pod. 0 in the results means kube-scheduler's adaptive
  // rule, which depends on the number of nodes.
  function percentage(result) {
    const asked = result.percentage_of_nodes_to_score;
    if (!format.known(asked) || !format.known(result.nodes)) return null;
    const percent =
        asked > 0 ? Math.min(asked, 100) : Math.max(5, 50 - Math.floor(result.nodes / 125));
    const atLeast = result.nodes > 0 ? Math.min(100, 10000 / result.nodes) : 100;
    return Math.max(percent, atLeast);
  }

  // Decodes a frame of the grid.
  function cells(frame) {
    const text = atob(frame);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
  }
  return {parse, list, numbers, runs, beside, percentage, cells};
})();
