import { join } from 'node:path';
import type { ProductId } from '#domain/product.ts';
import { atOnce } from '../../contracts/harness.ts';
import { Program, root } from '../../lab/program.ts';

/** The compile cache of the servers, which shortens the start of each process. */
const environment = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled') };

/**
 * Opens a store in several processes at once, each of which increments the stock of the product, if one is given.
 * @param place the file, or the URL of the database
 * @returns for each process, whether the store was `new` or `old`
 */
export const inProcesses = (
  count: number,
  place: string,
  product: ProductId | '' = '',
): Promise<string[]> => {
  const words = [place, product];
  const open = () =>
    new Program('test/adapters/persistence/another-process.ts', { environment, words }).succeeded();
  return Promise.all(atOnce(count, open));
};
