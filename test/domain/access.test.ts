import { expect } from 'chai';
import { Role, roles, scopes } from '#domain/access.ts';
import { scopesOf } from '../support/access-matrix.ts';

describe('A role', () => {
  for (const [place, role] of roles.entries()) {
    for (const [leastPlace, least] of roles.entries()) {
      const reaches = place >= leastPlace;
      it(`${role} ${reaches ? 'is' : 'is not'} at least ${least}`, () => {
        expect(Role.isAtLeast(role, least)).to.equal(reaches);
      });
    }
  }

  it('of an administrator has every scope', () => {
    expect(Role.scopes('admin')).to.deep.equal(scopes);
  });

  for (const role of roles) {
    it(`of ${role} has the scopes of all requests that docs/api.md lets it send, and no other`, () => {
      expect(Role.scopes(role)).to.have.members(scopesOf(role));
    });
  }
});
