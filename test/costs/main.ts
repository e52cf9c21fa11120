// Counts what operations cost on each kind of store, and compares it with the table: `npm run costs -- --help`.
import { parseArgs } from 'node:util';
import type { StoreKindName } from '#bootstrap/config/store-kinds.ts';
import { print, runCommand, wholeNumber } from '../lab/command-line.ts';
import { allKinds } from '../support/test-databases.ts';
import { costsOf, measureCosts } from './measure.ts';
import { complaint, differences, readTable, updated, writeTable } from './table.ts';

const usage = `Usage: npm run costs -- [options]

Counts what operations cost on each kind of store: statements, exchanges with the database, commits, bytes, and calls of
functions. Exits with 1 when that is not what test/costs/table says.

  --store ${allKinds.join('|')}
                    one kind of store
  --write           write the table anew
  --because REASON  why the costs have changed; needed with --write unless only calls have, by less than a tenth
  --runs N          count N times, and show each figure that is not equal in all of them
  --files OPERATION list the files of Portico that an operation passes through, such as "a payment"
  --help            show this text
`;

/** @returns whether the table has these costs, or has been written */
const compareOrWrite = async (
  kind: StoreKindName,
  isWriting: boolean,
  because?: string,
): Promise<boolean> => {
  const [table, measured] = [await readTable(kind), costsOf(await measureCosts(kind))];
  const changed = differences(table, measured);
  if (isWriting) {
    await writeTable(kind, updated(table, measured, because));
    print(`${kind}: written, with ${changed.length} changed figures.`);
    return true;
  }
  print(complaint(kind, changed) ?? `${kind}: as in the table.`);
  return changed.length === 0;
};

/** @returns whether every figure was equal in all runs */
const repeat = async (kind: StoreKindName, runs: number): Promise<boolean> => {
  const seen = new Map<string, number[]>();
  for (let run = 0; run < runs; run += 1)
    for (const [operation, costs] of Object.entries(costsOf(await measureCosts(kind))))
      for (const [figure, value] of Object.entries(costs)) {
        const name = `${operation}: ${figure}`;
        seen.set(name, [...(seen.get(name) ?? []), value]);
      }
  const uncertain = [...seen].filter(([, values]) => new Set(values).size > 1);
  for (const [name, values] of uncertain) print(`${kind}: ${name} ${values.join(', ')}`);
  print(`${kind}: ${seen.size - uncertain.length} of ${seen.size} figures are equal in ${runs} runs.`);
  return uncertain.length === 0;
};

/** @returns whether there is such an operation */
const listFiles = async (kind: StoreKindName, operation: string): Promise<boolean> => {
  const measured = await measureCosts(kind);
  const { paths } = measured[operation] ?? {};
  if (paths === undefined)
    print(`--files takes one of these operations: ${Object.keys(measured).join(', ')}.`);
  else print(`${kind}: ${paths.length} files\n${paths.map((path) => `  ${path}`).join('\n')}`);
  return paths !== undefined;
};

const options = {
  store: { type: 'string' },
  write: { type: 'boolean', default: false },
  because: { type: 'string' },
  runs: { type: 'string', default: '1' },
  files: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

const read = (given: readonly string[]) => {
  const {
    store,
    write: isWriting,
    because,
    runs,
    files,
    help,
  } = parseArgs({ args: [...given], options }).values;
  if (help) return undefined;
  const kinds = allKinds.filter((kind) => store === undefined || kind === store);
  if (kinds.length === 0) throw new Error(`--store takes ${allKinds.join(' or ')}.`);
  return { kinds, isWriting, because, files, runs: wholeNumber('--runs', runs, { least: 1 }) };
};

await runCommand({
  ...{ name: 'costs', usage, read },
  run: async ({ kinds, isWriting, because, runs, files }) => {
    let isRight = true;
    for (const kind of kinds) {
      const done =
        files !== undefined
          ? listFiles(kind, files)
          : runs > 1
            ? repeat(kind, runs)
            : compareOrWrite(kind, isWriting, because);
      if (!(await done)) isRight = false;
    }
    return isRight;
  },
});
