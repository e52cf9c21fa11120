import { expect } from 'chai';
import type { ExpectedVersions } from '#application/preconditions.ts';
import type { ProductId } from '#domain/product.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { invalidFieldsOf, kindOf } from './error-kind.ts';
import { euros, nowhere, page } from './fixture.ts';
import { aWorld, type World } from './world.ts';

describe('Products', () => {
  const world = ofEachTest(aWorld);

  const namesFor = async (caller: World['ada'], filter = {}): Promise<string[]> => {
    const { rows } = await world.read(world.useCases.products.list, caller, { filter, page });
    return rows.map(({ name }) => name);
  };

  describe('in a list', () => {
    beforeEach(async () => {
      await world.product({ name: 'Tea', sku: 'T' });
      await world.product({ name: 'Coffee', sku: 'C', status: 'draft' });
      await world.product({ name: 'Cocoa', sku: 'O', status: 'archived' });
    });

    it('are all products for staff and administrators', async () => {
      expect(await namesFor(world.staff)).to.deep.equal(['Tea', 'Coffee', 'Cocoa']);
      expect(await namesFor(world.admin)).to.deep.equal(['Tea', 'Coffee', 'Cocoa']);
    });

    it('are active products only for customers', async () => {
      expect(await namesFor(world.ada)).to.deep.equal(['Tea']);
      expect(await namesFor(world.ada, { status: 'active' })).to.deep.equal(['Tea']);
    });

    it('are empty when a customer filters by another status', async () => {
      expect(await namesFor(world.ada, { status: 'draft' })).to.deep.equal([]);
      expect(await namesFor(world.ada, { status: 'archived' })).to.deep.equal([]);
      expect(await namesFor(world.ada, { sku: 'C' })).to.deep.equal([]);
    });

    it('match all filters', async () => {
      expect(await namesFor(world.staff, { status: 'draft' })).to.deep.equal(['Coffee']);
      expect(await namesFor(world.staff, { sku: 'O' })).to.deep.equal(['Cocoa']);
      expect(await namesFor(world.staff, { sku: 'O', status: 'draft' })).to.deep.equal([]);
      expect(await namesFor(world.ada, { sku: 'T' })).to.deep.equal(['Tea']);
    });

    it('come in pages', async () => {
      const { list } = world.useCases.products;
      const first = await world.read(list, world.staff, { filter: {}, page: { limit: 2 } });
      expect(first.hasMore).to.equal(true);
      expect(first.rows.map(({ name }) => name)).to.deep.equal(['Tea', 'Coffee']);
      const after = first.rows.at(-1)?.id;
      const second = await world.read(list, world.staff, { filter: {}, page: { limit: 2, after } });
      expect(second.hasMore).to.equal(false);
      expect(second.rows.map(({ name }) => name)).to.deep.equal(['Cocoa']);
    });
  });

  for (const status of ['draft', 'archived'] as const) {
    it(`that are not active do not exist for a customer, but do for staff (${status})`, async () => {
      const { get } = world.useCases.products;
      const product = await world.product({ status });
      expect(await kindOf(world.read(get, world.ada, product.id))).to.equal('product-not-found');
      expect(await world.read(get, world.staff, product.id)).to.deep.equal(product);
    });
  }

  it('that are active can be read by every role', async () => {
    const product = await world.product();
    expect(await world.read(world.useCases.products.get, world.ada, product.id)).to.deep.equal(product);
  });

  it('that do not exist are not found by any use case', async () => {
    const { get, change, remove } = world.useCases.products;
    const id = nowhere<ProductId>();
    expect(await kindOf(world.read(get, world.staff, id))).to.equal('product-not-found');
    const changing = world.run(change, world.staff, { id, expectedVersions: [7], changes: { name: '' } });
    expect(await kindOf(changing)).to.equal('product-not-found');
    expect(await kindOf(world.run(remove, world.staff, { id, expectedVersions: [7] }))).to.equal(
      'product-not-found',
    );
  });

  it('are created and changed by staff and administrators', async () => {
    const { change, remove } = world.useCases.products;
    const product = await world.product();
    const renamed = { id: product.id, expectedVersions: undefined, changes: { name: 'Green tea' } };
    expect(await world.run(change, world.admin, renamed)).to.include({ name: 'Green tea', version: 2 });
    await world.run(remove, world.admin, { id: product.id, expectedVersions: undefined });
    expect(await world.find('products', product)).to.equal(undefined);
  });

  it('that violate a rule are rejected, new or changed', async () => {
    expect(await invalidFieldsOf(world.product({ name: '', sku: '' }))).to.deep.equal(['name', 'sku']);
    const product = await world.product();
    expect(await invalidFieldsOf(world.changeProduct(product, { name: '' }))).to.deep.equal(['name']);
    expect(await world.current('products', product)).to.deep.equal(product);
  });

  describe('and their SKUs', () => {
    it('are unique, new or changed', async () => {
      await world.product({ sku: 'T-1' });
      const other = await world.product({ sku: 'T-2' });
      expect(await kindOf(world.product({ sku: 'T-1' }))).to.equal('conflict');
      expect(await invalidFieldsOf(world.changeProduct(other, { sku: 'T-1' }))).to.deep.equal(['sku']);
      expect(await world.current('products', other)).to.include({ sku: 'T-2', version: 1 });
    });

    it('can be kept, omitted and reused', async () => {
      const product = await world.product({ sku: 'T-1' });
      expect(await world.changeProduct(product, { sku: 'T-1', name: 'Green' })).to.include({ sku: 'T-1' });
      await world.product();
      await world.product();
      await world.changeProduct(product, { sku: null });
      expect(await world.product({ sku: 'T-1' })).to.include({ sku: 'T-1' });
    });
  });

  describe('that change', () => {
    it('keep their version when nothing changes', async () => {
      const product = await world.product();
      world.clock.pass(1);
      expect(await world.changeProduct(product, {})).to.deep.equal(product);
      expect(await world.current('products', product)).to.deep.equal(product);
    });

    it('keep omitted fields, and accept null as a value', async () => {
      const product = await world.product({ description: 'Mild', sku: 'T-1', stock: 5 });
      world.clock.pass(1);
      const after = await world.changeProduct(product, { description: null, stock: null });
      const { updatedAt } = after;
      const changes = { description: null, stock: null, version: 2, updatedAt };
      expect(after).to.deep.equal({ ...product, ...changes });
      expect(updatedAt > product.updatedAt).to.equal(true);
    });

    const prices = [
      { given: { amount: 500 }, becomes: euros(500) },
      { given: { currency: 'USD' }, becomes: { amount: 450, currency: 'USD' } },
      { given: { amount: 0, currency: 'JPY' }, becomes: { amount: 0, currency: 'JPY' } },
      { given: {}, becomes: euros(450) },
    ];
    for (const { given, becomes } of prices) {
      it(`have the price ${becomes.amount} ${becomes.currency} when ${JSON.stringify(given)} is given`, async () => {
        const { id } = await world.product({ price: euros(450) });
        const input = { id, expectedVersions: undefined, changes: { price: given } };
        const after = await world.run(world.useCases.products.change, world.staff, input);
        expect(after.price).to.deep.equal(becomes);
      });
    }
  });

  describe('with an expected version', () => {
    const versions: readonly (readonly [ExpectedVersions, boolean])[] = [
      [{ not: [1, 3] }, true],
      [{ not: [2] }, false],
      [[2], true],
      [[1, 2], true],
      [[1], false],
      [[3], false],
      [[], false],
    ];
    for (const [expectedVersions, goesAhead] of versions) {
      it(`at ${JSON.stringify(expectedVersions)} ${goesAhead ? 'change' : 'do not change'} when they are at 2`, async () => {
        const { change, remove } = world.useCases.products;
        const { id } = await world.changeProduct(await world.product(), { name: 'Green tea' });
        const changing = world.run(change, world.staff, {
          id,
          expectedVersions,
          changes: { name: 'Black tea' },
        });
        if (goesAhead) {
          expect(await changing).to.include({ name: 'Black tea', version: 3 });
        } else {
          expect(await kindOf(changing)).to.equal('precondition-failed');
          expect(await kindOf(world.run(remove, world.staff, { id, expectedVersions }))).to.equal(
            'precondition-failed',
          );
          expect(await world.find('products', { id })).to.include({ name: 'Green tea', version: 2 });
        }
      });
    }

    it('are checked even when nothing changes', async () => {
      const { id } = await world.product();
      const input = { id, expectedVersions: [7], changes: {} };
      const changing = world.run(world.useCases.products.change, world.staff, input);
      expect(await kindOf(changing)).to.equal('precondition-failed');
    });
  });

  it('that are deleted do not affect existing orders', async () => {
    const product = await world.product({ name: 'Tea' });
    const order = await world.order(world.ada, product, 2);
    const items = await world.itemsOf(order);
    await world.removeProduct(product);
    expect(await world.find('products', product)).to.equal(undefined);
    expect(await world.current('orders', order)).to.deep.equal(order);
    expect(await world.itemsOf(order)).to.deep.equal(items);
    expect(items[0]).to.deep.include({ productName: 'Tea', total: euros(900) });
  });

  it('that change do not affect existing orders', async () => {
    const product = await world.product({ name: 'Tea', price: euros(450) });
    const order = await world.order(world.ada, product, 2);
    const items = await world.itemsOf(order);
    await world.changeProduct(product, { name: 'Green tea', price: { amount: 1, currency: 'USD' } });
    expect(await world.itemsOf(order)).to.deep.equal(items);
  });
});
