import { expect } from 'chai';
import type { UserId } from '#domain/user.ts';
import { User } from '#domain/user.ts';
import { mocha, rejectionOf, type Suite, storeFor } from './harness.ts';
import { aUser, later } from './samples.ts';

/** What `UnitOfWork` guarantees about concurrent units of work, which may be committed as a group. */
export const describeTogether: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: units of work begun together`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);

    const find = (id: UserId) => store.unitOfWork.read(({ users }) => users.find(id));
    const add = (user: User) => store.unitOfWork.run(({ users }) => users.add(user));

    it('are independent when some of them fail, each in its own way', async () => {
      const there = aUser();
      await add(there);
      const good = Array.from({ length: 3 }, () => aUser());
      const bad = Array.from({ length: 4 }, () => aUser());
      const no = new RangeError('changed my mind');
      const before = Promise.all(good.slice(0, 2).map(add));
      const failing = bad.map((user, way) =>
        rejectionOf(
          store.unitOfWork.run(async ({ users }) => {
            await users.add(user);
            if (way === 0) throw no;
            if (way === 1) await users.add({ ...aUser(), email: there.email });
            if (way === 2) await users.add({ ...aUser(), email: user.email }).catch(() => undefined);
            if (way === 3)
              await users.save(User.change({ ...there, version: 7 }, { name: 'Grace' }, later(1)));
          }),
        ),
      );
      await Promise.all([before, ...good.slice(2).map(add)]);
      const [byItself, taken, takenByItself, lost] = await Promise.all(failing);
      expect(byItself).to.equal(no);
      expect(taken).to.include({ kind: 'conflict' });
      expect(takenByItself).to.include({ kind: 'conflict' });
      expect(lost).to.include({ kind: 'unavailable' });
      for (const user of good) expect(await find(user.id)).to.deep.equal(user);
      for (const user of bad) expect(await find(user.id)).to.equal(undefined);
      expect(await find(there.id)).to.deep.equal(there);
    });

    it('are visible to all readers once acknowledged, one by one', async () => {
      const several = Array.from({ length: 20 }, () => aUser());
      const seen = await Promise.all(
        several.map(async (user) => {
          await add(user);
          return find(user.id);
        }),
      );
      expect(seen).to.deep.equal(several);
    });

    it('are rejected because of another one’s change only if that commits', async () => {
      const email = aUser().email;
      const rivals = Array.from({ length: 5 }, () => aUser({ email }));
      const no = new RangeError('changed my mind');
      const failing = rejectionOf(
        store.unitOfWork.run(async ({ users }) => {
          await users.add(aUser({ email }));
          throw no;
        }),
      );
      const settled = await Promise.allSettled(rivals.map(add));
      // Where both are at it at once, it may have run into the one that is kept.
      if ((await failing) !== no) expect(await failing).to.include({ kind: 'conflict' });
      expect(settled.filter(({ status }) => status === 'fulfilled')).to.have.lengthOf(1);
      for (const one of settled) {
        if (one.status === 'rejected') expect(one.reason).to.include({ kind: 'conflict' });
      }
      const { rows } = await store.unitOfWork.read(({ users }) => users.page({ email }, { limit: 5 }));
      expect(rows).to.have.lengthOf(1);
    });
  });
