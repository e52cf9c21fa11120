import { expect } from 'chai';
import { boolean, text } from '#adapters/wire/codecs.ts';
import { DecodeError, decode } from '#adapters/wire/json.ts';
import { fitting, strictObject } from '#adapters/wire/object-codec.ts';
import { text as anyText } from '#domain/text.ts';

const gift = fitting(strictObject({ isGift: boolean }, { cardText: text(anyText(0, 5)) }), (value) =>
  value.isGift || value.cardText === undefined
    ? undefined
    : { field: 'cardText', message: 'is for a gift only' },
);

const errorsOf = (input: unknown): string => {
  try {
    decode(gift, input);
    return 'none';
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return error.fieldErrors.map(({ field, message }) => `${field} ${message}`).join('; ');
  }
};

describe('An object whose fields have to fit together', () => {
  it('is decoded when they do', () => {
    expect(decode(gift, { is_gift: true, card_text: 'Hi' })).to.deep.equal({ isGift: true, cardText: 'Hi' });
    expect(errorsOf({ is_gift: false })).to.equal('none');
  });

  it('is rejected at the field that does not fit, by its name in JSON', () => {
    expect(errorsOf({ is_gift: false, card_text: 'Hi' })).to.equal('card_text is for a gift only');
  });

  it('is first checked field by field', () => {
    expect(errorsOf({ is_gift: 'no', card_text: 'Too long' })).to.equal(
      'is_gift must be true or false; card_text must have at most 5 characters',
    );
  });
});
