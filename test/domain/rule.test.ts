import { expect } from 'chai';
import fc from 'fast-check';
import { integer, isSame, listRule, requireValid, requireValidChanges } from '#domain/rule.ts';
import { identifier, label, text } from '#domain/text.ts';
import { domainErrorOf } from './domain-error.ts';

const few = fc.string({ unit: 'binary', minLength: 0, maxLength: 12 });

describe('The rule for a text', () => {
  it('counts code points, not UTF-16 units', () => {
    const rule = text(0, 6);
    fc.assert(
      fc.property(few, (value) => {
        fc.pre(!value.includes('\0'));
        expect(rule.violation(value) === undefined).to.equal([...value].length <= 6);
      }),
    );
  });

  it('accepts the maximum of code points of two units each', () => {
    expect(text(1, 3).violation('😀😀😀')).to.equal(undefined);
    expect(text(1, 3).violation('😀😀😀😀')).to.equal('must have at most 3 characters');
    expect(text(1, 3).violation('😀😀aa')).to.equal('must have at most 3 characters');
  });

  it('accepts an empty text only if the minimum is 0', () => {
    expect(text(0, 3).violation('')).to.equal(undefined);
    expect(text(1, 3).violation('')).to.equal('must not be empty');
  });

  it('rejects NUL', () => {
    expect(text(0, 3).violation('a\0b')).to.equal('must not contain the NUL character');
  });

  for (const half of ['\ud83d', '\ude00', 'a\ud83d', '\ude00\ud83d']) {
    it(`rejects an unpaired surrogate: ${JSON.stringify(half)}`, () => {
      expect(text(0, 3).violation(half)).to.equal('must be well-formed Unicode');
    });
  }
});

describe('The rule for a whole number', () => {
  const rule = integer(1, 5);

  it('accepts numbers within its inclusive bounds', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10, max: 10 }), (value) => {
        expect(rule.violation(value) === undefined).to.equal(value >= 1 && value <= 5);
      }),
    );
  });

  it('rejects fractions and NaN', () => {
    for (const value of [1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(rule.violation(value)).to.equal('must be a whole number from 1 to 5');
    }
  });

  it('accepts zero, but not negative zero', () => {
    expect(integer(0, 5).violation(0)).to.equal(undefined);
    expect(integer(0, 5).violation(-0)).to.be.a('string');
  });
});

describe('The rule for a list', () => {
  it('has a maximum, the rule of its items, and may accept each once only', () => {
    const rule = listRule(text(1, 3), 2);
    for (const valid of [[], ['a', 'b'], ['a', 'a']]) expect(rule.violation(valid)).to.equal(undefined);
    expect(rule.violation(['a', 'b', 'c'])).to.equal('must have at most 2 items');
    expect(rule.violation(['long'])).to.equal('must have at most 3 characters');
    expect(rule.violation(['a', 'long'])).to.equal('must have at most 3 characters (item 2)');
    const unique = listRule(text(1, 3), 2, { areUnique: true });
    expect(unique.violation(['a', 'b'])).to.equal(undefined);
    expect(unique.violation(['a', 'a'])).to.equal('must not have an item twice');
  });
});

describe('Two values of a field', () => {
  it('are the same exactly when their JSON is, whatever the order of names', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        // JSON has no -0.
        const [first, second] = [one, other].map((value) => JSON.parse(JSON.stringify(value)));
        expect(isSame(first, structuredClone(first))).to.equal(true);
        expect(isSame(first, turned(first))).to.equal(true);
        if (isSame(first, second)) expect(first).to.deep.equal(second);
      }),
    );
    for (const [one, other] of [
      ...[
        [[], {}],
        [['a'], { 0: 'a' }],
        [null, {}],
        [{ a: undefined }, { b: undefined }],
      ],
      ...[
        [
          ['a', 'b'],
          ['b', 'a'],
        ],
        [{ a: 1 }, { a: 1, b: 2 }],
        [['a'], ['a', 'a']],
        [null, undefined],
      ],
    ])
      expect(isSame(one, other), JSON.stringify([one, other])).to.equal(false);
  });

  const turned = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(turned);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([name, inner]) => [name, turned(inner)]),
    );
  };
});

describe('Changed fields with rules', () => {
  const rules = { name: label(1, 9), sku: identifier(1, 9), title: label(0, 9) };
  const stored = { name: ' Tea', sku: 'cafe\u0301 ', title: '\u200b' };

  it('may be stored values from before a rule, which are kept as they are', () => {
    expect(requireValidChanges(rules, stored, { ...stored })).to.deep.equal(stored);
    expect(requireValidChanges(rules, stored, { ...stored, name: 'Coffee' })).to.deep.equal({
      ...stored,
      name: 'Coffee',
    });
  });

  it('may have what was in a list before a rule, beside new items that keep it', () => {
    const listed = { tags: listRule(text(1, 3), 3, { keepsStored: true }) };
    const before = { tags: ['from before', 'tea'] };
    const change = (tags: readonly string[]) => requireValidChanges(listed, before, { tags });
    expect(change(['new', 'from before'])).to.deep.equal({ tags: ['new', 'from before'] });
    expect(domainErrorOf(() => change(['too long', 'from before'])).fields).to.deep.equal(['tags']);
    expect(domainErrorOf(() => change(['a', 'b', 'c', 'from before'])).fields).to.deep.equal(['tags']);
  });

  it('are rejected with every value that is new and invalid', () => {
    const changes = { name: 'Tea ', sku: stored.sku, title: ' ' };
    expect(domainErrorOf(() => requireValidChanges(rules, stored, changes))).to.deep.equal({
      kind: 'validation',
      fields: ['name', 'title'],
    });
  });

  it('are kept in their normal form', () => {
    expect(requireValidChanges(rules, stored, { sku: 'the\u0301' })).to.deep.equal({ sku: 'thé' });
    expect(requireValid(rules, { name: 'the\u0301', sku: 'the\u0301' })).to.deep.equal({
      name: 'the\u0301',
      sku: 'thé',
    });
  });

  it('may be null or absent', () => {
    const changes: { readonly name?: string; readonly sku: string | null } = { sku: null };
    expect(requireValidChanges<typeof changes>(rules, stored, changes)).to.deep.equal(changes);
  });
});

describe('Fields with rules', () => {
  const rules = { name: text(1, 3), title: text(1, 3), rating: integer(1, 5) };

  it('are returned unchanged when all are valid', () => {
    const fields = { name: 'Ada', title: null, rating: 5, other: 'anything at all' };
    expect(requireValid(rules, fields)).to.equal(fields);
  });

  it('are rejected with every invalid field, not just the first', () => {
    expect(domainErrorOf(() => requireValid(rules, { name: '', title: 'long', rating: 5 }))).to.deep.equal({
      kind: 'validation',
      fields: ['name', 'title'],
    });
  });

  it('are valid when absent', () => {
    expect(requireValid(rules, { name: undefined, rating: 5 })).to.deep.equal({ name: undefined, rating: 5 });
  });
});
