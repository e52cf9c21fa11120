import { expect } from 'chai';
import { hiddenWords, hiddenWordsIn } from './hidden-words.ts';

describe('The check for words that hide what is meant', () => {
  for (const word of Object.keys(hiddenWords)) {
    it(`finds "${word}" with its line, in any case`, () => {
      const found = hiddenWordsIn('a.ts', `const one = 1;\n// ${word.toUpperCase()} comes.`);
      expect(found).to.have.length(1);
      expect(found[0]).to.match(/^a\.ts:2 /);
    });
  }

  it('finds patience inside of a name', () => {
    expect(hiddenWordsIn('a.ts', 'const connectPatience = 1;')).to.have.length(1);
  });

  it('finds nothing in words that only contain another one', () => {
    expect(hiddenWordsIn('a.ts', 'recommended, amend, heedless')).to.deep.equal([]);
  });
});
