import { expect } from 'chai';
import type { ImportedProduct } from '#application/use-cases/product-import.ts';
import type { Product } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { TaxRate } from '#domain/tax.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { kindOf } from './error-kind.ts';
import { euros, page } from './fixture.ts';
import { aWorld } from './world.ts';

describe('A product import', () => {
  const world = ofEachTest(aWorld);

  const upsert = (...list: readonly ImportedProduct[]) =>
    world.run(world.useCases.products.upsert, world.staff, list);

  const all = async (): Promise<readonly Product[]> =>
    (await world.read(world.useCases.products.list, world.staff, { filter: {}, page })).rows;

  const tea: ImportedProduct = { sku: 'T', name: 'Tea', price: euros(350) };
  const mate: ImportedProduct = { sku: 'M', name: 'Mate', price: euros(400), status: 'draft' };
  const none = { added: 0, updated: 0, unchanged: 0, rejected: new Map(), emptied: {} };

  it('inserts new products, with defaults for the fields that the list leaves out', async () => {
    expect(await upsert(tea, mate)).to.deep.equal({ ...none, added: 2 });
    const [first, second] = await all();
    const usual = { description: null, stock: null, version: 1 };
    expect(first).to.deep.include({ ...tea, ...usual, status: 'active' });
    expect(second).to.deep.include({ ...mate, ...usual });
  });

  it('updates existing products by SKU, and leaves the fields unchanged that the list leaves out', async () => {
    const product = await world.product({
      ...{ sku: 'T', description: 'Green', status: 'archived', stock: Quantity.of(3) },
    });
    expect(await upsert({ ...tea, name: 'Green tea' })).to.deep.equal({ ...none, updated: 1 });
    const renamed = { name: 'Green tea', price: euros(350), version: 2 };
    expect(await world.current('products', product)).to.deep.equal({ ...product, ...renamed });
    await upsert({ ...tea, name: 'Green tea', description: null, status: 'active', stock: null });
    const after = await world.current('products', product);
    expect(after).to.deep.include({ description: null, status: 'active', stock: null, version: 3 });
  });

  it('changes nothing when it is repeated', async () => {
    await upsert(tea, mate);
    const before = await all();
    expect(await upsert(tea, mate)).to.deep.equal({ ...none, unchanged: 2 });
    expect(await all()).to.deep.equal(before);
  });

  it('counts what it empties of what decides how a product is sold, and keeps it where the list says so', async () => {
    const sold = { stock: 5, quantityStep: Quantity.of(1), taxRate: TaxRate.of(20) };
    const product = await world.product({ sku: 'T', ...sold });
    await world.product({ sku: 'M', stock: null });
    const emptied = { stock: null, taxRate: null, keepsSold: true } as const;
    const { rejected, ...counts } = await upsert({ sku: 'T', ...emptied }, { sku: 'M', ...emptied });
    expect(counts).to.deep.equal({ added: 0, updated: 0, unchanged: 1, emptied: { stock: 1, taxRate: 1 } });
    expect(rejected.get('T')?.fieldErrors).to.deep.equal([
      { field: 'stock', message: 'is empty, so the 5 in stock would no longer be counted' },
      { field: 'taxRate', message: 'is empty, so no tax would be shown' },
    ]);
    expect(await world.current('products', product)).to.deep.equal(product);
    expect(await upsert({ sku: 'T', stock: null, quantityStep: null })).to.deep.equal({
      ...{ ...none, updated: 1 },
      emptied: { stock: 1, quantityStep: 1 },
    });
    expect(await upsert({ ...tea, sku: 'N', stock: null, keepsSold: true })).to.deep.equal({
      ...none,
      added: 1,
    });
  });

  it('finds an SKU as it is given, then in NFC, in which it is stored', async () => {
    const decomposed = { ...tea, sku: 'the\u0301' };
    for (const list of [[decomposed], [{ ...tea, sku: 'thé' }], [decomposed]]) await upsert(...list);
    expect((await all()).map(({ sku, version }) => [sku, version])).to.deep.equal([['thé', 1]]);
    const earlier = await world.product({ sku: 'x' });
    await world.unitOfWork.run(({ products }) =>
      products.save({ ...earlier, sku: decomposed.sku, version: 2 }),
    );
    expect(await upsert({ ...decomposed, name: 'Green' })).to.deep.equal({ ...none, updated: 1 });
    expect((await all()).map(({ sku, name }) => [sku, name])).to.deep.equal([
      ['thé', 'Tea'],
      ['the\u0301', 'Green'],
    ]);
    const { insertMissing } = world.useCases.products;
    const again = await world.run(insertMissing, world.staff, [decomposed, { ...tea, sku: 'THE\u0301' }]);
    expect(again).to.deep.equal({ ...none, added: 1, unchanged: 1 });
  });

  it('rejects texts that people cannot see, unless they are stored, and keeps the others', async () => {
    const { rejected, ...counts } = await upsert({ ...tea, name: 'Tea\u200b' }, { ...tea, sku: ' S' }, mate);
    expect(counts).to.deep.equal({ added: 1, updated: 0, unchanged: 0, emptied: {} });
    expect(
      [...rejected].map(([sku, { fieldErrors }]) => [sku, fieldErrors.map(({ field }) => field)]),
    ).to.deep.equal([
      ['T', ['name']],
      [' S', ['sku']],
    ]);
    const [found] = await all();
    await world.unitOfWork.run(({ products }) =>
      products.save({ ...(found as Product), name: ' Mate', version: 2 }),
    );
    expect(await upsert({ ...mate, name: ' Mate', stock: null })).to.deep.equal({ ...none, unchanged: 1 });
    expect(await upsert({ ...mate, name: ' Mate', status: 'active' })).to.deep.equal({ ...none, updated: 1 });
  });

  it('leaves existing products unchanged when it inserts missing ones only', async () => {
    const product = await world.product({ sku: 'T', name: 'Mine', stock: Quantity.of(3) });
    const { insertMissing } = world.useCases.products;
    const filled = await world.run(insertMissing, world.staff, [tea, mate]);
    expect(filled).to.deep.equal({ ...none, added: 1, unchanged: 1 });
    expect(await world.current('products', product)).to.deep.equal(product);
    expect((await all()).map(({ sku }) => sku)).to.deep.equal(['T', 'M']);
  });

  it('rejects invalid products only, and imports the others', async () => {
    await upsert(tea);
    const list = [{ ...tea, name: '' }, mate, { ...mate, sku: 'N', name: 'x'.repeat(201) }];
    const { rejected, ...counts } = await upsert(...list);
    expect(counts).to.deep.equal({ added: 1, updated: 0, unchanged: 0, emptied: {} });
    expect([...rejected.keys()]).to.deep.equal(['T', 'N']);
    expect(
      [...rejected.values()].map(({ fieldErrors: faults }) => faults.map(({ field }) => field)),
    ).to.deep.equal([['name'], ['name']]);
    expect((await all()).map(({ name }) => name)).to.deep.equal(['Tea', 'Mate']);
  });

  it('notices each single difference', async () => {
    const whole = { ...tea, description: null, status: 'active', stock: null } as const;
    await upsert(whole);
    const differences = [
      { name: 'Green' },
      { price: euros(351) },
      { price: { amount: 351, currency: 'USD' } },
      { description: '' },
      { status: 'draft' },
      { stock: Quantity.zero },
      { imageUrls: ['https://example.com/1.jpg'] },
      { tags: ['green'] },
      { taxRate: TaxRate.of(0) },
      { metadata: { origin: '' } },
    ] as const;
    for (const difference of differences) {
      const { updated } = await upsert({ ...tea, ...difference });
      expect(updated, JSON.stringify(difference)).to.equal(1);
    }
  });

  it('changes the fields alone that an entry has, and merges price and metadata', async () => {
    const product = await world.product({
      ...{ sku: 'T', stock: Quantity.of(3), tags: ['green'], metadata: { origin: 'Uji', season: 'May' } },
    });
    expect(await upsert({ sku: 'T', stock: Quantity.of(5) })).to.deep.equal({ ...none, updated: 1 });
    const merging = { sku: 'T', price: { amount: 7 }, metadata: { season: null, colour: 'green' } };
    expect(await upsert(merging)).to.deep.equal({ ...none, updated: 1 });
    const { currency } = product.price;
    expect(await world.current('products', product)).to.deep.equal({
      ...{ ...product, stock: Quantity.of(5), price: { amount: 7, currency }, version: 3 },
      metadata: { origin: 'Uji', colour: 'green' },
    });
    for (const entry of [merging, { sku: 'T' }, { sku: 'T', tags: ['green'], metadata: {}, price: {} }])
      expect(await upsert(entry)).to.deep.equal({ ...none, unchanged: 1 });
  });

  it('needs a name and a price of a product that is new', async () => {
    const { rejected, ...counts } = await upsert(
      { sku: 'A', stock: Quantity.of(5) },
      { sku: 'B', name: 'Tea', price: { amount: 1 } },
      { ...mate, metadata: { colour: 'green', none: null } },
    );
    expect(counts).to.deep.equal({ added: 1, updated: 0, unchanged: 0, emptied: {} });
    const message = 'is required for a new product';
    expect([...rejected].map(([sku, { fieldErrors }]) => [sku, fieldErrors])).to.deep.equal([
      ['A', ['name', 'price'].map((field) => ({ field, message }))],
      ['B', [{ field: 'price.currency', message }]],
    ]);
    expect((await all()).map(({ metadata }) => metadata)).to.deep.equal([{ colour: 'green' }]);
  });

  it('says what is wrong with an SKU before it asks for a name and a price', async () => {
    const { rejected } = await upsert({ sku: ' T', stock: Quantity.of(5) });
    expect([...rejected].map(([, { fieldErrors }]) => fieldErrors.map(({ field }) => field))).to.deep.equal([
      ['sku'],
    ]);
  });

  it('gives a new product the further fields, and leaves them unchanged in an existing one', async () => {
    const entry = { sku: 'T', stock: Quantity.of(5), ifNew: { ...tea, metadata: { origin: 'Uji' } } };
    expect(await upsert(entry)).to.deep.equal({ ...none, added: 1 });
    await upsert({ sku: 'T', name: 'Green', metadata: { origin: 'Shizuoka' } });
    expect(await upsert(entry)).to.deep.equal({ ...none, unchanged: 1 });
    expect((await all())[0]).to.deep.include({ name: 'Green', metadata: { origin: 'Shizuoka' } });
  });

  it('gives a new product the defaults of its source, which what the list says comes before', async () => {
    const defaults = { quantityStep: Quantity.of(1), taxRate: TaxRate.of(10) };
    expect(await upsert({ ...tea, taxRate: null, defaults })).to.deep.equal({ ...none, added: 1 });
    expect((await all())[0]).to.deep.include({ quantityStep: Quantity.of(1), taxRate: null });
    expect((await all())[0]).not.to.have.property('defaults');
    await upsert({ sku: 'T', quantityStep: null });
    expect(await upsert({ ...tea, taxRate: null, defaults })).to.deep.equal({ ...none, unchanged: 1 });
    expect(await upsert({ ...tea, name: 'Green', defaults })).to.deep.equal({ ...none, updated: 1 });
    expect((await all())[0]).to.deep.include({ name: 'Green', quantityStep: null });
  });

  it('rejects metadata that are too many after the merge', async () => {
    const names = (from: number) =>
      Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`n${from + index}`, '']));
    await upsert({ ...tea, metadata: names(0) });
    const { rejected } = await upsert({ sku: 'T', metadata: names(30) }, mate);
    expect([...rejected].map(([sku, { fieldErrors }]) => [sku, fieldErrors[0]?.field])).to.deep.equal([
      ['T', 'metadata'],
    ]);
    expect((await all()).map(({ sku }) => sku)).to.deep.equal(['T', 'M']);
  });

  it('requires the role staff', async () => {
    const { upsert: useCase } = world.useCases.products;
    expect(await kindOf((async () => world.run(useCase, world.ada, [tea]))())).to.equal('forbidden');
  });
});
