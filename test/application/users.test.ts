import { expect } from 'chai';
import type { Caller } from '#application/preconditions.ts';
import type { NewUser, User, UserChanges, UserId } from '#domain/user.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { invalidFieldsOf, kindOf } from './error-kind.ts';
import { nowhere, page } from './fixture.ts';
import { aWorld } from './world.ts';

const grace: NewUser = { email: 'Grace@Example.com', name: 'Grace', role: 'customer' };

describe('Users', () => {
  const world = ofEachTest(aWorld);

  const create = (details: Partial<NewUser> = {}): Promise<User> =>
    world.run(world.useCases.users.create, world.admin, { ...grace, ...details });

  const change = (id: UserId, changes: UserChanges, expectedVersions?: readonly number[]): Promise<User> =>
    world.run(world.useCases.users.change, world.admin, { id, expectedVersions, changes });

  const remove = (id: UserId, expectedVersions?: readonly number[]): Promise<void> =>
    world.run(world.useCases.users.remove, world.admin, { id, expectedVersions });

  it('are created by administrators, with their e-mail address in lower case', async () => {
    const user = await create();
    expect(user).to.include({ email: 'grace@example.com', name: 'Grace', role: 'customer', version: 1 });
    expect(await world.find('users', user)).to.deep.equal(user);
  });

  it('have a unique e-mail address, ignoring case', async () => {
    const user = await create();
    expect(await invalidFieldsOf(create({ email: 'GRACE@example.com' }))).to.deep.equal(['email']);
    expect(await kindOf(create({ email: 'grace@EXAMPLE.com' }))).to.equal('conflict');
    expect(await kindOf(change(world.ada.userId, { email: 'Grace@example.com' }))).to.equal('conflict');
    expect(await change(user.id, { email: 'GRACE@EXAMPLE.COM' })).to.include({ email: 'grace@example.com' });
  });

  it('that violate a rule are rejected, new or changed', async () => {
    expect(await invalidFieldsOf(create({ email: 'no-address', name: '' }))).to.deep.equal(['email', 'name']);
    expect(await invalidFieldsOf(change(world.ada.userId, { name: '' }))).to.deep.equal(['name']);
  });

  describe('that are read', () => {
    it('are listed for staff, and filtered by e-mail address ignoring case', async () => {
      const user = await create();
      const { list } = world.useCases.users;
      const found = await world.read(list, world.staff, { filter: { email: 'grace@EXAMPLE.com' }, page });
      expect(found.rows).to.deep.equal([user]);
      const everybody = await world.read(list, world.staff, { filter: {}, page });
      expect(everybody.rows).to.have.lengthOf(5);
    });

    it('are readable by themselves, staff and administrators only', async () => {
      const { get } = world.useCases.users;
      const { userId } = world.ada;
      for (const reader of [world.ada, world.staff, world.admin]) {
        expect(await world.read(get, reader, userId)).to.include({ id: userId, role: 'customer' });
      }
      expect(await kindOf(world.read(get, world.bob, userId))).to.equal('forbidden');
    });

    it('must exist before ownership is checked', async () => {
      const { get } = world.useCases.users;
      expect(await kindOf(world.read(get, world.bob, nowhere<UserId>()))).to.equal('not-found');
    });
  });

  describe('that change', () => {
    it('keep omitted fields', async () => {
      const user = await create();
      world.clock.pass(1);
      const after = await change(user.id, { role: 'staff' });
      expect(after).to.deep.equal({ ...user, role: 'staff', version: 2, updatedAt: after.updatedAt });
    });

    it('keep their version when nothing changes', async () => {
      const user = await create();
      expect(await change(user.id, {})).to.deep.equal(user);
      expect(await world.find('users', user)).to.deep.equal(user);
    });

    it('require an expected version', async () => {
      const user = await create();
      expect(await kindOf(change(user.id, { name: 'Hopper' }, [2]))).to.equal('precondition-failed');
      expect(await change(user.id, { name: 'Hopper' }, [1])).to.include({ name: 'Hopper', version: 2 });
    });

    it('must exist', async () => {
      expect(await kindOf(change(nowhere(), { name: '' }, [7]))).to.equal('not-found');
    });

    const changeAs = (caller: Caller, id: UserId, changes: UserChanges): Promise<User> =>
      world.run(world.useCases.users.change, caller, { id, expectedVersions: undefined, changes });

    it('may write their own name, whatever their role', async () => {
      for (const caller of [world.ada, world.staff, world.admin]) {
        expect(await changeAs(caller, caller.userId, { name: 'Me' })).to.include({ name: 'Me' });
      }
      expect(await changeAs(world.ada, world.ada.userId, {})).to.include({ name: 'Me' });
    });

    it('may write nothing of another user, unless they are administrators', async () => {
      for (const caller of [world.bob, world.staff]) {
        for (const changes of [{ name: 'You' }, { metadata: {} }, { externalId: null }, {}]) {
          expect(await kindOf(changeAs(caller, world.ada.userId, changes))).to.equal('forbidden');
        }
        expect(await kindOf(changeAs(caller, nowhere(), {}))).to.equal('not-found');
      }
    });

    it('may not write their own address and role, unless they are administrators', async () => {
      for (const caller of [world.ada, world.staff]) {
        for (const changes of [{ email: 'me@example.com' }, { role: 'customer' }] as const) {
          expect(await kindOf(changeAs(caller, caller.userId, { name: 'Me', ...changes }))).to.equal(
            'forbidden',
          );
        }
      }
      const { userId } = world.admin;
      expect(await changeAs(world.admin, userId, { email: 'me@example.com' })).to.include({
        email: 'me@example.com',
      });
    });

    it('have an external id and metadata that staff write of themselves, and administrators of all', async () => {
      const fields = { externalId: 'ERP-1', metadata: { group: 'b2b' } };
      expect(await kindOf(changeAs(world.ada, world.ada.userId, fields))).to.equal('forbidden');
      expect(await kindOf(changeAs(world.ada, world.ada.userId, { externalId: null }))).to.equal('forbidden');
      expect(await changeAs(world.staff, world.staff.userId, fields)).to.deep.include(fields);
      const ofAda = { externalId: 'ERP-2', metadata: { group: 'b2c' } };
      expect(await changeAs(world.admin, world.ada.userId, ofAda)).to.deep.include(ofAda);
      expect(await create({ externalId: 'ERP-3', metadata: { tier: '1' } })).to.deep.include({
        externalId: 'ERP-3',
        metadata: { tier: '1' },
      });
    });

    it('merge their metadata name by name, and null removes one', async () => {
      await change(world.ada.userId, { metadata: { one: '1', two: '2' } });
      const after = await change(world.ada.userId, { metadata: { two: null, three: '3' } });
      expect(after.metadata).to.deep.equal({ one: '1', three: '3' });
      const tooMany = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`n${n}`, '']));
      expect(await invalidFieldsOf(change(world.ada.userId, { metadata: tooMany }))).to.deep.equal([
        'metadata',
      ]);
    });

    it('have a unique external id', async () => {
      await create({ externalId: 'ERP-1' });
      const taken = () => change(world.ada.userId, { externalId: 'ERP-1' });
      expect(await kindOf(taken())).to.equal('conflict');
      expect(await invalidFieldsOf(taken())).to.deep.equal(['externalId']);
      expect(await invalidFieldsOf(change(world.ada.userId, { externalId: 'two words' }))).to.deep.equal([
        'externalId',
      ]);
      expect(await change(world.ada.userId, { externalId: 'erp-1' })).to.include({ externalId: 'erp-1' });
    });
  });

  describe('that are removed', () => {
    it('are removed with their API keys, and no others', async () => {
      const user = await create();
      const issue = (userId: UserId) =>
        world.run(world.useCases.apiKeys.issue, world.admin, { userId, name: 'Key', expiresAt: null });
      const theirs = await Promise.all(Array.from({ length: 101 }, () => issue(user.id)));
      const other = await issue(world.ada.userId);
      await remove(user.id);
      expect(await world.find('users', user)).to.equal(undefined);
      const left = await Promise.all(theirs.map(({ key }) => world.find('apiKeys', key)));
      expect(left.every((key) => key === undefined)).to.equal(true);
      expect(await world.find('apiKeys', other.key)).to.deep.equal(other.key);
    });

    it('cannot be removed while they have orders', async () => {
      const order = await world.order(world.ada, await world.product());
      expect(await kindOf(remove(world.ada.userId))).to.equal('conflict');
      await world.become(world.ada, order, 'canceled');
      expect(await kindOf(remove(world.ada.userId))).to.equal('conflict');
      expect(await world.find('users', { id: world.ada.userId })).to.include({ id: world.ada.userId });
    });

    it('require an expected version, which is checked before their orders', async () => {
      await world.order(world.ada, await world.product());
      expect(await kindOf(remove(world.ada.userId, [7]))).to.equal('precondition-failed');
      expect(await kindOf(remove(world.bob.userId, [7]))).to.equal('precondition-failed');
      await remove(world.bob.userId, [1]);
      expect(await world.find('users', { id: world.bob.userId })).to.equal(undefined);
    });

    it('must exist', async () => {
      expect(await kindOf(remove(nowhere(), [7]))).to.equal('not-found');
    });
  });
});
