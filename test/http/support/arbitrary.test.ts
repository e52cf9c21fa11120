import { expect } from 'chai';
import fc from 'fast-check';
import type { Schema } from '#adapters/wire/codec.ts';
import { boolean } from '#adapters/wire/codecs.ts';
import { valid } from './arbitrary.ts';

describe('Values generated from a schema', () => {
  it('are booleans that the codec decodes, and it decodes nothing else', () => {
    fc.assert(fc.property(valid(boolean.schema), (value) => boolean.decode(value)._tag === 'Right'));
    for (const other of ['true', 0, 1, null, undefined, [], {}]) {
      expect(boolean.decode(other)._tag, `${other}`).to.equal('Left');
    }
  });

  for (const schema of [{ type: 'file' }, {}, { type: 'array' }, { type: ['null', 'file'] }]) {
    it(`are refused, and named, for ${JSON.stringify(schema)}, whose type is unknown`, () => {
      expect(() => valid(schema as Schema)).to.throw('No values can be generated for the type');
    });
  }
});
