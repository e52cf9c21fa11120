import { expect } from 'chai';
import type { Decoder } from '#adapters/wire/codec.ts';
import { DecodeError, decode } from '#adapters/wire/json.ts';
import { metadata, metadataPatch } from '#adapters/wire/metadata.ts';
import { strictObject } from '#adapters/wire/object-codec.ts';

const whole = strictObject({ metadata });
const patch = strictObject({ metadata: metadataPatch });
const manyNames = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, '']));

const errorsOf = (codec: Decoder<unknown>, json: string): string => {
  try {
    decode(codec, { metadata: JSON.parse(json) });
    return 'none';
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return error.fieldErrors.map(({ field, message }) => `${field} ${message}`).join('; ');
  }
};

describe('Metadata in a request', () => {
  it('are an object of texts', () => {
    const given = { colour: 'red', toString: '' };
    expect(decode(whole, { metadata: given }).metadata).to.deep.equal(given);
    for (const json of ['null', '[]', '"a"', '7'])
      expect(errorsOf(whole, json), json).to.equal('metadata must be an object');
    expect(errorsOf(whole, '{"a": 7, "b": null, "c": {}}')).to.equal(
      'metadata.a must be a string; metadata.b must be a string; metadata.c must be a string',
    );
  });

  it('may hold null in a patch, which removes a name', () => {
    expect(decode(patch, { metadata: { colour: null, size: 'M' } }).metadata).to.deep.equal({
      colour: null,
      size: 'M',
    });
    expect(errorsOf(patch, 'null')).to.equal('metadata must be an object');
    expect(errorsOf(patch, '{"a": 7}')).to.equal('metadata.a must be a string');
  });

  it('name the entry whose name or value is not valid', () => {
    for (const codec of [whole, patch]) {
      for (const name of ['', 'a b', '__proto__', 'constructor', 'prototype', 'ä', 'x'.repeat(41)])
        expect(errorsOf(codec, `{${JSON.stringify(name)}: "x"}`)).to.match(
          new RegExp(`^metadata\\.${name} must have a name of 1 to 40`),
        );
      expect(errorsOf(codec, `{"a": "${'x'.repeat(501)}"}`)).to.equal(
        'metadata.a must have at most 500 characters',
      );
      expect(errorsOf(codec, '{"a": "\\u0000"}')).to.equal('metadata.a must not contain the NUL character');
      expect(errorsOf(codec, '{"a": "\\ud800"}')).to.equal('metadata.a must be well-formed Unicode');
    }
  });

  it('have at most 50 names and 8 KiB, and a patch of them twice as many names', () => {
    expect(errorsOf(whole, JSON.stringify(manyNames(50)))).to.equal('none');
    expect(errorsOf(whole, JSON.stringify(manyNames(51)))).to.equal('metadata must have at most 50 names');
    const values = Array.from({ length: 17 }, (_, index) => [`n${index}`, 'x'.repeat(500)]);
    expect(errorsOf(whole, JSON.stringify(Object.fromEntries(values)))).to.match(
      /^metadata must have at most 8192 bytes/,
    );
    expect(errorsOf(patch, JSON.stringify(manyNames(100)))).to.equal('none');
    expect(errorsOf(patch, JSON.stringify(manyNames(101)))).to.equal('metadata must have at most 100 names');
  });
});
