import { expect } from 'chai';
import { sandboxProvider } from '#adapters/payment/sandbox/provider.ts';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import type { Charge, ChargeState } from '#application/ports/charge.ts';
import type { FollowedCharges, Movements } from '#application/ports/followed-charges.ts';
import type { PaymentProvider } from '#application/ports/payment-provider.ts';
import { Instant } from '#domain/instant.ts';
import { newId } from '../../support/machine.ts';

const amount = { amount: 450, currency: 'EUR' };
const noon = Date.UTC(2026, 2, 1, 12);
const second = 1_000;

describe('The sandbox, as time passes,', () => {
  let time: number;
  let providers: readonly [PaymentProvider, PaymentProvider];
  beforeEach(async () => {
    time = noon;
    const { sandboxLedger } = await openMemory();
    const open = () => sandboxProvider(sandboxLedger, () => time);
    // Two processes with one ledger.
    providers = [open(), open()];
  });

  const aCharge = (paymentMethod: string, more: Partial<Charge> = {}): Charge => ({
    ...{ paymentId: newId(), amount, age: 0, paymentMethod, payer: { returnUrl: null } },
    ...more,
  });
  const charge = (of: Charge): Promise<ChargeState> => providers[0].charge(of);
  const followed = (): FollowedCharges => {
    const [, { followed: found }] = providers;
    if (found === undefined) throw new Error('The sandbox can be asked later.');
    return found;
  };
  const found = async (of: Charge): Promise<ChargeState | undefined> => followed().find(of);
  const referenceOf = ({ paymentId }: Charge): string => `sandbox_${paymentId}`;
  const movements = async (of: Charge): Promise<Movements> => {
    const seen = await followed().inspect(referenceOf(of));
    if (seen === undefined) throw new Error('The charge is not there.');
    return seen;
  };
  const pass = (seconds: number): void => {
    time = noon + seconds * second;
  };
  const moved = (of: Charge) => ({ reference: referenceOf(of), amount, id: of.paymentId });
  const waiting = { waitsFor: 'payer' } as const;

  it('asks the payer with tok_action, who consents after two seconds', async () => {
    const one = aCharge('tok_action');
    const secret = { type: 'provider_sdk', clientSecret: `${referenceOf(one)}_secret` };
    expect(await charge(one)).to.deep.equal({ ...moved(one), ...waiting, nextAction: secret });
    pass(1.999);
    expect(await found(one)).to.deep.include(waiting);
    pass(2);
    expect(await found(one)).to.deep.equal(moved(one));
    expect(await charge(one)).to.deep.equal(moved(one));
  });

  it('redirects the payer to the return URL when one is given', async () => {
    const one = aCharge('tok_action', { payer: { returnUrl: 'https://shop.example/back' } });
    const nextAction = { type: 'redirect', url: 'https://shop.example/back' };
    expect(await charge(one)).to.deep.include({ nextAction });
  });

  it('declines what wants a payer who is not present', async () => {
    for (const token of ['tok_action', 'tok_action_declined', 'tok_action_never']) {
      const { payer, ...absent } = aCharge(token);
      expect(await charge(absent)).to.have.nested.property('declined.code', 'authentication_required');
    }
  });

  it('declines with tok_action_declined after two seconds, and waits for ever with tok_action_never', async () => {
    const [refused, never] = [aCharge('tok_action_declined'), aCharge('tok_action_never')];
    for (const each of [refused, never]) expect(await charge(each)).to.deep.include(waiting);
    pass(2);
    expect(await found(refused)).to.have.nested.property('declined.code');
    pass(90 * 24 * 3_600);
    expect(await found(never)).to.deep.include(waiting);
  });

  it('decides after five seconds with tok_processing and tok_processing_failed', async () => {
    const [good, bad] = [aCharge('tok_processing'), aCharge('tok_processing_failed')];
    for (const each of [good, bad])
      expect(await charge(each)).to.deep.equal({ ...moved(each), waitsFor: 'provider' });
    pass(5);
    expect(await found(good)).to.deep.equal(moved(good));
    expect(await found(bad)).to.have.nested.property('declined.code', 'card_declined');
  });

  it('has one winner between a cancellation and the consent', async () => {
    const [before, late] = [aCharge('tok_action'), aCharge('tok_action')];
    for (const each of [before, late]) await charge(each);
    const canceled = { canceled: true, reference: referenceOf(before) };
    expect(await followed().cancel({ ...before, reference: referenceOf(before) })).to.deep.equal(canceled);
    pass(2);
    const both = await Promise.all([
      followed().cancel({ ...late, reference: referenceOf(late) }),
      providers[0].charge(late),
    ]);
    expect(both).to.deep.equal([moved(late), moved(late)]);
    expect(await found(before)).to.deep.equal(canceled);
  });

  it('authorizes with every token that charges, and captures once, in full or in part', async () => {
    for (const token of ['tok_ok', 'tok_slow', 'tok_processing', 'tok_action']) {
      pass(0);
      const one = aCharge(token, { captureMethod: 'manual' });
      await charge(one);
      pass(10);
      const captureBefore = Instant.at(noon + 7 * 24 * 3_600 * second);
      expect(await found(one)).to.deep.include({ waitsFor: 'capture', amount });
      const part = { amount: 200, currency: 'EUR' };
      const request = {
        captureId: newId<never>(),
        paymentId: one.paymentId,
        chargeReference: referenceOf(one),
        amount: part,
      };
      const verdict = { ...moved(one), amount: part };
      expect(await followed().capture(request)).to.deep.equal(verdict);
      expect(await followed().capture(request)).to.deep.equal(verdict);
      expect(await followed().capture({ ...request, captureId: newId<never>() })).to.have.property(
        'declined',
      );
      expect(await found(one)).to.deep.equal(verdict);
      expect(captureBefore).to.be.a('string');
    }
  });

  it('captures no more than was authorized, nothing that was canceled, and nothing after seven days', async () => {
    const [one, late] = [
      aCharge('tok_ok', { captureMethod: 'manual' }),
      aCharge('tok_ok', { captureMethod: 'manual' }),
    ];
    for (const each of [one, late]) await charge(each);
    const request = (of: Charge, cents: number) => ({
      ...{ captureId: newId<never>(), paymentId: of.paymentId, chargeReference: referenceOf(of) },
      amount: { amount: cents, currency: 'EUR' },
    });
    expect(await followed().capture(request(one, 451))).to.have.property('declined');
    await followed().cancel({ ...one, reference: referenceOf(one) });
    expect(await followed().capture(request(one, 450))).to.have.property('declined');
    pass(7 * 24 * 3_600);
    expect(await found(late)).to.deep.equal({ canceled: true, reference: referenceOf(late) });
    expect(await followed().capture(request(late, 450))).to.have.property('declined');
  });

  const reverse = (of: Charge, cents: number, refundId = newId<never>()) =>
    providers[0].reverse({
      refundId,
      chargeReference: referenceOf(of),
      amount: { amount: cents, currency: 'EUR' },
    });

  it('finishes a refund after five seconds with tok_refund_pending', async () => {
    const one = aCharge('tok_refund_pending');
    await charge(one);
    const refundId = newId<never>();
    expect(await reverse(one, 450, refundId)).to.deep.include({ waitsFor: 'provider' });
    pass(5);
    expect(await reverse(one, 450, refundId)).to.deep.equal({ reference: `sandbox_${refundId}` });
    expect((await movements(one)).refunds).to.deep.include({
      ...{ reference: `sandbox_${refundId}`, refundId, amount, status: 'succeeded', failure: null },
    });
  });

  it('lets a refund fail five seconds after it succeeded with tok_refund_fails_late', async () => {
    const one = aCharge('tok_refund_fails_late');
    await charge(one);
    expect(await reverse(one, 450)).to.have.property('reference');
    expect((await movements(one)).refunds).to.have.nested.property('[0].status', 'succeeded');
    pass(5);
    expect((await movements(one)).refunds).to.have.nested.property('[0].status', 'failed');
  });

  it('refunds what is left by itself with tok_refunded_outside, once, and tells it', async () => {
    const one = aCharge('tok_refunded_outside');
    await charge(one);
    await reverse(one, 50);
    expect((await movements(one)).refunds).to.have.lengthOf(1);
    expect(await followed().newsSince(Instant.at(noon))).to.deep.equal({ places: [], newest: null });
    pass(5);
    for (const _ of ['once', 'again'])
      expect(
        (await movements(one)).refunds.map(({ refundId, amount: { amount: cents } }) => [
          refundId === null,
          cents,
        ]),
      ).to.deep.equal([
        [false, 50],
        [true, 400],
      ]);
    const { places, newest } = await followed().newsSince(Instant.at(noon));
    expect(places).to.have.nested.property('[0].reference', referenceOf(one));
    expect(newest).to.equal(Instant.at(noon + 5 * second));
    expect(await reverse(one, 1)).to.have.nested.property('declined.code', 'charge_already_refunded');
  });

  it('is disputed after five seconds with tok_dispute, and loses after ten', async () => {
    const one = aCharge('tok_dispute');
    await charge(one);
    expect((await movements(one)).disputes).to.deep.equal([]);
    pass(5);
    expect((await movements(one)).disputes).to.have.nested.property('[0].status', 'needs_response');
    pass(10);
    expect((await movements(one)).disputes).to.have.nested.property('[0].status', 'lost');
  });

  it('finds the charge of each place, and knows no other', async () => {
    const one = aCharge('tok_dispute');
    await charge(one);
    const refundId = newId<never>();
    await reverse(one, 50, refundId);
    const places = [
      { kind: 'charge', reference: referenceOf(one) },
      { kind: 'refund', reference: `sandbox_${refundId}` },
      { kind: 'dispute', reference: `${referenceOf(one)}_dispute` },
    ] as const;
    for (const place of places) expect(await followed().chargeAt(place)).to.equal(referenceOf(one));
    expect(await followed().chargeAt({ kind: 'refund', reference: 'sandbox_unheard_of' })).to.equal(
      undefined,
    );
    expect(await followed().inspect('sandbox_unheard_of')).to.equal(undefined);
    expect(await found(aCharge('tok_ok'))).to.equal(undefined);
  });
});
