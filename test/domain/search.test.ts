import { expect } from 'chai';
import { Search } from '#domain/search.ts';
import { aProduct } from '../contracts/samples.ts';

describe('The words of a product', () => {
  const wordsOf = (text: string) => [...Search.wordsOf({ ...aProduct(), name: text })];

  const cases: Record<string, readonly [text: string, ...words: string[]]> = {
    'are its runs of letters, marks and numbers': ['Tea-pot, 1.5 l (x²)', 'tea', 'pot', '1', '5', 'l', 'x2'],
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
    'lose the dot of a capital İ, and keep ı': ['İzmir ılık', 'izmir', 'ılık'],
    'keep й as и, and ё as е': ['Чай Ёлка', 'чаи', 'елка'],
    'keep Hangul whole': ['녹차 한국', '녹차', '한국'],
    'keep the marks of other scripts': ['किताब', 'किताब'],
    'are single characters and pairs in scripts without spaces': ['日本茶', '日', '本', '茶', '日本', '本茶'],
    'pair a long vowel like the Katakana around it': ['コーヒ', 'コ', 'ー', 'ヒ', 'コー', 'ーヒ'],
    'compose what a mark belongs to': ['か\u3099', 'が'],
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
      'dark',
      'roast',
      '#dark-roast',
      '#tea',
    ]);
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
    for (const text of ['', ' ', '%', '_*"\'\\', '☕', '\ud800', '\u0301'])
      expect(violation(text), text).to.equal('must have a letter or a number');
    for (const text of ['a b c d e f g h i', 'tea '.repeat(9), '日本茶碗日本茶碗日本'])
      expect(violation(text), text).to.equal('must have at most 8 words');
    expect(violation('tea\0pot')).to.equal('must not contain the NUL character');
  });
});
