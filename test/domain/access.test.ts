import { expect } from 'chai';
import { Role, roles, type Scope, scopes } from '#domain/access.ts';

const staffOnly: readonly Scope[] = ['products:write', 'refunds:write'];
const adminOnly: readonly Scope[] = ['users:write'];

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

  it('of staff has every scope except to write users', () => {
    expect(Role.scopes('staff')).to.deep.equal(scopes.filter((scope) => !adminOnly.includes(scope)));
  });

  it('of a customer has every scope except to write products, refunds and users', () => {
    const reserved = [...staffOnly, ...adminOnly];
    expect(Role.scopes('customer')).to.deep.equal(scopes.filter((scope) => !reserved.includes(scope)));
  });
});
