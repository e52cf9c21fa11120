import { expect } from 'chai';
import fc from 'fast-check';
import { Instant } from '#domain/instant.ts';
import { Id, newResource, updated } from '#domain/resource.ts';
import { aUser, later, noon } from '../contracts/samples.ts';

describe('An id', () => {
  it('is any UUID, in lower case', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect(Id.parse(uuid)).to.equal(uuid);
        expect(Id.parse(uuid.toUpperCase())).to.equal(uuid);
      }),
    );
  });

  it('round-trips through its hexadecimal digits', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        const hex = Id.toHex(Id.parse(uuid) ?? expect.fail());
        expect(hex).to.match(/^[0-9a-f]{32}$/);
        expect(Id.fromHex(hex)).to.equal(uuid);
      }),
    );
  });

  const none = [
    '',
    '42',
    '0195d5a0-0000-7000-8000-00000000000',
    '0195d5a0-0000-7000-8000-0000000000000',
    '0195d5a0-0000-7000-8000-00000000000g',
    '0195d5a0000070008000000000000000',
    '{0195d5a0-0000-7000-8000-000000000000}',
    ' 0195d5a0-0000-7000-8000-000000000000',
    '0195d5a0-0000-7000-8000-000000000000\n',
  ];
  for (const text of none) {
    it(`is not ${JSON.stringify(text)}`, () => {
      expect(Id.parse(text)).to.equal(undefined);
    });
  }

  for (const hex of ['', '0195d5a0', '0'.repeat(31), '0'.repeat(33), 'g'.repeat(32)]) {
    it(`is not made of the digits "${hex}"`, () => {
      expect(Id.fromHex(hex)).to.equal(undefined);
    });
  }
});

describe('A resource', () => {
  const { id } = aUser();

  it('starts at version 1, with equal times', () => {
    expect(newResource(id, noon)).to.deep.equal({ id, version: 1, createdAt: noon, updatedAt: noon });
  });

  it('increments its version with each change, and records the time', () => {
    const once = updated(newResource(id, noon), {}, later(5));
    expect(updated(once, {}, later(9))).to.deep.equal({
      id,
      version: 3,
      createdAt: noon,
      updatedAt: later(9),
    });
  });

  it('never decreases `updatedAt`, although the clock is set back', () => {
    const once = updated(newResource(id, noon), {}, later(5));
    expect(updated(once, {}, Instant.plus(noon, -1))).to.include({ version: 3, updatedAt: later(5) });
  });

  it('does not modify its previous version', () => {
    const before = newResource(id, noon);
    updated(before, {}, later(5));
    expect(before).to.deep.equal({ id, version: 1, createdAt: noon, updatedAt: noon });
  });
});
