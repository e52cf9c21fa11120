import { expect } from 'chai';
import type { ProviderEvent } from '#application/ports/charge-lifecycle.ts';
import { Instant } from '#domain/instant.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { chargeObject, reconciledShop } from './reconciled-shop.ts';

const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;

const event = (eventId: string, reference = 'ch_1'): ProviderEvent => ({
  ...chargeObject(reference),
  eventId,
});

describe("The provider's own list of events", () => {
  const shop = ofEachTest(reconciledShop);
  const process = ofEachTest(() => shop.aProcess());

  const readUntil = () =>
    shop.unitOfWork.read(({ reconciliationTasks }) =>
      reconciliationTasks.eventsReadUntil(shop.provider.port.name),
    );

  it('is read every minute', async () => {
    for (let passed = 0; passed < 150; passed += 1) {
      await process.pollProviderEvents();
      shop.advance(second);
    }
    expect(shop.provider.listedFrom).to.have.lengthOf(3);
  });

  it('is never read at an interval of 0', async () => {
    const other = shop.aProcess(shop.ports.unitOfWork, 0);
    await other.pollProviderEvents();
    expect(shop.provider.listedFrom).to.deep.equal([]);
  });

  it('is not read twice at once, however long it takes', async () => {
    const listed = Promise.withResolvers<void>();
    shop.provider.listsAfter(listed.promise);
    const first = process.pollProviderEvents();
    shop.advance(5 * minute);
    await process.pollProviderEvents();
    listed.resolve();
    await first;
    await process.pollProviderEvents();
    expect(shop.provider.listedFrom).to.have.lengthOf(2);
  });

  it('is read 30 days back at first, and then from 300 s before the newest event seen', async () => {
    const start = shop.now();
    const newest = Instant.plus(start, -10 * minute);
    shop.provider.lists([event('evt_1')], newest);
    await process.pollProviderEvents();
    shop.advance(minute);
    await process.pollProviderEvents();
    expect(shop.provider.listedFrom).to.deep.equal([
      Instant.plus(start, -30 * day),
      Instant.plus(newest, -300 * second),
    ]);
  });

  it('is read 30 days back at most, after a longer outage', async () => {
    shop.provider.lists([], shop.now());
    await process.pollProviderEvents();
    shop.advance(40 * day);
    await process.pollProviderEvents();
    expect(shop.provider.listedFrom[1]).to.equal(Instant.plus(shop.now(), -30 * day));
  });

  it('makes each object that it names due at once, once for each event', async () => {
    shop.provider.lists([event('evt_1'), event('evt_2'), event('evt_3', 'ch_2')], shop.now());
    await process.pollProviderEvents();
    expect(await shop.find(chargeObject('ch_1'))).to.include({ events: 2, dueAt: shop.now() });
    expect(await shop.find(chargeObject('ch_2'))).to.include({ events: 1 });
    shop.advance(minute);
    shop.provider.lists([event('evt_3', 'ch_2'), event('evt_4', 'ch_2')], shop.now());
    await process.pollProviderEvents();
    expect(await shop.find(chargeObject('ch_1'))).to.include({ events: 2 });
    expect(await shop.find(chargeObject('ch_2'))).to.include({ events: 2 });
    expect(process.seen.events).to.equal(4);
  });

  it('is read on by another process from where the first has stopped', async () => {
    const newest = shop.now();
    shop.provider.lists([event('evt_1')], newest);
    await process.pollProviderEvents();
    await shop.aProcess().pollProviderEvents();
    expect(shop.provider.listedFrom[1]).to.equal(Instant.plus(newest, -300 * second));
  });

  it('is read again when its objects could not be enqueued', async () => {
    shop.provider.lists([event('evt_1')], shop.now());
    const broken = shop.aProcess({
      read: (...reading) => shop.unitOfWork.read(...reading),
      run: async () => {
        throw new Error('The store is unavailable.');
      },
    });
    await broken.pollProviderEvents().catch(() => undefined);
    expect(await readUntil()).to.equal(undefined);
    shop.advance(minute);
    await process.pollProviderEvents();
    expect(await shop.find(chargeObject('ch_1'))).to.include({ events: 1 });
  });

  it('is read past objects that no store can hold, or of an unknown kind', async () => {
    const odd = ['', '\0', 'a\ud800', 'x'.repeat(256)].map((reference, index) =>
      event(`evt_${index}`, reference),
    );
    const unknown = { ...event('evt_9'), kind: 'invoice' } as unknown as ProviderEvent;
    shop.provider.lists([...odd, unknown, event('evt_10', 'x'.repeat(255))], shop.now());
    await process.pollProviderEvents();
    expect(await readUntil()).to.equal(shop.now());
    expect(await shop.find(chargeObject('x'.repeat(255)))).to.include({ events: 1 });
    expect(process.seen.events).to.equal(1);
  });

  it('never counts as read ahead of the clock', async () => {
    shop.provider.lists([], Instant.plus(shop.now(), 900 * day));
    await process.pollProviderEvents();
    expect(await readUntil()).to.equal(shop.now());
  });

  it('leads to a charge without any other event', async () => {
    const { payment, reference } = await shop.paid((of) => ({ reference: of, waitsFor: 'provider' }));
    shop.becomes(payment.id, { reference });
    shop.provider.lists([event('evt_1', reference)], shop.now());
    await process.pollProviderEvents();
    await process.reconcileCharges();
    expect(await shop.paymentOf(payment.id)).to.include({ status: 'succeeded' });
  });
});
