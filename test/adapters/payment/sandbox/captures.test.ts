import { expect } from 'chai';
import type { CaptureId } from '#domain/capture.ts';
import { Instant } from '#domain/instant.ts';
import { atOnce } from '../../../contracts/harness.ts';
import { newId } from '../../../support/machine.ts';
import { ofEachTest } from '../../../support/of-each-test.ts';
import { amount, openBank } from './bank.ts';

const second = 1_000;
const week = 7 * 24 * 3_600 * second;
const isManual = { captureMethod: 'manual' } as const;

describe('A charge of the sandbox that is captured later', () => {
  const bank = ofEachTest(openBank);

  it('is authorized for a week with every token that succeeds, when it would have succeeded', async () => {
    const delays = { tok_ok: 0, tok_action: 2, tok_processing: 5, tok_refund_pending: 0, tok_dispute: 0 };
    for (const [method, delay] of Object.entries(delays)) {
      const charge = await bank.begin(method, isManual);
      bank.advance(delay * second);
      expect(await bank.lifecycle.findCharge(charge), method).to.deep.equal({
        ...{ ...charge.moved, waitsFor: 'capture', captureBefore: Instant.plus(bank.now(), week) },
      });
    }
  });

  it('is captured once, in part or in full, and tells what was captured', async () => {
    const charge = await bank.begin('tok_ok', isManual);
    const [captureId, part] = [newId<CaptureId>(), { ...amount, amount: 300 }];
    const outcome = { ...charge.moved, amount: part };
    const outcomes = await Promise.all(atOnce(10, () => bank.capture(charge, part, captureId)));
    for (const each of outcomes) expect(each).to.deep.equal(outcome);
    expect(await bank.lifecycle.findCharge(charge)).to.deep.equal(outcome);
    expect(await bank.capture(charge)).to.have.nested.property('declined.code', 'charge_not_capturable');
    expect((await bank.refundPart(charge.reference, 301)).state).to.have.property('declined');
    expect((await bank.refundPart(charge.reference, 300)).state).to.have.property('reference');
    expect(await bank.lifecycle.cancel(charge)).to.deep.equal(outcome);
  });

  it('is not captured for nothing, for more, in another currency, or before it is authorized', async () => {
    const charge = await bank.begin('tok_action', isManual);
    const captureId = newId<CaptureId>();
    const early = await bank.capture(charge, amount, captureId);
    expect(early).to.have.property('declined');
    bank.advance(2 * second);
    expect(await bank.capture(charge, amount, captureId)).to.deep.equal(early);
    for (const part of [0, 451])
      expect(await bank.capture(charge, { ...amount, amount: part })).to.have.property('declined');
    const dollars = { amount: 450, currency: 'USD' };
    expect(await bank.capture(charge, dollars)).to.have.property('declined');
    expect(await bank.capture(charge)).to.have.property('reference');
  });

  it('is canceled by the shop, or by itself after a week, and is not captured then', async () => {
    for (const end of ['cancel', 'wait']) {
      const charge = await bank.begin('tok_ok', isManual);
      if (end === 'cancel') await bank.lifecycle.cancel(charge);
      else bank.advance(week);
      expect(await bank.lifecycle.findCharge(charge)).to.deep.equal({
        canceled: true,
        reference: charge.reference,
      });
      expect(await bank.capture(charge)).to.have.property('declined');
    }
  });

  it('has one winner of capture and cancellation', async () => {
    const charge = await bank.begin('tok_ok', isManual);
    const states = await Promise.all(
      atOnce(10, (index) => (index % 2 === 0 ? bank.capture(charge) : bank.lifecycle.cancel(charge))),
    );
    const taken = states.filter((state) => 'reference' in state && !('canceled' in state));
    const canceled = states.filter((state) => 'canceled' in state);
    expect(Math.min(taken.length, canceled.length)).to.equal(0);
  });

  it('is not closed while it is authorized', async () => {
    const charge = await bank.begin('tok_ok', isManual);
    expect(await bank.closeCharge(charge)).to.deep.equal(charge.state);
  });

  it('is disputed five seconds after it was captured', async () => {
    const charge = await bank.begin('tok_dispute', isManual);
    bank.advance(60 * second);
    expect(await bank.lifecycle.retrieveCharge(charge.reference)).to.have.deep.property('disputes', []);
    await bank.capture(charge, { ...amount, amount: 300 });
    bank.advance(5 * second);
    const { disputes = [], charge: state } = (await bank.lifecycle.retrieveCharge(charge.reference)) ?? {};
    expect(disputes[0]).to.have.nested.property('amount.amount', 300);
    expect(state).to.have.nested.property('amount.amount', 300);
  });
});
