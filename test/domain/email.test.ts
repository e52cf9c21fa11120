import { expect } from 'chai';
import fc from 'fast-check';
import { Email } from '#domain/email.ts';

const localMessage = 'must have only ASCII characters before the @';
const noAddress = 'must be an e-mail address';

describe('An e-mail address', () => {
  const unicode: readonly (readonly [string, string])[] = [
    ['ada@münchen.example', 'ada@xn--mnchen-3ya.example'],
    ['Ada@MÜNCHEN.Example', 'ada@xn--mnchen-3ya.example'],
    ['ada@mu\u0308nchen.example', 'ada@xn--mnchen-3ya.example'],
    ['ada@faß.de', 'ada@xn--fa-hia.de'],
    ['info@例え。テスト', 'info@xn--r8jz45g.xn--zckzah'],
    ['a+b@почта.рф', 'a+b@xn--80a1acny.xn--p1ai'],
    ['a@ｅｘａｍｐｌｅ.com', 'a@example.com'],
    ['a@☕.example', 'a@xn--53h.example'],
    ['a@ü-a.b-ü.example', 'a@xn---a-wka.xn--b--yka.example'],
    ['a@\u1f80\u0301.example', 'a@xn--uxa780l.example'],
    ['a@１.2', 'a@1.2'],
    ['a@مثال.إختبار', 'a@xn--mgbh0fb.xn--kgbechtv'],
  ];
  for (const [given, kept] of unicode) {
    it(`is kept as ${kept} when it is given as ${given}`, () => {
      expect(Email.given.violation(given)).to.equal(undefined);
      expect(Email.normalize(given)).to.equal(kept);
      expect(Email.stored.violation(kept)).to.equal(undefined);
    });
  }

  for (const value of [
    'ädä@example.com',
    'Ж@почта.рф',
    'ada\u212a@example.com',
    'a\u200b@example.com',
    '😀@b',
  ]) {
    it(`has no character outside ASCII before the @: ${JSON.stringify(value)}`, () => {
      expect(Email.given.violation(value)).to.equal(localMessage);
    });
  }

  const broken = [
    ...[
      'ada@mün chen.de',
      'ada@münchen.de/x',
      'ada@münchen.de:80',
      'ada@mün%41.de',
      'ada@x@münchen.de',
      'ada@ü?',
      'ada@ü#',
    ],
    ...[
      'ada@ü..de',
      'ada@ü.de.',
      'ada@.ü',
      'ada@ü_x.de',
      'ada@ü\\de',
      'ada@[ü]',
      'ada@ü.xn--a',
      'ada@-ü.de',
      'ada@ü-.de',
      'ada@ü.-a',
      'ada@ü。-a',
      'ada@\uff0dü.de',
      'ada@\u00ad-\u00adü.de',
      'ada@ü\u3000',
      ' ada@ü',
    ],
    ...[
      'ada@\u00ad',
      'ada@\ud83d.de',
      'ä',
      'ada@ü\u0001.de',
      'ada@ü\t.de',
      `ada@${'ü'.repeat(60)}.de`,
      `ada@${'ü.'.repeat(60)}de`,
    ],
  ];
  for (const value of broken) {
    it(`is not ${JSON.stringify(value)}`, () => {
      expect(Email.given.violation(value)).to.match(/^must (?:be an e-mail address|not end with )/);
    });
  }

  it('says what is wrong with a domain', () => {
    expect(Email.given.violation('ada@ü..de')).to.equal(
      'must be an e-mail address whose domain has an ASCII form (UTS 46)',
    );
    expect(Email.given.violation('ada@ü/x')).to.equal(noAddress);
  });

  it('does not end in what cannot be seen, which UTS 46 would drop', () => {
    for (const [end, name] of [
      ['\u200b', 'U+200B'],
      ['\ufeff', 'U+FEFF'],
      ['\u00ad', 'U+00AD'],
      ['\ufe0f', 'U+FE0F'],
    ]) {
      expect(Email.given.violation(`ada@example.com${end}`)).to.equal(
        `must not end with an invisible character (${name})`,
      );
    }
    expect(Email.given.violation('ada@☕\ufe0f')).to.equal(undefined);
    expect(Email.normalize('ada@☕\ufe0f')).to.equal('ada@xn--53h');
  });

  it('leaves a text that is no address alone', () => {
    for (const value of ['Ada', 'Ada\u212a@example.com', 'ÄDA@example.com', 'Ada@ü/x']) {
      expect(Email.normalize(value)).to.equal(value);
    }
  });

  it('keeps an ASCII domain, also one that no URL may have', () => {
    for (const value of ['a@1.2', 'a@xn--a', 'a@0x7f.1', 'a@xn--mnchen-3ya.de', 'a@ab--c']) {
      expect(Email.given.violation(value)).to.equal(undefined);
      expect(Email.normalize(value)).to.equal(value);
    }
  });

  it('is kept in a form that is kept again, whatever is given', () => {
    const parts = fc.array(
      fc.oneof(
        fc.constantFrom('ü', '例', '.', '-', 'a', '1', 'ß', '\u00ad', '。', 'א', '\u0301', '≮'),
        fc.string({ unit: 'grapheme', maxLength: 2 }),
      ),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(parts, (labels) => {
        const given = `Ada@${labels.join('')}`;
        if (Email.given.violation(given) !== undefined) return;
        const kept = Email.normalize(given);
        expect(Email.normalize(kept)).to.equal(kept);
        expect(Email.stored.violation(kept)).to.equal(undefined);
        expect(Email.given.violation(kept)).to.equal(undefined);
        expect(kept).to.match(/^ada@[a-z0-9.-]+$/);
        expect(kept.normalize('NFC')).to.equal(kept);
        expect(Email.normalize(given.normalize('NFD'))).to.equal(kept);
      }),
      { numRuns: 2_000 },
    );
  });

  it('that is accepted in ASCII is accepted as before', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (value) => {
        expect(Email.given.violation(value)).to.equal(Email.stored.violation(value));
        expect(Email.normalize(value)).to.equal(value.toLowerCase());
      }),
    );
  });
});
