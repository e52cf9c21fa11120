import { expect } from 'chai';
import { provisionCustomer, type VerifiedSubject } from '#application/accounts/provisioning.ts';
import { updated } from '#domain/resource.ts';
import type { User } from '#domain/user.ts';
import { aUser, later } from '#test/contracts/samples.ts';
import { ofEachTest } from '#test/support/of-each-test.ts';
import { aWorld } from '../world.ts';

const grace: VerifiedSubject = {
  ...{ issuer: 'https://id.example', subject: 'g-1', key: 'key of g-1' },
  ...{ email: 'grace@example.com', name: 'Grace Hill' },
};

describe('A subject of an identity provider', () => {
  const world = ofEachTest(aWorld);

  const provision = (details: Partial<VerifiedSubject> = {}): Promise<User | undefined> =>
    provisionCustomer(world, { ...grace, ...details });
  const added = async (details: Partial<User>): Promise<User> => {
    const user = { ...aUser({ email: grace.email }), ...details };
    await world.unitOfWork.run(({ users }) => users.add(user));
    return user;
  };
  const linksOf = ({ id }: Pick<User, 'id'>) =>
    world.unitOfWork.read(({ identities }) => identities.findBy('userId', [id]));

  it('becomes a customer with its address and name', async () => {
    const user = (await provision()) ?? expect.fail();
    expect(user).to.include({ email: 'grace@example.com', name: 'Grace Hill', role: 'customer', version: 1 });
    expect(await world.find('users', user)).to.deep.equal(user);
    const [link, ...more] = await linksOf(user);
    expect(link).to.include({ issuer: grace.issuer, subject: 'g-1', key: 'key of g-1', userId: user.id });
    expect(more).to.deep.equal([]);
  });

  it('becomes one by the request that it makes', async () => {
    const user = await provisionCustomer(world, grace, 'request-1');
    const { rows } = await world.unitOfWork.read(({ events }) => events.page({}, { after: 0, limit: 100 }));
    expect(rows.at(-1)).to.deep.include({
      type: 'user.created',
      cause: { kind: 'request', requestId: 'request-1', userId: user?.id, idempotencyKey: null },
    });
  });

  it('stays the same customer when the provider has another address and name', async () => {
    const user = (await provision()) ?? expect.fail();
    expect(await provision({ email: 'other@example.com', name: 'Other' })).to.deep.equal(user);
    expect(
      await world.unitOfWork.read(({ users }) => users.findBy('email', ['other@example.com'])),
    ).to.deep.equal([]);
  });

  it('is linked to the customer with its address, who keeps their name', async () => {
    const user = await added({ name: 'Grace' });
    expect(await provision()).to.deep.equal(user);
    expect(await linksOf(user)).to.have.lengthOf(1);
    expect(await provision({ subject: 'g-2', key: 'key of g-2' })).to.deep.equal(user);
    expect(await linksOf(user)).to.have.lengthOf(2);
  });

  for (const role of ['staff', 'admin'] as const) {
    it(`is not linked to a user with more rights, unless that role came later (${role})`, async () => {
      const user = await added({ role });
      expect(await provision()).to.equal(undefined);
      expect(await linksOf(user)).to.deep.equal([]);
      const linked = (await provision({ email: 'late@example.com' })) ?? expect.fail();
      await world.unitOfWork.run(({ users }) => users.save(updated(linked, { role }, later(1))));
      expect(await provision({ email: 'late@example.com' })).to.include({ id: linked.id, role });
    });
  }

  it('is not linked to an erased user', async () => {
    const user = await added({ status: 'erased' });
    expect(await provision()).to.equal(undefined);
    expect(await linksOf(user)).to.deep.equal([]);
  });

  it('becomes another customer once its link is gone and the address is free', async () => {
    const first = (await provision()) ?? expect.fail();
    await world.unitOfWork.run(async ({ users, identities }) => {
      for (const { id } of await identities.findBy('userId', [first.id])) await identities.remove(id);
      const erased = { status: 'erased', email: `erased-${first.id}@erased.invalid` } as const;
      await users.save(updated(first, erased, later(1)));
    });
    const second = await provision();
    expect(second?.id).to.not.equal(first.id);
    expect(second).to.include({ email: grace.email, status: 'active' });
  });

  it('becomes one customer when it comes several times at once, also as several subjects', async () => {
    const subjects = Array.from({ length: 20 }, (_, index) => `g-${index % 4}`);
    const all = await Promise.all(subjects.map((subject) => provision({ subject, key: subject })));
    expect(new Set(all.map((user) => user?.id)).size).to.equal(1);
    expect(await linksOf(all[0] ?? expect.fail())).to.have.lengthOf(4);
  });
});
