import { expect } from 'chai';
import fc from 'fast-check';
import { InexactNumber } from '#adapters/wire/inexact-number.ts';
import { canonicalJson, isObject, parseJson } from '#adapters/wire/json.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Any JSON value that is not nested too deep, with no negative zero, which JSON writes as zero. */
const anyValue = fc.jsonValue({ maxDepth: 5 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);

const turned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, turned(inner)]),
  );
};

describe('JSON', () => {
  it('is parsed to the same value, whatever its white space', () => {
    fc.assert(
      fc.property(anyValue, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        expect(parseJson(bytes(JSON.stringify(value, undefined, indent)))).to.deep.equal(value);
      }),
    );
  });

  it('has one canonical text for each value', () => {
    fc.assert(
      fc.property(anyValue, anyValue, (one, other) => {
        expect(canonicalJson(turned(one))).to.equal(canonicalJson(one));
        if (canonicalJson(one) === canonicalJson(other)) expect(one).to.deep.equal(other);
      }),
    );
  });

  it('with a duplicate name in one object is rejected at any depth and in any spelling', () => {
    const anyName = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(anyName, anyValue, fc.nat({ max: 10 }), (name, value, depth) => {
        const member = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
        const escaped = `"\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${JSON.stringify(name.slice(1)).slice(1)}:0`;
        const text = `${'[{"a":'.repeat(depth)}{${member},${escaped}}${'}]'.repeat(depth)}`;
        expect(() => JSON.parse(text)).not.to.throw();
        expect(() => parseJson(bytes(text))).to.throw('a name twice');
      }),
    );
  });

  it('keeps every number that a double holds exactly, and turns others into what is no number', () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(finite, (number) => {
        expect(parseJson(bytes(`[${number}]`))).to.deep.equal([JSON.parse(String(number))]);
      }),
    );
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.integer({ min: 20, max: 400 }), (integer, places) => {
        const zeros = '0'.repeat(places);
        expect(parseJson(bytes(`[${integer + 1}.${zeros}]`))).to.deep.equal([integer + 1]);
        const [inexact] = parseJson(bytes(`[${integer + 1}.${zeros}1]`)) as unknown[];
        expect(inexact)
          .to.be.instanceOf(InexactNumber)
          .with.property('nearest', integer + 1);
      }),
    );
  });

  it('takes a number that a double cannot hold for no object, and for null in the one spelling of a body', () => {
    const body = parseJson(bytes('{"metadata":9007199254740993}')) as { readonly metadata: unknown };
    expect(isObject(body.metadata)).to.equal(false);
    expect(canonicalJson(body)).to.equal('{"metadata":null}');
  });
});
