import { expect } from 'chai';
import {
  claimAt,
  highestRole,
  isEmailClaim,
  lesserRole,
  scopesIn,
  verificationOf,
} from '#adapters/auth/access-token.ts';

describe('Claims', () => {
  const claims = {
    sub: 'ada',
    'https://shop.example/roles': ['staff'],
    realm_access: { roles: ['admin'] },
    'a.b': 1,
    a: { b: 2, c: null },
  };

  it('are found by their whole name, and by a path', () => {
    expect(claimAt(claims, 'sub')).to.equal('ada');
    expect(claimAt(claims, 'https://shop.example/roles')).to.deep.equal(['staff']);
    expect(claimAt(claims, 'realm_access.roles')).to.deep.equal(['admin']);
    expect(claimAt(claims, 'a.b')).to.equal(1);
    for (const name of [
      'none',
      'a.none',
      'a.c.d',
      'sub.length',
      'constructor',
      'a.__proto__',
      '__proto__.a',
      '',
    ]) {
      expect(claimAt(claims, name), name).to.equal(undefined);
    }
  });

  it('name roles and scopes in lists and in texts; unknown ones are ignored', () => {
    expect(['staff customer', ['customer', 'staff', 'owner']].map(highestRole)).to.deep.equal([
      'staff',
      'staff',
    ]);
    expect([undefined, null, 7, {}, '', 'Admin', ['root', ['admin']]].map(highestRole)).to.deep.equal(
      Array.from({ length: 7 }, () => 'customer'),
    );
    expect(lesserRole('admin', 'staff')).to.equal('staff');
    expect(lesserRole('customer', 'admin')).to.equal('customer');
    expect(scopesIn('openid orders:read orders:read')).to.deep.equal(['orders:read']);
    expect([undefined, null, 7, {}, 'orders', ['orders:read ']].flatMap(scopesIn)).to.deep.equal([]);
  });

  it('hold e-mail addresses by their name, and state beside it whether one is verified', () => {
    expect(['email', 'user.email', 'https://shop.example/email'].map(isEmailClaim)).not.to.include(false);
    expect(['sub', 'email_verified', 'notemail', 'email.id'].map(isEmailClaim)).not.to.include(true);
    expect(verificationOf({}, 'email')).to.equal('unknown');
    expect(verificationOf({ user: { email_verified: false } }, 'user.email')).to.equal('unverified');
    const contradictory = { user: { email_verified: true }, email_verified: false };
    expect(verificationOf(contradictory, 'user.email')).to.equal('unverified');
    const name = 'https://shop.example/email';
    expect(verificationOf({ [`${name}_verified`]: false }, name)).to.equal('unverified');
    expect(verificationOf({ [`${name}_verified`]: 'true' }, name)).to.equal('verified');
  });
});
