import { expect } from 'chai';
import { createApplication } from '#application/application.ts';
import { UnavailableError } from '#application/errors.ts';
import type { ParsedWebhook, ProviderWebhook } from '#application/ports/charge-lifecycle.ts';
import type { StoreUnitOfWork } from '#application/ports/unit-of-work.ts';
import type { Instant } from '#domain/instant.ts';
import { rejectionOf } from '../../contracts/harness.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { chargeObject, reconciledShop } from './reconciled-shop.ts';

const message: ProviderWebhook = { body: Buffer.from('{}'), headers: { 'a-signature': 'valid' } };
const durations = { lease: 30_000, reconcileAfter: 60_000, orderLifetime: 0 };

describe('An event that the provider sends', () => {
  const shop = ofEachTest(reconciledShop);

  /** A process whose provider reads each message so, over a store of which each call is counted. */
  const receiving = (reading: ParsedWebhook, store?: StoreUnitOfWork) => {
    const seen = { calls: 0, read: [] as { readonly event: ProviderWebhook; readonly now: Instant }[] };
    const { unitOfWork } = shop.ports;
    const counted: StoreUnitOfWork = {
      run: (work) => {
        seen.calls += 1;
        return unitOfWork.run(work);
      },
      read: (work) => {
        seen.calls += 1;
        return unitOfWork.read(work);
      },
    };
    const parseWebhook = async (event: ProviderWebhook, now: Instant) => {
      seen.read.push({ event, now });
      return reading;
    };
    const { port } = shop.provider;
    const lifecycle = port.lifecycle ?? expect.fail('It can be asked later.');
    const provider = { ...port, lifecycle: { ...lifecycle, parseWebhook } };
    const ports = { ...shop.ports, provider, unitOfWork: store ?? counted };
    const { receiveEvent } = createApplication(ports, durations);
    return { receive: receiveEvent ?? expect.fail('It reads events.'), seen };
  };

  it('makes the object that it names due at once, and each further one counts', async () => {
    const { receive, seen } = receiving([chargeObject('ch_1')]);
    expect(await receive(message)).to.equal('accepted');
    expect(await shop.find(chargeObject('ch_1'))).to.include({ events: 1, dueAt: shop.now() });
    expect(seen.read).to.deep.equal([{ event: message, now: shop.now() }]);
    await receive(message);
    expect(await shop.find(chargeObject('ch_1'))).to.include({ events: 2 });
  });

  for (const reading of ['forged', 'stale', 'malformed'] as const)
    it(`does no work in the store when it cannot be accepted (${reading})`, async () => {
      const { receive, seen } = receiving(reading);
      expect(await receive(message)).to.equal(reading);
      expect(seen.calls).to.equal(0);
    });

  it('is of an unknown type when it names no object, or none that a store can hold', async () => {
    for (const reading of [
      [],
      [chargeObject('')],
      [chargeObject('a\0b')],
      [{ kind: 'a', reference: 'b' } as never],
    ]) {
      const { receive, seen } = receiving(reading);
      expect(await receive(message)).to.equal('unknown_type');
      expect(seen.calls).to.equal(0);
    }
  });

  it('is not accepted when its object could not be enqueued', async () => {
    const away = async (): Promise<never> => {
      throw new UnavailableError('database-unavailable');
    };
    const { receive } = receiving([chargeObject('ch_1')], { run: away, read: away });
    expect(await rejectionOf(receive(message))).to.be.instanceOf(UnavailableError);
  });

  it('is not received for a provider that sends none', () => {
    expect(createApplication(shop.ports, durations).receiveEvent).to.equal(undefined);
  });
});
