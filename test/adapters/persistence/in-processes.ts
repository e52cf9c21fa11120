import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ProductId } from '#domain/product.ts';
import { atOnce } from '../../contracts/harness.ts';

const run = promisify(execFile);
const script = fileURLToPath(new URL('another-process.ts', import.meta.url));

/** The compile cache of the servers, which shortens the start of each process. */
const compiled = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url));
const env = { NODE_COMPILE_CACHE: compiled };

/**
 * Opens a store in several processes at once, each of which increments the stock of the product, if one is given.
 * @param place the file, or the URL of the database
 * @returns for each process, whether the store was `new` or `old`
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
