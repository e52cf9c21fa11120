import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { UserId } from '#domain/user.ts';
import { User } from '#domain/user.ts';
import { type Open, rejectionOf, storeFor } from './harness.ts';
import { aUser, later } from './samples.ts';

/** What `UnitOfWork` guarantees about one unit of work, under concurrency. */
export const describeUnitOfWork = (adapter: string, open: Open) =>
  describe(`${adapter}: a unit of work`, () => {
    const store = storeFor(open);

    const find = (id: UserId) => store.unitOfWork.read(({ users }) => users.find(id));

    it('returns what its work returns, and commits its changes', async () => {
      const user = aUser();
      const response = await store.unitOfWork.run(async ({ users }) => {
        await users.add(user);
        return 'done';
      });
      expect(response).to.equal('done');
      expect(await find(user.id)).to.deep.equal(user);
    });

    it('rolls back when its work throws, and throws the same error', async () => {
      const [changed, removed, added] = [aUser(), aUser(), aUser()];
      await store.unitOfWork.run(async ({ users }) => {
        await users.add(changed);
        await users.add(removed);
      });
      const cause = new RangeError('changed my mind');
      const rejection = await rejectionOf(
        store.unitOfWork.run(async ({ users }) => {
          await users.add(added);
          await users.save(User.change(changed, { name: 'Grace' }, later(1)));
          await users.remove(removed.id);
          throw cause;
        }),
      );
      expect(rejection).to.equal(cause);
      expect(await find(added.id)).to.equal(undefined);
      expect(await find(changed.id)).to.deep.equal(changed);
      expect(await find(removed.id)).to.deep.equal(removed);
    });

    it('rolls back after a rejected change, even if the work catches the error', async () => {
      const [there, added, taken] = [aUser(), aUser(), aUser()];
      await store.unitOfWork.run(({ users }) => users.add(there));
      const rejection = await rejectionOf(
        store.unitOfWork.run(async ({ users }) => {
          await users.add(added);
          await users.add({ ...taken, email: there.email }).catch(() => undefined);
        }),
      );
      expect(rejection).to.include({ kind: 'conflict' });
      expect(await find(added.id)).to.equal(undefined);
    });

    it('rejects a second resource with the same id', async () => {
      const user = aUser();
      await store.unitOfWork.run(({ users }) => users.add(user));
      const twin = { ...aUser(), id: user.id };
      await rejectionOf(store.unitOfWork.run(({ users }) => users.add(twin)));
      expect(await find(user.id)).to.deep.equal(user);
    });

    it('reads its own changes before they are visible to others', async () => {
      const user = aUser();
      await store.unitOfWork.run(async ({ users }) => {
        await users.add(user);
        const changed = User.change(user, { name: 'Grace' }, later(1));
        await users.save(changed);
        expect(await users.find(user.id)).to.deep.equal(changed);
        expect(await users.lock(user.id)).to.deep.equal(changed);
        expect((await users.page({ email: user.email }, { limit: 5 })).rows).to.deep.equal([changed]);
        await users.remove(user.id);
        expect(await users.find(user.id)).to.equal(undefined);
        expect((await users.page({ email: user.email }, { limit: 5 })).rows).to.deep.equal([]);
      });
      expect(await find(user.id)).to.equal(undefined);
    });

    it('is visible to others as a whole or not at all', async () => {
      const [first, second] = [aUser({ name: 'Half' }), aUser({ name: 'Half' })];
      const halfway = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      const running = store.unitOfWork.run(async ({ users }) => {
        await users.add(first);
        halfway.resolve();
        await gate.promise;
        await users.add(second);
      });
      await halfway.promise;
      const during = store.unitOfWork.read(async ({ users }) => {
        const { rows } = await users.page({}, { limit: 1000 });
        return rows.filter(({ name }) => name === 'Half').length;
      });
      gate.resolve();
      expect(await during).to.be.oneOf([0, 2]);
      await running;
      expect(await find(first.id)).to.deep.equal(first);
      expect(await find(second.id)).to.deep.equal(second);
    });

    it('never shows others what it rolls back', async () => {
      const user = aUser();
      const halfway = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      const running = rejectionOf(
        store.unitOfWork.run(async ({ users }) => {
          await users.add(user);
          halfway.resolve();
          await gate.promise;
          throw new Error('no');
        }),
      );
      await halfway.promise;
      const during = [find(user.id), find(user.id)];
      gate.resolve();
      expect(await Promise.all(during)).to.deep.equal([undefined, undefined]);
      await running;
      expect(await find(user.id)).to.equal(undefined);
    });

    it('lets a concurrent unit of work wait or run, and commits both', async () => {
      const [one, other] = [aUser(), aUser()];
      await Promise.all([
        store.unitOfWork.run(({ users }) => users.add(one)),
        find(one.id),
        store.unitOfWork.run(({ users }) => users.add(other)),
        find(other.id),
      ]);
      expect(await find(one.id)).to.deep.equal(one);
      expect(await find(other.id)).to.deep.equal(other);
    });

    it('does the same with a context as without, with a deadline as without', async () => {
      for (const deadline of [{}, { deadline: performance.now() + 60_000 }]) {
        const user = aUser();
        const context = { actor: user.id, ...deadline };
        await store.unitOfWork.run(({ users }) => users.add(user), context);
        expect(await store.unitOfWork.read(({ users }) => users.find(user.id), context)).to.deep.equal(user);
      }
    });

    it('does not start after its deadline, nor does a read', async () => {
      const user = aUser();
      const context = { actor: user.id, deadline: performance.now() };
      let begun = 0;
      const count = async () => {
        begun += 1;
      };
      expect(await rejectionOf(store.unitOfWork.run(count, context))).to.include({ kind: 'unavailable' });
      expect(await rejectionOf(store.unitOfWork.read(count, context))).to.include({ kind: 'unavailable' });
      expect(begun).to.equal(0);
    });

    it('commits nothing after its deadline, and does not affect others', async () => {
      const [late, next] = [aUser(), aUser()];
      const context = { actor: late.id, deadline: performance.now() + 200 };
      const running = rejectionOf(
        store.unitOfWork.run(async ({ users }) => {
          await users.add(late);
          while (performance.now() < context.deadline) await pause(10);
        }, context),
      );
      const following = store.unitOfWork.run(({ users }) => users.add(next));
      expect(await running).to.include({ kind: 'unavailable' });
      await following;
      expect(await find(late.id)).to.equal(undefined);
      expect(await find(next.id)).to.deep.equal(next);
    });

    it('is not retried after its deadline, whatever the conflict', async () => {
      const [user, added] = [aUser(), aUser()];
      await store.unitOfWork.run(({ users }) => users.add(user));
      const context = { actor: user.id, deadline: performance.now() + 200 };
      let runs = 0;
      const rejection = await rejectionOf(
        store.unitOfWork.run(async ({ users }) => {
          runs += 1;
          await users.add(added);
          const [stale, change] = [{ ...user, version: 7 }, { name: 'Grace' }];
          if (runs > 1) while (performance.now() < context.deadline) await pause(10);
          await users.save(User.change(stale, change, later(1)));
        }, context),
      );
      expect(rejection).to.include({ kind: 'unavailable' });
      expect(runs).to.be.within(1, 2);
      expect(await find(added.id)).to.equal(undefined);
    });

    it('supports concurrent queries in its work', async () => {
      const several = Array.from({ length: 10 }, () => aUser());
      await store.unitOfWork.run(async ({ users }) => {
        await Promise.all(several.map((user) => users.add(user)));
      });
      for (const user of several) expect(await find(user.id)).to.deep.equal(user);
    });
  });
