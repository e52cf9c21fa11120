import type { Journal } from '../journal.ts';
import { secretMark } from '../provider/ledger.ts';
import type { Shop } from '../shop.ts';

/** What only a payer may see is in no row, neither of a resource nor of a key, and in no line of a log. */
export function* judgeSecrets({ tables }: Shop, { lines }: Journal): Generator<string, void, undefined> {
  for (const [name, rows] of Object.entries<{ walk(): Iterable<readonly [string, object]> }>(tables))
    for (const [, row] of rows.walk())
      if (JSON.stringify(row).includes(secretMark)) yield `A secret of a payer is in ${name}.`;
  for (const line of lines) if (line.includes(secretMark)) yield `A secret of a payer is in the log: ${line}`;
}
