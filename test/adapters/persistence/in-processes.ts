import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ProductId } from '#domain/product.ts';
import { atOnce } from '../../contracts/harness.ts';

const run = promisify(execFile);
const script = fileURLToPath(new URL('another-process.ts', import.meta.url));

/** Where the servers keep what has been compiled, too: with it, a start takes half as long. */
const compiled = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url));
const env = { NODE_COMPILE_CACHE: compiled };

/**
 * Lets as many processes open a store at once, and count up the stock of a product when there is one.
 * @param place the file, or the address of the database
 * @returns for each of them, whether the store was `new` or `old`
 */
export const inProcesses = async (
  count: number,
  place: string,
  product: ProductId | '' = '',
): Promise<string[]> => {
  const ended = await Promise.all(
    atOnce(count, () => run(process.execPath, [script, place, product], { env })),
  );
  return ended.map(({ stdout }) => stdout);
};
