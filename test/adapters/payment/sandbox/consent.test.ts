import { expect } from 'chai';
import { atOnce } from '../../../contracts/harness.ts';
import { ofEachTest } from '../../../support/of-each-test.ts';
import { absent, openBank } from './bank.ts';

const second = 1_000;

describe('A charge of the sandbox that waits', () => {
  const bank = ofEachTest(openBank);

  it('asks the payer with tok_action, and succeeds two seconds after the request', async () => {
    const charge = await bank.begin('tok_action');
    const waits = { ...charge.moved, waitsFor: 'payer' };
    const clientSecret = `${charge.reference}_secret`;
    expect(charge.state).to.deep.equal({ ...waits, nextAction: { type: 'provider_sdk', clientSecret } });
    bank.advance(2 * second - 1);
    expect(await bank.lifecycle.findCharge(charge)).to.deep.equal(charge.state);
    expect(await bank.charge(charge)).to.deep.equal(charge.state);
    bank.advance(1);
    expect(await bank.lifecycle.findCharge(charge)).to.deep.equal(charge.moved);
    expect(await bank.charge(charge)).to.deep.equal(charge.moved);
    expect(await bank.closeCharge(charge)).to.deep.equal(charge.moved);
  });

  it('shows a redirect to a payer who has somewhere to return to', async () => {
    const charge = await bank.begin('tok_action', { payer: { returnUrl: 'https://shop.example/thanks' } });
    const redirect = { type: 'redirect', url: `https://sandbox.example/consent/${charge.paymentId}` };
    expect(charge.state).to.have.deep.property('nextAction', redirect);
    expect(await bank.lifecycle.findCharge(charge)).to.have.deep.property('nextAction', redirect);
  });

  it('is declined after two seconds with tok_action_declined, and waits for ever with tok_action_never', async () => {
    const [declined, never] = [await bank.begin('tok_action_declined'), await bank.begin('tok_action_never')];
    bank.advance(2 * second);
    expect(await bank.lifecycle.findCharge(declined)).to.have.nested.property(
      'declined.code',
      'authentication_failed',
    );
    bank.advance(365 * 24 * 3_600 * second);
    expect(await bank.lifecycle.findCharge(never)).to.deep.equal(never.state);
  });

  it('is declined at once when no payer is present who could consent', async () => {
    for (const method of ['tok_action', 'tok_action_declined', 'tok_action_never']) {
      const charge = await bank.begin(method, absent);
      expect(charge.state).to.have.nested.property('declined.code', 'authentication_required');
      expect(await bank.charge({ ...charge, payer: { returnUrl: null } })).to.deep.equal(charge.state);
    }
  });

  it('is decided by the provider after five seconds with tok_processing, present payer or not', async () => {
    for (const payer of [{}, absent]) {
      const [good, bad] = [
        await bank.begin('tok_processing', payer),
        await bank.begin('tok_processing_failed', payer),
      ];
      for (const charge of [good, bad])
        expect(charge.state).to.deep.equal({ ...charge.moved, waitsFor: 'provider' });
      bank.advance(5 * second - 1);
      expect(await bank.lifecycle.findCharge(good)).to.deep.equal(good.state);
      bank.advance(1);
      expect(await bank.lifecycle.findCharge(good)).to.deep.equal(good.moved);
      expect(await bank.lifecycle.findCharge(bad)).to.have.nested.property('declined.code', 'debit_rejected');
    }
  });

  it('knows no charge that has not arrived', async () => {
    const charge = await bank.begin('tok_error').catch(() => undefined);
    expect(charge).to.equal(undefined);
    const other = await bank.begin('tok_ok');
    expect(await bank.lifecycle.retrieveCharge('sandbox_of-another')).to.equal(undefined);
    expect(await bank.lifecycle.retrieveCharge('pi_1')).to.equal(undefined);
    expect(await bank.lifecycle.retrieveCharge(`${other.reference}/refunds/1`)).to.equal(undefined);
  });

  it('is canceled for good while it waits for its payer', async () => {
    const charge = await bank.begin('tok_action');
    const canceled = { canceled: true, reference: charge.reference };
    expect(await bank.lifecycle.cancel(charge)).to.deep.equal(canceled);
    bank.advance(10 * second);
    for (const process of [bank, bank.processOf()]) {
      expect(await process.lifecycle.findCharge(charge)).to.deep.equal(canceled);
      expect(await process.charge(charge)).to.deep.equal(canceled);
      expect(await process.closeCharge(charge)).to.deep.equal(canceled);
    }
  });

  it('is not canceled when its payer has consented, or the provider decides', async () => {
    const [action, processing] = [await bank.begin('tok_action'), await bank.begin('tok_processing')];
    expect(await bank.lifecycle.cancel(processing)).to.deep.equal(processing.state);
    bank.advance(2 * second);
    expect(await bank.lifecycle.cancel(action)).to.deep.equal(action.moved);
  });

  it('is closed for good while it waits for its payer, and not while the provider decides', async () => {
    const [action, processing] = [await bank.begin('tok_action'), await bank.begin('tok_processing')];
    const closed = await bank.closeCharge(action);
    expect(closed).to.have.nested.property('declined.code', 'not_charged');
    expect(await bank.closeCharge(processing)).to.deep.equal(processing.state);
    bank.advance(5 * second);
    expect(await bank.lifecycle.findCharge(action)).to.deep.equal(closed);
    expect(await bank.closeCharge(processing)).to.deep.equal(processing.moved);
  });

  it('has one winner of consent and cancellation, over processes whose clocks differ', async () => {
    for (const before of ['canceled', 'consented']) {
      const charge = await bank.begin('tok_action');
      if (before === 'canceled') await bank.lifecycle.cancel(charge);
      bank.advance(2 * second);
      const first = await bank.lifecycle.findCharge(charge);
      // A process whose clock is behind cannot cancel what another has reported as paid.
      bank.advance(-2 * second);
      const states = await Promise.all(
        atOnce(10, (index) =>
          index % 2 === 0 ? bank.processOf().lifecycle.cancel(charge) : bank.lifecycle.findCharge(charge),
        ),
      );
      for (const state of states) expect(state).to.deep.equal(first);
      expect('canceled' in (first ?? {})).to.equal(before === 'canceled');
    }
  });

  it('keeps neither a secret nor a URL in the ledger', async () => {
    const written: string[] = [];
    const { ledger } = bank;
    const { keep } = ledger;
    ledger.keep = (id, value) => {
      written.push(id, value);
      return keep(id, value);
    };
    for (const method of ['tok_action', 'tok_action_never'])
      await bank.begin(method, { payer: { returnUrl: 'https://shop.example/thanks' } });
    expect(written.join(' ')).to.not.match(/https|shop|secret|tok_/);
    expect(written).to.not.deep.equal([]);
  });
});
