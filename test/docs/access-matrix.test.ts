import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { accessMatrix, page } from '../support/access-matrix.ts';
import { forEachCase } from '../support/for-each-case.ts';
import { describedAccess, withAccess } from './described-access.ts';

describe('The access matrix of docs/api.md', () => {
  it('has each operation as its route has it', () =>
    forEachCase(describedAccess, (access) => {
      const rows = accessMatrix.filter(({ target }) => target === access.target);
      expect(rows, 'npm run access writes the matrix').to.deep.equal([access]);
    }));

  it('has no other rows, and is written as npm run access writes it', () => {
    const targets = accessMatrix.map(({ target }) => target);
    expect(targets).to.deep.equal(describedAccess.map(({ target }) => target));
    const markdown = readFileSync(page, 'utf8');
    expect(withAccess(markdown, describedAccess)).to.equal(markdown);
  });
});
