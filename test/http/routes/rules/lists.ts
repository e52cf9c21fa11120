import { expect } from 'chai';
import type { Json } from '../../support/client.ts';
import { idsOf } from '../../support/expectations.ts';
import { expectProblem } from '../../support/protocol.ts';
import type { RouteShop } from '../route-shop.ts';
import { contentOf, type Declared, resourceSchemaOf } from '../table.ts';
import { expectFields, type Rule, withQuery } from './rule.ts';

const isPaged = (operation: Declared): boolean => contentOf(operation) === 'page';

const get = async ({ admin }: RouteShop, address: string): Promise<Json> => {
  const { status, body, text } = await admin({ method: 'GET', address });
  expect(status, `${address} ${text}`).to.equal(200);
  return body;
};

/** Follows the links of a list to its last page, whose last cursor is null. @returns the pages */
const walk = async (shop: RouteShop, first: string): Promise<readonly Json[]> => {
  const pages: Json[] = [];
  for (let address: string | null = first; address !== null; ) {
    const page: Json = await get(shop, address);
    pages.push(page);
    const { next_cursor: cursor, has_more: hasMore } = page.pagination;
    expect([cursor === null, !hasMore]).to.deep.equal([page.links.next === null, page.links.next === null]);
    address = page.links.next;
    if (address !== null)
      expect(new URL(address, 'http://a.test').searchParams.get('cursor')).to.equal(cursor);
    expect(pages.length, 'pages').to.be.below(200);
  }
  return pages;
};

const rowsOf = (pages: readonly Json[]): readonly string[] => idsOf(pages.flatMap(({ data }) => data));

/** The filters of a list, without what every list has. */
const filtersOf = ({ parameters }: Declared): readonly Json[] =>
  parameters.filter(
    ({ name, in: place }) =>
      place === 'query' && !['limit', 'cursor', 'sort', 'start', 'expand'].includes(name),
  );

/** Headers and address have 16 KiB together. */
const longestQuery = 8_000;

/** Values that a filter of this schema cannot have. */
const invalidValues = ({
  type,
  format,
  enum: values,
  minLength = 0,
  maxLength = Number.POSITIVE_INFINITY,
  pattern,
}: Json): readonly string[] => [
  ...(type === 'string' && minLength > 0 ? [''] : []),
  ...(maxLength <= longestQuery ? ['x'.repeat(maxLength + 1)] : []),
  ...(values || format === 'uuid' || format === 'date-time' || type !== 'string'
    ? ['', 'no-such-value']
    : []),
  ...(pattern ? ['\0'] : []),
];

/** What every list with pages has in common. */
export const listRules: readonly Rule[] = [
  {
    title: 'has 20 rows on a page by default and 100 at most, and responds 422 to other limits',
    isFor: isPaged,
    check: async (shop, operation) => {
      const path = await shop.samples.read(operation.path);
      for (const [query, limit] of [
        ['', 20],
        ['?limit=1', 1],
        ['?limit=100', 100],
        ['?limit=101', 100],
      ] as const)
        expect((await get(shop, `${path}${query}`)).pagination.limit, query).to.equal(limit);
      for (const limit of ['0', '-1', '1.5', '', 'ten', '1e1']) {
        const response = await shop.admin({ method: 'GET', address: `${path}?limit=${limit}` });
        expectFields(response, 'limit');
      }
    },
  },
  {
    title: 'has each row once when all its pages are read, from either end',
    isFor: isPaged,
    check: async (shop, operation) => {
      const path = await shop.samples.list(operation);
      const whole = rowsOf(await walk(shop, `${path}?limit=100`));
      expect(whole.length, 'rows').to.be.at.least(2);
      const limit = Math.ceil(whole.length / 4);
      const pages = await walk(shop, `${path}?limit=${limit}`);
      expect(rowsOf(pages).slice(0, whole.length)).to.deep.equal(whole);
      expect(pages.slice(0, -1).every(({ data }) => data.length === limit)).to.equal(true);
      // The feed has an order of its own.
      if (operation.route.responder.isFeed) return;
      expect(whole).to.deep.equal(whole.toSorted());
      const backwards = rowsOf(await walk(shop, `${path}?sort=-id&limit=${limit}`));
      expect(backwards.slice(-whole.length)).to.deep.equal(whole.toReversed());
    },
  },
  {
    title: 'responds 422 to a cursor that is damaged, of another list or with other filters',
    isFor: isPaged,
    check: async (shop, operation) => {
      const path = await shop.samples.list(operation);
      const { next_cursor: cursor } = (await get(shop, `${path}?limit=1`)).pagination;
      const foreign = shop.declared.filter(
        (one) => isPaged(one) && !one.path.includes('{') && one.path !== path,
      );
      const [sibling] = foreign;
      const send = (address: string) => shop.admin({ method: 'GET', address });
      for (const text of [
        `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`,
        cursor.slice(1),
        'x',
        '',
      ])
        expectFields(await send(`${path}?cursor=${text}`), 'cursor');
      expectFields(await send(`${sibling?.path}?cursor=${cursor}`), 'cursor');
      if (!operation.route.responder.isFeed)
        expectFields(await send(`${path}?sort=-id&cursor=${cursor}`), 'cursor');
      for (const { name, schema } of filtersOf(operation).slice(0, 1)) {
        const value = encodeURIComponent(schema.examples?.[0] ?? schema.enum[0]);
        expectFields(await send(`${path}?${name}=${value}&cursor=${cursor}`), 'cursor');
      }
      await get(shop, `${path}?cursor=${cursor}`);
    },
  },
  {
    title: 'responds 422 to a filter with a value that it cannot have, and names it',
    isFor: (operation) => operation.method === 'GET' && filtersOf(operation).length > 0,
    check: async (shop, operation) => {
      const { address, ...request } = shop.samples.form(operation);
      for (const { name, schema } of filtersOf(operation)) {
        const given = new URLSearchParams(address.split('?')[1]);
        for (const value of invalidValues(schema)) {
          given.set(name, value);
          expectFields(await shop.admin({ ...request, address: `${address.split('?')[0]}?${given}` }), name);
        }
      }
    },
  },
  {
    title: 'finds by a filter that is a field the rows with its value alone, and keeps it in links',
    isFor: (operation) => isPaged(operation) && filtersOf(operation).length > 0,
    check: async (shop, operation) => {
      const path = await shop.samples.list(operation);
      const { data } = await get(shop, `${path}?limit=100`);
      const fields = Object.keys(resourceSchemaOf(operation).properties);
      for (const { name } of filtersOf(operation).filter((one) => fields.includes(one.name))) {
        const row: Json | undefined = data.findLast((one: Json) => one[name] !== null);
        if (row === undefined)
          throw new Error(`No row has a value of ${name}: give it an example, or prepare one.`);
        const query = `${name}=${encodeURIComponent(row[name])}`;
        const found = await get(shop, `${path}?${query}&limit=100`);
        expect(idsOf(found.data), query).to.include(row.id);
        expect(new Set(found.data.map((one: Json) => one[name])), query).to.have.lengthOf(1);
        const { links } = await get(shop, `${path}?${query}&limit=1`);
        if (links.next === null) continue;
        expect(new URL(links.next, 'http://a.test').searchParams.get(name)).to.equal(row[name]);
        expect((await get(shop, links.next)).data[0][name]).to.equal(row[name]);
      }
    },
  },
  {
    title: 'responds 404 as a list in a resource that does not exist, before it reads the cursor',
    isFor: (operation) => isPaged(operation) && operation.path.includes('{'),
    check: async (shop, operation) => {
      const { address } = shop.samples.form(operation);
      expectProblem(
        await shop.admin({ method: 'GET', address: withQuery(address, 'limit=1') }),
        '404 NOT_FOUND',
      );
    },
  },
];
