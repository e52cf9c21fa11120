import { expect } from 'chai';
import fc from 'fast-check';
import { identifier, label, text } from '#domain/text.ts';

/** What shows nothing: white space, zero-width and control characters, joiners, marks of direction, fillers. */
const invisible = [
  ...' \t\n\v\f\r\u0085\u00a0\u1680\u2000\u2009\u200a\u2028\u2029\u202f\u205f\u3000',
  ...'\u200b\u200c\u200d\u2060\ufeff\u180e\u00ad\u200e\u200f\u061c\u202a\u202c\u2066\u2069',
  ...'\u0001\u001b\u007f\u009f\u115f\u1160\u3164\uffa0\u2800\ufff9\u2064\u034f\u17b4',
  ...['\u{e0001}', '\u{1d173}'],
];

/** What shows nothing alone, but changes the character before it. */
const attached = ['\ufe0f', '\ufe0e', '\u180b', '\u{e0100}', '\u{e007f}'];

const hex = (value: string): string =>
  [...value]
    .map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`)
    .join(' ');

const anyInvisible = fc
  .array(fc.constantFrom(...invisible), { minLength: 1, maxLength: 5 })
  .map((all) => all.join(''));
const anyAttached = fc.array(fc.constantFrom(...attached), { maxLength: 3 }).map((all) => all.join(''));
const anyVisible = fc
  .stringMatching(/^[\p{L}\p{N}\p{P}\p{S}]{1,8}$/u)
  .filter((one) => !one.includes('\u2800'));

describe('A text with a minimum of 1', () => {
  it('has something that is visible', () => {
    fc.assert(
      fc.property(anyInvisible, anyAttached, (some, others) => {
        expect(text(1, 50).violation(some + others)).to.equal('must have a character that is visible');
        expect(text(1, 50).violation(others + some)).to.equal('must have a character that is visible');
      }),
    );
  });

  for (const value of [...invisible, ...attached]) {
    it(`is not ${hex(value)} alone`, () => {
      expect(text(1, 9).violation(value)).to.equal('must have a character that is visible');
    });
  }

  it('may have invisible characters around what is visible', () => {
    fc.assert(
      fc.property(anyInvisible, anyVisible, anyInvisible, (before, value, after) => {
        expect(text(1, 50).violation(before + value + after)).to.equal(undefined);
      }),
    );
  });

  it('is still empty, too long or ill-formed first', () => {
    expect(text(1, 3).violation('')).to.equal('must not be empty');
    expect(text(1, 3).violation('    ')).to.equal('must have at most 3 characters');
    expect(text(1, 3).violation(' \0')).to.equal('must not contain the NUL character');
  });

  it('has limits that know nothing of what is visible', () => {
    for (const rule of [text(1, 9), label(1, 9), identifier(1, 9)]) {
      expect(rule.limits?.violation(' \u200b ')).to.equal(undefined);
      expect(rule.limits?.violation('')).to.equal('must not be empty');
    }
  });
});

describe('A text with a minimum of 0', () => {
  it('may show nothing', () => {
    fc.assert(
      fc.property(anyInvisible, (value) => {
        expect(text(0, 50).violation(value)).to.equal(undefined);
      }),
    );
  });
});

describe('A label', () => {
  for (const one of invisible) {
    it(`neither begins nor ends with ${hex(one)}`, () => {
      expect(label(0, 9).violation(`${one}Tea`)).to.match(/^must not begin with /);
      expect(label(0, 9).violation(`Tea${one}`)).to.match(/^must not end with /);
      expect(label(0, 9).violation(`Te${one}a`)).to.equal(undefined);
      expect(label(0, 9).violation(one)).to.match(/^must not begin with /);
    });
  }

  it('may end with what belongs to the character before it, as emoji do', () => {
    for (const value of ['❤️', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '葛\u{e0100}', '1️⃣', '👩‍👩‍👧‍👦', 'e\u0301']) {
      expect(label(1, 20).violation(value), hex(value)).to.equal(undefined);
    }
    fc.assert(
      fc.property(anyVisible, fc.constantFrom('é', '語', '❤', '🏴'), anyAttached, (value, last, some) => {
        expect(label(1, 50).violation(value + last + some)).to.equal(undefined);
      }),
    );
  });

  it('does not end with a selector behind a character of ASCII, to which none belongs', () => {
    for (const value of ['Tea\ufe0f', 'TEA-1\ufe0e', 'é x\u{e0100}', 'Tea\ufe0f\ufe0f']) {
      expect(label(1, 9).violation(value), hex(value)).to.match(
        /^must not end with an invisible character \(U\+\w+\)$/,
      );
    }
  });

  it('hides no white space behind it, and begins with none of it', () => {
    expect(label(1, 9).violation('Thé\ufe0f \ufe0f')).to.equal('must not end with a space');
    expect(label(1, 9).violation('\ufe0fTea')).to.equal(
      'must not begin with an invisible character (U+FE0F)',
    );
  });

  it('says which character is wrong', () => {
    expect(label(1, 9).violation(' Tea')).to.equal('must not begin with a space');
    expect(label(1, 9).violation('Tea\u00a0')).to.equal('must not end with white space (U+00A0)');
    expect(label(1, 9).violation('\ufeffTea')).to.equal(
      'must not begin with an invisible character (U+FEFF)',
    );
  });

  it('may be empty only if the minimum is 0', () => {
    expect(label(0, 9).violation('')).to.equal(undefined);
    expect(label(1, 9).violation('')).to.equal('must not be empty');
  });
});

describe('An identifier', () => {
  const rule = identifier(1, 8);

  it('is kept in NFC, so that what looks the same is the same', () => {
    expect(rule.normalize?.('CAFE\u0301')).to.equal('CAFÉ');
    expect(rule.normalize?.('\u212bngstr')).to.equal('Ångstr');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        expect(rule.normalize?.(value.normalize('NFD'))).to.equal(rule.normalize?.(value));
      }),
    );
  });

  it('keeps differences of case, width and compatibility', () => {
    for (const value of ['ａ', 'A', 'ﬀ', '①']) expect(rule.normalize?.(value)).to.equal(value);
  });

  it('has its limits in the form that is kept, too', () => {
    expect(rule.violation('\ufb2c\ufb2c')).to.equal(undefined);
    expect(rule.violation('\ufb2c\ufb2c\ufb2c')).to.equal('must have at most 8 characters');
  });

  it('is a label', () => {
    expect(rule.violation('A-1 ')).to.equal('must not end with a space');
  });
});
