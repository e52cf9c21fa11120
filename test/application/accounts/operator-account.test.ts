import { expect } from 'chai';
import { ensureOperator } from '#application/accounts/operator-account.ts';
import type { UserId } from '#domain/user.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { page } from '../fixture.ts';
import { aWorld } from '../world.ts';

describe('The operator', () => {
  const world = ofEachTest(aWorld);

  const ensure = (): Promise<UserId> => ensureOperator(world);

  it('is an administrator, created when missing', async () => {
    const id = await ensure();
    expect(await world.find('users', { id })).to.include({
      email: 'operator@localhost',
      role: 'admin',
      version: 1,
    });
  });

  it('is the same one at every start', async () => {
    const id = await ensure();
    const before = await world.find('users', { id });
    world.clock.pass(1);
    expect(await ensure()).to.equal(id);
    expect(await world.find('users', { id })).to.deep.equal(before);
    const filter = { email: 'operator@localhost' };
    const { rows } = await world.read(world.useCases.users.list, world.staff, { filter, page });
    expect(rows).to.have.lengthOf(1);
  });

  it('is created once by processes that start together', async () => {
    const ids = await Promise.all([ensure(), ensure(), ensure()]);
    expect(new Set(ids).size).to.equal(1);
  });

  it('becomes an administrator again after a change of role', async () => {
    const id = await ensure();
    const demoted = { id, expectedVersions: undefined, changes: { role: 'customer', name: 'Ops' } } as const;
    await world.run(world.useCases.users.change, world.admin, demoted);
    expect(await ensure()).to.equal(id);
    expect(await world.find('users', { id })).to.include({ role: 'admin', name: 'Ops', version: 3 });
  });
});
