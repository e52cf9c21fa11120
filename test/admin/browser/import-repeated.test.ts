import { expect } from 'chai';
import { repeatedText } from '#adapters/ops/admin/browser/views/import/repeated.ts';

describe('Rows that repeat an article number, on the admin page', () => {
  it('are named', () => {
    expect(repeatedText([{ line: 4, sku: 'A', before: 2 }], 'replace')).to.equal(
      'Line 4 repeats the article number A of line 2. The last one counts.',
    );
    const many = Array.from({ length: 12 }, (_, index) => ({ line: index + 3, sku: 'A', before: index + 2 }));
    expect(repeatedText(many, 'add')).to.match(
      /^12 rows repeat the article number of a row above: line 3 \(A, as line 2\), .*, and 2 more\. All are added/,
    );
  });
});
