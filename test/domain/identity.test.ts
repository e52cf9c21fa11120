import { expect } from 'chai';
import { Identity, type IdentityId } from '#domain/identity.ts';
import { aUser, noon } from '#test/contracts/samples.ts';
import { newId } from '#test/support/machine.ts';

describe('An identity', () => {
  it('links a subject of an issuer to a user', () => {
    const [id, { id: userId }] = [newId<IdentityId>(), aUser()];
    const details = { userId, issuer: 'https://login.example', subject: 'ada', key: 'k' };
    expect(Identity.link(id, details, noon)).to.deep.equal({
      ...{ id, version: 1, createdAt: noon, updatedAt: noon, ...details },
    });
  });
});
