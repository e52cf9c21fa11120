import { expect } from 'chai';
import fc from 'fast-check';
import { exportColumns } from '#adapters/product-files/columns.ts';
import {
  cellFromList,
  exportCells,
  listFromCell,
  textsFromCell,
} from '#adapters/product-files/composite-cells.ts';
import { imageUrl } from '#domain/urls.ts';

const tail = fc
  .array(fc.constantFrom(',', ',,', 'https://', 'HTTP://', 'a', '/', ';', '"', "'", '?', 'é'), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));

const urls = fc.array(
  tail.map((end) => `https://example.com/${end}`).filter((url) => imageUrl.violation(url) === undefined),
  { maxLength: 10 },
);

describe('The cell of a list in an export', () => {
  it('is read as the same list, wherever its URLs have commas', () => {
    fc.assert(
      fc.property(urls, (list) => {
        expect(listFromCell(cellFromList(list))).to.deep.equal(list);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is read as the same tags', () => {
    const tags = fc.array(fc.stringMatching(/^[a-z0-9-]{1,40}$/), { maxLength: 20 });
    fc.assert(
      fc.property(tags, (list) => {
        expect(listFromCell(cellFromList(list))).to.deep.equal(list);
      }),
    );
  });
});

describe('The cell of metadata in an export', () => {
  const cellOf = (metadata: object): string =>
    exportCells({ price: { amount: 1, currency: 'EUR' }, metadata })[exportColumns.indexOf('metadata')] ?? '';

  it('is read as the same texts', () => {
    const texts = fc.dictionary(
      fc.stringMatching(/^[A-Za-z0-9_.-]{1,40}$/),
      fc.string({ unit: 'grapheme' }),
      {
        noNullPrototype: true,
      },
    );
    fc.assert(
      fc.property(texts, (metadata) => {
        fc.pre(Object.keys(metadata).length > 0);
        expect(textsFromCell(cellOf(metadata))).to.deep.equal(metadata);
      }),
    );
    expect(cellOf({})).to.equal('');
  });
});
