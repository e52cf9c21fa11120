import { expect } from 'chai';
import { externalId } from '#domain/external-id.ts';

describe('An external id', () => {
  it('has 1 to 128 visible ASCII characters', () => {
    for (const id of ['7', 'SAP/4711#a~!', '__proto__', 'x'.repeat(128)])
      expect(externalId.violation(id), id).to.equal(undefined);
    for (const id of ['', ' ', 'a b', 'a\n', '\0', 'ä', '😀', '\x7f', 'x'.repeat(129)])
      expect(externalId.violation(id), id).to.match(/^must have 1 to 128 visible ASCII characters/);
  });
});
