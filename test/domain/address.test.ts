import { expect } from 'chai';
import { Address, type AddressPatch } from '#domain/address.ts';

const given = { name: 'Ada Hill', line1: 'Herrengasse 1', city: 'Wien', country: 'AT' };
const none = { company: null, line2: null, postalCode: null, region: null, phone: null };

describe('An address', () => {
  it('has a name, a first line, a city and a country, and nothing else unless it is given', () => {
    expect(Address.merge(null, given)).to.deep.equal({ ...given, ...none });
  });

  it('is merged field by field, where null removes what may be missing', () => {
    const stored = { ...given, ...none, company: 'Hill & Co', postalCode: '1010' };
    expect(Address.merge(stored, { company: null, postalCode: '1020', phone: '+43 1 234' })).to.deep.equal({
      ...given,
      ...none,
      ...{ postalCode: '1020', phone: '+43 1 234' },
    });
  });

  it('lists everything that is missing or invalid in the result', () => {
    const errors = (patch: AddressPatch) => {
      const merged = Address.merge({ ...given, ...none }, patch);
      return 'errors' in merged ? merged.errors.map(({ field, message }) => `${field} ${message}`) : [];
    };
    expect(errors({ name: null, country: null })).to.deep.equal([
      'name is required in an address',
      'country is required in an address',
    ]);
    expect(errors({ name: '\u200b', city: 'x'.repeat(101) })).to.deep.equal([
      'name must have a character that is visible',
      'city must have at most 100 characters',
    ]);
    expect(errors({ country: 'Austria' })).to.have.lengthOf(1);
    expect(errors({ postalCode: 'x'.repeat(21), phone: 'x'.repeat(31) })).to.have.lengthOf(2);
  });
});
