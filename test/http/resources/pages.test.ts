import { expect } from 'chai';
import type { Client, Json } from '../support/client.ts';
import { idsOf } from '../support/expectations.ts';
import { describeService } from '../support/service.ts';
import { changingProducts, newOrder, newProduct } from '../support/shop.ts';

/** Follows the links of a list to its last page. @returns the pages */
const walk = async (
  client: Client,
  path: string,
  between = async (): Promise<void> => undefined,
): Promise<Json[][]> => {
  const pages: Json[][] = [];
  for (let next: string | null = path; next !== null; ) {
    const { status, body, text }: Json = await client.get(next);
    expect(status, text).to.equal(200);
    pages.push(body.data);
    expect(body.links.next === null).to.equal(body.pagination.next_cursor === null);
    expect(body.pagination.has_more).to.equal(body.links.next !== null);
    next = body.links.next;
    expect(pages.length).to.be.below(1000);
    if (next !== null) await between();
  }
  return pages;
};

describeService('A list', {}, (service) => {
  for (const rows of [0, 1, 2, 3, 4, 5, 6]) {
    it(`of ${rows} has pages of three, and a shorter last page`, async () => {
      const product = await newProduct(service);
      const buyer = await service.person('customer');
      const orders: Json[] = [];
      for (let count = 0; count < rows; count += 1) orders.push(await newOrder(buyer, product));
      const pages = await walk(buyer, '/v1/orders?limit=3');
      expect(idsOf(pages.flat())).to.deep.equal(idsOf(orders));
      expect(pages.slice(0, -1).every((page) => page.length === 3)).to.equal(true);
      expect(pages).to.have.lengthOf(Math.max(1, Math.ceil(rows / 3)));
    });
  }

  it('of twenty has one page, and of twenty-one two', async () => {
    const buyer = await service.person('customer');
    const product = await newProduct(service);
    for (let count = 0; count < 20; count += 1) await newOrder(buyer, product);
    expect((await walk(buyer, '/v1/orders')).map(({ length }) => length)).to.deep.equal([20]);
    await newOrder(buyer, product);
    expect((await walk(buyer, '/v1/orders')).map(({ length }) => length)).to.deep.equal([20, 1]);
  });

  it('links to its next page with path, limit, cursor and filters', async () => {
    for (let count = 0; count < 3; count += 1) await newProduct(service, { sku: `a&b=${count}` });
    const { body } = await service.operator.get('/v1/products?limit=2&status=active');
    const next = new URL(body.links.next, 'http://portico.test');
    expect(body.links.next).to.match(/^\/v1\/products\?/);
    expect(Object.fromEntries(next.searchParams)).to.deep.equal({
      status: 'active',
      limit: '2',
      cursor: body.pagination.next_cursor,
    });
  });

  it('neither repeats nor skips rows while others are added and deleted', async () => {
    const { staying, change } = await changingProducts(service, (ids) => ids.pop());
    const seen = idsOf((await walk(service.operator, '/v1/products?limit=3', change)).flat());
    expect(new Set(seen).size).to.equal(seen.length);
    expect(seen).to.deep.equal(seen.toSorted());
    expect(seen).to.include.members(staying);
  });

  it('is complete for readers while many clients write', async () => {
    const staying = idsOf(await Promise.all(Array.from({ length: 20 }, () => newProduct(service))));
    let isOver = false;
    const write = async (): Promise<void> => {
      while (!isOver) {
        const { id } = await newProduct(service);
        await service.operator.delete(`/v1/products/${id}`);
      }
    };
    const writers = [write(), write(), write()];
    for (let time = 0; time < 3; time += 1) {
      const seen = idsOf((await walk(service.operator, '/v1/products?limit=7')).flat());
      expect(new Set(seen).size).to.equal(seen.length);
      expect(seen).to.include.members(staying);
    }
    isOver = true;
    await Promise.all(writers);
  });
});
