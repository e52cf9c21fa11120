import { expect } from 'chai';
import type { BegunCharge, Charge, ChargeState } from '#application/ports/charge.ts';
import type { CompleteChargeLifecycle } from '#application/ports/charge-lifecycle.ts';
import type { Money } from '#domain/money.ts';
import { newId } from '../../support/machine.ts';
import type { Runner } from '../harness.ts';
import { aCharge, type ProviderHarness, referenceOf } from '../payment-provider.ts';
import type { Part } from './parts.ts';
import type { ProviderWorld } from './provider-world.ts';

export const payer = { returnUrl: 'https://shop.example/back' };
export const half: Money = { amount: 225, currency: 'EUR' };

/** A charge that was made, with the provider's reference. */
export type Made = Charge & { readonly reference: string };

/** What the tests of a provider that can be asked later share. */
export interface Fixture {
  /** Registers a test, if the provider has all that it needs. */
  readonly promise: (title: string, needs: readonly Part[], body: () => Promise<void>) => void;
  /** The provider of the test that runs. */
  readonly now: () => ProviderHarness & {
    readonly lifecycle: CompleteChargeLifecycle;
    readonly world: Required<ProviderWorld>;
  };
  readonly begin: (method: string, details?: Partial<Charge>) => Promise<Made>;
  /** An authorized charge. */
  readonly authorize: (method?: string) => Promise<Made>;
  readonly capture: (
    charge: Made,
    amount?: Money,
    captureId?: string,
  ) => ReturnType<CompleteChargeLifecycle['capture']>;
}

/**
 * @param open a provider with nothing in its books, for each test
 * @param parts without which a test is not registered
 */
export const fixtureOf = (
  open: () => Promise<ProviderHarness>,
  runner: Runner,
  parts: ReadonlySet<Part>,
): Fixture => {
  let harness: ProviderHarness;
  runner.beforeEach(async () => {
    harness = await open();
  });
  runner.afterEach(() => harness.close());
  // A test is registered only when all that it uses is there.
  const now = () => {
    const { provider, world = {} } = harness;
    const lifecycle = provider.lifecycle ?? expect.fail('It cannot be asked later.');
    return {
      ...harness,
      lifecycle: lifecycle as CompleteChargeLifecycle,
      world: world as Required<ProviderWorld>,
    };
  };
  const begin: Fixture['begin'] = async (method, details = {}) => {
    const charge = aCharge(method, details);
    return { ...charge, reference: await referenceOf(harness.provider.charge(charge)) };
  };
  return {
    promise: (title, needs, body) => {
      if (needs.every((need) => parts.has(need))) runner.it(title, body);
    },
    now,
    begin,
    authorize: (method = now().good) => begin(method, { captureMethod: 'manual' }),
    capture: ({ paymentId, reference }, amount = half, captureId = newId()) =>
      now().lifecycle.capture({
        captureId: captureId as never,
        paymentId,
        chargeReference: reference,
        amount,
      }),
  };
};

/** A reference like this one, of nothing in the books. */
export const foreignFor = (reference: string): string =>
  reference.replace(/.$/, (last) => (last === '1' ? '2' : '1'));

/** Fails unless the money of the charge was captured, as the provider reports. @param amount that was captured */
export const expectTaken = (state: ChargeState | undefined, charge: Made, amount = charge.amount): void => {
  expect(state).to.include({ reference: charge.reference });
  expect(state).to.not.have.any.keys('waitsFor', 'canceled', 'declined');
  expectAsked(state, { ...charge, amount });
};

/** Fails when the provider reports other money than was asked for. */
export const expectAsked = (state: ChargeState | undefined, { paymentId: id, amount }: BegunCharge): void => {
  const reported = { amount, id, ...state };
  expect({ amount: reported.amount, id: reported.id }).to.deep.equal({ amount, id });
};
