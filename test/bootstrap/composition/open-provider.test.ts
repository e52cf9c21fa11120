import { expect } from 'chai';
import { ApplicationError } from '#application/errors.ts';
import type { ChargeLifecycle } from '#application/ports/charge-lifecycle.ts';
import { openProvider, withProviderTimeout } from '#bootstrap/composition/ports/open-provider.ts';
import { findAdapterModule } from '#bootstrap/config/adapter-module.ts';
import { SettingError } from '#bootstrap/config/env-parser.ts';
import { machineClock } from '../../support/machine.ts';
import { outsideProject } from '../support/outside.ts';

describe('A payment provider from outside', () => {
  const { write } = outsideProject();

  const noLedger = { find: async () => undefined, keep: async (_id: string, outcome: string) => outcome };

  /** @param lifecycle what it offers later, as text */
  const open = (name: string, lifecycle = 'undefined') => {
    const file = write(
      `${name}.ts`,
      `export const apiVersion = 0;
      const call = async () => undefined;
      const outcome = async () => ({ reference: 'mine' });
      const [charge, closeCharge, refund, closeRefund] = [outcome, outcome, outcome, outcome];
      export const openPaymentProvider = () =>
        ({ name: '${name}', idempotencyWindowMs: 1, charge, closeCharge, refund, closeRefund,
           lifecycle: ${lifecycle},
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
    for (const [lifecycle, fault] of [
      [
        '{ retrieveCharge: call }',
        'has lifecycle without findCharge, a function: add it, or leave lifecycle out',
      ],
      [
        '{ findCharge: call }',
        'has lifecycle without retrieveCharge, a function: add it, or leave lifecycle out',
      ],
      [
        '{ findCharge: call, retrieveCharge: call, asksPayer: true }',
        'offers lifecycle.asksPayer without lifecycle.cancel: add it, or leave lifecycle.asksPayer out',
      ],
      [
        '{ findCharge: call, retrieveCharge: call, capture: call }',
        'offers lifecycle.capture without lifecycle.cancel: add it, or leave lifecycle.capture out',
      ],
      [
        '{ findCharge: call, retrieveCharge: call, listProviderEvents: call }',
        'offers lifecycle.listProviderEvents without lifecycle.findChargeOf: add it, or leave lifecycle.listProviderEvents out',
      ],
      [
        '{ findCharge: call, retrieveCharge: call, parseWebhook: call }',
        'offers lifecycle.parseWebhook without lifecycle.findChargeOf: add it, or leave lifecycle.parseWebhook out',
      ],
    ] as const) {
      const name = `incomplete-${lifecycle.replaceAll(/\W/g, '')}`;
      const error = await open(name, lifecycle).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(SettingError);
      expect((error as SettingError).message).to.include(`${name}.ts, whose provider ${fault}.`);
      expect(Reflect.get(globalThis, 'closedProvider')).to.equal(name);
    }
  });

  it('is rejected when a part of what it offers has another type', async () => {
    for (const [part, type] of [
      ["asksPayer: 'yes'", 'lifecycle.asksPayer, a boolean'],
      ['capture: true', 'lifecycle.capture, a function'],
    ] as const) {
      const name = type.replaceAll(/\W/g, '');
      const error = await open(
        name,
        `{ findCharge: call, retrieveCharge: call, cancel: call, ${part} }`,
      ).catch((thrown: unknown) => thrown);
      expect((error as SettingError).message).to.include(`must return an object with ${type}.`);
    }
  });

  it('offers what it has, each alone', async () => {
    const each = ['', 'cancel: call, asksPayer: true', 'cancel: call, capture: call', 'findChargeOf: call'];
    for (const [index, more] of each.entries()) {
      const provider = await open(`alone-${index}`, `{ findCharge: call, retrieveCharge: call, ${more} }`);
      expect(Object.keys(provider.lifecycle ?? {})).to.have.lengthOf(2 + (more.match(/:/g)?.length ?? 0));
    }
  });

  it('is not waited for longer than the timeout, in whatever it is asked', async () => {
    const never = () => new Promise<never>(() => undefined);
    const lifecycle: ChargeLifecycle = {
      asksPayer: true,
      ...{
        findCharge: never,
        cancel: never,
        capture: never,
        retrieveCharge: never,
        findChargeOf: never,
        listProviderEvents: never,
      },
      parseWebhook: never,
    };
    const { lifecycle: bounded } = withProviderTimeout({ ...(await open('silent')), lifecycle }, 1, 2);
    if (bounded === undefined) expect.fail('It can be asked later.');
    expect(bounded).to.include({ asksPayer: true });
    for (const call of [
      'findCharge',
      'cancel',
      'capture',
      'retrieveCharge',
      'findChargeOf',
      'listProviderEvents',
      'parseWebhook',
    ] as const) {
      const ask = bounded[call] as (...args: never[]) => Promise<unknown>;
      const error = await ask().catch((thrown: unknown) => thrown);
      expect(error, call).to.be.instanceOf(ApplicationError).and.to.include({ kind: 'provider-timeout' });
    }
    expect(withProviderTimeout(await open('plain'), 1)).not.to.have.property('lifecycle');
  });
});
