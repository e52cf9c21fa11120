import { expect } from 'chai';
import { isSpreadsheetError, ruinOf, withLeadingZeros } from '#adapters/product-files/ruined-values.ts';

describe('SKUs that a spreadsheet has ruined', () => {
  it('are recognized by what it shows', () => {
    const dates = ['02.01.2026', '1/2/2026', '1/2/26', '2.1.26', '2026-01-02', '2026-01-02 00:00:00'];
    const months = ['2-Jan', '02-Jan-26', '2. Jan', '02. Mrz', 'Jan-26', 'Dez 26', '12-déc'];
    for (const sku of [...dates, ...months]) expect(ruinOf(sku), sku).to.match(/^a date, which/);
    for (const sku of ['4.00638E+12', '4,00638E+12', '1E+05'])
      expect(ruinOf(sku), sku).to.match(/^a number that/);
    expect(ruinOf('="0007"')).to.match(/^a formula/);
  });

  it('are recognized in the languages of other spreadsheets', () => {
    for (const sku of ['2-gen', '2-mag', '12. Jän', '2. Jänner', '3-ene', '1-mrt'])
      expect(ruinOf(sku), sku).to.match(/^a date, which/);
    const errors = [
      '#N/A',
      '#ERROR!',
      '#NOM?',
      '#VALEUR!',
      '#¡REF!',
      '#¿NOMBRE?',
      '#N/D',
      '#RIF!',
      '#WAARDE!',
    ];
    for (const cell of [...errors, '#BLOCKED!', '#GETTING_DATA', ' #ref! '])
      expect(isSpreadsheetError(cell), cell).to.equal(true);
    for (const cell of ['#SALE!', '#1', '#', 'N/A', '#REF', '# REF!'])
      expect(isSpreadsheetError(cell), cell).to.equal(false);
  });

  it('are no other numbers', () => {
    for (const sku of [
      'TEA-1',
      '1-2',
      '12.34',
      '1.2.3',
      '99-Jan',
      'JAN-26',
      'MAY-10',
      '12-set',
      '32.01.2026',
      '123',
      '#12',
      ...['4006381333931', 'E+5', '3E', 'A1E+05', '=7'],
    ])
      expect(ruinOf(sku), sku).to.equal(undefined);
  });

  it('may be numbers without their first zeros', () => {
    expect(withLeadingZeros('123').slice(0, 2)).to.deep.equal(['0123', '00123']);
    expect(withLeadingZeros('4006381333931')).to.deep.equal(['04006381333931']);
    for (const sku of ['0123', 'A1', '', '12345678901234567'])
      expect(withLeadingZeros(sku), sku).to.deep.equal([]);
  });
});
