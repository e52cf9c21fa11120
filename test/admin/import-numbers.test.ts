import { expect } from 'chai';
import fc from 'fast-check';
import { readDecimal } from '#adapters/product-files/numbers.ts';

type Read = (text: string, decimals: number, sign?: string) => { value?: number; error?: string };

/** A module of the page, which has no types. */
const module = new URL('../../adapters/ops/admin/browser/views/import/numbers.js', import.meta.url);

describe('Numbers of files on the admin page', () => {
  let readOnPage: Read;

  before(async () => {
    readOnPage = (await import(module.href)).readDecimal;
  });

  it('are read as portico import reads them', () => {
    const text = fc
      .array(fc.constantFrom('1', '234', '567', '0', '50', '.', ',', ' ', "'", '’', '-', 'x'), {
        maxLength: 7,
      })
      .map((parts) => parts.join(''));
    const sign = fc.constantFrom(undefined, 'dot' as const, 'comma' as const);
    let values = 0;
    fc.assert(
      fc.property(text, fc.constantFrom(0, 2, 3), sign, (written, decimals, known) => {
        const expected = readDecimal(written, decimals, known);
        const read = readOnPage(written, decimals, known);
        if ('value' in expected) values += 1;
        expect('value' in read).to.equal('value' in expected, written);
        if ('value' in expected) expect(read.value).to.equal(Number(expected.value), written);
      }),
      { numRuns: 3_000 },
    );
    expect(values).to.be.greaterThan(100);
  });
});
