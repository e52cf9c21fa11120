/** The format of `--cpu-prof`: a tree of calls with samples. Times in microseconds. */
export interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

/** A call with its total time, in microseconds. */
export interface Call {
  readonly name: string;
  readonly place: string;
  readonly time: number;
  readonly calls: readonly Call[];
}

const idle = new Set(['(idle)']);

/** Builds the call tree of the samples between `from` and `until`, by the profile's clock. */
export const callsIn = (
  { nodes, startTime, samples, timeDeltas }: Profile,
  from = 0,
  until = Infinity,
): Call => {
  const own = new Map<number, number>();
  let at = startTime;
  for (const [place, id] of samples.entries()) {
    const took = timeDeltas[place] ?? 0;
    at += took;
    if (at >= from && at <= until) own.set(id, (own.get(id) ?? 0) + took);
  }
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const callOf = (node: ProfileNode): Call => {
    const calls = (node.children ?? [])
      .flatMap((id) => byId.get(id) ?? [])
      .map(callOf)
      .filter(({ time, name }) => time > 0 && !idle.has(name));
    const { functionName, url, lineNumber } = node.callFrame;
    return {
      name: functionName || '(anonymous)',
      place: url === '' ? '' : `${url.replace(/^file:\/\//, '')}:${lineNumber + 1}`,
      time: calls.reduce((sum, { time }) => sum + time, own.get(node.id) ?? 0),
      calls: calls.toSorted((one, other) => other.time - one.time),
    };
  };
  const [root] = nodes;
  return root === undefined ? { name: '(root)', place: '', time: 0, calls: [] } : callOf(root);
};

const width = 1600;
const row = 17;

/** In points. */
const minBoxWidth = 0.4;

/** Draws each call as a box as wide as its time, its callees below, with a tooltip. */
export const flameGraph = (root: Call, title: string): string => {
  const boxes: string[] = [];
  let deepest = 0;
  const draw = (call: Call, left: number, depth: number): void => {
    const wide = (width * call.time) / root.time;
    if (wide < minBoxWidth) return;
    deepest = Math.max(deepest, depth);
    boxes.push(boxOf(call, { left, wide, depth, share: call.time / root.time }));
    let next = left;
    for (const made of call.calls) {
      draw(made, next, depth + 1);
      next += (width * made.time) / root.time;
    }
  };
  draw(root, 0, 1);
  const height = row * (deepest + 2);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="monospace" font-size="11">`,
    `<rect width="${width}" height="${height}" fill="#fff"/><text x="4" y="12">${escaped(title)}</text>`,
    ...boxes,
    '</svg>\n',
  ].join('\n');
};

interface Box {
  readonly left: number;
  readonly wide: number;
  readonly depth: number;
  readonly share: number;
}

const boxOf = ({ name, place, time }: Call, { left, wide, depth, share }: Box): string => {
  const letters = Math.floor((wide - 4) / 6.7);
  const label =
    letters < 3
      ? ''
      : `<text x="${(left + 2).toFixed(1)}" y="${row * depth + 12}">${escaped(name.slice(0, letters))}</text>`;
  const tooltip = `${name} ${place} ${(time / 1000).toFixed(0)} ms, ${(100 * share).toFixed(1)} %`;
  return `<g><title>${escaped(tooltip)}</title><rect x="${left.toFixed(1)}" y="${row * depth}" width="${wide.toFixed(1)}" height="${row - 1}" fill="${colourOf(place)}"/>${label}</g>`;
};

/** Engine grey, packages orange, Node green, Portico blue. */
const colourOf = (place: string): string => {
  if (place === '') return '#ccc';
  if (place.includes('/node_modules/')) return '#f2b872';
  return place.startsWith('node:') ? '#b9d7a8' : '#8fb8de';
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
