import { expect } from 'chai';
import fc from 'fast-check';
import { Identity, type IdentityId } from '#domain/identity.ts';
import { User } from '#domain/user.ts';
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

  it('gives its user the name that the provider has, as a label', () => {
    for (const [claimed, name] of [
      ['Grace Hill', 'Grace Hill'],
      ['  Grace\u00a0\u200b\n', 'Grace'],
      ['\0Grace\ud800', 'Grace\ufffd'],
      ['❤️ ', '❤️'],
      [`${'x'.repeat(199)} ${'y'.repeat(50)}`, 'x'.repeat(199)],
      ['😀'.repeat(300), '😀'.repeat(200)],
    ] as const)
      expect(Identity.userName(claimed, 'ada@example.com'), claimed).to.equal(name);
  });

  it('gives its user the local part of the address where no name is visible', () => {
    for (const claimed of [undefined, '', ' ', '\u200b\ufeff', '\0'])
      expect(Identity.userName(claimed, 'ada.l@example.com')).to.equal('ada.l');
    expect(Identity.userName('', `${'a'.repeat(250)}@x.y`)).to.equal('a'.repeat(200));
  });

  it('gives its user a name that satisfies the rule, whatever the provider says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (claimed) => {
        expect(User.rules.name.violation(Identity.userName(claimed, 'ada@example.com'))).to.equal(undefined);
      }),
    );
  });

  it('has a subject of at most 255 characters', () => {
    for (const subject of ['a', 'x'.repeat(255)])
      expect(Identity.rules.subject.violation(subject)).to.equal(undefined);
    for (const subject of ['', '\0', 'x'.repeat(256), '\ud800'])
      expect(Identity.rules.subject.violation(subject)).to.be.a('string');
  });
});
