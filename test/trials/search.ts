import { indexNew } from '#application/jobs/product-index.ts';
import { openStore } from '#bootstrap/composition/ports/open-store.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { Instant } from '#domain/instant.ts';
import { Product } from '#domain/product.ts';
import { type ObservedDatabase, openDatabase, testedKinds } from '../lab/databases.ts';
import { Connection } from '../lab/load/connection.ts';
import { median } from '../lab/statistics.ts';
import { newId } from '../support/machine.ts';
import { productOf } from '../support/test-databases.ts';
import { serve, token } from './production.ts';
import type { Finding, Trial } from './trial.ts';

/** How many times as long as a page by status a search shall take, and how many are too far from it on any machine. */
const [aim, maxRatio] = [2, 8];

/** How many requests of each kind are measured, in turn. */
const rounds = 100;

/** Compares searches in a large catalogue with a page by status. */
export const search: Trial = {
  name: 'search',
  description: `searches 100,000 products; aims at ${aim} times as long as a page by status, expects at most ${maxRatio}`,
  run: async ({ isShort, log }) => {
    const findings: Finding[] = [];
    for (const kind of testedKinds) {
      await using cleanUp = new AsyncDisposableStack();
      const name = productOf(kind);
      const database = await openDatabase(kind, { cleanUp });
      await fill(database, isShort ? 20_000 : 100_000);
      const { port } = await serve({ cleanUp }, database.url);
      const connection = await Connection.open(port);
      for (const [what, query] of Object.entries(searches)) {
        const seen = await compare(connection, query);
        log(`${name}, ${what}: ${seen.figures}`);
        findings.push({
          expected: `${name}, a search for ${what} takes at most ${maxRatio} times as long as a page by status`,
          seen: seen.figures,
          held: seen.ratio <= maxRatio,
          isTimed: true,
        });
      }
      connection.destroy();
    }
    return findings;
  },
};

/** From pools of 10, 30 and 100 words, so that each is common, and few or many products have both. */
const wordFrom = (pool: number, kind: string, index: number): string =>
  `${kind}${'abcdefghijklmnopqrstuvwxyz'[index % 26]}${pool}x${index}y`;

/** How a query for a random product is made. */
const searches = {
  'two words of 10 each': (n: number) => `${wordFrom(10, 'small', n % 10)} ${wordFrom(10, 'green', n % 7)}`,
  'two words of 30 each': (n: number) => `${wordFrom(30, 'cotton', n % 30)} ${wordFrom(30, 'shirt', n % 29)}`,
  'two words of 100 each': (n: number) => `${wordFrom(100, 'mug', n % 100)} ${wordFrom(100, 'blue', n % 99)}`,
  'a word of 10 and one of all': (n: number) => `${wordFrom(10, 'small', n % 10)} product`,
  'two begins of words': (n: number) => `${wordFrom(30, 'cotton', n % 30).slice(0, 7)} gre`,
  'an SKU and a word': (n: number) => `${100_000 + n} product`,
  'the begin of a number': (n: number) => `${1_000 + n} product`,
  'two words that no product has together': (n: number) => `${wordFrom(10, 'small', n % 10)} nowhere`,
};

const fill = async ({ url, execute }: ObservedDatabase, count: number): Promise<void> => {
  const store = await openStore(readConfig({ DATABASE_URL: url }).database);
  const at = Instant.at(Date.now());
  let seed = 1;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  for (let done = 0; done < count; done += 500) {
    const products = Array.from({ length: 500 }, (_, index) =>
      Product.create(
        newId(),
        {
          ...Product.defaults,
          name: [
            ...[wordFrom(10, 'small', random(10)), wordFrom(10, 'green', random(10))],
            ...[wordFrom(30, 'cotton', random(30)), wordFrom(30, 'shirt', random(30))],
            ...[wordFrom(100, 'mug', random(100)), wordFrom(100, 'blue', random(100))],
          ].join(' '),
          description: 'A product for people who like it.',
          sku: `SKU-${100_000 + done + index}`,
          status: index % 10 === 0 ? 'draft' : 'active',
          price: { amount: 1_000, currency: 'EUR' },
        },
        at,
      ),
    );
    await store.unitOfWork.run(async (repositories) => {
      await repositories.products.addAll(products);
      await indexNew(repositories.productWords, products);
    });
  }
  await store.close();
  // As autovacuum does within a minute or two. Until then PostgreSQL looks at the table for each row of the index.
  if (url.startsWith('postgres')) await execute('vacuum analyze');
};

/** Sends both kinds of requests in turn, because the machine may be busier at one time than at another. */
const compare = async (connection: Connection, query: (n: number) => string) => {
  const times: { page: number[]; search: number[] } = { page: [], search: [] };
  const timed = async (path: string): Promise<number> => {
    const begun = performance.now();
    await connection.read(path, token);
    return performance.now() - begun;
  };
  for (let n = 0; n < rounds; n += 1) {
    times.page.push(await timed('/v1/products?status=active'));
    times.search.push(
      await timed(`/v1/products?status=active&q=${encodeURIComponent(query(Math.floor(n * 7.3)))}`),
    );
  }
  const [page, found] = [median(times.page), median(times.search)];
  return {
    ratio: found / page,
    figures: `${found.toFixed(2)} ms, page ${page.toFixed(2)} ms, ${(found / page).toFixed(2)} times`,
  };
};
