import { expect } from 'chai';
import { aPayment, runningServer } from './sdk.ts';

const count = 40;
const withinMilliseconds = 10_000;

describe('The people around the Stripe-like server', () => {
  const running = runningServer();
  const pay = async (card: string) => {
    for (let payment = 0; payment < count; payment += 1) {
      await running().stripe.paymentIntents.create(aPayment(card));
    }
  };

  it('consent, refuse, pay with another card or do nothing, at instants of their own', async () => {
    await running().server.people({ seed: 7, withinMilliseconds, consents: 0.5, refuses: 0.3, retries: 0.5 });
    await pay('pm_card_authenticationRequired');
    const before = await running().server.ledger();
    await running().server.advance(withinMilliseconds / 2);
    const between = await running().server.ledger();
    await running().server.advance(2 * withinMilliseconds);
    const { open, charges } = await running().server.ledger();
    expect(before.open.length).to.be.greaterThan(between.open.length);
    expect(between.open.length).to.be.greaterThan(open.length);
    expect(new Set(open.map(({ status }) => status))).to.deep.equal(
      new Set(['requires_action', 'requires_payment_method']),
    );
    expect(charges.length + open.length).to.equal(count);
    const { data } = await running().stripe.charges.list({ limit: 100 });
    expect(new Set(data.map(({ payment_method }) => payment_method))).to.include('pm_card_visa');
  });

  it('refund in the dashboard and dispute, never more than was charged', async () => {
    await running().server.people({ seed: 7, withinMilliseconds, refundsOutside: 0.5, disputes: 0.5 });
    await pay('pm_card_visa');
    await running().server.advance(3 * withinMilliseconds);
    const { refunds, disputes } = await running().server.ledger();
    expect(refunds.length).to.be.within(5, count);
    expect(new Set(disputes.map(({ status }) => status)).size).to.be.greaterThan(1);
    expect(refunds.every(({ amount }) => amount >= 1 && amount <= 1_000)).to.equal(true);
  });

  it('capture and cancel in the dashboard what is authorized, in full or in part, and cancel what waits for its payer', async () => {
    const merchants = { seed: 7, withinMilliseconds, capturesOutside: 0.5, cancelsOutside: 0.5 };
    await running().server.people(merchants);
    for (let payment = 0; payment < count; payment += 1)
      await running().stripe.paymentIntents.create({ ...aPayment('pm_card_visa'), capture_method: 'manual' });
    await pay('pm_card_authenticationRequired');
    await running().server.advance(withinMilliseconds);
    const { charges, open, canceled } = await running().server.ledger();
    expect(charges.length).to.be.within(5, count - 5);
    expect(new Set(charges.map(({ amount }) => amount)).size).to.be.greaterThan(2);
    expect(charges.every(({ capture_id: id }) => id === null)).to.equal(true);
    expect(canceled.length).to.be.within(10, 2 * count - 10);
    expect(canceled.every(({ in_dashboard: isCanceledThere }) => isCanceledThere)).to.equal(true);
    expect(charges.length + open.length + canceled.length).to.equal(2 * count);
  });

  it('let refunds wait, and fail even after they had succeeded', async () => {
    await running().server.people({ seed: 7, withinMilliseconds, refundsWait: 0.5, refundsFail: 0.5 });
    await pay('pm_card_visa');
    const { data: paid } = await running().stripe.paymentIntents.list({ limit: 100 });
    const begun = new Set<string | null>();
    for (const { id } of paid)
      begun.add((await running().stripe.refunds.create({ payment_intent: id })).status);
    expect(begun).to.deep.equal(new Set(['pending', 'succeeded']));
    await running().server.advance(withinMilliseconds);
    const { data } = await running().stripe.refunds.list({ limit: 100 });
    expect(new Set(data.map(({ status }) => status))).to.deep.equal(new Set(['failed', 'succeeded']));
  });

  it('wait for banks, which approve some of the charges in the end', async () => {
    await running().server.bankDelay(withinMilliseconds);
    await running().server.people({ seed: 7, withinMilliseconds, chargesWait: 0.5, chargesFail: 0.5 });
    await pay('pm_card_visa');
    const before = await running().server.ledger();
    expect(new Set(before.open.map(({ status }) => status))).to.deep.equal(new Set(['processing']));
    expect(before.open.length).to.be.within(5, count - 5);
    await running().server.advance(withinMilliseconds);
    const { open, charges } = await running().server.ledger();
    expect(new Set(open.map(({ status }) => status))).to.deep.equal(new Set(['requires_payment_method']));
    expect(charges.length).to.be.greaterThan(before.charges.length);
    expect(charges.length + open.length).to.equal(count);
  });
});
