import { expect } from 'chai';
import { ApplicationError } from '#application/errors.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { chargeObject, decidesLater, reconciledShop, succeeds } from './reconciled-shop.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const unavailable = async (): Promise<never> => {
  throw new ApplicationError('provider-failed', 'The provider is unavailable.');
};

describe('Reconciliation whose provider fails', () => {
  const shop = ofEachTest(reconciledShop);
  const process = ofEachTest(() => shop.aProcess());

  it('are made again after 5, 30, 120 and 600 s, hourly for three days, and given up with a warning', async () => {
    shop.provider.returns('ch_1', unavailable);
    await shop.enqueue(chargeObject('ch_1'));
    const asked = await shop.askedWithin(process, 4 * day, 5 * second);
    const gaps = asked.map((at, index) => at - (asked[index - 1] ?? at)).slice(1);
    expect(gaps.slice(0, 6)).to.deep.equal([5, 30, 120, 600, 3600, 3600]);
    expect(gaps).to.have.lengthOf(4 + 3 * 24);
    const provider = shop.provider.port.name;
    expect(process.warnings).to.deep.equal([
      { reason: 'unanswered', provider, providerObject: chargeObject('ch_1') },
    ]);
    expect(process.results.filter((result) => result === 'given_up')).to.have.lengthOf(1);
    expect(await shop.find(chargeObject('ch_1'))).to.equal(undefined);
  });

  it('delay no other, and are reported', async () => {
    const { payment, reference, providerObject } = await shop.paid(decidesLater);
    shop.becomes(payment.id, succeeds(reference));
    shop.provider.returns('ch_1', unavailable);
    await shop.enqueue(chargeObject('ch_1'));
    await shop.enqueue(providerObject);
    const { done, errors } = await process.reconcileCharges();
    expect({ done, errors: errors.length }).to.deep.equal({ done: 1, errors: 1 });
    expect(await shop.paymentOf(payment.id)).to.include({ status: 'succeeded' });
  });

  for (const isNamed of [true, false])
    it(`with another charge than was asked are reported hourly, and given up after 21 days ${isNamed ? 'of an event' : 'of waiting'}`, async () => {
      const { providerObject, reference } = await shop.paid(decidesLater);
      if (isNamed) await shop.enqueue(providerObject);
      shop.provider.returns(reference, async () => ({
        ...{ reference: 'ch_other', paymentId: null, charge: succeeds('ch_other') },
        ...{ refunds: [], disputes: [] },
      }));
      const asked = await shop.askedWithin(process, 23 * day, minute);
      const gaps = asked.map((at, index) => at - (asked[index - 1] ?? at)).slice(1);
      expect(new Set(gaps)).to.deep.equal(new Set([hour / second]));
      expect(gaps.length).to.be.within(21 * 24 - 1, 21 * 24 + 1);
      expect(process.mismatches).to.deep.equal(asked.map(() => reference));
      expect(process.warnings).to.deep.equal([
        { reason: 'unanswered', provider: shop.provider.port.name, providerObject },
      ]);
      expect(process.results.filter((result) => result === 'given_up')).to.have.lengthOf(1);
      expect(await shop.find(providerObject)).to.equal(undefined);
    });

  it('or is silent delay no later run', async () => {
    const { payment, reference, providerObject } = await shop.paid(decidesLater);
    shop.becomes(payment.id, succeeds(reference));
    const [asked, silent] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()];
    shop.provider.returns('ch_1', () => {
      asked.resolve();
      return silent.promise;
    });
    await shop.enqueue(chargeObject('ch_1'));
    const first = process.reconcileCharges();
    await asked.promise;
    shop.advance(second);
    await shop.enqueue(providerObject);
    await process.reconcileCharges();
    expect(await shop.paymentOf(payment.id)).to.include({ status: 'succeeded' });
    silent.resolve(undefined);
    await first;
  });
});
