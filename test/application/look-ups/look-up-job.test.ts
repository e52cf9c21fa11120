import { expect } from 'chai';
import { ApplicationError } from '#application/errors.ts';
import type { ChargeState } from '#application/ports/charge.ts';
import { Instant } from '#domain/instant.ts';
import { until } from '#test/support/until.ts';
import { type FollowedShop, followedShop, placeOf } from './followed-shop.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const asksPayer = (reference: string): ChargeState => ({ reference, waitsFor: 'payer', nextAction: null });
const decidesLater = (reference: string): ChargeState => ({ reference, waitsFor: 'provider' });
const succeeds = (reference: string): ChargeState => ({ reference });

const unavailable = async (): Promise<never> => {
  throw new ApplicationError('provider-failed', 'The provider is unavailable.');
};

describe('Look-ups at the provider', () => {
  let shop: FollowedShop;
  let process: ReturnType<FollowedShop['aProcess']>;
  beforeEach(async () => {
    shop = await followedShop();
    process = shop.aProcess();
  });

  /** Makes a run once a second for a while. @returns when the provider was asked, in seconds from now */
  const askedWithin = async (ms: number, stepMs = second): Promise<readonly number[]> => {
    const times: number[] = [];
    for (let passed = 0; passed < ms; passed += stepMs) {
      const before = shop.provider.asked.length;
      await process.lookUp();
      if (shop.provider.asked.length > before) times.push(passed / second);
      shop.advance(stepMs);
    }
    return times;
  };

  describe('without news', () => {
    it('ask 5, 15, 30 and 60 s after the creation while the payer has to act, and every 60 s then', async () => {
      const { payment, reference } = await shop.paid(asksPayer);
      shop.becomes(payment.id, asksPayer(reference));
      expect(await askedWithin(200 * second)).to.deep.equal([5, 15, 30, 60, 120, 180]);
    });

    it('ask every 10 minutes for an hour while the provider decides, then hourly for 21 days, and warn', async () => {
      const { payment, reference, place } = await shop.paid(decidesLater);
      shop.becomes(payment.id, decidesLater(reference));
      const inMinutes = (await askedWithin(21 * day + hour, minute)).map((at) => at / 60);
      expect(inMinutes.slice(0, 8)).to.deep.equal([10, 20, 30, 40, 50, 60, 120, 180]);
      expect(inMinutes).to.have.lengthOf(6 + 21 * 24 - 1);
      const provider = shop.provider.port.name;
      expect(process.warnings).to.deep.equal([
        { reason: 'undecided', provider, place, paymentId: payment.id },
      ]);
      expect(await shop.find(place)).to.equal(undefined);
    });

    it('record what the provider decides, and end', async () => {
      const { payment, order, reference, place } = await shop.paid(decidesLater);
      expect(payment.status).to.equal('processing');
      shop.becomes(payment.id, succeeds(reference));
      shop.advance(10 * minute);
      await process.lookUp();
      expect(await shop.paymentOf(payment.id)).to.include({ status: 'succeeded' });
      expect(await shop.unitOfWork.read(({ orders }) => orders.find(order.id))).to.include({
        status: 'paid',
      });
      expect(await shop.find(place)).to.equal(undefined);
      expect(process.results).to.deep.equal(['recorded']);
    });

    it('follow a payment that passes from the payer to the provider by the schedule of its new status', async () => {
      const { payment, reference, place } = await shop.paid(asksPayer);
      shop.becomes(payment.id, decidesLater(reference));
      shop.advance(5 * second);
      await process.lookUp();
      expect(await shop.paymentOf(payment.id)).to.include({ status: 'processing' });
      expect(await shop.find(place)).to.include({ dueAt: Instant.plus(shop.now(), 10 * minute) });
    });

    it('ask every 10 minutes while the provider decides on a refund that it has accepted', async () => {
      const { payment, reference } = await shop.paid(succeeds);
      shop.becomes(payment.id, succeeds(reference));
      await shop.run(shop.useCases.refunds.create, shop.staff, { paymentId: payment.id, reason: null });
      const inMinutes = (await askedWithin(2 * hour, minute)).map((at) => at / 60);
      expect(inMinutes).to.deep.equal([10, 20, 30, 40, 50, 60]);
    });

    it('ask again for a charge that the provider does not know, although it has named it', async () => {
      const { place } = await shop.paid(decidesLater);
      shop.advance(10 * minute);
      expect((await process.lookUp()).errors).to.have.lengthOf(1);
      expect(process.results).to.deep.equal(['failed']);
      expect(await shop.find(place)).to.include({ attempts: 1 });
    });

    it('are not made for a payment that succeeds at once', async () => {
      const { place } = await shop.paid(succeeds);
      expect(await shop.find(place)).to.equal(undefined);
    });
  });

  describe('that an event asks for', () => {
    it('are made at once, and end when their result is recorded', async () => {
      const { payment, reference, place } = await shop.paid(decidesLater);
      shop.becomes(payment.id, succeeds(reference));
      await shop.note(place);
      await process.lookUp();
      expect(await shop.paymentOf(payment.id)).to.include({ status: 'succeeded' });
      expect(await shop.find(place)).to.equal(undefined);
    });

    it('find the charge of a refund or a dispute', async () => {
      const { payment, reference } = await shop.paid(decidesLater);
      shop.becomes(payment.id, succeeds(reference));
      shop.provider.belongs('re_1', reference);
      await shop.note({ kind: 'refund', reference: 're_1' });
      await process.lookUp();
      expect(await shop.paymentOf(payment.id)).to.include({ status: 'succeeded' });
      expect(await shop.find({ kind: 'refund', reference: 're_1' })).to.equal(undefined);
    });

    it('change nothing when the event was forged: only the word of the provider counts', async () => {
      const { payment, reference, place } = await shop.paid(decidesLater);
      shop.becomes(payment.id, decidesLater(reference));
      const before = await shop.paymentOf(payment.id);
      for (const _ of ['once', 'twice']) await shop.note(place);
      await process.lookUp();
      expect(await shop.paymentOf(payment.id)).to.deep.equal(before);
    });

    it('are dropped and counted when the place belongs to no payment here', async () => {
      const foreign = placeOf('ch_foreign');
      const { reference, payment } = await shop.paid(succeeds);
      shop.provider.says('ch_foreign', async () => ({
        ...{ reference: 'ch_foreign', paymentId: null, charge: succeeds('ch_foreign') },
        ...{ refunds: [], disputes: [] },
      }));
      const places = [foreign, placeOf('ch_gone'), { kind: 'refund', reference: 're_gone' } as const];
      for (const place of places) await shop.note(place);
      await process.lookUp();
      for (const place of places) expect(await shop.find(place)).to.equal(undefined);
      expect(process.results).to.deep.equal(['unknown', 'unknown', 'unknown']);
      expect(await shop.paymentOf(payment.id)).to.include({
        status: 'succeeded',
        providerReference: reference,
      });
    });

    it('record nothing of a charge that names a payment here which was charged otherwise', async () => {
      const { payment } = await shop.paid(decidesLater);
      shop.provider.says('ch_foreign', async () => ({
        ...{ reference: 'ch_foreign', paymentId: payment.id, charge: succeeds('ch_foreign') },
        ...{ refunds: [], disputes: [] },
      }));
      await shop.note(placeOf('ch_foreign'));
      await process.lookUp();
      expect(process.results).to.deep.equal(['unknown']);
      expect(await shop.paymentOf(payment.id)).to.deep.equal(payment);
    });

    it('are made again when another event names the place meanwhile', async () => {
      const { payment, reference, place } = await shop.paid(decidesLater);
      await shop.note(place);
      shop.provider.says(reference, async () => {
        await shop.note(place);
        shop.becomes(payment.id, succeeds(reference));
        return {
          reference,
          paymentId: payment.id,
          charge: decidesLater(reference),
          refunds: [],
          disputes: [],
        };
      });
      await process.lookUp();
      expect(await shop.find(place)).to.include({ events: 2, dueAt: shop.now() });
      shop.advance(second);
      await process.lookUp();
      expect(await shop.paymentOf(payment.id)).to.include({ status: 'succeeded' });
      expect(await shop.find(place)).to.equal(undefined);
    });

    it('leave a payment to the process that holds its lease, and are made again', async () => {
      let reference = '';
      shop.provider.charges((of) => {
        reference = of;
        throw new ApplicationError('provider-timeout', 'No answer came.');
      });
      const order = await shop.placeOrder(shop.customer, await shop.newProduct());
      await shop.pay(shop.customer, order).catch(() => undefined);
      const [payment] = (
        await shop.unitOfWork.read(({ payments }) => payments.page({ orderId: order.id }, { limit: 1 }))
      ).rows;
      if (payment === undefined) expect.fail('It was begun.');
      shop.becomes(payment.id, succeeds(reference));
      await shop.note(placeOf(reference));
      await process.lookUp();
      expect(process.results).to.deep.equal(['leased']);
      expect(await shop.paymentOf(payment.id)).to.deep.equal(payment);
      expect(await shop.find(placeOf(reference))).to.include({ dueAt: Instant.plus(shop.now(), 5 * second) });
    });
  });

  describe('whose provider fails', () => {
    it('are made again after 5, 30, 120 and 600 s, hourly for three days, and given up with a warning', async () => {
      shop.provider.says('ch_1', unavailable);
      await shop.note(placeOf('ch_1'));
      const asked = await askedWithin(4 * day, 5 * second);
      const gaps = asked.map((at, index) => at - (asked[index - 1] ?? at)).slice(1);
      expect(gaps.slice(0, 6)).to.deep.equal([5, 30, 120, 600, 3600, 3600]);
      expect(gaps).to.have.lengthOf(4 + 3 * 24);
      const provider = shop.provider.port.name;
      expect(process.warnings).to.deep.equal([{ reason: 'unanswered', provider, place: placeOf('ch_1') }]);
      expect(process.results.filter((result) => result === 'given_up')).to.have.lengthOf(1);
      expect(await shop.find(placeOf('ch_1'))).to.equal(undefined);
    });

    it('delay no other, and are reported', async () => {
      const { payment, reference, place } = await shop.paid(decidesLater);
      shop.becomes(payment.id, succeeds(reference));
      shop.provider.says('ch_1', unavailable);
      await shop.note(placeOf('ch_1'));
      await shop.note(place);
      const { done, errors } = await process.lookUp();
      expect({ done, errors: errors.length }).to.deep.equal({ done: 1, errors: 1 });
      expect(await shop.paymentOf(payment.id)).to.include({ status: 'succeeded' });
    });

    it('or is silent delay no later run', async () => {
      const { payment, reference, place } = await shop.paid(decidesLater);
      shop.becomes(payment.id, succeeds(reference));
      const silent = Promise.withResolvers<undefined>();
      shop.provider.says('ch_1', () => silent.promise);
      await shop.note(placeOf('ch_1'));
      const first = process.lookUp();
      await until(
        async () => shop.provider.asked,
        (asked) => asked.includes('ch_1'),
      );
      shop.advance(second);
      await shop.note(place);
      await process.lookUp();
      expect(await shop.paymentOf(payment.id)).to.include({ status: 'succeeded' });
      silent.resolve(undefined);
      await first;
    });
  });

  it('tell hourly of a charge of other money than was asked for, and record nothing', async () => {
    const { payment, reference, place } = await shop.paid(decidesLater);
    shop.becomes(payment.id, { reference, amount: { amount: 1, currency: 'EUR' } });
    await shop.note(place);
    expect((await process.lookUp()).errors).to.deep.equal([]);
    expect(process.mismatches).to.deep.equal([payment.id]);
    expect(await shop.paymentOf(payment.id)).to.include({ status: 'processing' });
    expect(await shop.find(place)).to.include({ dueAt: Instant.plus(shop.now(), hour) });
  });

  it('are made once by two processes', async () => {
    const { payment, reference, place } = await shop.paid(decidesLater);
    shop.becomes(payment.id, decidesLater(reference));
    await shop.note(place);
    const other = shop.aProcess();
    await Promise.all([process.lookUp(), other.lookUp()]);
    expect(shop.provider.asked).to.deep.equal([reference]);
  });

  it('of one charge are recorded one after the other', async () => {
    const { payment, reference } = await shop.paid(decidesLater);
    let running = 0;
    let most = 0;
    shop.provider.says(reference, async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      return { reference, paymentId: payment.id, charge: decidesLater(reference), refunds: [], disputes: [] };
    });
    for (const name of ['re_1', 're_2']) {
      shop.provider.belongs(name, reference);
      await shop.note({ kind: 'refund', reference: name });
    }
    await process.lookUp();
    expect({ most, asked: shop.provider.asked.length }).to.deep.equal({ most: 1, asked: 2 });
  });

  it('are at most five a second in all, the longest due first', async () => {
    for (let index = 0; index < 12; index += 1) await shop.note(placeOf(`ch_${index}`));
    await process.lookUp();
    await process.lookUp();
    shop.advance(999);
    await process.lookUp();
    expect(shop.provider.asked).to.have.lengthOf(5);
    expect(process.seen.overdueMs).to.equal(999);
    shop.advance(1);
    await process.lookUp();
    expect(shop.provider.asked).to.have.lengthOf(10);
  });

  it('at another provider than the configured one stay, with an hourly warning', async () => {
    const { payment, reference, place } = await shop.paid(decidesLater);
    shop.becomes(payment.id, succeeds(reference));
    const before = await shop.find(place);
    shop.provider.renamed('another');
    expect(await askedWithin(90 * minute, minute)).to.deep.equal([]);
    const warning = { reason: 'other-provider', provider: 'followed' };
    expect(process.warnings).to.deep.equal([warning, warning]);
    shop.provider.renamed('followed');
    expect(await shop.find(place)).to.deep.equal(before);
    await process.lookUp();
    expect(await shop.paymentOf(payment.id)).to.include({ status: 'succeeded' });
  });
});
