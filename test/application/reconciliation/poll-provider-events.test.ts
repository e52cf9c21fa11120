import { expect } from 'chai';
import type { News } from '#application/ports/charge-lifecycle.ts';
import { Instant } from '#domain/instant.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { placeOf, reconciledShop } from './reconciled-shop.ts';

const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;

const event = (eventId: string, reference = 'ch_1'): News => ({ ...placeOf(reference), eventId });

describe("The provider's own list of events", () => {
  const shop = ofEachTest(reconciledShop);
  const process = ofEachTest(() => shop.aProcess());

  const readUntil = () =>
    shop.unitOfWork.read(({ lookUps }) => lookUps.newsReadUntil(shop.provider.port.name));

  it('is read every minute', async () => {
    for (let passed = 0; passed < 150; passed += 1) {
      await process.readNews();
      shop.advance(second);
    }
    expect(shop.provider.listedFrom).to.have.lengthOf(3);
  });

  it('is never read at an interval of 0', async () => {
    const other = shop.aProcess(shop.ports.unitOfWork, 0);
    await other.readNews();
    expect(shop.provider.listedFrom).to.deep.equal([]);
  });

  it('is not read twice at once, however long it takes', async () => {
    const listed = Promise.withResolvers<void>();
    shop.provider.listsAfter(listed.promise);
    const first = process.readNews();
    shop.advance(5 * minute);
    await process.readNews();
    listed.resolve();
    await first;
    await process.readNews();
    expect(shop.provider.listedFrom).to.have.lengthOf(2);
  });

  it('is read 30 days back at first, and then from 300 s before the newest event seen', async () => {
    const start = shop.now();
    const newest = Instant.plus(start, -10 * minute);
    shop.provider.lists([event('evt_1')], newest);
    await process.readNews();
    shop.advance(minute);
    await process.readNews();
    expect(shop.provider.listedFrom).to.deep.equal([
      Instant.plus(start, -30 * day),
      Instant.plus(newest, -300 * second),
    ]);
  });

  it('is read 30 days back at most, after a longer outage', async () => {
    shop.provider.lists([], shop.now());
    await process.readNews();
    shop.advance(40 * day);
    await process.readNews();
    expect(shop.provider.listedFrom[1]).to.equal(Instant.plus(shop.now(), -30 * day));
  });

  it('makes each place that it names due at once, once for each event', async () => {
    shop.provider.lists([event('evt_1'), event('evt_2'), event('evt_3', 'ch_2')], shop.now());
    await process.readNews();
    expect(await shop.find(placeOf('ch_1'))).to.include({ events: 2, dueAt: shop.now() });
    expect(await shop.find(placeOf('ch_2'))).to.include({ events: 1 });
    shop.advance(minute);
    shop.provider.lists([event('evt_3', 'ch_2'), event('evt_4', 'ch_2')], shop.now());
    await process.readNews();
    expect(await shop.find(placeOf('ch_1'))).to.include({ events: 2 });
    expect(await shop.find(placeOf('ch_2'))).to.include({ events: 2 });
    expect(process.seen.news).to.equal(4);
  });

  it('is read on by another process from where the first has stopped', async () => {
    const newest = shop.now();
    shop.provider.lists([event('evt_1')], newest);
    await process.readNews();
    await shop.aProcess().readNews();
    expect(shop.provider.listedFrom[1]).to.equal(Instant.plus(newest, -300 * second));
  });

  it('is read again when its places could not be noted', async () => {
    shop.provider.lists([event('evt_1')], shop.now());
    const broken = shop.aProcess({
      read: (...reading) => shop.unitOfWork.read(...reading),
      run: async () => {
        throw new Error('The store is unavailable.');
      },
    });
    await broken.readNews().catch(() => undefined);
    expect(await readUntil()).to.equal(undefined);
    shop.advance(minute);
    await process.readNews();
    expect(await shop.find(placeOf('ch_1'))).to.include({ events: 1 });
  });

  it('is read past places that no store can hold, or of an unknown kind', async () => {
    const odd = ['', '\0', 'a\ud800', 'x'.repeat(256)].map((reference, index) =>
      event(`evt_${index}`, reference),
    );
    const unknown = { ...event('evt_9'), kind: 'invoice' } as unknown as News;
    shop.provider.lists([...odd, unknown, event('evt_10', 'x'.repeat(255))], shop.now());
    await process.readNews();
    expect(await readUntil()).to.equal(shop.now());
    expect(await shop.find(placeOf('x'.repeat(255)))).to.include({ events: 1 });
    expect(process.seen.news).to.equal(1);
  });

  it('never counts as read ahead of the clock', async () => {
    shop.provider.lists([], Instant.plus(shop.now(), 900 * day));
    await process.readNews();
    expect(await readUntil()).to.equal(shop.now());
  });

  it('tells of a charge without any other news', async () => {
    const { payment, reference } = await shop.paid((of) => ({ reference: of, waitsFor: 'provider' }));
    shop.becomes(payment.id, { reference });
    shop.provider.lists([event('evt_1', reference)], shop.now());
    await process.readNews();
    await process.lookUp();
    expect(await shop.paymentOf(payment.id)).to.include({ status: 'succeeded' });
  });
});
