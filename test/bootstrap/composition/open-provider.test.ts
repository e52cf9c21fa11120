import { expect } from 'chai';
import { ApplicationError } from '#application/errors.ts';
import type { FollowedCharges } from '#application/ports/charge-lifecycle.ts';
import { openProvider, withProviderTimeout } from '#bootstrap/composition/ports/open-provider.ts';
import { findAdapterModule } from '#bootstrap/config/adapter-module.ts';
import { SettingError } from '#bootstrap/config/env-parser.ts';
import { machineClock } from '../../support/machine.ts';
import { outsideProject } from '../support/outside.ts';

describe('A payment provider from outside', () => {
  const { write } = outsideProject();

  const noLedger = { find: async () => undefined, keep: async (_id: string, verdict: string) => verdict };

  /** @param followed what it offers later, as text */
  const open = (name: string, followed = 'undefined') => {
    const file = write(
      `${name}.ts`,
      `export const apiVersion = 0;
      const call = async () => undefined;
      const verdict = async () => ({ reference: 'mine' });
      const [charge, closeCharge, reverse, closeReversal] = [verdict, verdict, verdict, verdict];
      export const openPaymentProvider = () =>
        ({ name: '${name}', idempotencyWindowMs: 1, charge, closeCharge, reverse, closeReversal,
           followed: ${followed},
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

  it('is closed again and rejected when it offers a part without another that it needs', async () => {
    for (const [followed, fault] of [
      ['{ inspect: call }', 'has followed without find, a function: add it, or leave followed out'],
      ['{ find: call }', 'has followed without inspect, a function: add it, or leave followed out'],
      [
        '{ find: call, inspect: call, asksPayer: true }',
        'offers followed.asksPayer without followed.cancel: add it, or leave followed.asksPayer out',
      ],
      [
        '{ find: call, inspect: call, capture: call }',
        'offers followed.capture without followed.cancel: add it, or leave followed.capture out',
      ],
      [
        '{ find: call, inspect: call, newsSince: call }',
        'offers followed.newsSince without followed.chargeAt: add it, or leave followed.newsSince out',
      ],
      [
        '{ find: call, inspect: call, readEvent: call }',
        'offers followed.readEvent without followed.chargeAt: add it, or leave followed.readEvent out',
      ],
    ] as const) {
      const name = `incomplete-${followed.replaceAll(/\W/g, '')}`;
      const error = await open(name, followed).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(SettingError);
      expect((error as SettingError).message).to.include(`${name}.ts, whose provider ${fault}.`);
      expect(Reflect.get(globalThis, 'closedProvider')).to.equal(name);
    }
  });

  it('is rejected when a part of what it offers has another type', async () => {
    for (const [part, type] of [
      ["asksPayer: 'yes'", 'followed.asksPayer, a boolean'],
      ['capture: true', 'followed.capture, a function'],
    ] as const) {
      const name = type.replaceAll(/\W/g, '');
      const error = await open(name, `{ find: call, inspect: call, cancel: call, ${part} }`).catch(
        (thrown: unknown) => thrown,
      );
      expect((error as SettingError).message).to.include(`must return an object with ${type}.`);
    }
  });

  it('offers what it has, each alone', async () => {
    const each = ['', 'cancel: call, asksPayer: true', 'cancel: call, capture: call', 'chargeAt: call'];
    for (const [index, more] of each.entries()) {
      const provider = await open(`alone-${index}`, `{ find: call, inspect: call, ${more} }`);
      expect(Object.keys(provider.followed ?? {})).to.have.lengthOf(2 + (more.match(/:/g)?.length ?? 0));
    }
  });

  it('is not waited for longer than the timeout, in whatever it is asked', async () => {
    const never = () => new Promise<never>(() => undefined);
    const followed: FollowedCharges = {
      asksPayer: true,
      ...{ find: never, cancel: never, capture: never, inspect: never, chargeAt: never, newsSince: never },
      readEvent: never,
    };
    const { followed: bounded } = withProviderTimeout({ ...(await open('silent')), followed }, 1, 2);
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
    expect(withProviderTimeout(await open('plain'), 1)).not.to.have.property('followed');
  });
});
