import { expect } from 'chai';
import { MemoryUnitOfWork } from '#adapters/persistence/memory/unit-of-work.ts';
import { UnavailableError } from '#application/errors.ts';
import { idempotency } from '#application/idempotency/idempotency.ts';
import type { UnitOfWork, Work } from '#application/ports/unit-of-work.ts';
import type { Role } from '#domain/access.ts';
import { DomainError, type DomainErrorKind } from '#domain/errors.ts';
import type { Product } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { newId } from '../support/machine.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { kindOf } from './error-kind.ts';
import { hour, page } from './fixture.ts';
import { aWorld } from './world.ts';

/** Every refusal, and whether it is the answer to the request and not about the request itself. */
const isFinal: Readonly<Record<DomainErrorKind, boolean>> = {
  validation: false,
  forbidden: false,
  'precondition-failed': false,
  'events-forgotten': false,
  'not-found': true,
  'product-not-found': true,
  conflict: true,
  'invalid-state': true,
  'out-of-stock': true,
  'product-unavailable': true,
  'amount-exceeded': true,
  'payment-declined': true,
};

describe('A command with an idempotency key', () => {
  const world = ofEachTest(aWorld);
  let product: Product;
  beforeEach(async () => {
    product = await world.product({ stock: 10 });
  });

  const place = (quantity = 1, key = 'key', caller = world.ada) =>
    world.send(
      world.useCases.orders.place,
      caller,
      { productId: product.id, quantity: Quantity.of(quantity) },
      key,
    );

  const ordersPlaced = async (): Promise<number> => {
    const all = { filter: {}, page: { limit: 1000 } };
    return (await world.read(world.useCases.orders.list, world.staff, all)).rows.length;
  };

  it('is carried out once, and every retry gets a replay', async () => {
    const first = await place();
    const order = 'outcome' in first && 'done' in first.outcome ? first.outcome.done : expect.fail();
    world.clock.pass(hour);
    await world.become(world.ada, order, 'canceled');
    for (let times = 0; times < 3; times += 1) {
      expect(await place()).to.deep.equal({ replayed: JSON.stringify(order) });
    }
    expect(await ordersPlaced()).to.equal(1);
    expect(await world.stockOf(product)).to.equal(10);
  });

  describe('looks up its key', () => {
    /** Another process over the same store, and how it came to its answers. */
    const another = () => {
      const ways: string[] = [];
      const unitOfWork: UnitOfWork = {
        read: (reading) => {
          ways.push('read');
          return (process.isBehind ? new MemoryUnitOfWork() : world.unitOfWork).read(reading);
        },
        run: (work) => {
          ways.push('run');
          return world.unitOfWork.run(work);
        },
      };
      const { command } = idempotency({ unitOfWork, clock: world.clock, newId, leaseMs: 1 });
      const send = () =>
        command(
          { ...world.ada, key: 'key', fingerprint: 'request' },
          async () => 'done',
          () => 'again',
        );
      const process = { ways, send, isBehind: false };
      return process;
    };

    it('before the transaction, and replays without one', async () => {
      const { ways, send } = another();
      expect(await send()).to.have.property('outcome');
      expect(ways).to.deep.equal(['read', 'run']);
      expect(await send()).to.deep.equal({ replayed: 'again' });
      expect(ways).to.deep.equal(['read', 'run', 'read']);
    });

    it('and replays the response of another process without a transaction', async () => {
      const [one, other] = [another(), another()];
      await one.send();
      expect(await other.send()).to.deep.equal({ replayed: 'again' });
      expect(other.ways).to.deep.equal(['read']);
    });

    it('again in the transaction, where a replica is behind or another process was faster', async () => {
      const [one, other] = [another(), another()];
      await one.send();
      other.isBehind = true;
      expect(await other.send()).to.deep.equal({ replayed: 'again' });
      expect(other.ways).to.deep.equal(['read', 'run']);
    });
  });

  it('is carried out once of twenty concurrent requests', async () => {
    const attempts = await Promise.all(Array.from({ length: 20 }, () => place()));
    expect(attempts.filter((attempted) => 'outcome' in attempted)).to.have.lengthOf(1);
    expect(await ordersPlaced()).to.equal(1);
    expect(await world.stockOf(product)).to.equal(9);
  });

  it('belongs to one request: a different one is rejected, and the first keeps its response', async () => {
    const first = await place(1);
    expect(await kindOf(place(2))).to.equal('key-reused');
    expect(await place(1)).to.deep.equal({
      replayed: world.write('outcome' in first ? first.outcome : expect.fail()),
    });
    expect(await ordersPlaced()).to.equal(1);
  });

  it('belongs to the user, whichever API key they use', async () => {
    await place(1, 'key', world.ada);
    const rotated = { ...world.ada, keyId: world.bob.keyId };
    expect(await place(1, 'key', rotated)).to.have.property('replayed');
    expect(await place(1, 'key', world.bob)).to.have.property('outcome');
    expect(await place(1, 'another', world.ada)).to.have.property('outcome');
    expect(await ordersPlaced()).to.equal(3);
  });

  it('that was rejected stays rejected, although it could succeed now', async () => {
    const first = await place(11);
    expect(world.write('outcome' in first ? first.outcome : expect.fail())).to.equal('out-of-stock');
    await world.changeProduct(product, { stock: 20 });
    expect(await place(11)).to.deep.equal({ replayed: 'out-of-stock' });
    expect(await world.stockOf(product)).to.equal(20);
    expect(await kindOf(place(12))).to.equal('key-reused');
    expect(await place(11, 'a fresh one')).to.have.property('outcome');
  });

  it('is not started for a caller without the permission', async () => {
    const narrow = { ...world.ada, scopes: [] };
    expect(await kindOf(place(1, 'key', narrow))).to.equal('forbidden');
    expect(await place(2, 'key', world.ada)).to.have.property('outcome');
  });

  it('is not replayed to a caller with a lower role, but to one with a higher role', async () => {
    const work = async () => 'what only staff may see';
    const ask = (role: Role) =>
      world.idempotency.command(
        { ...world.ada, role, key: 'key', fingerprint: 'request' },
        work,
        () => 'again',
      );
    await ask('staff');
    expect(await kindOf(ask('customer'))).to.equal('forbidden');
    expect(await ask('staff')).to.deep.equal({ replayed: 'again' });
    expect(await ask('admin')).to.deep.equal({ replayed: 'again' });
  });

  describe('when its error', () => {
    const attempt = (work: Work<string>, fingerprint = 'request') =>
      world.idempotency.command({ ...world.ada, key: 'key', fingerprint }, work, (outcome) =>
        'done' in outcome ? outcome.done : outcome.rejected.kind,
      );

    for (const [kind, final] of Object.entries(isFinal)) {
      const refuse: Work<string> = async () => {
        throw new DomainError(kind as DomainErrorKind, 'No.');
      };
      if (final) {
        it(`is final, replays it (${kind})`, async () => {
          expect(await attempt(refuse)).to.have.nested.property('outcome.rejected.kind', kind);
          expect(await attempt(async () => 'done')).to.deep.equal({ replayed: kind });
        });
      } else {
        it(`is not final, leaves the key unused, even for a different request (${kind})`, async () => {
          expect(await kindOf(attempt(refuse))).to.equal(kind);
          const better = await attempt(async () => 'done', 'a better request');
          expect(better).to.deep.equal({ outcome: { done: 'done' } });
        });
      }
    }

    it('says that the store is unavailable, leaves the key unused', async () => {
      const away = attempt(async () => {
        throw new UnavailableError('database-unavailable');
      });
      expect(await kindOf(away)).to.equal('unavailable');
      expect(await attempt(async () => 'done')).to.deep.equal({ outcome: { done: 'done' } });
    });
  });

  describe('that is rejected because the same request was carried out concurrently', () => {
    for (const kind of ['conflict', 'validation'] as const) {
      it(`replays its response, not its own error (${kind})`, async () => {
        const attempt = { ...world.ada, key: 'key', fingerprint: 'request' };
        const write = () => 'the answer';
        const twin = () => world.idempotency.command(attempt, async () => 'done', write);
        const unitOfWork: UnitOfWork = {
          read: (reading) => world.unitOfWork.read(reading),
          run: (work) =>
            world.unitOfWork.run(work).catch(async (error: unknown) => {
              await twin();
              throw error;
            }),
        };
        const slower = idempotency({ unitOfWork, clock: world.clock, newId, leaseMs: 1 });
        const result = slower.command(
          attempt,
          async () => {
            throw new DomainError(kind, 'No.');
          },
          write,
        );
        expect(await result).to.deep.equal({ replayed: 'the answer' });
      });
    }
  });

  describe('expires 24 hours after its creation', () => {
    const day = 24 * 60 * 60 * 1000;

    it('and not a millisecond before', async () => {
      await place();
      world.clock.pass(day - 1);
      expect(await place()).to.have.property('replayed');
      expect(await ordersPlaced()).to.equal(1);
    });

    it('when it is used, and then belongs to a new request', async () => {
      await place(1);
      world.clock.pass(day);
      expect(await place(2)).to.have.property('outcome');
      expect(await place(2)).to.have.property('replayed');
      expect(await kindOf(place(1))).to.equal('key-reused');
      expect(await ordersPlaced()).to.equal(2);
    });

    it('even if it was replayed in between', async () => {
      await place();
      world.clock.pass(day / 2);
      expect(await place()).to.have.property('replayed');
      world.clock.pass(day / 2);
      expect(await place()).to.have.property('outcome');
    });

    it('also when it was rejected', async () => {
      await place(11);
      world.clock.pass(day - 1);
      expect(await place(11)).to.deep.equal({ replayed: 'out-of-stock' });
      world.clock.pass(1);
      await world.changeProduct(product, { stock: 20 });
      expect(await place(11)).to.have.nested.property('outcome.done');
    });
  });

  it('rolls back its changes and its key when its response cannot be encoded', async () => {
    const input = { productId: product.id, quantity: Quantity.of(1) };
    const broken = new Error('It cannot be written.');
    const failing = world.idempotency.command(
      world.attemptOf(world.ada, input, 'key'),
      world.useCases.orders.place(world.ada, input),
      () => {
        throw broken;
      },
    );
    const reason = await failing.catch((error: unknown) => error);
    expect(reason).to.equal(broken);
    expect(await ordersPlaced()).to.equal(0);
    expect(await place()).to.have.property('outcome');
  });

  it('replays the issue of an API key without issuing another', async () => {
    const { issue } = world.useCases.apiKeys;
    const input = { name: 'Laptop', expiresAt: null };
    await world.send(issue, world.ada, input, 'key');
    expect(await world.send(issue, world.ada, input, 'key')).to.have.property('replayed');
    const { rows } = await world.read(world.useCases.apiKeys.list, world.ada, { filter: {}, page });
    expect(rows).to.have.lengthOf(1);
  });
});
