import type { Kind } from '../servers/databases.ts';
import { judge, type Result } from './judge.ts';
import { titles } from './show.ts';

const size = { label: 270, bars: 460, value: 90, row: 44, head: 64, bar: 14 };

const colours: Readonly<Record<Kind, string>> = { sqlite: '#3f7cac', postgres: '#7a6ff0', memory: '#999' };

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Draws ratios as bars: a row for each scenario, a bar for each database, and a line at its floor. */
export const chart = (all: ReadonlyMap<Kind, readonly Result[]>, caption: string): string => {
  const kinds = [...all.keys()];
  const scenarios = [...new Set([...all.values()].flat().map(({ scenario }) => scenario))];
  const floors = kinds.flatMap((kind) => scenarios.map(({ floor }) => floor?.[kind] ?? 0));
  const ratios = [...all.values()].flat().map(({ compared }) => compared.ratio);
  const most = 1.05 * Math.max(1, ...floors, ...ratios);
  const along = (ratio: number): number => size.label + (size.bars * ratio) / most;
  const [width, height] = [size.label + size.bars + size.value, size.head + size.row * scenarios.length + 12];
  const bars = scenarios.flatMap((scenario, row) => {
    const top = size.head + row * size.row;
    const name = text(size.label - 10, top + 22, scenario.name, 'end');
    return [
      name,
      ...kinds.flatMap((kind, place) => {
        const found = all.get(kind)?.find((result) => result.scenario === scenario);
        return found === undefined ? [] : [barOf(kind, found, top + 4 + place * (size.bar + 4), along)];
      }),
    ];
  });
  const key = kinds.map(
    (kind, place) =>
      `<rect x="${size.label + 120 * place}" y="34" width="12" height="12" fill="${colours[kind]}"/>` +
      text(size.label + 120 * place + 18, 45, titles[kind]),
  );
  const one = `<line x1="${along(1)}" x2="${along(1)}" y1="${size.head - 8}" y2="${height - 8}" stroke="#999" stroke-dasharray="3 3"/>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="13">`,
    `<title>${escaped(caption)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    text(12, 22, caption),
    ...key,
    one,
    ...bars,
    '</svg>\n',
  ].join('\n');
};

const barOf = (
  kind: Kind,
  { scenario, compared }: Result,
  top: number,
  along: (ratio: number) => number,
): string => {
  const { ratio } = compared;
  const { floor } = judge(scenario, kind, compared);
  const bar = `<rect x="${size.label}" y="${top}" width="${(along(ratio) - size.label).toFixed(1)}" height="${size.bar}" fill="${colours[kind]}"/>`;
  const mark =
    floor === undefined
      ? ''
      : `<line x1="${along(floor).toFixed(1)}" x2="${along(floor).toFixed(1)}" y1="${top - 2}" y2="${top + size.bar + 2}" stroke="#111" stroke-width="2"/>`;
  return bar + mark + text(size.label + size.bars + 8, top + 12, ratio.toFixed(2));
};

const text = (x: number, y: number, words: string, anchor = 'start'): string =>
  `<text x="${x.toFixed(1)}" y="${y}" text-anchor="${anchor}" fill="#222">${escaped(words)}</text>`;
