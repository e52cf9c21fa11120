import { expect } from 'chai';
import type { ApiResponse, Json } from '../support/client.ts';
import { expectError, expectInvalid, expectNoContent, expectOne } from '../support/expectations.ts';
import {
  describeLimits,
  describeReadOnly,
  type Limits,
  notNull,
  orderedLimit,
  orNull,
  stockLimit,
  taxRateLimit,
  textLimit,
} from '../support/limits.ts';
import { describeService } from '../support/service.ts';
import { euros, newProduct, productDefaults, tea } from '../support/shop.ts';

const url = (length: number): string => 'https://example.com/'.padEnd(length, 'x');

const limits: Limits = {
  name: notNull(textLimit(1, 200)),
  'price.amount': {
    accepts: [0, 1, Number.MAX_SAFE_INTEGER],
    rejects: [-1, 0.5, Number.MAX_SAFE_INTEGER + 1, 1e300, '350', true, null],
  },
  'price.currency': {
    accepts: ['EUR', 'USD', 'JPY', 'KWD'],
    rejects: ['eur', 'EURO', 'XYZ', 'QQQ', '', '978', 978, null],
  },
  description: orNull(textLimit(0, 5000)),
  sku: orNull(textLimit(1, 64)),
  status: { accepts: ['draft', 'archived', 'active'], rejects: ['sold', 'Active', '', 1, null] },
  stock: orNull(stockLimit),
  quantity_step: orNull(orderedLimit),
  tax_rate: orNull(taxRateLimit),
  image_urls: notNull({
    accepts: [[], [url(20)], [url(2048)], [url(25), url(21)], Array(10).fill(url(20))],
    rejects: [Array(11).fill(url(20)), url(20), {}, 7],
  }),
  tags: notNull({
    accepts: [[], ['a'], ['0-'.repeat(20), 'x'], Array.from({ length: 20 }, (_, index) => `t${index}`)],
    rejects: [Array.from({ length: 21 }, (_, index) => `t${index}`), 'tea', {}, true],
  }),
};

describeService('A product', {}, (service) => {
  let path: string;

  beforeEach(async () => {
    const { id } = await newProduct(service, {
      ...{
        description: 'Green',
        status: 'draft',
        stock: 3,
        quantity_step: 0.25,
        image_urls: [url(20)],
        tags: ['green', 'loose'],
      },
      ...{ tax_rate: 10, metadata: { origin: 'Uji', harvest: 'May' } },
    });
    path = `/v1/products/${id}`;
  });

  /** Deletes the product at once, so that its sku is free for the next. */
  const post = async (body: Json): Promise<ApiResponse> => {
    const response = await service.operator.post('/v1/products', body);
    const location = response.headers.get('Location');
    if (location !== null) await service.operator.delete(location);
    return response;
  };
  const put = (body: Json) => service.operator.put(path, body);
  const patch = (body: Json) => service.operator.patch(path, body);

  for (const [way, send] of Object.entries({ created: post, replaced: put, changed: patch })) {
    describe(way, () => {
      describeLimits(limits, tea, send);
      describeReadOnly(['seller'], tea, send);

      it('names the item of a list and the name of metadata that are not valid', async () => {
        const good = url(20);
        for (const bad of [
          '',
          url(2049),
          'http://example.com/',
          'https://a:b@example.com/',
          ` ${good}`,
          7,
          null,
        ])
          expectInvalid(await send({ ...tea, image_urls: [good, bad, good] }), 'image_urls.1');
        for (const bad of ['', 'x'.repeat(41), 'Tea', 'tea leaf', 'thé', 'good', 7, [], null])
          expectInvalid(await send({ ...tea, tags: ['good', bad, 'better'] }), 'tags.1');
        for (const bad of ['x'.repeat(501), 7, {}, ['Uji'], true])
          expectInvalid(await send({ ...tea, metadata: { origin: bad, good: 'x' } }), 'metadata.origin');
        for (const bad of ['', 'a b', 'ä', 'x'.repeat(41), 'prototype', 'constructor'])
          expectInvalid(await send({ ...tea, metadata: { [bad]: 'x' } }), `metadata.${bad}`);
        for (const bad of [[], 'a', 7, null])
          expectInvalid(await send({ ...tea, metadata: bad }), 'metadata');
        const large = Object.fromEntries(
          Array.from({ length: 20 }, (_, index) => [`n${index}`, 'x'.repeat(500)]),
        );
        expectInvalid(await send({ ...tea, metadata: large }), 'metadata');
      });
    });
  }

  describe('replaced with PUT', () => {
    it('resets the fields that are omitted', async () => {
      const before = expectOne(await service.operator.get(path));
      const after = expectOne(await put({ name: 'Coffee', price: euros(400) }));
      expect(after).to.deep.equal({
        ...before,
        name: 'Coffee',
        price: euros(400),
        ...productDefaults,
        version: 2,
        updated_at: after.updated_at,
      });
      expect(expectOne(await service.operator.get(path))).to.deep.equal(after);
    });

    it('needs a name and a price', async () => {
      expectInvalid(await put({ stock: 1 }), 'name', 'price');
      expectInvalid(await put({ name: 'Tea', price: { amount: 1 } }), 'price.currency');
    });
  });

  describe('changed with a merge patch', () => {
    it('keeps the other fields', async () => {
      const before = expectOne(await service.operator.get(path));
      const after = expectOne(await patch({ name: 'Coffee' }));
      expect(after).to.deep.equal({
        ...before,
        name: 'Coffee',
        version: 2,
        updated_at: after.updated_at,
      });
    });

    it('merges amount and currency of the price separately', async () => {
      expect(expectOne(await patch({ price: { amount: 1 } })).price).to.deep.equal(euros(1));
      const dollars = expectOne(await patch({ price: { currency: 'USD' } })).price;
      expect(dollars).to.deep.equal({ amount: 1, currency: 'USD' });
      expectInvalid(await patch({ price: { cents: 1 } }), 'price.cents');
    });

    it('merges metadata name by name, where null removes one, and PUT replaces them', async () => {
      const merged = expectOne(
        await patch({ metadata: { harvest: null, none: null, cultivar: 'Saemidori' } }),
      );
      expect(merged.metadata).to.deep.equal({ origin: 'Uji', cultivar: 'Saemidori' });
      expect(merged).to.deep.include({ tags: ['green', 'loose'], image_urls: [url(20)], version: 2 });
      expect(expectOne(await patch({ metadata: {} })).metadata).to.deep.equal(merged.metadata);
      const replaced = expectOne(await put({ ...tea, metadata: { colour: 'green' } }));
      expect(replaced.metadata).to.deep.equal({ colour: 'green' });
      expectInvalid(await put({ ...tea, metadata: { colour: null } }), 'metadata.colour');
    });

    it('limits metadata after the merge', async () => {
      const names = (from: number, to: number, value: string | null) =>
        Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`n${from + index}`, value]));
      expectOne(await patch({ metadata: names(0, 48, '') }));
      expectInvalid(await patch({ metadata: names(48, 49, '') }), 'metadata');
      const most = expectOne(await patch({ metadata: { ...names(0, 48, null), ...names(48, 96, '') } }));
      expect(Object.keys(most.metadata)).to.have.lengthOf(50);
      const long = 'x'.repeat(500);
      expectInvalid(await patch({ metadata: names(48, 66, long) }), 'metadata');
    });

    it('replaces lists as a whole', async () => {
      const after = expectOne(await patch({ tags: ['loose'], image_urls: [] }));
      expect(after).to.deep.include({ tags: ['loose'], image_urls: [] });
    });

    it('accepts null for nullable fields and rejects it for others', async () => {
      const nothing = { description: null, sku: null, stock: null, tax_rate: null };
      expect(expectOne(await patch(nothing))).to.include(nothing);
      const others = ['name', 'price', 'status', 'image_urls', 'tags', 'metadata'];
      expectInvalid(await patch(Object.fromEntries(others.map((field) => [field, null]))), ...others);
    });

    it('keeps its version when nothing changes', async () => {
      const before = expectOne(await service.operator.get(path));
      expect(expectOne(await patch({}))).to.deep.equal(before);
    });
  });

  describe('with a version (optimistic concurrency)', () => {
    it('responds 304 to If-None-Match with the latest version', async () => {
      for (const tags of ['"1"', 'W/"1"', '"7", "1"', '*']) {
        const same = await service.operator.get(path, { 'If-None-Match': tags });
        expect(same.status, tags).to.equal(304);
        expect(same.text).to.equal('');
        expect(same.headers.get('ETag')).to.equal('"1"');
      }
      await patch({ name: 'Coffee' });
      const newer = await service.operator.get(path, { 'If-None-Match': '"1"' });
      expect(expectOne(newer).version).to.equal(2);
    });

    it('is read with the latest version in If-Match, and with no other, before If-None-Match counts', async () => {
      for (const tags of ['"1"', 'W/"1"', '"7", "1"', ' * ']) {
        expect(expectOne(await service.operator.get(path, { 'If-Match': tags })).version).to.equal(1);
        const both = { 'If-Match': tags, 'If-None-Match': '"1"' };
        expect((await service.operator.get(path, both)).status).to.equal(304);
      }
      for (const tags of ['"2"', 'W/"2"', '"1', '1', '""', '']) {
        const stale = { 'If-Match': tags, 'If-None-Match': '"1"' };
        expectError(await service.operator.get(path, stale), 'PRECONDITION_FAILED');
        expect((await service.operator.send('HEAD', path, undefined, stale)).status).to.equal(412);
      }
      const unknown = `${path.slice(0, -12)}000000000000`;
      expectError(await service.operator.get(unknown, { 'If-Match': '"1"' }), 'PRODUCT_NOT_FOUND');
    });

    it('is neither written nor deleted when If-None-Match names its version', async () => {
      for (const tags of ['*', '"1"', 'W/"1"', '"7", "1"']) {
        const condition = { 'If-None-Match': tags };
        expectError(await service.operator.put(path, tea, condition), 'PRECONDITION_FAILED');
        expectError(await service.operator.patch(path, { name: 'Coffee' }, condition), 'PRECONDITION_FAILED');
        expectError(await service.operator.delete(path, condition), 'PRECONDITION_FAILED');
      }
      const both = { 'If-Match': '"1"', 'If-None-Match': '"1"' };
      expectError(await service.operator.patch(path, { name: 'Coffee' }, both), 'PRECONDITION_FAILED');
      expect(expectOne(await service.operator.get(path)).version).to.equal(1);
      const other = { 'If-None-Match': '"2", "x"' };
      expect(expectOne(await service.operator.patch(path, { name: 'Coffee' }, other)).version).to.equal(2);
    });

    it('is neither written nor deleted when If-None-Match is malformed', async () => {
      for (const tags of ['1', '2', 'abc', "'1'", '"1', 'w/"1"', '*, "7"', '"7" 1', '"7", 1']) {
        const condition = { 'If-None-Match': tags };
        expectError(await service.operator.put(path, tea, condition), 'PRECONDITION_FAILED');
        expectError(await service.operator.patch(path, { name: 'Coffee' }, condition), 'PRECONDITION_FAILED');
        expectError(await service.operator.delete(path, condition), 'PRECONDITION_FAILED');
        expect((await service.operator.get(path, condition)).status, tags).to.equal(200);
      }
      const unknown = `${path.slice(0, -12)}000000000000`;
      expectError(await service.operator.delete(unknown, { 'If-None-Match': '1' }), 'PRODUCT_NOT_FOUND');
      for (const [index, tags] of ['', ' ', '"7",', ', "7" , W/"8"', '"a,b"', '""'].entries()) {
        const condition = { 'If-None-Match': tags };
        const changed = await service.operator.patch(path, { stock: index }, condition);
        expect(changed.status, tags).to.equal(200);
      }
    });

    it('is written with the latest version in If-Match, and with no other', async () => {
      const stale = { 'If-Match': '"7"' };
      expectError(await service.operator.put(path, tea, stale), 'PRECONDITION_FAILED');
      expectError(await service.operator.patch(path, { stock: 1 }, stale), 'PRECONDITION_FAILED');
      expectError(await service.operator.patch(path, {}, stale), 'PRECONDITION_FAILED');
      expectError(await service.operator.delete(path, stale), 'PRECONDITION_FAILED');
      expect(expectOne(await service.operator.get(path)).version).to.equal(1);

      expectOne(await service.operator.put(path, tea, { 'If-Match': '"1"' }));
      expectOne(await service.operator.patch(path, { stock: 1 }, { 'If-Match': '"7", "2"' }));
      expectOne(await service.operator.patch(path, { stock: 2 }, { 'If-Match': '*' }));
      expectNoContent(await service.operator.delete(path, { 'If-Match': '"4"' }));
    });

    it('is written with its version as a weak tag, as a proxy that compresses leaves it', async () => {
      expect(
        expectOne(await service.operator.patch(path, { stock: 1 }, { 'If-Match': 'W/"1"' })).version,
      ).to.equal(2);
    });

    it('is not written with its version in another spelling', async () => {
      for (const other of ['w/"1"', 'W/1', '"01"', '"1.0"', '1', '" 1"', "'1'"]) {
        const response = await service.operator.patch(path, { stock: 1 }, { 'If-Match': other });
        expectError(response, 'PRECONDITION_FAILED');
      }
    });

    it('is written once by ten clients with the same version at once', async () => {
      const write = (stock: number) => service.operator.patch(path, { stock }, { 'If-Match': '"1"' });
      const responses = await Promise.all(Array.from({ length: 10 }, (_, place) => write(place)));
      const written = responses.filter(({ status }) => status === 200);
      expect(written).to.have.lengthOf(1);
      for (const response of responses) {
        if (response.status !== 200) expectError(response, 'PRECONDITION_FAILED');
      }
      const { stock, version } = expectOne(await service.operator.get(path));
      expect({ stock, version }).to.deep.equal({ stock: written[0]?.body.data.stock, version: 2 });
    });

    it('loses no change of three concurrent writers without a version', async () => {
      const changes = [{ name: 'Coffee' }, { description: 'Black' }, { stock: 9 }];
      for (const response of await Promise.all(changes.map(patch))) expectOne(response);
      const after = expectOne(await service.operator.get(path));
      expect(after).to.include({ name: 'Coffee', description: 'Black', stock: 9, version: 4 });
    });
  });
});
