import { expect } from 'chai';
import { formatOf } from '#bootstrap/cli/import/product-rows.ts';

describe('The format of a file of products', () => {
  it('follows from the name', () => {
    const formats = ['a.csv', 'A.CSV', 'a.jsonl', 'a.json', '-', 'csv', 'a.tsv'].map(formatOf);
    expect(formats).to.deep.equal(['csv', 'csv', 'jsonl', 'jsonl', 'jsonl', 'jsonl', 'csv']);
  });
});
