import { expect } from 'chai';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import { secretBox } from '#adapters/secrets/secret-box.ts';
import { randomSecret, temporaryKeys } from '#adapters/secrets/secret-keys.ts';
import { webhookEndpointUseCases } from '#application/use-cases/webhook-endpoints.ts';
import { scopes } from '#domain/access.ts';
import type { ApiKeyId } from '#domain/api-key.ts';
import type { UserId } from '#domain/user.ts';
import { WebhookEndpoint } from '#domain/webhooks/endpoint.ts';
import { atOnce } from '#test/contracts/harness.ts';
import { noon } from '#test/contracts/samples.ts';
import { lockWaitsIn } from '#test/support/lock-waits.ts';
import { newId } from '#test/support/machine.ts';
import { migratedDatabase } from '#test/support/postgres.ts';
import { until } from '#test/support/until.ts';

describe('The first webhook endpoints in PostgreSQL', () => {
  it('are twenty at most when there is none yet that could be locked', async () => {
    const count = WebhookEndpoint.maxCount + 1;
    await using database = await databaseWith(count);
    const { unitOfWork } = database.store;
    const { create } = webhookEndpointUseCases({
      ...{ clock: { now: () => noon }, newId },
      webhooks: { sender: { problemOf: () => undefined }, box: secretBox(temporaryKeys()), randomSecret },
    });
    const admin = { userId: newId<UserId>(), role: 'admin', scopes, keyId: newId<ApiKeyId>() } as const;
    const details = { url: 'https://example.com/', ...WebhookEndpoint.defaults };
    // Every connection is open, so that none begins late.
    await Promise.all(atOnce(count, () => unitOfWork.run(({ products }) => products.lock(newId()))));
    let created = 0;
    const outcomes = await Promise.allSettled(
      atOnce(count, () =>
        unitOfWork.run(
          async (repositories) => {
            await create(admin, details)(repositories);
            created += 1;
            // Uncommitted until all have been created, unless they wait for each other.
            await until(
              async () => created === count || (await lockWaitsIn('postgres', database.url)) > 0,
              (goesOn) => goesOn,
            );
          },
          // As long as a slow machine needs.
          { actor: admin.userId, deadline: performance.now() + 120_000 },
        ),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'rejected')).to.have.lengthOf(1);
    const { rows } = await unitOfWork.read(({ webhookEndpoints }) =>
      webhookEndpoints.page({}, { limit: 100 }),
    );
    expect(rows).to.have.lengthOf(WebhookEndpoint.maxCount);
  });
});

/** @param poolSize how many units of work can run at once */
const databaseWith = async (poolSize: number) => {
  const database = await migratedDatabase();
  const store = await openPostgres({ url: database.url, poolSize, timeout: 120_000 });
  return {
    store,
    url: database.url,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await store.close();
      await database.drop();
    },
  };
};
