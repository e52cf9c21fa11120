import { expect } from 'chai';
import { countries, country } from '#domain/country.ts';

describe('A country', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const valid = letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => country.violation(code) === undefined);

  it('is one of the 249 codes of ISO 3166-1, or XK, each of which Unicode names too', () => {
    expect(valid).to.have.lengthOf(250).and.to.include('XK');
    expect(countries.toSorted()).to.deep.equal(valid);
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    expect(valid.filter((code) => names.of(code) === undefined)).to.deep.equal([]);
  });

  it('is written in capitals, and is no reserved code or name', () => {
    for (const code of ['at', 'UK', 'EU', 'XX', 'ZZ', 'xk', 'AUT', '', 'Austria', 'A T'])
      expect(country.violation(code), code).to.match(/^must be an ISO 3166-1 alpha-2 code/);
  });
});
