import { expect } from 'chai';
import { ProviderMismatch } from '#application/errors.ts';
import { checkedProvider } from '#application/payments/checked-provider.ts';
import type { CompleteChargeLifecycle } from '#application/ports/charge-lifecycle.ts';
import type { PaymentProvider } from '#application/ports/payment-provider.ts';
import { newId } from '#test/support/machine.ts';
import { rejectionOf } from '../contracts/harness.ts';
import { noon } from '../contracts/samples.ts';

const amount = { amount: 450, currency: 'EUR' };
const asked = { paymentId: newId<never>(), amount, age: 0, reference: 'ch_1' };
const captured = {
  ...{ captureId: newId<never>(), paymentId: asked.paymentId, chargeReference: 'ch_1' },
  amount: { ...amount, amount: 200 },
};

/** A provider that says the same to each question. */
const saying = (words: object | undefined) => {
  const reported: ProviderMismatch[] = [];
  const say = async () => words as never;
  const lifecycle: CompleteChargeLifecycle = {
    asksPayer: true,
    ...{
      findCharge: say,
      cancel: say,
      capture: say,
      retrieveCharge: say,
      findChargeOf: say,
      listProviderEvents: say,
    },
    parseWebhook: say,
  };
  const provider = { name: 'mine', idempotencyWindowMs: 1, lifecycle } as unknown as PaymentProvider;
  const checked = checkedProvider(provider, (mismatch) => reported.push(mismatch)).lifecycle;
  return { checked: checked as CompleteChargeLifecycle, reported };
};

describe('What a provider tells later', () => {
  const differing: Readonly<Record<string, object>> = {
    'another amount': { reference: 'ch_1', amount: { ...amount, amount: 1 } },
    'another currency': { reference: 'ch_1', amount: { ...amount, currency: 'USD' } },
    'another payment': { reference: 'ch_1', id: newId() },
    'no reference': { canceled: true },
    'an empty decline': { declined: {} },
    'another amount that waits': { reference: 'ch_1', amount: { ...amount, amount: 1 }, waitsFor: 'payer' },
  };
  for (const [words, said] of Object.entries(differing)) {
    it(`is reported and not recorded when it is ${words}`, async () => {
      const { checked, reported } = saying(said);
      for (const call of [checked.findCharge(asked), checked.cancel(asked), checked.capture(captured)])
        expect(await rejectionOf(call)).to.be.instanceOf(ProviderMismatch);
      expect(reported).to.have.lengthOf(3);
    });
  }

  it('is reported when another charge has succeeded or was canceled for the payment', async () => {
    const { reference: _, ...unnamed } = asked;
    for (const words of [{ amount, id: asked.paymentId }, { canceled: true }]) {
      const { checked, reported } = saying({ reference: 'ch_2', ...words });
      for (const call of [checked.findCharge(asked), checked.cancel(asked)])
        expect(await rejectionOf(call)).to.be.instanceOf(ProviderMismatch);
      expect(reported.map(({ difference }) => difference)).to.deep.equal(
        Array(2).fill('It returned ch_2 where ch_1 was asked.'),
      );
      expect(await checked.findCharge(unnamed)).to.include({ reference: 'ch_2' });
    }
  });

  it('is compared with what was captured, after a capture', async () => {
    const [part, whole] = [
      saying({ reference: 'ch_1', amount: captured.amount }),
      saying({ reference: 'ch_1', amount }),
    ];
    expect(await part.checked.capture(captured)).to.have.property('reference');
    expect(await rejectionOf(whole.checked.capture(captured))).to.be.instanceOf(ProviderMismatch);
  });

  it('is compared with the most that can have been captured, where less may have been', async () => {
    const manual = { ...asked, captureMethod: 'manual' } as const;
    const says = (cents: number, more: object = {}) => {
      const { checked } = saying({ reference: 'ch_1', amount: { ...amount, amount: cents }, ...more });
      return [() => checked.findCharge(manual), () => checked.cancel(manual)];
    };
    for (const cents of [1, 200, 450])
      for (const ask of says(cents)) expect(await ask()).to.have.deep.nested.property('amount.amount', cents);
    for (const cents of [0, 451, 0.5, -1])
      for (const ask of says(cents)) expect(await rejectionOf(ask())).to.be.instanceOf(ProviderMismatch);
    for (const ask of says(200, { waitsFor: 'capture' }))
      expect(await rejectionOf(ask())).to.be.instanceOf(ProviderMismatch);
  });

  it('is reported for the capture that it is about', async () => {
    const { checked, reported } = saying({ reference: 'ch_1', amount });
    await rejectionOf(checked.capture(captured));
    expect(reported[0]).to.include({ process: 'capture', subject: captured.captureId });
  });

  it('is reported when it is of another charge than was asked', async () => {
    const { checked, reported } = saying({ reference: 'ch_2', paymentId: null });
    expect(await rejectionOf(checked.retrieveCharge('ch_1'))).to.be.instanceOf(ProviderMismatch);
    expect(reported[0]).to.include({ process: 'payment', subject: 'ch_1' });
  });

  it('is passed on when it is what was asked, or nothing', async () => {
    const state = { reference: 'ch_1', amount, id: asked.paymentId };
    const { checked } = saying(state);
    expect(checked).to.include({ asksPayer: true });
    expect(await checked.findCharge(asked)).to.equal(state);
    expect(await checked.cancel(asked)).to.equal(state);
    expect(await checked.retrieveCharge('ch_1')).to.equal(state);
    expect(await checked.listProviderEvents(noon)).to.equal(state);
    expect(await checked.parseWebhook?.({ body: new Uint8Array(), headers: {} }, noon)).to.equal(state);
    const silent = saying(undefined).checked;
    expect(await silent.findCharge(asked)).to.equal(undefined);
    expect(await silent.retrieveCharge('ch_1')).to.equal(undefined);
    expect(await silent.findChargeOf({ kind: 'charge', reference: 'ch_1' })).to.equal(undefined);
  });
});
