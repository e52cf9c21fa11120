import { expect } from 'chai';
import { createSkuIndex } from '#bootstrap/cli/import/sku-index.ts';
import { bytesInUse } from '#test/support/garbage.ts';

describe('The index of SKUs', () => {
  it('knows each row whose sku comes again, and no other', () => {
    const index = createSkuIndex();
    const skus = ['A', 'B', 'A', 'C', 'B', 'A'];
    for (const [line, sku] of skus.entries()) index.add(sku, line);
    const replaced = skus.map((sku, line) => index.isReplaced(sku, line));
    expect(replaced).to.deep.equal([true, true, true, false, false, false]);
  });

  it('is exact for a million rows, and does not keep them', function () {
    this.timeout(60_000);
    const index = createSkuIndex();
    const rows = 1_000_000;
    const skuOf = (line: number): string => `PRODUCT-WITH-A-LONG-NUMBER-${line}`;
    // Nothing is awaited from here on, so only the index can keep more than before.
    const before = bytesInUse();
    for (let line = 1; line <= rows; line += 1) index.add(skuOf(line), line);
    index.add(skuOf(7), rows + 1);
    // The texts alone have more than 30 MB.
    expect(bytesInUse() - before).to.be.below(20 * 1024 * 1024);
    let replaced = 0;
    for (let line = 1; line <= rows; line += 1) replaced += Number(index.isReplaced(skuOf(line), line));
    expect(replaced).to.equal(1);
  });
});
