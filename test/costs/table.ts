import { readFile, writeFile } from 'node:fs/promises';
import type { StoreKindName } from '#bootstrap/config/store-kinds.ts';
import { CannotRun } from '../lab/command-line.ts';
import { productOf } from '../support/test-databases.ts';

/** What an operation costs, each time and on each machine. A figure that differs from run to run is none of these. */
export interface Costs {
  readonly statements?: number;
  /** Round trips to the database. */
  readonly exchanges?: number;
  readonly commits?: number;
  readonly bytesToDatabase?: number;
  /** For the delivery of a webhook, to its receiver. */
  readonly bytesToClient?: number;
  /** Calls of JSON.stringify and JSON.parse, which are functions of neither. The client's own are among them. */
  readonly json: number;
  /** Calls of functions of Portico. */
  readonly calls: number;
  /** Without those of MariaDB's driver. */
  readonly callsOfPackages?: number;
  /** Files of Portico with a function that is called: as many must be read to follow the operation. */
  readonly files: number;
}

interface Row extends Costs {
  /** Why the costs are not those of before. */
  readonly reason: string;
}

/** By the name of the operation. */
export type Table = Readonly<Record<string, Row>>;

type Measured = Readonly<Record<string, Costs>>;

const fileOf = (kind: StoreKindName): URL => new URL(`table/${kind}.json`, import.meta.url);

export const readTable = async (kind: StoreKindName): Promise<Table> =>
  JSON.parse(await readFile(fileOf(kind), 'utf8').catch(() => '{}'));

export const writeTable = (kind: StoreKindName, table: Table): Promise<void> =>
  writeFile(fileOf(kind), `${JSON.stringify(table, null, 2)}\n`);

/** A figure that is not the one of the table. */
export interface Difference {
  readonly operation: string;
  readonly figure: string;
  readonly before: number | undefined;
  readonly now: number | undefined;
  /** Whether the table says why. A few more calls, or a few less, come with most changes. */
  readonly needsReason: boolean;
}

/** The part of a number of calls by which it changes without a reason. */
const smallPart = 0.1;

export const differences = (table: Table, measured: Measured): readonly Difference[] => {
  const operations = [...new Set([...Object.keys(table), ...Object.keys(measured)])];
  return operations.flatMap((operation) => {
    const { reason: _, ...before } = table[operation] ?? { reason: '' };
    return compare(operation, before, measured[operation] ?? {});
  });
};

type Figures = Readonly<Record<string, number>>;

const compare = (operation: string, before: object, now: object): readonly Difference[] => {
  const [old, fresh] = [before as Figures, now as Figures];
  const figures = [...new Set([...Object.keys(old), ...Object.keys(fresh)])];
  return figures
    .filter((figure) => old[figure] !== fresh[figure])
    .map((figure) => {
      const [one, other] = [old[figure], fresh[figure]];
      const isSmall =
        figure.startsWith('calls') &&
        one !== undefined &&
        other !== undefined &&
        Math.abs(other - one) < smallPart * one;
      return { operation, figure, before: one, now: other, needsReason: !isSmall };
    });
};

/**
 * The table with the new costs.
 * @param reason of every change that needs one
 * @throws when one needs a reason and there is none
 */
export const updated = (table: Table, measured: Measured, reason: string | undefined): Table => {
  const needing = new Set(
    differences(table, measured)
      .filter(({ needsReason }) => needsReason)
      .map(({ operation }) => operation),
  );
  if (needing.size > 0 && reason === undefined)
    throw new CannotRun(`Say why these have changed, with --because: ${[...needing].join(', ')}.`);
  return Object.fromEntries(
    Object.entries(measured).map(([name, costs]) => {
      const said = needing.has(name) ? reason : table[name]?.reason;
      return [name, { ...costs, reason: said ?? '' }];
    }),
  );
};

/** @returns what has changed and what to do, or undefined when nothing has */
export const complaint = (kind: StoreKindName, changed: readonly Difference[]): string | undefined => {
  if (changed.length === 0) return undefined;
  const lines = changed.map(
    ({ operation, figure, before, now, needsReason }) =>
      `  ${operation}: ${figure} ${now ?? 'gone'}, in the table ${before ?? 'none'}${needsReason ? '' : ' (less than a tenth)'}`,
  );
  const because = changed.some(({ needsReason }) => needsReason) ? ' --because "REASON"' : '';
  return [
    `The costs on ${productOf(kind)} are not those of test/costs/table/${kind}.json:`,
    ...lines,
    `If the change is meant, write the table anew: npm run costs -- --write${because}`,
    'The new rows belong into the commit that changes the costs.',
  ].join('\n');
};
