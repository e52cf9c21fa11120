import { expect } from 'chai';
import fc from 'fast-check';
import { integer, requireValid, text } from '#domain/rule.ts';
import { refusal } from './refusal.ts';

const few = fc.string({ unit: 'binary', minLength: 0, maxLength: 12 });

describe('The rule for a text', () => {
  it('counts code points, not the units that they are stored in', () => {
    const rule = text(0, 6);
    fc.assert(
      fc.property(few, (value) => {
        fc.pre(!value.includes('\0'));
        expect(rule.violation(value) === undefined).to.equal([...value].length <= 6);
      }),
    );
  });

  it('takes as many as it says, each of them two units long', () => {
    expect(text(1, 3).violation('😀😀😀')).to.equal(undefined);
    expect(text(1, 3).violation('😀😀😀😀')).to.equal('must have at most 3 characters');
    expect(text(1, 3).violation('😀😀aa')).to.equal('must have at most 3 characters');
  });

  it('takes nothing at all only when it says so', () => {
    expect(text(0, 3).violation('')).to.equal(undefined);
    expect(text(1, 3).violation('')).to.equal('must not be empty');
  });

  it('takes no NUL', () => {
    expect(text(0, 3).violation('a\0b')).to.equal('must not contain the NUL character');
  });

  for (const half of ['\ud83d', '\ude00', 'a\ud83d', '\ude00\ud83d']) {
    it(`takes no half of a surrogate pair: ${JSON.stringify(half)}`, () => {
      expect(text(0, 3).violation(half)).to.equal('must be well-formed Unicode');
    });
  }
});

describe('The rule for a whole number', () => {
  const rule = integer(1, 5);

  it('takes the numbers between its bounds, and both of them', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10, max: 10 }), (value) => {
        expect(rule.violation(value) === undefined).to.equal(value >= 1 && value <= 5);
      }),
    );
  });

  it('takes no fraction and nothing that is no number', () => {
    for (const value of [1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(rule.violation(value)).to.equal('must be a whole number from 1 to 5');
    }
  });

  it('takes zero, but no negative zero', () => {
    expect(integer(0, 5).violation(0)).to.equal(undefined);
    expect(integer(0, 5).violation(-0)).to.be.a('string');
  });
});

describe('Fields that have rules', () => {
  const rules = { name: text(1, 3), title: text(1, 3), rating: integer(1, 5) };

  it('are kept as they are when none of them is broken', () => {
    const fields = { name: 'Ada', title: null, rating: 5, other: 'anything at all' };
    expect(requireValid(rules, fields)).to.equal(fields);
  });

  it('are refused with every field that breaks its rule, not just the first', () => {
    expect(refusal(() => requireValid(rules, { name: '', title: 'long', rating: 5 }))).to.deep.equal({
      kind: 'validation',
      fields: ['name', 'title'],
    });
  });

  it('break none when they are absent', () => {
    expect(requireValid(rules, { name: undefined, rating: 5 })).to.deep.equal({ name: undefined, rating: 5 });
  });
});
