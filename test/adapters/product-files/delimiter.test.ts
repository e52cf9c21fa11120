import { expect } from 'chai';
import { delimiterOf } from '#adapters/product-files/delimiter.ts';

const isKnown = (name: string): boolean => ['sku', 'name', 'stock'].includes(name.trim().toLowerCase());

describe('The delimiter of a file of products', () => {
  it('is the one that yields the most known names', () => {
    for (const [header, delimiter] of [
      ['sku;"name, of it, all";stock', ';'],
      ['sku,"a;b;c;d",stock', ','],
      ['sku\tx,y\tname', '\t'],
      ['SKU; Name ;Stock', ';'],
      ['sku', ','],
      ['foreign;other', ';'],
    ] as const)
      expect(delimiterOf(header, isKnown), header).to.deep.equal({ delimiter, isDeclared: false });
  });

  it('is declared by a line that says nothing else', () => {
    for (const [line, delimiter] of [
      ['sep=;', ';'],
      ['SEP=,', ','],
      ['sep=\t', '\t'],
      ['"sep=|"', '|'],
      ['sep=;;;;\r', ';'],
    ] as const)
      expect(delimiterOf(line, isKnown), line).to.deep.equal({ delimiter, isDeclared: true });
    for (const line of ['sep=a', 'sep=', 'sep=;name', 'separator=;', 'sku', 'sep=é'])
      expect(delimiterOf(line, isKnown).isDeclared, line).to.equal(false);
  });
});
