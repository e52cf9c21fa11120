import { expect } from 'chai';
import type { ImportedProduct } from '#application/use-cases/product-import.ts';
import { createSkuIndex } from '#bootstrap/cli/import/sku-index.ts';
import { bytesInUse } from '#test/support/garbage.ts';

describe('The index of SKUs', () => {
  it('knows the fields of each row that come again, and no others', () => {
    const index = createSkuIndex();
    const rows: readonly ImportedProduct[] = [
      { sku: 'A', name: 'Tea', stock: null, price: { amount: 1, currency: 'EUR' } },
      { sku: 'B', name: 'Mate' },
      { sku: 'A', stock: null, metadata: { origin: 'Uji' } },
      { sku: 'B', name: 'Yerba' },
      { sku: 'A', price: { amount: 2 }, metadata: { origin: null, season: 'May' } },
      { sku: 'C', name: 'Rooibos' },
      { sku: 'a\u0301' },
      { sku: 'A', name: 'Green' },
      { sku: 'á', status: 'draft' },
    ];
    for (const [line, row] of rows.entries()) index.add(row, line);
    const later = rows.map(({ sku }, line) => [...index.laterFields(sku, line)].sort());
    expect(later).to.deep.equal([
      ['metadata.origin', 'metadata.season', 'name', 'price.amount', 'stock'],
      ['name'],
      ['metadata.origin', 'metadata.season', 'name', 'price.amount'],
      [],
      ['name'],
      [],
      ['status'],
      [],
      [],
    ]);
  });

  it('is exact for a million rows, and does not keep them', () => {
    const index = createSkuIndex();
    const rows = 1_000_000;
    const rowOf = (line: number): ImportedProduct => ({
      ...{ sku: `PRODUCT-WITH-A-LONG-NUMBER-${line}`, name: 'Tea' },
    });
    // Nothing is awaited from here on, so only the index can keep more than before.
    const before = bytesInUse();
    for (let line = 1; line <= rows; line += 1) index.add(rowOf(line), line);
    index.add(rowOf(7), rows + 1);
    // The texts alone have more than 30 MB.
    expect(bytesInUse() - before).to.be.below(20 * 1024 * 1024);
    let replaced = 0;
    for (let line = 1; line <= rows; line += 1) replaced += index.laterFields(rowOf(line).sku, line).size;
    expect(replaced).to.equal(1);
  });
});
