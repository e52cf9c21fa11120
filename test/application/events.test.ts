import { expect } from 'chai';
import type { Caller } from '#application/preconditions.ts';
import type { ListEvents } from '#application/use-cases/events.ts';
import { testShop } from '#bootstrap/testing/test-shop.ts';
import { DomainError } from '#domain/errors.ts';
import { Instant } from '#domain/instant.ts';
import { Product } from '#domain/product.ts';
import { kindOf } from './error-kind.ts';

type Shop = Awaited<ReturnType<typeof testShop>>;

const later = Instant.at(Date.UTC(2030, 0, 1));

describe('The feed', () => {
  let shop: Shop;
  let feedId: string;
  beforeEach(async () => {
    shop = await testShop();
    feedId = (await shop.unitOfWork.read(({ events }) => events.feed())).id;
  });

  const list = (input: Partial<ListEvents> = {}, caller = shop.staff) =>
    shop.run(shop.useCases.events.list, caller, { limit: 100, ...input });
  const behind = (sequence: number, feed = feedId) => ({
    after: sequence,
    isOf: (id: string) => id === feed,
  });
  const forgetAll = () => shop.unitOfWork.run(({ events }) => events.deleteOlder(later, later));
  const typesOf = async (input: Partial<ListEvents>) => (await list(input)).rows.map(({ type }) => type);

  it('is for staff with its scope', async () => {
    expect(await kindOf(list({}, shop.customer))).to.equal('forbidden');
    expect(await kindOf(list({}, await shop.newCaller('admin', ['orders:read'])))).to.equal('forbidden');
    const reader = await shop.newCaller('staff', ['events:read']);
    const { rows } = await list({}, reader);
    expect(rows).not.to.deep.equal([]);
    const [first] = rows;
    if (first === undefined) throw new Error('There is no event.');
    const { get } = shop.useCases.events;
    expect(await shop.run(get, reader, first.id)).to.deep.equal(first);
    expect(await kindOf(shop.run(get, shop.customer, first.id))).to.equal('forbidden');
    expect(await kindOf(shop.run(get, reader, shop.newId()))).to.equal('not-found');
  });

  it('is read page by page, and ends where the next reading begins', async () => {
    await shop.newProduct();
    const whole = await list();
    let position: ListEvents['from'];
    const sequences: number[] = [];
    for (;;) {
      const { rows, hasMore, resume } = await list({ from: position, limit: 2 });
      sequences.push(...rows.map(({ sequence }) => sequence));
      position = behind(resume.after);
      if (!hasMore) break;
    }
    expect(sequences).to.deep.equal(whole.rows.map((_row, index) => index + 1));
    expect(await list({ from: position })).to.deep.equal({ ...whole, rows: [] });
    await shop.newProduct();
    expect(await typesOf({ from: position })).to.deep.equal(['product.created']);
  });

  it('has events of an order, of a type, or of all types of a resource', async () => {
    const order = await shop.placeOrder(shop.customer, await shop.newProduct());
    await shop.placeOrder(shop.customer, await shop.newProduct());
    expect(await typesOf({ orderId: order.id })).to.deep.equal(['order.created']);
    expect(await typesOf({ type: 'order.created' })).to.deep.equal(['order.created', 'order.created']);
    expect(await typesOf({ type: 'product.*' })).to.deep.equal(['product.created', 'product.created']);
    expect(await typesOf({ type: 'order.paid', orderId: order.id })).to.deep.equal([]);
  });

  it('stays where it is while nothing matches', async () => {
    const { last } = await shop.unitOfWork.read(({ events }) => events.feed());
    for (const position of [0, 1, last])
      expect(await list({ type: 'dispute.*', from: behind(position) })).to.deep.equal({
        ...{ rows: [], hasMore: false, resume: { feedId, after: position } },
      });
    expect((await list({ type: 'dispute.*' })).resume.after).to.equal(0);
  });

  it('begins at its end for those who want news only', async () => {
    const { resume, rows } = await list({ from: 'latest' });
    expect(rows).to.deep.equal([]);
    await shop.newProduct();
    expect(await typesOf({ from: behind(resume.after) })).to.deep.equal(['product.created']);
  });

  it('never skips what is no longer kept', async () => {
    const { last } = await shop.unitOfWork.read(({ events }) => events.feed());
    await forgetAll();
    const lost = await list({ from: behind(last - 1) }).catch((error: unknown) => error);
    expect(lost).to.be.instanceOf(DomainError).with.property('kind', 'events-forgotten');
    expect((lost as DomainError).fieldErrors.map(({ field }) => field)).to.deep.equal(['cursor']);
    expect(await kindOf(list({ from: behind(last - 1), type: 'dispute.*' }))).to.equal('events-forgotten');
    expect((await list({ from: behind(last) })).resume.after).to.equal(last);
    expect((await list()).resume.after).to.equal(last);
    await shop.newProduct();
    expect((await list()).rows.map(({ sequence }) => sequence)).to.deep.equal([last + 1]);
    expect((await list({ from: behind(last) })).rows.map(({ sequence }) => sequence)).to.deep.equal([
      last + 1,
    ]);
  });

  it('says so when it ends before the position, because the data were set back', async () => {
    const { last } = await shop.unitOfWork.read(({ events }) => events.feed());
    expect(await kindOf(list({ from: behind(last + 1) }))).to.equal('events-forgotten');
    expect((await list({ from: behind(last) })).rows).to.deep.equal([]);
  });

  it('knows the position in another feed', async () => {
    expect(await kindOf(list({ from: behind(1, 'another') }))).to.equal('events-forgotten');
  });

  it('shows idempotency keys and API keys to administrators alone', async () => {
    const { apiKeys } = shop.useCases;
    const { key } = await shop.run(apiKeys.issue, shop.admin, { name: 'A key' });
    const [ofAdmin] = (await list({ type: 'api_key.*' }, shop.admin)).rows;
    const [ofStaff] = (await list({ type: 'api_key.*' })).rows;
    expect(ofAdmin?.data).to.deep.include({ id: key.id, name: 'A key' });
    expect(ofAdmin?.data).not.to.have.property('secretHash');
    expect(ofStaff).to.deep.equal({ ...ofAdmin, data: null });
    const context = { actor: shop.staff.userId, requestId: 'a-request', idempotencyKey: 'a-key' };
    const product = { name: 'Tea', price: { amount: 1, currency: 'EUR' }, ...Product.defaults };
    await shop.unitOfWork.run(shop.useCases.products.create(shop.staff, product), context);
    const causeFor = async (caller: Caller) => (await list({ type: 'product.*' }, caller)).rows[0]?.cause;
    const cause = { kind: 'request', requestId: 'a-request', userId: shop.staff.userId };
    expect(await causeFor(shop.admin)).to.deep.equal({ ...cause, idempotencyKey: 'a-key' });
    expect(await causeFor(shop.staff)).to.deep.equal({ ...cause, idempotencyKey: null });
  });
});
