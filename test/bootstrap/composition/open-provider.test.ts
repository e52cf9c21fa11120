import { expect } from 'chai';
import { ApplicationError } from '#application/errors.ts';
import type { FollowedCharges } from '#application/ports/followed-charges.ts';
import { openProvider, withProviderTimeout } from '#bootstrap/composition/open-provider.ts';
import { findAdapterModule } from '#bootstrap/config/adapter-module.ts';
import { SettingError } from '#bootstrap/config/env-parser.ts';
import { machineClock } from '../../support/machine.ts';
import { outsideProject } from '../support/outside.ts';

describe('A payment provider from outside', () => {
  const { write } = outsideProject();

  const noLedger = { find: async () => undefined, keep: async (_id: string, verdict: string) => verdict };

  const open = (name: string) => {
    const file = write(
      `${name}.ts`,
      `export const apiVersion = 0;
      const verdict = async () => ({ reference: 'mine' });
      const [charge, closeCharge, reverse, closeReversal] = [verdict, verdict, verdict, verdict];
      export const openPaymentProvider = () =>
        ({ name: '${name}', idempotencyWindowMs: 1, charge, closeCharge, reverse, closeReversal,
           close: async () => { globalThis.closedProvider = '${name}'; } });`,
    );
    const module = findAdapterModule('PAYMENT_PROVIDER', file);
    return openProvider({ provider: 'custom', module }, { ledger: noLedger, clock: machineClock }, 1_000);
  };

  it('is opened under its own name', async () => {
    expect((await open('bank')).name).to.equal('bank');
  });

  it('is closed again and rejected under the name of payments without a provider', async () => {
    const error = await open('offline').catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(SettingError);
    expect((error as SettingError).message).to.match(
      /PAYMENT_PROVIDER names \S*offline\.ts, whose provider has the name offline.*: change its name\.$/,
    );
    expect(Reflect.get(globalThis, 'closedProvider')).to.equal('offline');
  });

  it('is not waited for longer than the timeout, in whatever it is asked', async () => {
    const never = () => new Promise<never>(() => undefined);
    const followed: FollowedCharges = {
      asksPayer: true,
      ...{ find: never, cancel: never, capture: never, inspect: never, chargeAt: never, newsSince: never },
      readEvent: never,
    };
    const { followed: bounded } = withProviderTimeout({ ...(await open('silent')), followed }, 10, 20);
    if (bounded === undefined) expect.fail('It can be asked later.');
    expect(bounded).to.include({ asksPayer: true });
    for (const call of [
      'find',
      'cancel',
      'capture',
      'inspect',
      'chargeAt',
      'newsSince',
      'readEvent',
    ] as const) {
      const ask = bounded[call] as (...args: never[]) => Promise<unknown>;
      const error = await ask().catch((thrown: unknown) => thrown);
      expect(error, call).to.be.instanceOf(ApplicationError).and.to.include({ kind: 'provider-timeout' });
    }
    expect(withProviderTimeout(await open('plain'), 10)).not.to.have.property('followed');
  });
});
