import { expect } from 'chai';
import { secretBox } from '#adapters/secrets/secret-box.ts';
import { configuredKeys, randomSecret } from '#adapters/secrets/secret-keys.ts';
import { resealSecrets } from '#application/webhooks/reseal-secrets.ts';
import { testShop } from '#bootstrap/testing/test-shop.ts';
import { WebhookEndpoint, type WebhookEndpointId } from '#domain/webhooks/endpoint.ts';
import { newId } from '../support/machine.ts';

type Shop = Awaited<ReturnType<typeof testShop>>;

const [oldKey, newKey, lostKey] = [randomSecret(), randomSecret(), randomSecret()];
const boxOf = (...keys: readonly string[]) => secretBox(configuredKeys(keys));

describe('The secrets of webhook endpoints, when the first key is another', () => {
  let shop: Shop;
  const warnings: unknown[] = [];
  beforeEach(async () => {
    shop = await testShop();
    warnings.length = 0;
  });

  const sealedBy = async (key: string, ownerId: WebhookEndpointId, text: string) => {
    const secret = { id: newId<WebhookEndpoint['secrets'][number]['id']>(), hint: 'whsec_AbCd…' };
    const sealed = await boxOf(key).seal(text, { ownerId, secretId: secret.id });
    return { ...secret, sealed };
  };

  /** Adds an endpoint with a secret by each key, the newest last. */
  const add = async (...keys: readonly [string, ...string[]]): Promise<WebhookEndpoint> => {
    const id = newId<WebhookEndpointId>();
    const [first, ...others] = keys;
    const details = { url: 'https://example.com/', ...WebhookEndpoint.defaults };
    let endpoint = WebhookEndpoint.create(id, details, await sealedBy(first, id, 'secret 0'), shop.now());
    for (const [index, key] of others.entries())
      endpoint = WebhookEndpoint.addSecret(
        endpoint,
        await sealedBy(key, id, `secret ${index + 1}`),
        60,
        shop.now(),
      );
    await shop.unitOfWork.run(({ webhookEndpoints }) => webhookEndpoints.add({ ...endpoint, version: 1 }));
    return { ...endpoint, version: 1 };
  };
  const stored = async ({ id }: WebhookEndpoint): Promise<WebhookEndpoint> =>
    (await shop.unitOfWork.read(({ webhookEndpoints }) => webhookEndpoints.find(id))) ??
    expect.fail('The endpoint is there.');
  const lastEvent = async () => (await shop.unitOfWork.read(({ events }) => events.feed())).last;
  const reseal = (unitOfWork: Shop['unitOfWork'] = shop.unitOfWork) =>
    resealSecrets({
      ...{ unitOfWork, box: boxOf(newKey, oldKey) },
      observer: { warn: (message, { endpointId }) => warnings.push([message, endpointId]) },
    })();
  /** What the new key alone decrypts, newest first. */
  const opened = async (endpoint: WebhookEndpoint): Promise<readonly (string | null)[]> => {
    const { id: ownerId, secrets, sealedSecrets } = await stored(endpoint);
    return Promise.all(
      secrets.map(({ id: secretId }, index) =>
        boxOf(newKey)
          .open(sealedSecrets[index] ?? '', { ownerId, secretId })
          .catch(() => null),
      ),
    );
  };

  it('are encrypted with it, without a new version or an event', async () => {
    const [one, two] = [await add(oldKey), await add(oldKey, oldKey)];
    const last = await lastEvent();
    await reseal();
    expect(await opened(one)).to.deep.equal(['secret 0']);
    expect(await opened(two)).to.deep.equal(['secret 1', 'secret 0']);
    for (const endpoint of [one, two]) {
      const after = await stored(endpoint);
      expect(after).to.deep.equal({ ...endpoint, sealedSecrets: after.sealedSecrets });
    }
    expect(await lastEvent()).to.equal(last);
    expect(warnings).to.deep.equal([]);
  });

  it('stay as they are where it encrypts them already, or where their key is lost', async () => {
    const [current, lost, mixed] = [await add(newKey), await add(lostKey), await add(lostKey, oldKey)];
    await reseal();
    for (const endpoint of [current, lost]) expect(await stored(endpoint)).to.deep.equal(endpoint);
    expect(await opened(mixed)).to.deep.equal(['secret 1', null]);
    expect((await stored(mixed)).sealedSecrets[1]).to.equal(mixed.sealedSecrets[1]);
    expect(warnings).to.deep.equal([]);
  });

  it('that a request replaces meanwhile are not overwritten', async () => {
    const endpoint = await add(oldKey);
    const changed = WebhookEndpoint.addSecret(
      endpoint,
      await sealedBy(oldKey, endpoint.id, 'secret 1'),
      60,
      shop.now(),
    );
    await reseal({
      run: async (work, context) => {
        await shop.unitOfWork.run(({ webhookEndpoints }) => webhookEndpoints.save(changed));
        return shop.unitOfWork.run(work, context);
      },
      read: (reading, context) => shop.unitOfWork.read(reading, context),
    });
    expect(await opened(endpoint)).to.deep.equal(['secret 1', 'secret 0']);
    expect(await stored(endpoint)).to.include({ version: 2 });
  });

  it('are encrypted although it has failed for another endpoint, which is reported', async () => {
    const [failing, other] = [await add(oldKey), await add(oldKey)];
    let runs = 0;
    await reseal({
      run: (work, context) => {
        runs += 1;
        if (runs === 1) throw new Error('The disk is full.');
        return shop.unitOfWork.run(work, context);
      },
      read: (reading, context) => shop.unitOfWork.read(reading, context),
    });
    expect(await opened(failing)).to.deep.equal([null]);
    expect(await opened(other)).to.deep.equal(['secret 0']);
    expect(warnings).to.deep.equal([
      [
        'Secrets of a webhook endpoint could not be encrypted with the current key. It is tried again.',
        failing.id,
      ],
    ]);
  });
});
