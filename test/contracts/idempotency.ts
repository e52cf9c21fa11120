import { expect } from 'chai';
import { ApplicationError } from '#application/errors.ts';
import { idempotency, idempotencyKeyLifetimeMs } from '#application/idempotency/idempotency.ts';
import type { IdempotentResult } from '#application/idempotency/idempotency-record.ts';
import type { IdempotentRequest } from '#application/ports/idempotency.ts';
import type { Work } from '#application/ports/unit-of-work.ts';
import type { Outcome } from '#application/use-case.ts';
import { DomainError } from '#domain/errors.ts';
import { Instant } from '#domain/instant.ts';
import { newId } from '../support/machine.ts';
import { atOnce, mocha, rejectionOf, type Suite, storeFor } from './harness.ts';
import { aProduct, noon } from './samples.ts';

/** Exactly-once execution on top of a store: changes, key and response commit together. */
export const describeIdempotency: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: a command under an idempotency key`, () => {
    const { it, beforeEach } = runner;
    const store = storeFor(open, runner);
    let now = noon;
    const textOf = <T>(outcome: Outcome<T>): string =>
      'done' in outcome ? `done: ${outcome.done}` : `refused: ${outcome.rejected.kind}`;
    const command = <T>(attempt: IdempotentRequest, work: Work<T>): Promise<IdempotentResult<T>> =>
      idempotency({
        unitOfWork: store.unitOfWork,
        clock: { now: () => now },
        newId,
        leaseMs: 1000,
      }).command(attempt, work, textOf);

    beforeEach(() => {
      now = noon;
    });

    const anAttempt = (): IdempotentRequest => ({
      userId: newId(),
      key: 'k-1',
      role: 'customer',
      fingerprint: 'f-1',
    });

    /** Work that inserts a new row each time it commits, and returns it. */
    const tracing =
      (name: string): Work<string> =>
      async ({ products }) => {
        const product = aProduct({ name });
        await products.add(product);
        return product.id;
      };

    const traces = (name: string) =>
      store.unitOfWork.read(async ({ products }) => {
        const { rows } = await products.page({}, { limit: 1000 });
        return rows.filter((product) => product.name === name).map(({ id }) => `done: ${id}`);
      });

    it('is carried out once of twenty concurrent requests', async () => {
      const attempt = anAttempt();
      const attempts = await Promise.all(atOnce(20, () => command(attempt, tracing('twenty'))));
      const kept = await traces('twenty');
      expect(kept).to.have.lengthOf(1);
      expect(attempts.filter((attempted) => 'outcome' in attempted)).to.have.lengthOf(1);
      const remembered = attempts.flatMap((attempted) =>
        'replayed' in attempted ? [attempted.replayed] : [],
      );
      expect(remembered).to.deep.equal(Array.from({ length: 19 }, () => kept[0]));
    });

    it('is carried out once of ten concurrent requests that collide on a unique field too', async () => {
      const attempt = anAttempt();
      const sku = newId();
      const adding: Work<string> = async ({ products }) => {
        const product = aProduct({ sku });
        await products.add(product);
        return product.id;
      };
      const attempts = await Promise.all(atOnce(10, () => command(attempt, adding)));
      const added = await store.unitOfWork.read(({ products }) => products.findBy('sku', [sku]));
      expect(added).to.have.lengthOf(1);
      const expected = `done: ${added[0]?.id}`;
      const texts = attempts.map((attempted) =>
        'replayed' in attempted ? attempted.replayed : textOf(attempted.outcome),
      );
      expect(new Set(texts)).to.deep.equal(new Set([expected]));
    });

    it('is rejected once of twenty concurrent requests, and replayed to the others', async () => {
      const attempt = anAttempt();
      const refuse: Work<string> = async (repositories) => {
        await tracing('refused')(repositories);
        throw new DomainError('out-of-stock', 'There is not enough in stock.');
      };
      const attempts = await Promise.all(atOnce(20, () => command(attempt, refuse)));
      expect(await traces('refused')).to.deep.equal([]);
      expect(attempts.filter((attempted) => 'outcome' in attempted)).to.have.lengthOf(1);
      expect(await command(attempt, tracing('refused'))).to.deep.equal({
        replayed: 'refused: out-of-stock',
      });
    });

    it('rolls back its changes and its key when it fails', async () => {
      const attempt = anAttempt();
      const cause = new Error('broken');
      const failing = command(attempt, async (repositories) => {
        await tracing('failing')(repositories);
        throw cause;
      });
      expect(await rejectionOf(failing)).to.equal(cause);
      expect(await traces('failing')).to.deep.equal([]);
      expect(await command(attempt, tracing('failing'))).to.have.property('outcome');
      expect(await traces('failing')).to.have.lengthOf(1);
    });

    it('is independent for another user, and rejects a different request', async () => {
      const attempt = anAttempt();
      await command(attempt, tracing('others'));
      await command({ ...attempt, userId: newId() }, tracing('others'));
      expect(await traces('others')).to.have.lengthOf(2);
      const rejection = await rejectionOf(command({ ...attempt, fingerprint: 'f-2' }, tracing('others')));
      expect(rejection).to.be.instanceOf(ApplicationError).with.property('kind', 'key-reused');
      expect(await traces('others')).to.have.lengthOf(2);
    });

    it('replays until a millisecond before 24 hours, and is carried out anew at 24 hours', async () => {
      const attempt = anAttempt();
      await command(attempt, tracing('day'));
      const [first] = await traces('day');
      now = Instant.plus(noon, idempotencyKeyLifetimeMs - 1);
      expect(await command(attempt, tracing('day'))).to.deep.equal({ replayed: first });
      now = Instant.plus(noon, idempotencyKeyLifetimeMs);
      expect(await command(attempt, tracing('day'))).to.have.property('outcome');
      expect(await traces('day')).to.have.lengthOf(2);
    });

    it('is kept by the reaper until then, and deleted within another day', async () => {
      const attempt = anAttempt();
      await command(attempt, tracing('forgotten'));
      const held = () =>
        store.unitOfWork.read(({ idempotencyKeys }) => idempotencyKeys.find(attempt.userId, attempt.key));
      const forgetAt = (instant: Instant) =>
        store.unitOfWork.run(({ idempotencyKeys }) =>
          idempotencyKeys.deleteExpired(Instant.plus(instant, -idempotencyKeyLifetimeMs)),
        );
      await forgetAt(Instant.plus(noon, idempotencyKeyLifetimeMs - 1));
      expect(await held()).to.not.equal(undefined);
      await forgetAt(Instant.plus(noon, 2 * idempotencyKeyLifetimeMs));
      expect(await held()).to.equal(undefined);
    });
  });
