import { expect } from 'chai';
import type { WebhookEndpoint } from '#domain/webhooks/endpoint.ts';
import { mocha, rejectionOf, type Suite, storeFor } from './harness.ts';
import { aWebhook } from './samples.ts';

const after = ['v1.é"\\', 'two'];

/** The contract of `WebhookQueue.replaceSealedSecrets`. */
export const describeSealedSecrets: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: encrypted secrets of webhook endpoints`, () => {
    const { it, beforeEach } = runner;
    const store = storeFor(open, runner);
    let endpoint: WebhookEndpoint;
    let other: WebhookEndpoint;
    beforeEach(async () => {
      [endpoint, other] = [aWebhook().webhookEndpoint, aWebhook().webhookEndpoint];
      await store.unitOfWork.run(({ webhookEndpoints }) => webhookEndpoints.addAll([endpoint, other]));
    });

    const stored = ({ id }: WebhookEndpoint) =>
      store.unitOfWork.read(({ webhookEndpoints }) => webhookEndpoints.find(id));

    it('are replaced, and nothing else of their endpoint, nor of another', async () => {
      await store.unitOfWork.run(async ({ webhookEndpoints, webhookQueue }) => {
        await webhookEndpoints.lock(endpoint.id);
        await webhookQueue.replaceSealedSecrets(endpoint.id, after);
        expect(await webhookEndpoints.find(endpoint.id)).to.deep.equal({ ...endpoint, sealedSecrets: after });
      });
      expect(await stored(endpoint)).to.deep.equal({ ...endpoint, sealedSecrets: after });
      expect(await stored(other)).to.deep.equal(other);
    });

    it('stay as they are when the unit of work rolls back', async () => {
      await rejectionOf(
        store.unitOfWork.run(async ({ webhookEndpoints, webhookQueue }) => {
          await webhookEndpoints.lock(endpoint.id);
          await webhookQueue.replaceSealedSecrets(endpoint.id, after);
          throw new Error('It changed its mind.');
        }),
      );
      expect(await stored(endpoint)).to.deep.equal(endpoint);
    });
  });
