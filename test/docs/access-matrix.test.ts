import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { accessMatrix, page } from '../support/access-matrix.ts';
import { describedAccess, withAccess } from './described-access.ts';

describe('The access matrix of docs/api.md', () => {
  for (const access of describedAccess) {
    it(`has ${access.target} as its route has it`, () => {
      const rows = accessMatrix.filter(({ target }) => target === access.target);
      expect(rows, 'npm run access writes the matrix').to.deep.equal([access]);
    });
  }

  it('has no other rows, and is written as npm run access writes it', () => {
    const targets = accessMatrix.map(({ target }) => target);
    expect(targets).to.deep.equal(describedAccess.map(({ target }) => target));
    const markdown = readFileSync(page, 'utf8');
    expect(withAccess(markdown, describedAccess)).to.equal(markdown);
  });
});
