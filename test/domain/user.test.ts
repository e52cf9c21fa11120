import { expect } from 'chai';
import { Erasure } from '#domain/erasure.ts';
import { User } from '#domain/user.ts';
import { aUser, later, noon } from '#test/contracts/samples.ts';
import { domainErrorOf } from './domain-error.ts';

const label = 'd'.repeat(63);

describe('A user', () => {
  it('is created with an e-mail address, a name and a role', () => {
    const { id } = aUser();
    const details = { email: 'ada@example.com', name: 'Ada', role: 'staff' } as const;
    expect(User.create(id, details, noon)).to.deep.equal({
      id,
      version: 1,
      createdAt: noon,
      updatedAt: noon,
      ...details,
      status: 'active',
      externalId: null,
      metadata: {},
    });
  });

  it('stores the e-mail address in lower case', () => {
    expect(aUser({ email: 'Ada@Example.COM' }).email).to.equal('ada@example.com');
    expect(User.change(aUser(), { email: 'ADA@example.com' }, noon).email).to.equal('ada@example.com');
  });

  it('stores the domain of the e-mail address in ASCII', () => {
    expect(aUser({ email: 'Ada@Bücher.example' }).email).to.equal('ada@xn--bcher-kva.example');
    const changed = User.change(aUser(), { email: 'ada@bücher.example' }, noon);
    expect(changed.email).to.equal('ada@xn--bcher-kva.example');
  });

  it('may keep a name from before the rule', () => {
    const before = { ...aUser(), name: 'Ada\u00a0' };
    expect(User.change(before, { name: before.name, role: 'staff' }, noon)).to.include({ name: before.name });
    for (const name of ['Ada ', '\u2060', '\tAda']) {
      const expected = { kind: 'validation', fields: ['name'] };
      expect(domainErrorOf(() => User.change(before, { name }, noon))).to.deep.equal(expected);
    }
  });

  it('keeps the e-mail address when other fields change', () => {
    const user = aUser({ email: 'ada@example.com' });
    expect(User.change(user, { name: 'Grace', role: 'admin' }, later(1))).to.deep.equal({
      ...user,
      name: 'Grace',
      role: 'admin',
      version: 2,
      updatedAt: later(1),
    });
  });

  for (const email of ['a@b', "o'neil+tea@example.co.uk", 'a@1.example', `${'l'.repeat(60)}@${label}.com`]) {
    it(`may have the address ${email}`, () => {
      expect(User.rules.email.violation(email)).to.equal(undefined);
    });
  }

  const noAddresses = [
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@@example.com',
    'ada@exa mple.com',
    'ada@example.com ',
    'ada@example.com\n',
    'ada@-example.com',
    'ada@example-.com',
    'ada@example..com',
    'ada@example.com.',
    'ädä@example.com',
    `ada@${label}d.com`,
    'Ada <ada@example.com>',
  ];
  for (const email of noAddresses) {
    it(`may not have the address ${JSON.stringify(email)}`, () => {
      expect(domainErrorOf(() => aUser({ email }))).to.deep.equal({ kind: 'validation', fields: ['email'] });
    });
  }

  it('may not have the address of an erased user, before or after it is lowercased', () => {
    const expected = { kind: 'validation', fields: ['email'] };
    for (const email of [Erasure.ofUser(aUser(), noon).email, 'Ada@ERASED.invalid', 'ada@ｅrased.invalid']) {
      expect(domainErrorOf(() => aUser({ email }))).to.deep.equal(expected);
      expect(domainErrorOf(() => User.change(aUser(), { email }, noon))).to.deep.equal(expected);
    }
    expect(aUser({ email: 'ada@not-erased.invalid' }).email).to.equal('ada@not-erased.invalid');
  });

  it('has an address of 254 characters at most', () => {
    const rest = `@${label}.${label}.${label}.com`;
    const longest = `${'l'.repeat(254 - rest.length)}${rest}`;
    expect(User.rules.email.violation(longest)).to.equal(undefined);
    expect(User.rules.email.violation(`l${longest}`)).to.equal('must be an e-mail address');
  });

  it('has a name of 1 to 200 characters', () => {
    expect(aUser({ name: 'x'.repeat(200) }).name).to.have.lengthOf(200);
    for (const name of ['', 'x'.repeat(201)]) {
      const expected = { kind: 'validation', fields: ['name'] };
      expect(domainErrorOf(() => aUser({ name }))).to.deep.equal(expected);
      expect(domainErrorOf(() => User.change(aUser(), { name }, noon))).to.deep.equal(expected);
    }
  });
});
