import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { configuredKeys, randomSecret } from '#adapters/secrets/secret-keys.ts';
import type { WebhookEndpointId } from '#domain/webhooks/endpoint.ts';
import { storeAt } from '../../../support/store-at.ts';
import { allKinds, createDatabase, productOf } from '../../../support/test-databases.ts';
import { until } from '../../../support/until.ts';
import { exampleSecret, startReceiver } from '../receiver.ts';
import { aDeliveryFixture } from './fixture.ts';

for (const kind of allKinds)
  describe(`A rotation of SECRETS_KEY, with ${productOf(kind)}`, () => {
    const ends: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const end of ends.splice(0).toReversed()) await end();
    });

    it('lets the new key alone sign with the same secret, without a new version or an event', async () => {
      const database = await createDatabase(kind);
      ends.push(database.remove);
      const store = await storeAt(database.url);
      ends.push(() => store.close());
      const number = async (): Promise<void> => {
        while ((await store.numberEvents?.())?.hasMore);
      };
      const receiver = await startReceiver();
      ends.push(receiver.close);
      const [oldKey, newKey] = [randomSecret(), randomSecret()];
      const stageWith = (...keys: readonly string[]) => {
        const fixture = aDeliveryFixture(
          { unitOfWork: store.unitOfWork, number },
          { keys: configuredKeys(keys) },
        );
        ends.push(fixture.end);
        return fixture;
      };
      const stored = (id: WebhookEndpointId) =>
        store.unitOfWork.read(({ webhookEndpoints }) => webhookEndpoints.find(id));
      const lastEvent = async () => (await store.unitOfWork.read(({ events }) => events.feed())).last;

      const before = stageWith(oldKey);
      const created = await before.endpoint(receiver.port);
      const disabled = await before.endpoint(receiver.port);
      await before.change(disabled.id, { status: 'disabled' });
      await number();
      const last = await lastEvent();

      const during = stageWith(newKey, oldKey);
      during.startWorker();
      for (const endpoint of [created, disabled]) {
        const after = await until(
          () => stored(endpoint.id),
          (read) => read?.sealedSecrets[0] !== endpoint.sealedSecrets[0],
        );
        const { version } = endpoint === created ? created : { version: 2 };
        expect(after).to.deep.include({ version, secrets: endpoint.secrets });
      }
      await during.end();
      await number();
      expect(await lastEvent()).to.equal(last);
      expect(during.warnings).to.deep.equal([]);

      receiver.received.length = 0;
      const after = stageWith(newKey);
      after.startWorker();
      await after.addProducts(1);
      const isProduct = ({ body }: { readonly body: string }) => JSON.parse(body).type === 'product.created';
      await until(
        async () => receiver.received,
        (received) => received.some(isProduct),
      );
      for (const { body, headers } of receiver.received)
        new Webhook(exampleSecret).verify(body, headers as Record<string, string>);
      expect(after.warnings).to.deep.equal([]);
    });
  });
