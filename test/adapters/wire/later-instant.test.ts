import { expect } from 'chai';
import { laterInstant } from '#adapters/wire/codecs.ts';
import { noon } from '#test/contracts/samples.ts';

describe('A time that what was stored before its field does not have', () => {
  it('is null, as one that is not known', () => {
    const stored: { readonly paidAt?: typeof noon } = {};
    expect(laterInstant.encode(stored.paidAt as never)).to.equal(null);
    expect(laterInstant.encode(null)).to.equal(null);
    expect(laterInstant.encode(noon)).to.equal(noon);
  });
});
