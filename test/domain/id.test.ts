import { expect } from 'chai';
import fc from 'fast-check';
import { Id } from '#domain/id.ts';

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
