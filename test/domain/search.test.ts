import { expect } from 'chai';
import { Search } from '#domain/search.ts';
import { aProduct } from '../contracts/samples.ts';
import { cpuTimeOf } from '../support/cpu-time.ts';

describe('The words of a product', () => {
  const wordsOf = (text: string) => [...Search.wordsOf({ ...aProduct(), name: text })];

  const cases: Record<string, readonly [text: string, ...words: string[]]> = {
    'are its runs of letters, marks and numbers': ['Tea pot, 1.5 l (x²)', 'tea', 'pot', '1', '5', 'l', 'x2'],
    'are in lower case, without accents': [
      'CRÈME Brûlée naïve Ångström',
      'creme',
      'brulee',
      'naive',
      'angstrom',
    ],
    'have ss for ß, also for the capital one': ['Straße GROẞ', 'strasse', 'gross'],
    'have one sigma': ['ΣΊΣΥΦΟΣ ς', 'σισυφοσ', 'σ'],
    'have no compatibility forms': ['ﬁne Ⅻ １２ ㎏', 'fine', 'xii', '12', 'kg'],
    'have one i, with its dot and without': ['İzmir ISPARTA ılık', 'izmir', 'isparta', 'ilik'],
    'have other letters for those that have no accent to lose': [
      'Łódź Đakovo Ðór Ħamrun Ŋ SMØRREBRØD ǿre',
      ...['lodz', 'dakovo', 'dor', 'hamrun', 'n', 'smorrebrod', 'ore'],
    ],
    'have two letters for ligatures and þ': ['Cœur ÆBLE Þór ŒUVRE', 'coeur', 'aeble', 'thor', 'oeuvre'],
    'lose the marks of Arabic and Hebrew': ['أَحْمَد شَاي שָׁלוֹם', 'احمد', 'شاي', 'שלום'],
    'lose what is not seen': ['Kaf\u00adfee\u200b\u2060\ufe0fkanne می\u200cخواهم', 'kaffeekanne', 'میخواهم'],
    'are joined around apostrophes and hyphens besides': [
      "Men's L’Oréal COF-ETH-250 rock'n‑roll",
      ...['men', 's', 'l', 'oreal', 'cof', 'eth', '250', 'rock', 'n', 'roll'],
      ...['mens', 'loreal', 'cofeth250', 'rocknroll'],
    ],
    'are not joined by two signs, a space, or at an end': [
      "tea--pot 'x' a - b c-",
      'tea',
      'pot',
      'x',
      'a',
      'b',
      'c',
    ],
    'are joined as neighbours in scripts without spaces': ['日-茶', '日', '茶', '日茶'],
    'keep й as и, and ё as е': ['Чай Ёлка', 'чаи', 'елка'],
    'keep Hangul whole': ['녹차 한국', '녹차', '한국'],
    'keep the marks of other scripts': ['किताब', 'किताब'],
    'are single characters and pairs in scripts without spaces': ['日本茶', '日', '本', '茶', '日本', '本茶'],
    'pair a long vowel like the Katakana around it': ['コーヒ', 'コ', 'ー', 'ヒ', 'コー', 'ーヒ'],
    'compose what a mark belongs to': ['か\u3099', 'が'],
    'are whole around the apostrophe that is a letter': ['Мʼята Qurʼan', 'мʼята', 'qurʼan'],
    'divide runs where the script changes': ['ABC茶12', 'abc', '茶', '12'],
    'may begin with a mark': ['\u20e3a', '\u20e3a'],
    'are none of emoji and signs': ['☕ % _ * " \' \\', ...[]],
    'are none of an unpaired surrogate': ['a\ud800b', 'a', 'b'],
  };
  for (const [title, [text, ...words]] of Object.entries(cases))
    it(title, () => expect(wordsOf(text)).to.deep.equal(words));

  it('pair neighbours in every script without spaces', () => {
    for (const pair of ['茶碗', 'おち', 'カフ', 'ชา', 'ຊາ', 'តែ', 'လဖ'])
      expect(wordsOf(pair)).to.include(pair);
  });

  it('are cut to 40 characters, which may be two units each', () => {
    expect(wordsOf('a'.repeat(41))).to.deep.equal(['a'.repeat(40)]);
    expect(wordsOf('𐐨'.repeat(41))).to.deep.equal(['𐐨'.repeat(40)]);
  });

  it('are those of name, SKU, description and tags, each once, and the tags', () => {
    const product = aProduct({
      name: 'Tea',
      sku: 'T-1',
      description: 'tea pot',
      tags: ['dark-roast', 'tea'],
    });
    expect([...Search.wordsOf(product)]).to.have.members([
      'tea',
      't',
      '1',
      'pot',
      't1',
      'dark',
      'roast',
      'darkroast',
      '#dark-roast',
      '#tea',
    ]);
  });

  it('of a description have no tags and no entities, which names and SKUs may have as text', () => {
    const description =
      '<p><strong>Gr&uuml;n&shy;tee</strong></p><p>5 < 6, <3, a<b, L&#39;Or&eacute;al &amp; Co</p>';
    expect([...Search.wordsOf(aProduct({ name: 'T', description }))]).to.deep.equal([
      ...['t', 'gruntee', '5', '6', '3', 'a', 'b', 'l', 'oreal', 'co', 'loreal'],
    ]);
    expect([...Search.wordsOf(aProduct({ name: '<b>', sku: '&shy;' }))]).to.deep.equal(['b', 'shy']);
  });

  it('that are joined are cut to 40 characters, too', () => {
    const text = Array.from({ length: 9 }, () => 'abcde').join('-');
    expect(wordsOf(text)).to.deep.equal(['abcde', text.replaceAll('-', '').slice(0, 40)]);
  });

  it('cost a longer text no more than its length, also where it is one word, or one with signs', () => {
    const long = 50_000;
    const timeOf = (text: string) =>
      Math.min(...Array.from({ length: 3 }, () => cpuTimeOf(() => wordsOf(text))));
    for (const part of ['a', 'a-', "-'", '<', '&#', '茶', 'a\u0301', '\u00ad']) {
      const [short, whole] = [timeOf(part.repeat(long / 10)), timeOf(part.repeat(long))];
      // Ten times as much, and not a hundred times. What takes less than ten milliseconds is compiled meanwhile, or not.
      expect(whole, `${part} ${short} ms`).to.be.lessThan(40 * Math.max(short, 10));
    }
  });

  it('never join the end of one text with the begin of the next', () => {
    expect([...Search.wordsOf(aProduct({ name: '茶', sku: '碗' }))]).to.deep.equal(['茶', '碗']);
  });

  it('change with these texts alone', () => {
    const before = aProduct({ name: 'Tea', tags: ['a'] });
    for (const change of [{ name: 'Pot' }, { sku: 'x' }, { description: 'x' }, { tags: ['a', 'b'] }])
      expect(Search.changesWords(before, { ...before, ...change })).to.equal(true);
    expect(Search.changesWords(before, { ...before, tags: ['a'], status: 'draft', version: 2 })).to.equal(
      false,
    );
  });
});

describe('A search', () => {
  const finds = (text: string, name: string): boolean => {
    const words = Search.wordsOf(aProduct({ name }));
    return Search.termsOf(text).every((term) => Search.matches(words, term));
  };

  it('finds what has, for each of its words, a word that begins with it', () => {
    expect(finds('eth yirga', 'Ethiopia Yirgacheffe')).to.equal(true);
    expect(finds('YIRGÀ, ETH eth', 'Ethiopia Yirgacheffe')).to.equal(true);
    expect(finds('eth kenya', 'Ethiopia Yirgacheffe')).to.equal(false);
    expect(finds('iopia', 'Ethiopia')).to.equal(false);
  });

  it('finds texts in whatever spelling people type', () => {
    for (const [text, name] of [
      ...[['lodz', 'Łódź'] as const, ['ŁÓDŹ', 'Lodz'] as const, ['smorrebrod', 'Smørrebrød'] as const],
      ...[['coeur', 'Cœur'] as const, ['thor', 'Þór'] as const, ['ısparta', 'ISPARTA'] as const],
      ...[['isparta', 'ısparta'] as const, ['احمد', 'أحمد'] as const, ['kaf\u00adfee', 'Kaffee'] as const],
      ...[['mens', 'Men’s'] as const, ["men's", 'Men’s'] as const, ['loreal', "L'Oréal"] as const],
      ...[['l’oréal', "L'Oréal"] as const, ['COFETH250', 'COF-ETH-250'] as const],
      ...[['cof-eth-250', 'COF-ETH-250'] as const, ['cofeth', 'COF-ETH-250'] as const],
      ...[['мʼя', 'Мʼята'] as const, ['qurʼa', 'Qurʼan'] as const, ['oʼz', 'Oʼzbek'] as const],
      ...[['t-shirt', 'T Shirt'] as const, ['t-shirt', 'T-Shirt'] as const, ['tshirt', 'T-Shirt'] as const],
    ])
      expect(finds(text, name), `${text} in ${name}`).to.equal(true);
  });

  it('does not join what it asks for', () => {
    expect(Search.termsOf("t-shirt men's").map(({ text }) => text)).to.deep.equal(['t', 'shirt', 'men', 's']);
    expect(finds('t-shirt', 'Tshirt')).to.equal(false);
  });

  it('finds only whole words by one character', () => {
    expect(finds('t', 'Tea')).to.equal(false);
    expect(finds('t', 'T shirt')).to.equal(true);
    expect(finds('𐐨', '𐐨𐐨')).to.equal(false);
  });

  it('finds any part of a run in scripts without spaces', () => {
    for (const text of ['日', '茶', '日本', '本茶', '日本茶']) expect(finds(text, '日本茶')).to.equal(true);
    for (const text of ['茶日', '日茶', '日本酒']) expect(finds(text, '日本茶')).to.equal(false);
  });

  it('finds a word that is longer than 40 characters by its first 40', () => {
    expect(finds('a'.repeat(50), 'a'.repeat(45))).to.equal(true);
  });

  it('does not find a tag among words, nor a word among tags', () => {
    const words = Search.wordsOf(aProduct({ name: 'dark roast', tags: ['light'] }));
    expect(Search.matches(words, Search.termOfTag('dark'))).to.equal(false);
    expect(Search.matches(words, Search.termOfTag('ligh'))).to.equal(false);
    expect(Search.matches(words, Search.termOfTag('light'))).to.equal(true);
  });

  it('has one to eight words, as they are written', () => {
    const violation = Search.rules.text.violation;
    for (const text of ['a b c d e f g h', '日本茶碗日本茶碗日', `${'x'.repeat(10_000)}`])
      expect(violation(text), text).to.equal(undefined);
    for (const text of ['', ' ', '%', '_*"\'\\', '☕', '\ud800', '\u0301', '\u200b\u00ad', '\u0654'])
      expect(violation(text), text).to.equal('must have a letter or a number');
    for (const text of ['a b c d e f g h i', 'tea '.repeat(9), '日本茶碗日本茶碗日本'])
      expect(violation(text), text).to.equal('must have at most 8 words');
    expect(violation('tea\0pot')).to.equal('must not contain the NUL character');
  });
});
