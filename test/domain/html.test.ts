import { expect } from 'chai';
import { textOfHtml } from '#domain/html.ts';

describe('The text of a description', () => {
  const cases: Record<string, readonly [html: string, text: string]> = {
    'has no tags, which divide words': ['<p class="a">Tea</p><p>pot<br/></p>', '\nTea\n\npot\n\n'],
    'keeps a sign that begins no tag': ['5 < 6, <3 and a<b', '5 < 6, <3 and a<b'],
    'keeps a tag that is not closed, also before the next': [
      'tea <b pot, a<b<i>c</i>',
      'tea <b pot, a<b\nc\n',
    ],
    'has characters for entities by name': ['&Uuml;ber &laquo;&szlig;&raquo;&nbsp;&amp;', 'Über «ß»\u00a0&'],
    'has characters for entities by number': ['&#233;&#x141;&#X142;', 'éŁł'],
    'decodes once': ['&amp;shy;', '&shy;'],
    'takes what is decoded for no tag': ['&lt;b&gt;', '<b>'],
    'keeps names that are none, and an ampersand': ['R&D &tea; AT&T', 'R&D &tea; AT&T'],
    'has no character for a number beyond them all': ['a&#9999999;b', 'a b'],
  };
  for (const [title, [html, text]] of Object.entries(cases))
    it(title, () => expect(textOfHtml(html)).to.equal(text));

  it('has the letters of HTML in the order of their code points', () => {
    const letters = {
      ...{ Amacr: 'Ā', Aogon: 'Ą', ccaron: 'č', dstrok: 'đ', emacr: 'ē', Edot: 'Ė', Gcedil: 'Ģ', yuml: 'ÿ' },
      ...{
        hstrok: 'ħ',
        imacr: 'ī',
        Iogon: 'Į',
        imath: 'ı',
        kcedil: 'ķ',
        lcaron: 'ľ',
        lstrok: 'ł',
        ncaron: 'ň',
      },
      ...{ eng: 'ŋ', omacr: 'ō', odblac: 'ő', oelig: 'œ', scirc: 'ŝ', scedil: 'ş', umacr: 'ū', Yuml: 'Ÿ' },
      ...{ zacute: 'ź', Zcaron: 'Ž', Rho: 'Ρ', Omega: 'Ω', rho: 'ρ', sigmaf: 'ς', omega: 'ω', rlm: '\u200f' },
      ...{
        hyphen: '‐',
        shy: '\u00ad',
        rsquo: '’',
        bdquo: '„',
        frac34: '¾',
        thorn: 'þ',
        times: '×',
        divide: '÷',
      },
    };
    for (const [name, letter] of Object.entries(letters))
      expect(textOfHtml(`&${name};`), name).to.equal(letter);
  });
});
