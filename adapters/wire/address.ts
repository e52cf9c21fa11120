import { Address } from '#domain/address.ts';
import { described, named } from './codec.ts';
import { country, nullable, text } from './codecs.ts';
import { strictObject } from './object-codec.ts';

const { rules } = Address;

const required = {
  name: described(text(rules.name), 'Who receives it.', 'Ada Hill'),
  line1: described(text(rules.line1), 'Street and number, or a post box.', 'Herrengasse 1'),
  city: described(text(rules.city), 'City, town or village.', 'Wien'),
  country,
};

const optional = {
  company: described(nullable(text(rules.company)), 'The company.', 'Hill & Co'),
  line2: described(nullable(text(rules.line2)), 'Staircase, floor or door.', 'Top 7'),
  postalCode: described(nullable(text(rules.postalCode)), 'The postal code.', '1010'),
  region: described(nullable(text(rules.region)), 'State, province or county.', null),
  phone: described(nullable(text(rules.phone)), 'For the carrier.', '+43 1 234'),
};

/** In the order in which people read an address. */
export const address = named(
  'Address',
  strictObject({
    name: required.name,
    company: optional.company,
    line1: required.line1,
    line2: optional.line2,
    postalCode: optional.postalCode,
    city: required.city,
    region: optional.region,
    country: required.country,
    phone: optional.phone,
  }),
);

/** A whole address in a request, which may omit what is null. */
export const newAddress = named('NewAddress', strictObject(required, optional));

/** An address in a merge patch (RFC 7396). Together with what is stored, it must be a whole one. */
export const addressPatch = named('AddressPatch', strictObject({}, { ...required, ...optional }));
