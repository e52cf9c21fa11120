import { expect } from 'chai';
import { tag } from '#domain/tag.ts';

describe('A tag', () => {
  it('has 1 to 40 of the letters a to z, digits and hyphens', () => {
    for (const valid of ['a', '0', '-', 'loose-leaf', 'x'.repeat(40)])
      expect(tag.violation(valid), valid).to.equal(undefined);
    for (const invalid of ['', 'A', 'é', 'a b', 'a_b', 'a\n', ' a', 'a,b', 'ａ', 'x'.repeat(41)])
      expect(tag.violation(invalid), invalid).to.equal(
        'must have 1 to 40 of the letters a to z, digits and hyphens',
      );
  });
});
