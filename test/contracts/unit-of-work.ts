import { expect } from 'chai';
import type { UserId } from '#domain/user.ts';
import { User } from '#domain/user.ts';
import { briefly, mocha, rejectionOf, type Suite, storeFor } from './harness.ts';
import { aUser, later } from './samples.ts';

/** What `UnitOfWork` guarantees about one unit of work, under concurrency. */
export const describeUnitOfWork: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: a unit of work`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);

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

    it('is visible to others as a whole or not at all', async () => {
      const [first, second] = [aUser({ name: 'Half' }), aUser({ name: 'Half' })];
      const halfway = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      const running = store.unitOfWork.run(async ({ users }) => {
        await users.add(first);
        // Whatever was changed has reached the database by now.
        await users.find(second.id);
        halfway.resolve();
        await gate.promise;
        await users.add(second);
      });
      await halfway.promise;
      const during = store.unitOfWork.read(async ({ users }) => {
        const { rows } = await users.page({}, { limit: 1000 });
        return rows.filter(({ name }) => name === 'Half').length;
      });
      await briefly(during);
      gate.resolve();
      expect(await during).to.be.oneOf([0, 2]);
      await running;
      expect(await find(first.id)).to.deep.equal(first);
      expect(await find(second.id)).to.deep.equal(second);
    });

    it('never shows others what it rolls back', async () => {
      const [added, changed, removed] = [aUser(), aUser(), aUser()];
      await store.unitOfWork.run(({ users }) => users.addAll([changed, removed]));
      const halfway = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      const running = rejectionOf(
        store.unitOfWork.run(async ({ users }) => {
          await users.add(added);
          await users.save(User.change(changed, { name: 'Grace' }, later(1)));
          await users.remove(removed.id);
          // Whatever was changed has reached the database by now.
          await users.findBy('email', [added.email]);
          halfway.resolve();
          await gate.promise;
          throw new Error('no');
        }),
      );
      await halfway.promise;
      const all = [added, changed, removed];
      const emails = all.map(({ email }) => email);
      // The readers have a connection before the gate opens, so that they read while the changes are pending.
      const during = Promise.all([
        ...all.map(({ id }) => find(id)),
        store.unitOfWork.read(({ users }) => users.findBy('email', emails)),
        store.unitOfWork.read(({ users }) => users.page({ email: added.email }, { limit: 5 })),
      ]);
      await briefly(during);
      gate.resolve();
      const nothing = { rows: [], hasMore: false };
      expect(await during).to.deep.equal([undefined, changed, removed, [changed, removed], nothing]);
      await running;
      expect(await find(added.id)).to.equal(undefined);
    });

    it('never shows another unit of work what it rolls back', async () => {
      const added = aUser();
      const halfway = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      const running = rejectionOf(
        store.unitOfWork.run(async ({ users }) => {
          await users.add(added);
          // Whatever was changed has reached the database by now.
          await users.findBy('email', [added.email]);
          halfway.resolve();
          await gate.promise;
          throw new Error('no');
        }),
      );
      await halfway.promise;
      const other = store.unitOfWork.run(async ({ users }) => [
        await users.find(added.id),
        await users.findBy('email', [added.email]),
      ]);
      await briefly(other, store.isSerial);
      gate.resolve();
      expect(await other).to.deep.equal([undefined, []]);
      await running;
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

    it('supports concurrent queries in its work', async () => {
      const several = Array.from({ length: 10 }, () => aUser());
      await store.unitOfWork.run(async ({ users }) => {
        await Promise.all(several.map((user) => users.add(user)));
      });
      for (const user of several) expect(await find(user.id)).to.deep.equal(user);
    });
  });
