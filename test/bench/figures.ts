import { coldStart } from './cold-start.ts';
import { memoryOf } from './cpu.ts';
import type { Databases } from './databases.ts';
import type { Generator } from './generator.ts';
import { installed } from './installed.ts';
import { aDeepPage, anOrder, oneProduct, page } from './requests.ts';
import type { Stands } from './stands.ts';

/** One figure that is held against nothing but a limit. */
export interface Figure {
  readonly name: string;
  readonly seen: number;
  readonly unit: string;
  /** It is to stay below. */
  readonly limit: number;
}

/** So much is asked of a process before its memory is looked at, where there is time for it. */
export const million = 1_000_000;

interface Asking {
  readonly generator: Generator;
  /** How many more requests. */
  readonly requests: number;
  /** How many were asked before. */
  readonly before: number;
}

/** What the process has become of all that was asked of it, and how soon another is there. It ends the process. */
export const figuresOf = async (
  { portico }: Stands,
  databases: Databases,
  { generator, requests, before }: Asking,
): Promise<Figure[]> => {
  const [order, one, [first = '']] = [anOrder(portico), oneProduct(portico), await page(20)(portico)];
  const all = [...one, ...aDeepPage(portico), first, ...order.slice(0, one.length / 10)];
  const deadline = performance.now() + 15 * 60_000;
  let count = before;
  while (count < before + requests && performance.now() < deadline) {
    const { port } = portico;
    const load = { port, requests: all, from: count, connections: 32, seconds: 5 };
    count += (await generator.run(load)).requests;
  }
  const memory = memoryOf(portico.id);
  return [
    {
      name: `memory after ${(count / million).toFixed(2)} million requests`,
      seen: memory,
      unit: 'MB',
      limit: 200,
    },
    {
      name: 'the first answer after the start of a process',
      seen: await coldStart(databases.portico, first, databases.folder),
      unit: 'ms',
      limit: 1200,
    },
  ];
};

/** What it takes to have it. */
export const installation = (): Figure[] => {
  const { packages, size } = installed();
  return [
    { name: 'packages of a production install', seen: packages, unit: '', limit: 120 },
    { name: 'their size', seen: size, unit: 'MB', limit: 80 },
  ];
};
