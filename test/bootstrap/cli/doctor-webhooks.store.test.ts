import { expect } from 'chai';
import { configuredKeys } from '#adapters/secrets/secret-keys.ts';
import { checkWebhooks } from '#bootstrap/cli/doctor/webhooks.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { storeAt } from '../../support/store-at.ts';
import { serverKinds } from '../../support/test-databases.ts';
import { describeOnEach } from '../support/places.ts';
import { endpointSealedWith, key, otherKey, withoutEndpoint } from '../support/sealed-endpoint.ts';

describeOnEach(
  'The doctor on webhooks',
  (place) => {
    it('warns of a missing SECRETS_KEY only where there are endpoints', async () => {
      const config = readConfig({ DATABASE_URL: place.url });
      expect(await checkWebhooks(config)).to.deep.equal([withoutEndpoint]);
      const store = await storeAt(place.url);
      const upToDate = await checkWebhooks(config);
      await store.unitOfWork.run(async ({ webhookEndpoints }) =>
        webhookEndpoints.add(await endpointSealedWith(configuredKeys([key]))),
      );
      await store.close();
      expect(upToDate).to.deep.equal([withoutEndpoint]);
      const [finding] = await checkWebhooks(config);
      expect(finding).to.include({
        ...{ check: 'webhooks', state: 'warn' },
        message: 'the endpoints receive nothing: SECRETS_KEY is not set',
      });
      expect(finding?.remedy).to.match(/^Set SECRETS_KEY /);
      const withKeys = (keys: string) =>
        checkWebhooks(readConfig({ DATABASE_URL: place.url, SECRETS_KEY: keys }));
      for (const keys of [key, `${key},${otherKey}`])
        expect((await withKeys(keys)).map(({ state }) => state)).to.deep.equal(['ok']);
      const [older] = await withKeys(`${otherKey},${key}`);
      expect(older).to.include({
        state: 'warn',
        message: 'the secrets of 1 of 1 endpoints are not encrypted with the first key of SECRETS_KEY yet',
      });
      expect(older?.remedy).to.match(/^Keep every other key, /);
      const [wrong] = await withKeys(otherKey);
      expect(wrong?.message).to.match(
        /^1 of 1 endpoints receive nothing, because .* cannot be decrypted: \S+$/,
      );
      expect(wrong?.remedy).to.match(/^Set SECRETS_KEY /);
    });
  },
  serverKinds,
);
