import { expect } from 'chai';
import { Registry } from 'prom-client';
import { measuredProvider } from '#adapters/metrics/measured-provider.ts';
import { ApplicationError, UnavailableError } from '#application/errors.ts';
import type { ChargeLifecycle, CompleteChargeLifecycle } from '#application/ports/charge-lifecycle.ts';
import { rejectionOf } from '../../contracts/harness.ts';
import { openBank } from '../payment/sandbox/bank.ts';

describe('The calls of a payment provider that can be asked later', () => {
  const countsOf = async (registry: Pick<Registry, 'metrics'>, operation: string) => {
    const text = await registry.metrics();
    const line = new RegExp(
      `portico_provider_calls_total\\{operation="${operation}",outcome="(\\w+)"\\} ([1-9])`,
      'g',
    );
    return Object.fromEntries([...text.matchAll(line)].map(([, outcome, count]) => [outcome, Number(count)]));
  };

  it('are counted by outcome, one that finds nothing as succeeded', async () => {
    const [registry, bank] = [new Registry(), await openBank()];
    const lifecycle = measuredProvider(registry)(bank).lifecycle as CompleteChargeLifecycle;
    const [paid, declined] = [await bank.begin('tok_action'), await bank.begin('tok_declined')];
    for (const charge of [paid, declined]) await lifecycle.findCharge(charge);
    await lifecycle.retrieveCharge('sandbox_unheard-of');
    await lifecycle.findChargeOf({ kind: 'charge', reference: paid.reference });
    await lifecycle.listProviderEvents(bank.now());
    await lifecycle.cancel(paid);
    expect(await countsOf(registry, 'find_charge')).to.deep.equal({ succeeded: 1, declined: 1 });
    for (const operation of ['retrieve_charge', 'find_charge_of', 'list_provider_events', 'cancel'])
      expect(await countsOf(registry, operation), operation).to.deep.equal({ succeeded: 1 });
    expect(lifecycle).to.include({ asksPayer: true });
    expect(lifecycle).not.to.have.property('parseWebhook');
    const parseWebhook = async () => 'stale' as const;
    const reading = measuredProvider(new Registry())({
      ...bank,
      lifecycle: { ...bank.lifecycle, parseWebhook },
    });
    const event = { body: new Uint8Array(), headers: {} };
    expect(await reading.lifecycle?.parseWebhook?.(event, bank.now())).to.equal('stale');
  });

  it('are not counted while the database is unavailable, because the provider has not failed', async () => {
    const [registry, bank] = [new Registry(), await openBank()];
    const away = () => Promise.reject(new UnavailableError('database-unavailable'));
    const charge = await bank.begin('tok_ok');
    const measured = measuredProvider(registry)({ ...bank, closeCharge: away });
    expect(await rejectionOf(measured.closeCharge(charge))).to.have.property('kind', 'unavailable');
    expect(await countsOf(registry, 'close_charge')).to.deep.equal({});
  });

  it('are counted as failed or timed out when the outcome is unknown', async () => {
    const [registry, bank] = [new Registry(), await openBank()];
    const failing = (kind: 'provider-failed' | 'provider-timeout') =>
      ({
        ...bank.lifecycle,
        findCharge: () => Promise.reject(new ApplicationError(kind, 'No.')),
      }) as ChargeLifecycle;
    const measured = measuredProvider(registry);
    const charge = await bank.begin('tok_ok');
    await measured({ ...bank, lifecycle: failing('provider-failed') })
      .lifecycle?.findCharge(charge)
      .catch(() => undefined);
    expect(await countsOf(registry, 'find_charge')).to.deep.equal({ failed: 1 });
    await measured({ ...bank, lifecycle: failing('provider-timeout') })
      .lifecycle?.findCharge(charge)
      .catch(() => undefined);
    expect(await countsOf(registry, 'find_charge')).to.deep.equal({ failed: 1, timed_out: 1 });
  });
});
