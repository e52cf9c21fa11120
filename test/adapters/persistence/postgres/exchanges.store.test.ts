import { expect } from 'chai';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { type Application, createApplication } from '#application/application.ts';
import type { Caller } from '#application/preconditions.ts';
import { Role } from '#domain/access.ts';
import type { OrderId } from '#domain/order.ts';
import { Quantity } from '#domain/quantity.ts';
import type { Id } from '#domain/resource.ts';
import { aProduct, aUser, later, noon } from '#test/contracts/samples.ts';
import { machineClock, newId } from '#test/support/machine.ts';
import { Network } from '#test/support/network.ts';
import { type Database, migratedDatabase } from '#test/support/postgres.ts';
import { scriptedProvider } from '../../../application/provider.ts';

describe('The number of exchanges with PostgreSQL', () => {
  let database: Database;
  let network: Network;
  let store: Store;
  let application: Application;
  before(async () => {
    database = await migratedDatabase();
    network = await Network.to(database.url);
    store = await openPostgres({ url: network.through(database.url) });
    application = createApplication(
      {
        ...{ clock: machineClock, newId, mintToken: () => ({ token: '', secretHash: '' }) },
        ...{ provider: scriptedProvider().port, unitOfWork: store.unitOfWork },
      },
      { lease: 60_000, reconcileAfter: 60_000, orderLifetime: 0 },
    );
    await store.unitOfWork.run(async ({ users, products }) => {
      await users.add(user);
      await products.addAll([uncounted, counted, ...several]);
    });
  });
  after(async () => {
    await store.close();
    await network.close();
    await database.drop();
  });

  const user = aUser({ role: 'admin' });
  const caller: Caller = {
    ...{ userId: user.id, role: 'admin', scopes: Role.scopes('admin'), keyId: newId() },
  };
  const [uncounted, counted] = [aProduct(), aProduct({ stock: Quantity.of(1_000) })];
  const several = Array.from({ length: 4 }, () => aProduct({ stock: Quantity.of(1_000) }));
  const context = () => ({ actor: user.id, deadline: performance.now() + 60_000 });
  const request = (key: string = newId()) =>
    ({ userId: user.id, role: 'admin', key, fingerprint: 'f' }) as const;

  const placing = (productId = uncounted.id) =>
    application.useCases.orders.place(caller, { productId, quantity: Quantity.of(1) });
  const place = (productId = uncounted.id, key?: string) =>
    application.idempotency.command(request(key), placing(productId), () => 'done', context());
  const placed = async (): Promise<OrderId> => {
    const { id } = await store.unitOfWork.run(placing(), context());
    return id;
  };

  /** Connects and prepares everything by a first run, and counts what a second one sends. */
  const exchangesOf = async (act: () => Promise<unknown>): Promise<number> => {
    for (let count = 0; count < 3; count += 1) await act();
    const before = network.sent;
    await act();
    return network.sent - before;
  };

  it('is four of an order: its key; product and user, side by side; and the commit with everything else', async () => {
    expect(await exchangesOf(() => place())).to.equal(4);
  });

  it('is one more of an order whose product is counted, for the lock', async () => {
    expect(await exchangesOf(() => place(counted.id))).to.equal(5);
  });

  it('is no more of an order of five products, counted and not', async () => {
    const items = [...several, uncounted].map(({ id }) => ({ productId: id, quantity: Quantity.of(1) }));
    const work = () => application.useCases.orders.place(caller, { items });
    const placing = () => application.idempotency.command(request(), work(), () => 'done', context());
    expect(await exchangesOf(placing)).to.equal(5);
  });

  it('is three of an order without a key', async () => {
    expect(await exchangesOf(() => store.unitOfWork.run(placing(), context()))).to.equal(3);
  });

  it('is one of a replay', async () => {
    expect(await exchangesOf(() => place(uncounted.id, 'the same'))).to.equal(1);
  });

  it('is five of a rejection that is kept: its key, product and user, the lock of the key, and the commit', async () => {
    expect(await exchangesOf(() => place(newId()))).to.equal(5);
  });

  it('is six of a payment: its key, two for the claim, and three for the settlement', async () => {
    const pay = (orderId: OrderId) =>
      application.idempotency.process(
        request(),
        application.useCases.payments.pay(caller, { orderId, paymentMethod: 'card' }),
        () => 'done',
        context(),
      );
    for (let count = 0; count < 3; count += 1) await pay(await placed());
    const order = await placed();
    const before = network.sent;
    await pay(order);
    expect(network.sent - before).to.equal(6);
  });

  it('is two of a lease', async () => {
    const name = newId<Id>();
    const lease = { name, holder: 'Ada', expiresAt: later(100) };
    const acquire = () => store.unitOfWork.run(({ leases }) => leases.acquire(lease, noon));
    expect(await exchangesOf(acquire)).to.equal(2);
  });

  it('is one of a read, and of several that are equal', async () => {
    const list = () => store.unitOfWork.read(({ products }) => products.page({}, { limit: 2 }));
    expect(await exchangesOf(list)).to.equal(1);
    expect(await exchangesOf(() => Promise.all([list(), list(), list()]))).to.equal(1);
  });
});
