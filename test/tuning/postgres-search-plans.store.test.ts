import { expect } from 'chai';
import { setUpSession } from '#adapters/persistence/postgres/connection/connection-setup.ts';
import { postgresDialect } from '#adapters/persistence/postgres/dialect.ts';
import { postgresOrm } from '#adapters/persistence/postgres/orm.ts';
import { builderOf } from '#adapters/persistence/sql/builder.ts';
import { maxFewRows } from '#adapters/persistence/sql/search/dialect.ts';
import { compileSearch } from '#adapters/persistence/sql/search/search.ts';
import type { ReadSession } from '#adapters/persistence/sql/session.ts';
import type { ProductSearch } from '#application/ports/product-words.ts';
import { Quantity } from '#domain/quantity.ts';
import { filledPostgres } from './filled-postgres.ts';

/**
 * All products have one word in common, half of them another, and one has a word of its own. Most words have 200 products. Of every
 * thousand products one is low in stock; half of the others have less than 800.
 */
const manyWords = `
  create temporary table ids as select gen_random_uuid() as id, n from generate_series(1, 20000) as n;
  insert into products (id, version, created_at, updated_at, name, price_amount, price_currency, status, sku, stock_thousandths)
  select id, 1, now(), now(), 'Tea', 100, 'EUR', 'active', n,
    case when n % 1000 = 7 then 1000 when n % 2 = 0 then 700000 else 900000 end
  from ids;
  insert into product_words (word, product_id) select 'tea', id from ids;
  insert into product_words (word, product_id) select 'green', id from ids where n % 2 = 0;
  insert into product_words (word, product_id) select 'batch' || n % 100, id from ids;
  insert into product_words (word, product_id) select 'rare', id from ids where n = 10000;
  analyze products;
  analyze product_words
`;

/** As autovacuum leaves a table that it has analyzed and not yet vacuumed. */
describe('Searches on PostgreSQL, in a table that is analyzed and not vacuumed', () => {
  const postgres = filledPostgres([], '');
  before(async () => {
    await setUpSession(postgres.client, 0, 0);
    await postgres.client.query(manyWords);
  });

  const orm = postgresOrm('postgres://127.0.0.1/none', 1);
  const search = compileSearch(builderOf(orm), postgresDialect);

  /** Searches, and explains each statement with a generic plan. */
  const plansOf = async (
    words: readonly string[],
    filter: ProductSearch['filter'] = {},
  ): Promise<readonly string[]> => {
    const plans: string[] = [];
    const session: Pick<ReadSession, 'query'> = {
      query: async ({ name, text }, values) => {
        const lines = await postgres.explain(
          { statement: { name, text }, values },
          { options: '(analyze, buffers)' },
        );
        plans.push(lines.join('\n'));
        return (await postgres.client.query({ text, values: [...values] })).rows;
      },
    };
    const terms = words.map((text) => ({ text, isPrefix: false }));
    const { rows: found } = await search(session, { terms, filter }, { limit: 20 });
    expect(found).to.not.be.empty;
    return plans;
  };

  /** How many pages of tables and indexes a plan read. */
  const pagesRead = (plan: string): number =>
    [...(/Buffers: shared ([^\n]*)/.exec(plan)?.[1] ?? '').matchAll(/(?:hit|read)=(\d+)/g)].reduce(
      (sum, [, pages]) => sum + Number(pages),
      0,
    );

  /** Each word is counted first, up to where it is common, and each of these rows may be on another page. */
  const requireFewPages = (plans: readonly string[], words: number): void => {
    const most = 300 + words * (maxFewRows + 1);
    expect(plans.map(pagesRead).every((pages) => pages > 0 && pages < most)).to.equal(true, plans.join('\n'));
  };

  it('read no more of two common words than a page needs', async () => {
    const plans = await plansOf(['tea', 'green']);
    requireFewPages(plans, 2);
  });

  it('ask the product of a rare word for the common one', async () => {
    requireFewPages(await plansOf(['tea', 'rare']), 2);
  });

  for (const words of [[], ['tea']])
    for (const status of [undefined, 'active'] as const) {
      const shape = `${words.length} words${status === undefined ? '' : ' and a status'}`;
      const filter = status === undefined ? {} : { status };

      it(`read the few products that are low in stock (${shape})`, async () => {
        const plans = await plansOf(words, { ...filter, stockBelow: Quantity.of(5) });
        expect(plans[0]).to.include('products_stock_thousandths_id_index');
        requireFewPages(plans, words.length);
      });

      it(`read no more than a page needs where many are low in stock (${shape})`, async () => {
        const [count = '', ...plans] = await plansOf(words, { ...filter, stockBelow: Quantity.of(800) });
        // It ends at 2,001 rows, each of which may be on another page.
        expect(pagesRead(count)).to.be.below(2_100);
        requireFewPages(plans, words.length);
      });
    }
});
