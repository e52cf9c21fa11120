import { expect } from 'chai';
import type { Caller } from '#application/preconditions.ts';
import type { IssueKey } from '#application/use-cases/api-keys.ts';
import { Role } from '#domain/access.ts';
import type { ApiKeyChanges, ApiKeyId } from '#domain/api-key.ts';
import { Instant } from '#domain/instant.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { invalidFieldsOf, kindOf } from './error-kind.ts';
import { noon, nowhere, page } from './fixture.ts';
import { aWorld } from './world.ts';

describe('API keys', () => {
  const world = ofEachTest(aWorld);

  const issue = (caller: Caller, details: Partial<IssueKey> = {}) =>
    world.run(world.useCases.apiKeys.issue, caller, { name: 'Laptop', expiresAt: null, ...details });

  describe('that are issued', () => {
    it('belong to the caller, return their token once, and store its hash', async () => {
      const { key, token } = await issue(world.ada, { scopes: ['orders:read'] });
      expect(token).to.equal(`token of ${key.id}`);
      expect(key).to.deep.include({
        userId: world.ada.userId,
        name: 'Laptop',
        scopes: ['orders:read'],
        secretHash: `hash of ${key.id}`,
        expiresAt: null,
        createdBy: null,
        lastUsedAt: null,
      });
      expect(await world.find('apiKeys', key)).to.deep.equal(key);
    });

    for (const role of ['customer', 'staff', 'admin'] as const) {
      it(`have all the scopes of their user, unless some are named (${role})`, async () => {
        const { userId } = await world.person(role);
        const { key } = await issue(world.admin, { userId });
        expect(key.scopes).to.deep.equal(Role.scopes(role));
      });
    }

    it('are not issued by a credential with a lower role than the owner, whose full role they would have', async () => {
      for (const role of ['customer', 'staff'] as const) {
        const narrowed = { ...world.admin, role };
        expect(await kindOf(issue(narrowed, { scopes: ['orders:read'] }))).to.equal('forbidden');
      }
    });

    it('are issued for other users by administrators only', async () => {
      const { userId } = world.ada;
      expect((await issue(world.admin, { userId })).key.userId).to.equal(userId);
      expect(await kindOf(issue(world.staff, { userId }))).to.equal('forbidden');
      expect(await kindOf(issue(world.bob, { userId }))).to.equal('forbidden');
      expect(await kindOf(issue(world.bob, { userId: nowhere() }))).to.equal('not-found');
    });

    it('never do more than the role of their user', async () => {
      expect(await invalidFieldsOf(issue(world.ada, { scopes: ['products:write'] }))).to.deep.equal([
        'scopes',
      ]);
      const forAda = { userId: world.ada.userId, scopes: ['refunds:write'] as const };
      expect(await invalidFieldsOf(issue(world.admin, forAda))).to.deep.equal(['scopes']);
    });

    it('never do more than the key that issues them', async () => {
      const narrow = await world.person('admin', ['api-keys:write', 'orders:read']);
      expect(await kindOf(issue(narrow, { scopes: ['orders:read', 'orders:write'] }))).to.equal('forbidden');
      const forAda = { userId: world.ada.userId };
      expect((await issue(narrow, { ...forAda, scopes: ['orders:read'] })).key.scopes).to.deep.equal([
        'orders:read',
      ]);
    });

    it('have by default those scopes of their user’s role that the key has too which issues them', async () => {
      const narrow = await world.person('admin', ['api-keys:write', 'orders:read', 'products:write']);
      expect((await issue(narrow)).key.scopes).to.have.members(narrow.scopes);
      const { key } = await issue(narrow, { userId: world.ada.userId });
      expect(key.scopes).to.have.members(['api-keys:write', 'orders:read']);
    });

    it('are publishable when an administrator says so, and then read products only', async () => {
      const { key } = await issue(world.admin, { publishable: true });
      expect(key).to.deep.include({ publishable: true, scopes: ['products:read'] });
      await issue(world.admin, { publishable: true, userId: world.ada.userId, scopes: ['products:read'] });
      for (const scopes of [['products:read', 'orders:read'], ['products:write'], []] as const)
        expect(await invalidFieldsOf(issue(world.admin, { publishable: true, scopes }))).to.deep.equal([
          'scopes',
        ]);
      for (const caller of [world.ada, world.staff])
        expect(await kindOf(issue(caller, { publishable: true }))).to.equal('forbidden');
      expect((await issue(world.ada, { publishable: false })).key.publishable).to.equal(false);
    });

    it('have a rate limit of their own when an administrator says so', async () => {
      for (const rateLimit of [1, 1_000_000, null])
        expect((await issue(world.admin, { rateLimit })).key.rateLimit).to.equal(rateLimit);
      for (const rateLimit of [0, -1, -0, 1.5, 1_000_001, Number.NaN])
        expect(await invalidFieldsOf(issue(world.admin, { rateLimit }))).to.deep.equal(['rateLimit']);
      expect((await issue(world.ada, { rateLimit: null })).key.rateLimit).to.equal(null);
      for (const caller of [world.ada, world.staff])
        expect(await kindOf(issue(caller, { rateLimit: 5 }))).to.equal('forbidden');
    });

    it('need a name, and an expiry in the future if any', async () => {
      expect(await invalidFieldsOf(issue(world.ada, { name: '' }))).to.deep.equal(['name']);
      expect(await invalidFieldsOf(issue(world.ada, { expiresAt: noon }))).to.deep.equal(['expiresAt']);
      const expiresAt = Instant.plus(noon, 1);
      expect((await issue(world.ada, { expiresAt })).key.expiresAt).to.equal(expiresAt);
    });
  });

  describe('that are created with another key', () => {
    const soon = Instant.plus(noon, 60_000);
    /** The caller with a stored key of theirs. */
    const holding = async (caller: Caller, details: Partial<IssueKey> = {}): Promise<Caller> => {
      const { key } = await issue(caller, details);
      return { ...caller, keyId: key.id, isStoredKey: true };
    };

    it('name it, unless it is no stored key', async () => {
      const holder = await holding(world.ada);
      expect((await issue(holder)).key.createdBy).to.equal(holder.keyId);
      expect((await issue(world.ada)).key.createdBy).to.equal(null);
    });

    it('use it, so that a cluster notices when it is revoked at the same time', async () => {
      const { keyId: id } = await holding(world.ada);
      await issue({ ...world.ada, keyId: id, isStoredKey: true });
      expect(await world.find('apiKeys', { id })).to.include({ lastUsedAt: noon, version: 2 });
    });

    for (const [name, expiresAt, expected] of [
      ['by default', undefined, soon],
      ['at the same time', soon, soon],
      ['earlier', Instant.plus(noon, 1), Instant.plus(noon, 1)],
      ['never', null, 'forbidden'],
      ['a millisecond later', Instant.plus(soon, 1), 'forbidden'],
    ] as const) {
      it(`expire no later than it (${name})`, async () => {
        const holder = await holding(world.ada, { expiresAt: soon });
        const { name: _, ...input } = { name, ...(expiresAt !== undefined && { expiresAt }) };
        const issuing = world.run(world.useCases.apiKeys.issue, holder, { name: 'Child', ...input });
        if (expected === 'forbidden') expect(await kindOf(issuing)).to.equal('forbidden');
        else expect((await issuing).key.expiresAt).to.equal(expected);
      });
    }

    it('expire when they like where it never expires', async () => {
      const holder = await holding(world.ada);
      for (const expiresAt of [null, soon])
        expect((await issue(holder, { expiresAt })).key.expiresAt).to.equal(expiresAt);
    });

    it('expire no later than it for another user either', async () => {
      const holder = await holding(world.admin, { expiresAt: soon });
      const forAda = { userId: world.ada.userId, expiresAt: null };
      expect(await kindOf(issue(holder, forAda))).to.equal('forbidden');
    });

    it('are not created once it is revoked, although it still authenticates for seconds', async () => {
      const holder = await holding(world.ada);
      await world.run(world.useCases.apiKeys.revoke, world.ada, {
        id: holder.keyId,
        expectedVersions: undefined,
      });
      expect(await kindOf(issue(holder))).to.equal('forbidden');
    });

    it('outlive it when it is revoked alone, and are revoked with it on request', async () => {
      const first = await holding(world.admin);
      const second = await holding(first);
      const [third, ofAda] = [await holding(second), await issue(second, { userId: world.ada.userId })];
      const other = await issue(world.admin);
      const { revoke, revokeFamily } = world.useCases.apiKeys;
      await world.run(revoke, world.admin, { id: second.keyId, expectedVersions: undefined });
      for (const id of [first.keyId, third.keyId, ofAda.key.id])
        expect(await world.find('apiKeys', { id })).not.to.equal(undefined);

      const revoked = await world.run(revokeFamily, world.admin, second.keyId);
      expect(revoked).to.have.members([third.keyId, ofAda.key.id]);
      expect(await world.run(revokeFamily, world.admin, first.keyId)).to.deep.equal([first.keyId]);
      expect(await world.find('apiKeys', other.key)).to.deep.equal(other.key);
      expect(await kindOf(world.run(revokeFamily, world.admin, first.keyId))).to.equal('not-found');
      expect(await kindOf(world.run(revokeFamily, world.staff, other.key.id))).to.equal('forbidden');
    });
  });

  it('are readable by their user and administrators, not by staff', async () => {
    const { key } = await issue(world.ada);
    const { get } = world.useCases.apiKeys;
    expect(await world.read(get, world.ada, key.id)).to.deep.equal(key);
    expect(await world.read(get, world.admin, key.id)).to.deep.equal(key);
    expect(await kindOf(world.read(get, world.staff, key.id))).to.equal('forbidden');
    expect(await kindOf(world.read(get, world.bob, key.id))).to.equal('forbidden');
    expect(await kindOf(world.read(get, world.bob, nowhere<ApiKeyId>()))).to.equal('not-found');
  });

  it('are listed for their user; administrators list all', async () => {
    const ada = (await issue(world.ada)).key;
    const bob = (await issue(world.bob)).key;
    const { list } = world.useCases.apiKeys;
    expect((await world.read(list, world.ada, { filter: {}, page })).rows).to.deep.equal([ada]);
    expect((await world.read(list, world.staff, { filter: {}, page })).rows).to.deep.equal([]);
    expect((await world.read(list, world.admin, { filter: {}, page })).rows).to.deep.equal([ada, bob]);
  });

  it('are listed for one user by administrators; others see only their own whomever they ask for', async () => {
    const ada = (await issue(world.ada)).key;
    await issue(world.bob);
    const ofAda = { filter: { userId: world.ada.userId }, page };
    const { list } = world.useCases.apiKeys;
    expect((await world.read(list, world.admin, ofAda)).rows).to.deep.equal([ada]);
    expect((await world.read(list, world.ada, ofAda)).rows).to.deep.equal([ada]);
    expect((await world.read(list, world.bob, ofAda)).rows).to.deep.equal([]);
    expect((await world.read(list, world.staff, ofAda)).rows).to.deep.equal([]);
  });

  describe('that are changed', () => {
    const change = (
      caller: Caller,
      id: ApiKeyId,
      changes: ApiKeyChanges,
      expectedVersions?: readonly number[],
    ) => world.run(world.useCases.apiKeys.change, caller, { id, changes, expectedVersions });

    it('get another name from their user or an administrator, and a version', async () => {
      const { key } = await issue(world.ada);
      const renamed = await change(world.ada, key.id, { name: 'Till' });
      expect(renamed).to.deep.equal({ ...key, name: 'Till', version: 2, updatedAt: renamed.updatedAt });
      expect(await change(world.admin, key.id, { name: 'Desk' }, [2])).to.include({
        name: 'Desk',
        version: 3,
      });
      expect(await change(world.ada, key.id, {})).to.include({ name: 'Desk', version: 3 });
      expect(await invalidFieldsOf(change(world.ada, key.id, { name: ' ' }))).to.deep.equal(['name']);
    });

    it('get a rate limit from administrators only, also when it is the same', async () => {
      const { key } = await issue(world.ada);
      for (const rateLimit of [7, null]) {
        expect(await change(world.admin, key.id, { rateLimit })).to.include({ rateLimit });
        expect(await kindOf(change(world.ada, key.id, { rateLimit }))).to.equal('forbidden');
      }
      expect(await invalidFieldsOf(change(world.admin, key.id, { rateLimit: 0 }))).to.deep.equal([
        'rateLimit',
      ]);
      expect(await world.find('apiKeys', key)).to.include({ rateLimit: null, version: 3 });
    });

    it('must exist, then belong to the caller, then have an expected version', async () => {
      const { key } = await issue(world.ada);
      const name = { name: 'Till' };
      expect(await kindOf(change(world.bob, nowhere(), name, [2]))).to.equal('not-found');
      for (const caller of [world.bob, world.staff])
        expect(await kindOf(change(caller, key.id, name, [2]))).to.equal('forbidden');
      expect(await kindOf(change(world.ada, key.id, { rateLimit: 1 }, [2]))).to.equal('forbidden');
      expect(await kindOf(change(world.ada, key.id, name, [2]))).to.equal('precondition-failed');
      expect(await world.find('apiKeys', key)).to.deep.equal(key);
    });
  });

  describe('that are revoked', () => {
    const revoke = (caller: Caller, id: ApiKeyId, expectedVersions?: readonly number[]) =>
      world.run(world.useCases.apiKeys.revoke, caller, { id, expectedVersions });

    it('are removed by their user or an administrator', async () => {
      const [one, other] = [await issue(world.ada), await issue(world.ada)];
      await revoke(world.ada, one.key.id);
      await revoke(world.admin, other.key.id, [1]);
      expect(await world.find('apiKeys', one.key)).to.equal(undefined);
      expect(await world.find('apiKeys', other.key)).to.equal(undefined);
    });

    it('must exist, then belong to the caller, then have an expected version', async () => {
      const { key } = await issue(world.ada);
      expect(await kindOf(revoke(world.bob, nowhere(), [2]))).to.equal('not-found');
      expect(await kindOf(revoke(world.bob, key.id, [2]))).to.equal('forbidden');
      expect(await kindOf(revoke(world.staff, key.id, [2]))).to.equal('forbidden');
      expect(await kindOf(revoke(world.ada, key.id, [2]))).to.equal('precondition-failed');
      expect(await world.find('apiKeys', key)).to.deep.equal(key);
    });
  });
});
