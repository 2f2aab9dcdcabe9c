// The results as they came, and what is worked out from them. Members that are absent stay absent:
// whoever draws them draws nothing then.
const data = (() => {
  const kFormat = 'berth-bench/1';
  // More lines than colours cannot be told apart.
  const kMostLines = 8;

  // Throws an Error that says what is wrong with the text.
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

  // The runs, each with a name that no other has.
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

  // The runs that are drawn beside `run`, itself among them: those of its workload.
  function beside(all, run) {
    const group = all.filter((other) => other.workload === run.workload);
    if (group.length <= kMostLines) return {drawn: group, left: 0};
    const others = group.filter((other) => other !== run).slice(0, kMostLines - 1);
    const drawn = group.filter((other) => other === run || others.includes(other));
    return {drawn, left: group.length - drawn.length};
  }

  // Of the nodes, how many per cent are searched for a pod; 0 in the results says kube-scheduler's
  // own choice, which goes by their number.
  function percentage(result) {
    const asked = result.percentage_of_nodes_to_score;
    if (!format.known(asked) || !format.known(result.nodes)) return null;
    const percent =
        asked > 0 ? Math.min(asked, 100) : Math.max(5, 50 - Math.floor(result.nodes / 125));
    const atLeast = result.nodes > 0 ? Math.min(100, 10000 / result.nodes) : 100;
    return Math.max(percent, atLeast);
  }

  // Bytes of a frame of the grid.
  function cells(frame) {
    const text = atob(frame);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
  }
  return {parse, list, numbers, runs, beside, percentage, cells};
})();
