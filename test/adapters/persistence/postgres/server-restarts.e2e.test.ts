import { expect } from 'chai';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { rejectionOf } from '#test/contracts/harness.ts';
import { aProduct } from '#test/contracts/samples.ts';
import { PostgresServer } from '#test/support/postgres-server.ts';
import { until } from '#test/support/until.ts';
import { unavailable } from '../transactions.ts';

describe('A PostgreSQL server', () => {
  let server: PostgresServer;
  let store: Store;
  before(async () => {
    server = await PostgresServer.make();
    await server.start();
    store = await openPostgres({ url: server.url });
  });
  after(async () => {
    await store.close();
    await server.remove();
  });

  const add = (product = aProduct()) => store.unitOfWork.run(({ products }) => products.add(product));

  const works = () =>
    add().then(
      () => true,
      () => false,
    );

  for (const [how, end] of [
    ['is stopped (57P01)', () => server.stop()],
    ['is killed', () => server.kill()],
  ] as const) {
    it(`that ${how} and started again fails the units of work under way, and the store recovers by itself`, async () => {
      const [cut, other] = [aProduct(), aProduct()];
      const rejection = await rejectionOf(
        store.unitOfWork.run(async ({ products }) => {
          await products.add(cut);
          await end();
          await products.add(other);
        }),
      );
      unavailable(rejection);
      unavailable(await rejectionOf(add()));
      unavailable(await rejectionOf(store.now()));
      await server.start();
      await until(works, (does) => does);
      expect(await store.unitOfWork.read(({ products }) => products.find(cut.id))).to.equal(undefined);
    });
  }

  it('that is starting up (57P03) is unavailable', async () => {
    const starting = await PostgresServer.following(server, ['hot_standby=off']);
    await starting.start(false);
    const open = () => rejectionOf(openPostgres({ url: starting.url }));
    const codeOf = async () => {
      const rejection = await open();
      unavailable(rejection);
      return rejection instanceof Error && rejection.cause instanceof Error
        ? Object(rejection.cause).code
        : undefined;
    };
    await until(codeOf, (code) => code === '57P03');
    await starting.remove();
  });
});
